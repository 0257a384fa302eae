# For each problem in a folder: the area below the ROC curve by pROC, DeLong's variance, and of two scores
# DeLong's paired test. A line for each, tab-separated, with all digits.
suppressMessages(library(pROC))
folder <- commandArgs(trailingOnly = TRUE)[1]
digits <- function(number) format(number, digits = 17)
for (path in sort(list.files(folder, pattern = "csv$", full.names = TRUE))) {
  rows <- read.csv(path)
  first <- roc(rows$y, rows$a, levels = c(0, 1), direction = "<", quiet = TRUE)
  second <- roc(rows$y, rows$b, levels = c(0, 1), direction = "<", quiet = TRUE)
  test <- roc.test(first, second, method = "delong", paired = TRUE)
  cat(basename(path), digits(as.numeric(auc(first))), digits(var(first, method = "delong")),
      digits(as.numeric(test$p.value)), length(first$thresholds), sep = "\t")
  cat("\n")
}
