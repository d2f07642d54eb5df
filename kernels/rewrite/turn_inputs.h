// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tileloom::rewrite {

// The inputs of the model besides the code.
struct Residency {
  int warps = 0;  // per SM, of all its blocks: multiples of four are expected
  int warpsPerBlock = 0;
  // Whether some wide shared loads are served in pairs (docs/hardware.md, rule 4). turnTime takes
  // it from each load's sass::Lost.
  bool pairedLoads = false;
  // Wavefronts of the kernel's shared loads and stores, relative to those without bank conflicts.
  double loadConflicts = 1, storeConflicts = 1;
  // Of an asynchronous copy of 4 bytes per lane, if there are any.
  double copyLines = 4;    // lines of L1 that it requests
  int copyWavefronts = 4;  // passes of the data pipe when they arrive
};

}  // namespace tileloom::rewrite
