#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tunes one rung on several equal GPUs: a Slurm job array with one shard of the search space per task.
#
#   sbatch --array=0-7 scripts/slurm/tune-array.sh warptiled --size 4096
#   tileloom tune merge tune-warptiled/*.jsonl        # when all tasks are done
#
# A task that is requeued, or stopped by its time limit and submitted again, continues: every
# measurement is in its file. TILELOOM names the program, TUNE_FOLDER the folder of the files.
#SBATCH --job-name=tileloom-tune
#SBATCH --gpus=1
#SBATCH --cpus-per-task=8
#SBATCH --time=00:30:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail

case ${1:-} in
  -h | --help)
    echo "usage: sbatch --array=0-N $0 STAGE [options of tileloom tune]"
    exit 0
    ;;
esac
if [ $# -lt 1 ]; then
  echo "usage: sbatch --array=0-N $0 STAGE [options of tileloom tune]" >&2
  exit 2
fi
stage=$1
shift
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || [ -z "${SLURM_ARRAY_TASK_COUNT:-}" ]; then
  echo "$0: this is not a job array: submit it with sbatch --array=0-7, or set SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT" >&2
  exit 2
fi
# An array may begin at any number; shards are counted from 0.
shard=$((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}))
folder=${TUNE_FOLDER:-tune-$stage}
mkdir -p "$folder"
exec "${TILELOOM:-tileloom}" tune "$stage" "$@" \
  --shard "$shard/$SLURM_ARRAY_TASK_COUNT" --out "$folder/$shard.jsonl"
