#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles each source of the program without precompiled headers, which would hide a missing #include, and writes no
# object: about seven minutes on two cores.
# usage: scripts/includes.sh
source "$(dirname "$0")/prepare.sh"
compile_commands
root=$PWD
cd build/sources
check() {
  local source
  source=$(sed -E 's/.* -c //' <<<"$1")
  bash -c "$1 -fsyntax-only" || { echo "$source does not compile without precompiled headers"; return 1; }
}
export -f check
sed -nE 's/^ *"command": "(.*)",$/\1/p' compile_commands.json | grep -E " -c $root/(kernels|viz|app)/[^ ]*\.cpp\$" |
  sed -E 's/\\"/"/g; s/\\\\/\\/g' |
  tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} bash -c 'check "$1"' - {}
echo "every source compiles without precompiled headers"
