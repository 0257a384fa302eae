#!/bin/sh
# A browser for tests/browser: Debian's chromium. What is there already stays as it is.
# Where it cannot be had this fails; the tests are skipped then.

for name in chromium chromium-browser google-chrome chrome; do
  command -v "$name" > /dev/null && exit 0
done
[ -z "$HELDOUT_CHROMIUM" ] || exit 0
exec sh "$(dirname "$0")/../install_debian.sh" chromium fonts-dejavu-core
