// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/unrecorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"

namespace tileloom::runs {
namespace {

struct Row {
  Evidence evidence;
  std::string_view what;
  std::string_view machine;
  std::string_view command;
  std::string_view tensor = "";  // for the tensor ladder, if that is another one
};

constexpr std::array<Row, 4> kRows = {{
    {Evidence::Runs, "runs", "with an H100",
     "tileloom record resources/recordings/h100.jsonl --tiles 300",
     "tileloom record resources/recordings/h100-tensor.jsonl --arithmetic bf16 --tiles 300 "
     "--tile-sizes 4096"},
    {Evidence::Counters, "counters", "with an H100 and permission to read its counters",
     "tileloom fidelity --record tests/fixtures/fidelity/h100.jsonl --out "
     "docs/design/02-fidelity.md"},
    {Evidence::Listings, "listings", "with NVRTC", "tileloom sass --record resources/listings"},
    {Evidence::Samples, "samples", "with an H100 and permission to read its counters",
     "tileloom stalls --record resources/samples/h100.jsonl",
     "tileloom stalls --record resources/samples/h100-tensor.jsonl --arithmetic bf16"},
}};

const Row& rowOf(Evidence evidence) {
  return *std::ranges::find(kRows, evidence, &Row::evidence);
}

}  // namespace

std::string_view recordingCommand(Evidence evidence, Ladder ladder) {
  const Row& row = rowOf(evidence);
  return ladder == Ladder::Tensor && !row.tensor.empty() ? row.tensor : row.command;
}

std::string notRecordedYet(const Stage& stage, Evidence evidence) {
  const Row& row = rowOf(evidence);
  return fmt::format(
      "the {} of rung {} ({}) are not recorded yet: on a machine {}, `{}` records them", row.what,
      rungLabel(stage), stage.id, row.machine, recordingCommand(evidence, stage.ladder));
}

bool hasRecordedRuns(const Stage& stage) {
  return std::ranges::any_of(recordings(), [&](const RunRecord& run) {
    return run.stage == stage.id && run.device == kReferenceDevice &&
           run.tile == stage.standardTile();
  });
}

}  // namespace tileloom::runs
