#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the window from outside: xdotool moves the mouse and presses keys under an X server with a window manager, so
# that the focus moves as on a desktop. Most acts leave a text in a field without entering it, and then change the rung:
# by the ladder, keys, the palette, a session, a step of a lecture, undo, the race, a chart. The others are random
# clicks, drags, wheels and keys. It prints resident memory, and fails if the window ends with an error or a sanitizer
# reports anything. FOLDER/inputs has its inputs for a replay.
# usage: scripts/soak-outside.sh PROGRAM FOLDER MINUTES SEED [WORKER]
#        scripts/soak-outside.sh PROGRAM FOLDER --replay INPUTS [WORKER]
set -euo pipefail
[ $# -ge 4 ] || { sed -n 's/^# usage: /usage: /p; s/^#        //p' "$0" >&2; exit 2; }
program=$(realpath "$1") folder=$2 minutes=$3 seed=$4 worker=${5:-}
replayed=
if [ "$minutes" = --replay ]; then
  replayed=$(realpath "$seed")
fi
say() { printf 'tileloom soak, outside: %s\n' "$*" >&2; }
for tool in Xvfb xdotool openbox; do
  command -v "$tool" >/dev/null || {
    say "$tool is missing: install it (Debian: xvfb, xdotool, openbox) and try again"
    exit 1
  }
done
mkdir -p "$folder/work"
folder=$(cd "$folder" && pwd)
inputs=$folder/inputs output=$folder/output
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache
export XDG_RUNTIME_DIR=$folder TMPDIR=$folder
chmod 700 "$folder"
unset WAYLAND_DISPLAY QT_QPA_PLATFORM
cd "$folder/work"

running=()
end_all() {
  local process
  for process in "${running[@]}"; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
}
trap end_all EXIT

readonly width=1600 height=1000
exec 3>"$folder/display"
Xvfb -displayfd 3 -screen 0 "${width}x$((height + 24))x24" -nolisten tcp >"$folder/xvfb" 2>&1 &
running+=($!)
for ((i = 0; i < 100; ++i)); do [ -s "$folder/display" ] && break; sleep 0.1; done
[ -s "$folder/display" ] || { say "Xvfb does not start: see $folder/xvfb"; exit 1; }
DISPLAY=:$(cat "$folder/display")
export DISPLAY
openbox >"$folder/openbox" 2>&1 &
running+=($!)

# Sessions of some rungs, which are opened in the window.
sizes=(512x512x512 2048x2048x2048 1000x900x300)
stages=(naive shared warptiled tuned)
for ((i = 0; i < ${#stages[@]}; ++i)); do
  printf '{"schema": "tileloom.session/1", "stage": "%s", "tile": {}, "size": "%s", "row": 0, "column": 0, "warp": 0, "instruction": 0, "tab": "%s", "tile panel": %s}\n' \
    "${stages[i]}" "${sizes[i % 3]}" "$([ $((i % 2)) = 0 ] && echo race || echo layout)" \
    "$([ "$i" = 1 ] && echo false || echo true)" >"$folder/$i.tileloom"
done

# A link to T11 at 1024 x 1024 x 1024 with the race.
readonly link=tileloom:AAAAXnjaq1YqTs5IzU1UslIqycxJzcnPz9UrTi0uzszP0zdU0lEqLklMTwVKlqfnAhXpgBUpWVXXAmUyq0AShgZGJhVwAqQiMQkoXJSYnKpUCwC_JR08

window=0 process=0 starts=0 acts=0
: >"$inputs"
: >"$output"

# Starts the program if it does not run, and finds its window.
start() {
  local command=("$program")
  [ -z "$worker" ] || command+=(--worker "$worker")
  # The first start is a first sight; later ones open a link or a session.
  if [ "$starts" -gt 0 ]; then
    if [ $((starts % 3)) = 1 ]; then command+=("$link"); else
      command+=(--session "$folder/$((starts % ${#stages[@]})).tileloom")
    fi
  fi
  starts=$((starts + 1))
  "${command[@]}" >>"$output" 2>&1 &
  process=$!
  running[2]=$process
  local i
  for ((i = 0; i < 600; ++i)); do
    window=$(xdotool search --onlyvisible --pid "$process" --name Tileloom 2>/dev/null | head -1) || true
    [ -z "$window" ] || break
    kill -0 "$process" 2>/dev/null || return 0  # checked by the caller
    sleep 0.1
  done
  [ -n "$window" ] || { say "no window within a minute: see $output"; exit 1; }
  xdotool windowsize "$window" "$width" "$height" windowmove "$window" 0 0 windowfocus "$window" 2>/dev/null || true
}

resident_mb() { awk '/VmRSS/ { printf "%.0f", $2 / 1000 }' "/proc/$process/status" 2>/dev/null || echo 0; }

reported() { grep -qE 'ERROR: [A-Za-z]*Sanitizer|runtime error:|ASSERT|DEADLYSIGNAL' "$output"; }

fail() {
  say "$1; the last inputs:"
  tail -25 "$inputs" >&2
  say "what the program wrote:"
  tail -60 "$output" >&2
  say "replay them: scripts/soak-outside.sh $program FOLDER --replay $inputs"
  exit 1
}

# After an act: the window still exists, or has ended without an error (File > Quit) and is restarted.
judge() {
  ! reported || fail "a sanitizer reports after $acts inputs"
  kill -0 "$process" 2>/dev/null && return
  local status=0
  wait "$process" || status=$?
  [ "$status" = 0 ] || fail "the window ended with status $status after $acts inputs"
  printf 'start\n' >>"$inputs"
  start
}

# One call of xdotool; WINDOW in its words is the window.
act() {
  acts=$((acts + 1))
  printf '%s\n' "${*@Q}" >>"$inputs"
  xdotool "${@//WINDOW/$window}" >/dev/null 2>&1 || true
}
rest() {  # seconds
  printf 'sleep %s\n' "$1" >>"$inputs"
  sleep "$1"
}

below() { number=$((RANDOM % $1)); }
among() { below $#; shift "$number"; chosen=$1; }

point() { act mousemove --window WINDOW "$1" "$2"; }
click() { act mousemove --window WINDOW "$1" "$2" click "${3:-1}"; }
drag() {
  act mousemove --window WINDOW "$1" "$2" mousedown 1
  act mousemove --window WINDOW $((($1 + $3) / 2)) $((($2 + $4) / 2))
  act mousemove --window WINDOW "$3" "$4"
  [ "${5:-up}" = held ] || act mouseup 1
}
key() { act key --clearmodifiers "$@"; }
type_text() { act type --delay 1 -- "$1"; }
anywhere() { below $((width - 4)); x=$((number + 2)); below $((height - 4)); y=$((number + 2)); }

tabs=(b c d e f g h i j k l n o q r s t v x y)  # each is the key of a page, or of nothing

# Leaves a text in some field without entering it.
leave_a_text() {
  below 12
  case $number in
    0 | 1 | 2 | 3 | 4) below 330; click $((width - 60)) $((number + 105)) ;;        # a parameter
    5) below 60; click $((width - 120)) $((number + 385)) ;;                          # the size
    6 | 7) below 420; click $((width - 460 + number)) $((height - 20)) ;;             # a box of the transport
    8) key Escape; among y i t; key "$chosen"; below 9; for ((n = 0; n <= number; ++n)); do key Tab; done ;;  # of a page
    9) below 300; click $((number + 320)) $((height - 170)) ;;
    *) below 30; for ((n = 0; n <= number; ++n)); do key Tab; done ;;                 # any
  esac
  among 77 -1 0 64 8 99999 7 128x128x128 3 abc 1e9 BM=64 32
  type_text "$chosen"
  below 6
  [ "$number" != 0 ] || { key BackSpace; key BackSpace; }
}

change_the_rung() {
  below 17
  case $number in
    0 | 1) below 850; click 90 $((number + 110)) ;;                                   # the ladder
    2) among bracketleft bracketright p P u; key "$chosen" ;;
    3) among rung pair swap next before explore measure lecture reset undo step tour "this tile" alone; name=$chosen
       key ctrl+k; type_text "$name"; below 4; for ((n = 0; n < number; ++n)); do key Down; done; key Return ;;
    4 | 5) below ${#stages[@]}; file=$folder/$number.tileloom
       key ctrl+o; rest 0.3; type_text "$file"; key Return; rest 0.2; key Escape ;;
    6) key F5; rest 0.2; below 4; for ((n = 0; n <= number; ++n)); do key Next; rest 0.1; done ;;
    7) among Next Prior; key "$chosen"; key "$chosen" ;;
    8) below 5; for ((n = 0; n <= number; ++n)); do key ctrl+z; done ;;
    9) below 3; for ((n = 0; n <= number; ++n)); do key ctrl+shift+z; done ;;
    10) key alt+e; key u ;;
    11 | 12) key e; rest 0.2; below 700; x=$((number + 320)); below 230; click "$x" $((height - 320 + number)) ;;  # the race
    13) among c l s r; key "$chosen"; rest 0.2; below 700; x=$((number + 320)); below 230; click "$x" $((height - 320 + number)) ;;
    14) among ctrl+shift+l F7 F8 F9 F10 F11 ctrl+1 ctrl+2 ctrl+3; key "$chosen" ;;                 # what holds the field is hidden
    15) act windowminimize WINDOW; rest 0.2; act windowmap WINDOW; act windowfocus WINDOW ;;
    16) below 330; drag $((width - 180)) $((number + 105)) $((width - 300)) $((number + 105)) held
        below 850; key ctrl+z; click 90 $((number + 110)); act mouseup 1 ;;          # while a slider is held
  esac
}

anything() {
  below 12
  case $number in
    0 | 1 | 2) anywhere; click "$x" "$y" ;;
    3) anywhere; click "$x" "$y" 3; key Escape ;;
    4) anywhere; local fromX=$x fromY=$y; anywhere; drag "$fromX" "$fromY" "$x" "$y" ;;
    5) anywhere; point "$x" "$y"; among 4 5; act click --repeat 3 "$chosen" ;;
    6) among "${tabs[@]}"; key "$chosen" ;;
    7) among space Left Right Up Down Next Prior Home End w 1 2 3 4 0 plus minus F1 F2; key "$chosen" ;;
    8) among Tab shift+Tab Return Escape Delete; key "$chosen" ;;
    9) anywhere; act mousemove --window WINDOW "$x" "$y" click --repeat 2 1 ;;
    10) below 500; act windowsize WINDOW $((1100 + number)) $((500 + number)); rest 0.1
        act windowsize WINDOW "$width" "$height" ;;
    11) key Escape; key Escape; key Escape; act windowfocus WINDOW ;;
  esac
}

start
judge
if [ -n "$replayed" ]; then
  say "replays $replayed"
  while read -r line; do
    case $line in
      start) kill "$process" 2>/dev/null || true; wait "$process" || true; start ;;
      sleep\ *) sleep "${line#sleep }" ;;
      *)
        eval "words=($line)"  # as act() has quoted them
        act "${words[@]}"
        judge
        ;;
    esac
  done <"$replayed"
  sleep 2
  judge
  say "replayed, and nothing happened"
  exit 0
fi

RANDOM=$((seed % 32768))
began=$SECONDS
report=0
say "$minutes minutes, seed $seed"
while :; do
  below 10
  if [ "$number" -lt 6 ]; then
    leave_a_text
    change_the_rung
    rest 0.05
  else
    anything
  fi
  below 25
  [ "$number" != 0 ] || { key Escape; key Escape; act mouseup 1; act windowfocus WINDOW; }
  below 1500
  if [ "$number" = 0 ]; then
    leave_a_text
    key ctrl+q
    rest 1
  fi
  judge
  passed=$((SECONDS - began))
  if [ $((passed / 30)) -ge "$report" ]; then
    report=$((passed / 30 + 1))
    printf '  after %5.1f min  %7d inputs  %6s MB resident\n' "$(awk "BEGIN { print $passed / 60 }")" "$acts" "$(resident_mb)" >&2
  fi
  [ "$passed" -lt $((minutes * 60)) ] || break
done
# The window is closed as by a user, and its last output is checked.
key Escape
key Escape
act windowfocus WINDOW
kill -TERM "$process" 2>/dev/null || true
wait "$process" 2>/dev/null || true
! reported || fail "a sanitizer reports at the end"
say "good: $acts inputs, $starts starts"
