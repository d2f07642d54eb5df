#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds a release and opens the window; installs missing packages first. Arguments go to tileloom. Without a display it
# writes the first picture to a file and prints the trace's summary instead.
# usage: scripts/run.sh [WORDS OF TILELOOM …]   (such as scripts/run.sh trace --help, once it is built)
source "$(dirname "$0")/prepare.sh"

install_packages
build release -DBUILD_TESTING=OFF >&2
program=$PWD/build/release/bin/tileloom
cd "$started_in"  # file names on the command line are relative to the user's folder

if [ $# -gt 0 ]; then
  exec "$program" "$@"
fi
if [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
  say "there is no display to open the window on; here is what it would show first"
  picture=$(dirname "$program")/../../tileloom.png
  picture=$(realpath "$picture")
  "$program" render window --out "$picture"
  "$program" trace warptiled
  say "the picture is $picture; with a display (DISPLAY or WAYLAND_DISPLAY set) this opens the window"
  exit 0
fi
exec "$program"
