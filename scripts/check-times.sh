#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the cost of building and testing, from the logs of the existing build folders: the processor time of all
# compilers and of their parts, the slowest sources, and the time of the tests. For comparable figures, build from a
# clean clone with nothing else running, and give the number of cores.
# usage: scripts/check-times.sh [build/release …]
source "$(dirname "$0")/prepare.sh"
folders=("$@")
if [ ${#folders[@]} -eq 0 ]; then
  for folder in build/*/; do
    [ ! -f "$folder/.ninja_log" ] || folders+=("${folder%/}")
  done
fi
[ ${#folders[@]} -gt 0 ] || { echo "there is no build folder yet: run scripts/test.sh" >&2; exit 1; }
printf 'on %s cores\n' "$(nproc)"
for folder in "${folders[@]}"; do
  [ -f "$folder/.ninja_log" ] || { echo "$folder has no .ninja_log: it was not built with Ninja" >&2; exit 1; }
  printf '\n%s\n' "$folder"
  # start end mtime output hash; the latest line of an output counts.
  awk -F'\t' '!/^#/ { begin[$4] = $1; last[$4] = $2 }
    END {
      for (output in begin) {
        took = (last[output] - begin[output]) / 1000
        if (last[output] > end) end = last[output]
        if (output !~ /\.(o|gch)$/) continue
        split(output, part, "/")
        group = part[1] == "tests" ? "tests" : part[1]
        sum[group] += took; count[group]++; all += took; objects++
      }
      printf "  %-34s %8.0f s\n", "from the first step to the last", end / 1000
      printf "  %-34s %8.0f s in %d compilations\n", "compilers, one after the other", all, objects
      for (group in sum) printf "    %-32s %8.0f s in %d\n", group "/", sum[group], count[group]
    }' "$folder/.ninja_log"
  echo "  slowest:"
  awk -F'\t' '!/^#/ && $4 ~ /\.(o|gch)$/ { took[$4] = ($2 - $1) / 1000 }
    END { for (o in took) printf "    %7.1f s  %s\n", took[o], o }' "$folder/.ninja_log" |
    sort -rn | sed -n '1,5p'
  tests=$folder/Testing/Temporary/CTestCostData.txt
  if [ -f "$tests" ]; then
    awk '/^---/ { exit } { sum += $3; n++ }
      END { printf "  %-34s %8.0f s in %d entries\n", "tests, one after the other", sum, n }' "$tests"
    echo "  slowest:"
    awk '/^---/ { exit } { printf "    %7.1f s  %s\n", $3, $1 }' "$tests" | sort -rn | sed -n '1,5p'
  fi
done
