// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/recordings.h"

#include "kernels/runs/recording_files.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/run_store.h"

namespace tileloom::runs {
namespace {

std::vector<RunRecord> parseAll() {
  std::vector<RunRecord> all;
  for (const EmbeddedFile& file : recordingFiles()) {
    // A broken line would be our own mistake, which a test looks for; the other runs are still
    // good.
    for (RunRecord& run : parseRuns(file.text, file.name).runs) {
      run.origin = Origin::Recorded;
      all.push_back(std::move(run));
    }
  }
  return all;
}

}  // namespace

std::span<const RunRecord> recordings() {
  static const std::vector<RunRecord> all = parseAll();
  return all;
}

const RunRecord* recordedRun(const Stage& stage, const TileShape& tile, const Problem& problem,
                             std::string_view device, std::optional<Arithmetic> arithmetic) {
  static const RunIndex index(recordings());
  const Arithmetic its = arithmetic.value_or(stage.arithmetic());
  if (device.empty()) {
    if (const auto* run = index.latest(stage.id, tile, problem, kReferenceDevice, its)) return run;
  }
  return index.latest(stage.id, tile, problem, device, its);
}

const RunRecord* recordedCode(const Stage& stage, const TileShape& tile, const Problem& size,
                              const Architecture& arch, Arithmetic arithmetic) {
  for (const int edge : {size.m, 1024, 2048, 4096, 8192}) {
    const auto* run = recordedRun(stage, tile, {edge, edge, edge}, {}, arithmetic);
    if (run != nullptr && run->registers >= 0 && run->arch == arch.name) return run;
  }
  return nullptr;
}

}  // namespace tileloom::runs
