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
find "${folders[@]}" -name '*.cpp' -print0 |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy-14 --quiet -p "$commands"
