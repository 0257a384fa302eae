#!/bin/sh
# A browser for tests/browser: Debian's chromium. What is there already stays as it is.
# Where it cannot be had this says why, and fails; the tests are skipped then.

for name in chromium chromium-browser google-chrome chrome; do
  command -v "$name" > /dev/null && exit 0
done
[ -z "$HELDOUT_CHROMIUM" ] || exit 0

if ! command -v apt-get > /dev/null; then
  echo "there is no chromium, and no apt-get to install it" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo > /dev/null; then
  as_root="sudo -n"
else
  echo "there is no chromium; as root: apt-get install chromium" >&2
  exit 1
fi

echo "installing chromium"
log="$(mktemp)"
{ $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends \
  -o DPkg::Lock::Timeout=300 chromium fonts-dejavu-core; } > "$log" 2>&1 ||
  { tail -n 5 "$log" >&2; rm -f "$log"; echo "apt-get could not install chromium" >&2; exit 1; }
rm -f "$log"
