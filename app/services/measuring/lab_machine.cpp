// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/lab_machine.h"

#include "kernels/gpu/compile/build.h"

namespace tileloom {

LabMachine labMachineOf(const std::optional<worker::WorkerInfo>& worker) {
  LabMachine machine;
  if (!worker) return machine;
  machine.compiles = worker->canCompile();
  machine.measures = worker->canMeasure();
  if (machine.measures) {
    machine.arch = gpu::architectureOf(worker->devices.front());
    machine.device = QString::fromStdString(worker->devices.front().name);
  }
  return machine;
}

}  // namespace tileloom
