# Grows one tree to purity, or to depth 30, and prints: wall seconds, CPU seconds, score, leaves.
library(rpart)
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
kind <- arguments[2]
n_columns <- as.integer(arguments[3])

doubles <- function(name) {
  path <- file.path(folder, name)
  readBin(path, "double", file.size(path) / 8, endian = "little")
}
inputs <- function(name) {
  matrix <- matrix(doubles(name), ncol = n_columns)
  colnames(matrix) <- paste0("x", seq_len(n_columns))
  as.data.frame(matrix)
}

train <- inputs("X")
train$y <- if (kind == "class") factor(doubles("y")) else doubles("y")
control <- rpart.control(cp = -1, minsplit = 2, minbucket = 1, xval = 0, maxdepth = 30,
                         maxcompete = 0, maxsurrogate = 0, usesurrogate = 0)
invisible(gc())
start <- proc.time()
tree <- rpart(y ~ ., train, method = kind, control = control, model = FALSE, y = FALSE)
spent <- proc.time() - start

truth <- doubles("y_test")
answers <- predict(tree, inputs("X_test"), type = if (kind == "class") "class" else "vector")
if (kind == "class") {
  score <- mean(as.numeric(as.character(answers)) == truth)
} else {
  score <- 1 - sum((answers - truth)^2) / sum((truth - mean(truth))^2)
}
cat(spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]], score, sum(tree$frame$var == "<leaf>"))
