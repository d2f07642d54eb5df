#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The window under random input (`tileloom bench soak`) with AddressSanitizer and UndefinedBehaviorSanitizer: first
# without a worker, then with one that misbehaves at random. It fails if a sanitizer reports anything. What the random
# person saves and exports goes into a folder of its own, which is removed.
# usage: scripts/soak.sh [MINUTES [SEED]]   (by default 60 minutes)
source "$(dirname "$0")/prepare.sh"
minutes=${1:-60}
seed=${2:-1}
install_packages
build asan -DBUILD_TESTING=ON >&2
program=$PWD/build/asan/bin/tileloom
evil=$PWD/build/asan/tests/tileloom_evil_worker
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/work"
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache
export XDG_RUNTIME_DIR=$folder TMPDIR=$folder
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
cd "$folder/work"
half=$(((minutes + 1) / 2))
"$program" bench soak --minutes "$half" --seed "$seed"
"$program" bench soak --minutes "$half" --seed "$((seed + 1))" --worker "$evil random $seed"
