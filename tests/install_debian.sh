#!/bin/sh
# install_debian.sh [-o OPTION] PACKAGE…: from Debian, as root or through sudo; where it cannot, it says why and fails.

if ! command -v apt-get > /dev/null; then
  echo "there is no apt-get to install: $*" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo > /dev/null; then
  as_root="sudo -n"
else
  echo "missing; as root: apt-get install $*" >&2
  exit 1
fi

echo "installing $*"
log="$(mktemp)"
{ $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends \
  -o DPkg::Lock::Timeout=300 "$@"; } > "$log" 2>&1 ||
  { tail -n 5 "$log" >&2; rm -f "$log"; echo "apt-get could not install: $*" >&2; exit 1; }
rm -f "$log"
