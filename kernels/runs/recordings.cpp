// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/recordings.h"

#include "kernels/runs/recording_files.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"

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

const RunRecord* recordedRun(const Subject& subject, const Problem& problem,
                             std::string_view device) {
  const Stage& stage = *subject.rung();
  static const RunIndex index(recordings());
  if (device.empty()) {
    if (const auto* run =
            index.latest(stage.id, subject.tile, problem, kReferenceDevice, subject.format))
      return run;
  }
  return index.latest(stage.id, subject.tile, problem, device, subject.format);
}

const RunRecord* recordedCode(const Subject& subject, const Problem& size,
                              const Architecture& arch) {
  for (const int edge : {size.m, 1024, 2048, 4096, 8192}) {
    const auto* run = recordedRun(subject, {edge, edge, edge}, {});
    if (run != nullptr && run->registers >= 0 && run->arch == arch.name) return run;
  }
  return nullptr;
}

}  // namespace tileloom::runs
