// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler or a recorded run says about one tile, as opposed to what follows from its
// parameters.
#pragma once

#include <QString>
#include <QStringList>

#include "kernels/sass/loop_size.h"

namespace tileloom {

struct KernelFacts {
  QString arch;         // "sm_90"
  QString source;       // "NVRTC 13.0", or "recorded"
  int registers = -1;   // per thread
  int spillBytes = 0;   // stores and loads, per thread
  QStringList remarks;  // from the assembler, a sentence each: what makes the kernel slow
  int blocks = 0;       // per SM
  int warps = 0;        // per SM
  int mostWarps = 0;    // that an SM holds
  QString limitedBy;    // "registers": why no further block fits
  sass::LoopSize loop;  // of the SASS; no FFMAs: unknown
  QString mainLoop;  // "main loop rewritten", or why it is not; empty: its rung does not rewrite it
  bool asCompiled = false;  // its rung rewrites main loops, but not this one
  QString nextStep;         // what would make room for another block, as a sentence
  bool operator==(const KernelFacts&) const = default;
};

}  // namespace tileloom
