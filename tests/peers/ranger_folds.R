# Fits ranger outside each fold and prints, between tabs: name, repetition, fold, right, tested.
# Arguments: a folder with <name>.csv, whose column "target" is the class and whose columns "fold1", "fold2",
# … hold one fold number per row; and the number of trees. Trees are grown out, and vote; levels of a
# category are put into the order of their classes, which is what ranger's authors advise.
library(ranger)
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
n_trees <- as.integer(arguments[2])

for (path in list.files(folder, pattern = "[.]csv$", full.names = TRUE)) {
  data <- read.csv(path, stringsAsFactors = TRUE, check.names = FALSE, na.strings = "")
  folds <- grep("^fold[0-9]+$", names(data), value = TRUE)
  X <- data[setdiff(names(data), c(folds, "target"))]
  y <- factor(data$target)
  for (repetition in seq_along(folds)) {
    fold_of_row <- data[[folds[repetition]]]
    for (fold in sort(unique(fold_of_row))) {
      is_test <- fold_of_row == fold
      forest <- ranger(x = X[!is_test, , drop = FALSE], y = y[!is_test], num.trees = n_trees,
                       respect.unordered.factors = "order", num.threads = 2, seed = repetition,
                       oob.error = FALSE, verbose = FALSE)
      answers <- predict(forest, X[is_test, , drop = FALSE], num.threads = 2, verbose = FALSE)$predictions
      cat(sub("[.]csv$", "", basename(path)), repetition - 1, fold, sum(answers == y[is_test]),
          sum(is_test), sep = "\t")
      cat("\n")
    }
  }
}
