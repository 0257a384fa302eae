#!/bin/sh
# What `make aarch64` needs, from Debian: a cross compiler, and an emulator that runs what it makes.

wanted=""
command -v aarch64-linux-gnu-g++ > /dev/null || wanted="$wanted g++-aarch64-linux-gnu"
command -v qemu-aarch64 > /dev/null || wanted="$wanted qemu-user"
[ -n "$wanted" ] || exit 0

# shellcheck disable=SC2086
exec sh "$(dirname "$0")/../../tests/install_debian.sh" $wanted
