#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs clang-tidy with the checks of .clang-tidy over the sources of these folders, by default over those that all
# others rest on. A source takes some seconds. The compile commands come from a build folder; GCC's precompiled
# headers, which clang cannot read, are left out of them.
# usage: scripts/tidy.sh [--build FOLDER] [kernels/tile …]
set -euo pipefail
cd "$(dirname "$0")/.."
build=
if [ "${1:-}" = --build ]; then
  build=$2
  shift 2
fi
for folder in build/*/; do
  [ -z "$build" ] && [ -f "$folder/compile_commands.json" ] && build=$folder
done
[ -f "$build/compile_commands.json" ] || { echo "there is no build folder yet: run scripts/test.sh" >&2; exit 1; }
folders=("$@")
[ ${#folders[@]} -gt 0 ] || folders=(kernels/base kernels/tile kernels/analysis)
commands=$(mktemp -d)
trap 'rm -rf "$commands"' EXIT
sed -E 's/-Winvalid-pch -include [^ ]*cmake_pch\.hxx//' "$build/compile_commands.json" >"$commands/compile_commands.json"
# Versions disagree, so that only the one of Debian 12 decides.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
if [ -z "$tidy" ] || ! "$tidy" --version | grep -q 'version 14\.'; then
  echo "skipped: clang-tidy 14 is not here"
  exit 0
fi
find "${folders[@]}" -name '*.cpp' -print0 |
  xargs -0 -P "$(nproc)" -n 1 "$tidy" --quiet -p "$commands" 2>/dev/null
