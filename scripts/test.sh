#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and runs every test; installs missing packages first. --kernels runs only the tests of kernels/, --program only
# all others: the window, pictures, the command line.
# usage: scripts/test.sh [release|asan|dev [--kernels|--program] [-DOPTION=VALUE …]]
source "$(dirname "$0")/prepare.sh"

preset=${1:-release}
shift $(($# > 0))
case $preset in
  release | asan | dev) ;;
  *)
    say "there is no preset \"$preset\": choose release, asan or dev"
    exit 2
    ;;
esac
target=()
entries=()
case ${1:-} in
  --kernels)
    target=(--target tests_kernels)
    entries=(-L 'core|gpu-fake')
    shift
    ;;
  --program)
    target=(--target tests_program)
    entries=(-LE 'core|gpu-fake')
    shift
    ;;
esac
install_packages
say "building ($preset)"
configure "$preset" -DBUILD_TESTING=ON "$@"
cmake --build --preset "$preset" "${target[@]}"
if [ "$preset" = asan ]; then
  # Fibers are slow under the sanitizers, and a few tiles per stage reach every path.
  export TILELOOM_TEST_TILES=${TILELOOM_TEST_TILES:-8}
  # Qt, fontconfig and the platform plugins keep what they allocate until the process ends.
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
  export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
fi
# Many tests wait for processes and timers: one more test than cores keeps the cores busy.
ctest --preset "$preset" -j "$(($(nproc) + 1))" "${entries[@]}"
