// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of compiled kernels (registers, spills, main loop) and what follows from it
// (occupancy, and where one step of a tile parameter changes it). It requests nothing: the owner
// passes it each result.
//
//   KernelKnowledge knowledge;
//   knowledge.remember({&stage, tile}, {registers, spillBytes, "NVRTC 13.0", loop});
//   if (const auto kernel = knowledge.find({&stage, tile}, problem, machine))
//     show(kernelFacts({&stage, tile}, *kernel, machine.arch));
//   const auto around = knowledge.neighbours({&stage, tile}, problem, machine);
//   for (const Place& place : around.unknown) askForCompilation(place);
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/services/measuring/lab_machine.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/model/prediction/workload.h"
#include "kernels/tile/subject.h"
#include "viz/base/scene.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/charts/chart_data.h"
#include "viz/panels/parameter_slider.h"

namespace tileloom {

// What a compiler, or a recorded run, has reported.
struct KnownKernel {
  int registers = -1;
  int spillBytes = 0;
  QString source;
  sass::LoopSize loop;
  QStringList remarks = {};  // of the assembler, a sentence each
  QString mainLoop = {};     // this and the next as in KernelFacts
  bool asCompiled = false;
};

// What a run says of its kernel.
KnownKernel knownFrom(const runs::RunRecord& run, const QString& source);
// "shared memory and registers": the resources that admit no further block.
QString limitingText(const analysis::Occupancy& occupancy);

// With the occupancy that follows on this architecture.
KernelFacts kernelFacts(const Subject& place, const KnownKernel& kernel, const Architecture& arch);
// How many blocks of it the device of the recorded runs holds at once.
Residency recordedResidency(const KernelFacts& kernel);
// The same of a tile whose kernel a recorded run knows: shown by a window without a worker.
std::optional<Residency> recordedResidency(const Subject& place, const Problem& problem);
// The input of a prediction for a compiled kernel; blocksPerSm is 0 if no block fits an SM.
model::KernelShape shapeOf(const KernelFacts& kernel);
// The same of a point of the history whose registers are known.
void fillOccupancy(HistoryPoint& point, const Architecture& arch);
// What a run says, as a point of the history. It is live only if this machine's device ran it.
HistoryPoint pointOf(const runs::RunRecord& run, const LabMachine& machine);

class KernelKnowledge {
 public:
  using Cliffs = std::map<Parameter, std::vector<ParameterSlider::Cliff>>;
  static constexpr std::size_t kMost = 4000;  // kernels; then the older half is forgotten

  // Another worker may have another architecture.
  void clear() { m_known.clear(); }
  void remember(const Subject& place, KnownKernel kernel);

  // The compiled kernel, or recorded() where nothing can be compiled; a kernel that is not compiled
  // yet will be known soon.
  std::optional<KnownKernel> find(const Subject& place, const Problem& problem,
                                  const LabMachine& machine) const;
  // From a recorded run of the tile: of this size, or else of a usual one.
  static std::optional<KnownKernel> recorded(const Subject& place, const Problem& problem,
                                             const Architecture& arch);

  struct Neighbours {
    Cliffs cliffs;                 // where one step of a tile parameter changes the warps of an SM
    std::vector<Subject> unknown;  // kernels not known yet
  };
  Neighbours neighbours(const Subject& place, const Problem& problem,
                        const LabMachine& machine) const;

 private:
  std::vector<std::pair<Subject, KnownKernel>> m_known;  // the latest last
};

}  // namespace tileloom
