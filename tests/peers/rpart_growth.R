# Grows rpart without pruning to each depth from 1 to 5 and prints, between tabs: name, depth, leaves, and
# the Gini impurity that the leaves leave, times their rows. Argument: a folder with <name>.csv, whose column
# "target" is the class.
library(rpart)
folder <- commandArgs(trailingOnly = TRUE)[1]

for (path in list.files(folder, pattern = "[.]csv$", full.names = TRUE)) {
  data <- read.csv(path, stringsAsFactors = TRUE, check.names = FALSE)
  data$target <- factor(data$target)
  for (depth in 1:5) {
    control <- rpart.control(cp = -1, minsplit = 2, minbucket = 1, xval = 0, maxdepth = depth,
                             maxcompete = 0, maxsurrogate = 0)
    tree <- rpart(target ~ ., data, method = "class", control = control)
    is_leaf <- tree$frame$var == "<leaf>"
    counts <- tree$frame$yval2[is_leaf, 1 + seq_len(nlevels(data$target)), drop = FALSE]
    rows <- rowSums(counts)
    left <- format(sum(rows - rowSums(counts^2) / rows), digits = 15)
    cat(sub("[.]csv$", "", basename(path)), depth, sum(is_leaf), left, sep = "\t")
    cat("\n")
  }
}
