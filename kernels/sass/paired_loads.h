// SPDX-License-Identifier: GPL-3.0-or-later
// Which shared loads of a kernel are served in pairs of lanes (docs/hardware.md, rule 4), by source
// line: machine code does not show it, because it depends on addresses. The trace of the kernel
// does (kernels/analysis/memory/pairing.h).
#pragma once

#include <map>

#include "kernels/sass/listing.h"

namespace tileloom::sass {

enum class Pairing {
  None,     // not a wide shared load, or one whose lanes do not share addresses in pairs
  Paired,   // two parts of the warp are served at once
  Unknown,  // a wide shared load of an unknown line
};

class PairedLoads {
 public:
  // Records a load of 8 or 16 bytes per lane on this line of the source. If the loads of a line
  // differ, the line is unknown.
  void note(int line, bool paired);

  // For one instruction of a listing.
  Pairing of(const Instruction& instruction) const;

  bool anyPaired() const;  // whether loads of some line are

  bool operator==(const PairedLoads&) const = default;

 private:
  std::map<int, Pairing> lines_;
};

}  // namespace tileloom::sass
