#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the fuzz targets of tests/fuzz in the build folder of the sanitizers, with clang, and runs each, one per core
# at a time. Inputs that reach new code are kept in build/fuzz/corpus for the next run, and inputs that break a reader
# in build/fuzz/crashes: after the fix they belong in tests/fuzz/seeds/TARGET, where each run begins.
# usage: scripts/fuzz.sh [MINUTES [TARGET …]]   (by default 20 seconds for each of all targets)
source "$(dirname "$0")/prepare.sh"

seconds=20
if [ $# -gt 0 ]; then
  seconds=$(awk -v minutes="$1" 'BEGIN { print int(minutes * 60) }')
  [ "$seconds" -gt 0 ] || { say "\"$1\" is no number of minutes above 0"; exit 2; }
  shift
fi

[ -z "${TILELOOM_CI:-}" ] || install_packages
if ! has_clang_sanitizers; then
  if [ -n "${TILELOOM_CI:-}" ]; then
    say "clang++ cannot build fuzz targets here"
    exit 1
  fi
  say "skipped: fuzzing needs clang and its sanitizers (Debian: clang, libclang-rt-14-dev)"
  exit 0
fi
install_packages
say "building the fuzz targets"
configure asan -DTILELOOM_FUZZ=ON
cmake --build --preset asan --target fuzz_targets >&2

programs=$PWD/build/asan/tests/fuzz
export programs folder=$PWD/build/fuzz seconds
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
mkdir -p "$folder/logs" "$folder/crashes"
list=$programs/targets.txt

# attack TARGET LONGEST [DICTIONARY]: leaves a log, and the exit status beside it. With the same seed and an empty
# corpus a run tries the same inputs.
attack() {
  local name=$1 longest=$2 dictionary=${3:-} status=0
  local log=$folder/logs/$name options=(-seed="${TILELOOM_FUZZ_SEED:-1}")
  local corpora=("$folder/corpus/$name")
  [ ! -d "tests/fuzz/seeds/$name" ] || corpora+=("tests/fuzz/seeds/$name")
  mkdir -p "$folder/corpus/$name"
  if [ -n "$dictionary" ]; then
    # The quoted words of the seeds are those that the reader knows.
    { cat "tests/fuzz/$dictionary"
      cat "tests/fuzz/seeds/$name"/* | grep -aoE '"[A-Za-z_][A-Za-z0-9_./ -]{0,40}"' | sort -u |
        sed 's/.*/"\\&"/; s/""$/\\""/'
    } >"$folder/logs/$name.dict"
    options+=(-dict="$folder/logs/$name.dict")
  fi
  "$programs/fuzz_$name" "${options[@]}" -max_len="$longest" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$folder/crashes/$name-" "${corpora[@]}" \
    >"$log.log" 2>&1 || status=$?
  echo "$status" >"$log.status"
}
export -f attack

mapfile -t targets < <(
  while read -r name rest; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    echo "$name $rest"
  done <"$list"
)
[ ${#targets[@]} -gt 0 ] || { say "there is no such target: choose from $(cut -d' ' -f1 "$list" | xargs)"; exit 2; }
say "attacking ${#targets[@]} readers, $seconds s each"
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -d '\n' -I{} bash -c 'attack $1' - {}

failed=0
printf '%-12s %10s %9s %8s  %s\n' target runs coverage seconds result
for target in "${targets[@]}"; do
  name=${target%% *}
  log=$folder/logs/$name
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log.log")
  coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log.log" | tail -1)
  took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log.log")
  result=good
  if [ "$(cat "$log.status")" -ne 0 ]; then
    result=failed
    failed=1
  fi
  printf '%-12s %10s %9s %8s  %s\n' "$name" "${runs:--}" "${coverage:--}" "${took:--}" "$result"
done
[ "$failed" -eq 0 ] && exit 0
for target in "${targets[@]}"; do
  name=${target%% *}
  log=$folder/logs/$name
  [ "$(cat "$log.status")" -ne 0 ] || continue
  printf '\n%s: ' "$name"
  grep -m 1 -E '^failed: |runtime error|ERROR: ' "$log.log" || echo "see build/fuzz/logs/$name.log"
  input=$(sed -n 's/.*Test unit written to //p' "$log.log" | tail -1)
  [ -z "$input" ] || echo "Run it again: build/asan/tests/fuzz/fuzz_$name ${input#"$PWD/"}"
done
exit 1
