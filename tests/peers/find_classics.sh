#!/bin/sh
# The classic programs come from Debian: Weka with a Java compiler, and R with rpart, ranger and pROC.
# What is there already stays as it is; what cannot be had is named, and this script fails.

has_weka() { [ -e /usr/share/java/weka.jar ] && [ -e /usr/share/doc/weka/examples/vote.arff ]; }
has_java() { command -v java > /dev/null && command -v javac > /dev/null; }
has_in_r() { command -v Rscript > /dev/null && Rscript -e "library($1)" > /dev/null 2>&1; }

wanted=""
has_weka || wanted="$wanted weka"
has_java || wanted="$wanted default-jdk-headless"
has_in_r rpart || wanted="$wanted r-base-core r-cran-rpart"
has_in_r ranger || wanted="$wanted r-cran-ranger"
has_in_r pROC || wanted="$wanted r-base-core r-cran-proc"
[ -n "$wanted" ] || exit 0

# shellcheck disable=SC2086
exec sh "$(dirname "$0")/../install_debian.sh" -o "DPkg::Options::=--path-include=/usr/share/doc/weka/*" $wanted
