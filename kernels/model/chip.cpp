// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/chip.h"

#include "kernels/model/limits/ceilings.h"

namespace tileloom::model {

Chip referenceChip() {
  constexpr double kClockMHz = 1980;  // while the recorded runs were taken
  // What a copy has reached there, as in the roofline: the data sheet's value is never reached.
  const Ceilings* ceilings = ceilingsOf({}, kReferenceDevice);
  return {{}, kClockMHz, ceilings != nullptr ? 1e9 * ceilings->dramGBs.median : 0};
}

std::string_view name(Pipe pipe) {
  switch (pipe) {
    case Pipe::Issue:
      return "instruction issue";
    case Pipe::Shared:
      return "L1 and shared-memory data pipe";
    case Pipe::L2:
      return "L2";
    case Pipe::Dram:
      return "DRAM";
  }
  return "";
}

}  // namespace tileloom::model
