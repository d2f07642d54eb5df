// SPDX-License-Identifier: GPL-3.0-or-later
// One SM: the units that its warps share, each in a file of this folder, with the latencies of
// latencies.h. Two front ends make warps use them: the programs of a trace, event by event
// (kernels/timeline/sm_clock.h), and the loop of a listing, cycle by cycle
// (kernels/rewrite/turn_time.h). A front end knows what its instructions wait for; the SM says
// which warp issues, and when each unit has served it.
#pragma once

#include <array>

#include "kernels/machine/data_pipe.h"
#include "kernels/machine/memory_paths.h"
#include "kernels/machine/pipe.h"
#include "kernels/machine/scheduler.h"
#include "kernels/machine/tensor_cores.h"

namespace tileloom::machine {

struct Sm {
  explicit Sm(Order order = Order::EarliestBlock) { schedulers.fill(Scheduler(order)); }

  std::array<Scheduler, kSchedulers> schedulers;
  MemoryPaths paths;  // of memory instructions, to the data pipe and back
  DataPipe data;      // of L1 and shared memory
  Pipe fromL2;        // loads
  Pipe toL2;          // stores of C, beside the loads
  TensorCores tensor;
};

}  // namespace tileloom::machine
