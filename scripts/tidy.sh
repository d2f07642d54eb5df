#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs clang-tidy with the checks of .clang-tidy over the sources of these folders, by default over those that all
# others use. A source takes some seconds.
# usage: scripts/tidy.sh [kernels/tile …]
source "$(dirname "$0")/prepare.sh"
folders=("$@")
[ ${#folders[@]} -gt 0 ] || folders=(kernels/base kernels/tile kernels/analysis)
# Versions disagree, so only that of Debian 12 decides.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
if [ -z "$tidy" ] || ! "$tidy" --version | grep -q 'version 14\.'; then
  echo "skipped: clang-tidy 14 is not installed"
  exit 0
fi
compile_commands
find "${folders[@]}" -name '*.cpp' -print0 |
  xargs -0 -P "$(nproc)" -n 1 "$tidy" --quiet -p build/sources 2>/dev/null
