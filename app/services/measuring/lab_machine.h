// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker's machine can do at this moment: look it up for each use, because a worker may
// die and be replaced.
//
//   const LabMachine machine = labMachineOf(client.info());
//   if (machine.measures) title = QStringLiteral("Live on %1").arg(machine.device);
#pragma once

#include <QString>
#include <optional>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "kernels/worker/protocol.h"

namespace tileloom {

struct LabMachine {
  Architecture arch = defaultArchitecture();  // of the GPU, or the usual one
  QString device;                             // "NVIDIA H100 80GB HBM3"; empty: no GPU
  bool compiles = false;
  bool measures = false;
};

LabMachine labMachineOf(const std::optional<worker::WorkerInfo>& worker);

}  // namespace tileloom
