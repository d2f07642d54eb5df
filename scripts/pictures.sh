#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Remakes the pictures of README.md and docs/ that need no GPU: run it when words or views have changed, and look at
# each picture before you commit it. Needs pngquant (Debian package pngquant).
# charts.png and tuning-live.png were made on a machine with a GPU, charts.png by
# render window --tab charts --stage autotuned --size 4096 --live 4 --move BM=64 --move BM=256 …, eleven tiles in all.
# usage: scripts/pictures.sh [PROGRAM]   (by default build/release/bin/tileloom)
source "$(dirname "$0")/prepare.sh"
program=${1:-build/release/bin/tileloom}
export QT_QPA_PLATFORM=offscreen XDG_DATA_HOME=/nonexistent  # without the user's own runs
picture() {
  local name=$1
  shift
  "$program" render "$@" --out "docs/images/$name.png"
}
"$program" render animation --view loom --stage async --every even --width 1000 --height 600 --out docs/images/loom.gif
picture window window --width 1600 --height 1000
picture weave window --stage async --step 900 --lower 0 --width 1600 --height 900
picture thread loom --zoom thread --warp 2 --lane 13 --step 936 --width 1100 --height 620
picture instruction loom --stage t3 --zoom thread --warp 1 --lane 5 --step 150 --width 1200 --height 700
picture conflict banks --stage blocktile2d --step 25 --theme light --width 1100 --height 330
picture path path --stage vectorized --step 16 --width 1200 --height 460
picture swizzle path --stage t7 --width 1200 --height 520
picture fragments fragments --stage t2 --step 145 --lane 13 --width 1600 --height 620
picture ring ring --stage t7 --step 52 --width 1400 --height 520
picture waits waits --stage t9 --remove empty --width 1200 --height 480
picture timeline timeline --stage doublebuffered --beside fragments --size 4096 --width 1400 --height 720
picture between timeline --stage t13 --beside t10 --between-tiles --size 4096 --width 1400 --height 760
picture layout layout --stage warptiled --array As --layout swizzle:2,3,6 --step 6 --width 1200
picture compare window --tab compare --beside warptiled:WNITER=1,TN=16 --width 1600 --height 1000
picture ladder ladder --size 4096 --width 1200
picture roofline roofline --size 4096 --level shared --width 1200 --height 560
picture sizes sizes --size 4096 --width 1200 --height 420
picture energy energy --stage t13 --size 8192 --width 1200 --height 420
picture tuning tuning --size 4096 --on h100 --and-on h200 --others best --theme light --width 1100 --height 480
picture sass sass --stage tuned --beside fragments --width 1200 --height 560
picture loop loop --stage rewritten --width 1280 --height 520
picture kitchen kitchen --stage warptiled --size 4096 --width 1200 --height 460
picture company company --stage warptiled --size 4096 --theme light --width 1200 --height 520
picture bakery bakery --stage warptiled --size 4096 --width 1200 --height 460
steps=$(mktemp -d)
trap 'rm -rf "$steps"' EXIT
"$program" lecture export warp-tiling --steps 17 --size 1600x900 --theme dark --out "$steps/s"
mv "$steps/s/step17.png" docs/images/lecture.png
# Palettes of 256 colours: a third of the bytes.
pngquant --force --ext .png --speed 1 --strip --nofs 256 -- docs/images/*.png
