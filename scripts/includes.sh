#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles each source of the program without precompiled headers, which would hide a missing #include, and writes no
# object: about seven minutes on two cores. The compile commands come from a build folder.
# usage: scripts/includes.sh [BUILD FOLDER]   (by default build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
[ -f "$build/compile_commands.json" ] || { echo "there is no $build yet: run scripts/test.sh" >&2; exit 1; }
cd "$build"
check() {
  local source
  source=$(sed -E 's/.* -c //' <<<"$1")
  bash -c "$1 -fsyntax-only" || { echo "$source does not compile without precompiled headers"; return 1; }
}
export -f check
sed -nE 's/^ *"command": "(.*)",$/\1/p' compile_commands.json | grep -E ' -c [^ ]*/(kernels|viz|app)/[^ ]*\.cpp$' |
  grep -v '_autogen\|cmake_pch' | sed -E 's/-Winvalid-pch -include [^ ]*cmake_pch\.hxx//; s/\\"/"/g; s/\\\\/\\/g' |
  tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} bash -c 'check "$1"' - {}
echo "every source compiles without precompiled headers"
