#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the window under random input with AddressSanitizer and UndefinedBehaviorSanitizer, a third of the time each:
# from within (`tileloom bench soak`) without a worker, then with one that misbehaves at random, and from outside
# (scripts/soak-outside.sh), where the focus moves as under a window system. It fails if a sanitizer reports anything.
# The random user saves and exports into a separate folder, which is removed unless the soak fails.
# usage: scripts/soak.sh [MINUTES [SEED]]   (by default 60 minutes)
source "$(dirname "$0")/prepare.sh"
minutes=${1:-60}
seed=${2:-1}
install_packages
for tool in Xvfb xdotool openbox; do
  command -v "$tool" >/dev/null || { say "$tool is missing: install it (Debian: xvfb, xdotool, openbox) and try again"; exit 1; }
done
build asan -DBUILD_TESTING=ON >&2
program=$PWD/build/asan/bin/tileloom
outside=$PWD/scripts/soak-outside.sh
evil=$PWD/build/asan/tests/tileloom_evil_worker
folder=$(mktemp -d)
trap '[ $? != 0 ] && say "the inputs and what was written are in $folder" || rm -rf "$folder"' EXIT
mkdir -p "$folder/work"
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache
export XDG_RUNTIME_DIR=$folder TMPDIR=$folder
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
cd "$folder/work"
third=$(((minutes + 2) / 3))
"$program" bench soak --minutes "$third" --seed "$seed"
"$program" bench soak --minutes "$third" --seed "$((seed + 1))" --worker "$evil random $seed"
"$outside" "$program" "$folder/outside" "$third" "$((seed + 2))" "$evil random $seed"
