# Fits rpart outside each fold and prints, between tabs: name, repetition, fold, right, tested, leaves.
# Argument: a folder with <name>.csv, whose column "target" is the class and whose columns "fold1",
# "fold2", … hold one fold number per row. Trees are grown out and pruned by Breiman's rule of one
# standard error in rpart's own cross-validation of ten folds.
library(rpart)
folder <- commandArgs(trailingOnly = TRUE)[1]

smallest_within_one_error <- function(tree) {
  table <- as.data.frame(tree$cptable)
  best <- which.min(table$xerror)
  chosen <- which(table$xerror <= table$xerror[best] + table$xstd[best])[1]
  prune(tree, cp = table$CP[chosen])
}

for (path in list.files(folder, pattern = "[.]csv$", full.names = TRUE)) {
  data <- read.csv(path, stringsAsFactors = TRUE, check.names = FALSE, na.strings = "")
  folds <- grep("^fold[0-9]+$", names(data), value = TRUE)
  inputs <- data[setdiff(names(data), folds)]
  inputs$target <- factor(inputs$target)
  for (repetition in seq_along(folds)) {
    fold_of_row <- data[[folds[repetition]]]
    for (fold in sort(unique(fold_of_row))) {
      set.seed(repetition)
      train <- inputs[fold_of_row != fold, ]
      test <- inputs[fold_of_row == fold, ]
      control <- rpart.control(cp = 0, minsplit = 2, minbucket = 1, xval = 10)
      tree <- smallest_within_one_error(rpart(target ~ ., train, method = "class", control = control))
      right <- sum(predict(tree, test, type = "class") == test$target)
      leaves <- sum(tree$frame$var == "<leaf>")
      cat(sub("[.]csv$", "", basename(path)), repetition - 1, fold, right, nrow(test), leaves, sep = "\t")
      cat("\n")
    }
  }
}
