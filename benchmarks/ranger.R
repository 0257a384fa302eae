# Grows a forest to purity and prints: wall seconds, CPU seconds, score, leaves. With rounds above 0 it then
# prints, line by line, wall and CPU seconds of answering for all rows of the file "X_new".
library(ranger)
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
n_columns <- as.integer(arguments[2])
n_trees <- as.integer(arguments[3])
n_threads <- as.integer(arguments[4])
n_rounds <- as.integer(arguments[5])

doubles <- function(name) {
  path <- file.path(folder, name)
  readBin(path, "double", file.size(path) / 8, endian = "little")
}
inputs <- function(name) {
  matrix <- matrix(doubles(name), ncol = n_columns)
  colnames(matrix) <- paste0("x", seq_len(n_columns))
  matrix
}
timed <- function(work) {
  invisible(gc())
  start <- proc.time()
  result <- work()
  spent <- proc.time() - start
  list(result = result, seconds = c(spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]]))
}

X <- inputs("X")
y <- factor(doubles("y"))
grown <- timed(function() {
  ranger(x = X, y = y, num.trees = n_trees, num.threads = n_threads, min.node.size = 1,
         oob.error = FALSE, verbose = FALSE, seed = 1)
})
forest <- grown$result
answers <- predict(forest, inputs("X_test"), num.threads = n_threads, verbose = FALSE)$predictions
score <- mean(as.numeric(as.character(answers)) == doubles("y_test"))
leaves <- sum(sapply(forest$forest$child.nodeIDs, function(children) sum(children[[1]] == 0)))
cat(grown$seconds, score, leaves, "\n")

if (n_rounds > 0) {
  X_new <- inputs("X_new")
  for (round in seq_len(n_rounds)) {
    cat(timed(function() predict(forest, X_new, num.threads = n_threads, verbose = FALSE))$seconds, "\n")
  }
}
