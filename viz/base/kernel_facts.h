// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler, or a recorded run, says of one tile: as against what follows from its knobs.
#pragma once

#include <QString>
#include <QStringList>

#include "kernels/sass/loop_size.h"

namespace tileloom {

struct KernelFacts {
  QString arch;         // "sm_90"
  QString source;       // "NVRTC 13.0", or "recorded"
  int registers = -1;   // per thread
  int spillBytes = 0;   // stores and loads, a thread
  QStringList remarks;  // of the assembler, a sentence each: what makes the kernel slow
  int blocks = 0;       // per SM
  int warps = 0;        // per SM
  int mostWarps = 0;    // that an SM holds
  QString limitedBy;    // "registers": what stops one more block
  sass::LoopSize loop;  // of the machine code; no FFMAs: unknown
  QString mainLoop;     // "main loop rewritten", or why it is not; empty: its rung rewrites none
  bool asCompiled = false;  // its rung rewrites main loops, but not this one
  QString nextStep;         // what would make room for one more, as a sentence
  bool operator==(const KernelFacts&) const = default;
};

}  // namespace tileloom
