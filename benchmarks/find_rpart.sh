#!/bin/sh
# R's rpart is a peer. On Debian, as root, it is installed; elsewhere it is left out, with the reason.
if command -v Rscript > /dev/null && Rscript -e 'library(rpart)' > /dev/null 2>&1; then
  exit 0
elif [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "installing R's rpart"
  { apt-get update && apt-get install --yes --no-install-recommends r-base-core r-cran-rpart; } > /dev/null 2>&1 ||
    echo "rpart is left out: apt-get could not install r-base-core and r-cran-rpart"
else
  echo "rpart is left out: it needs R, or root and apt-get to install it"
fi
