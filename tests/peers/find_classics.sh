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

if ! command -v apt-get > /dev/null; then
  echo "the classics are missing, and there is no apt-get to install them:$wanted" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo > /dev/null; then
  as_root="sudo"
else
  echo "the classics are missing; as root: apt-get install$wanted" >&2
  exit 1
fi

echo "installing$wanted"
log="$(mktemp)"
{ $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends \
  -o DPkg::Lock::Timeout=300 -o "DPkg::Options::=--path-include=/usr/share/doc/weka/*" $wanted; } > "$log" 2>&1 ||
  { tail -n 5 "$log" >&2; rm -f "$log"; echo "apt-get could not install:$wanted" >&2; exit 1; }
rm -f "$log"
