// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/paired_loads.h"

#include <algorithm>

namespace tileloom::sass {

void PairedLoads::note(int line, bool paired) {
  const Pairing one = paired ? Pairing::Paired : Pairing::None;
  const auto [found, isNew] = lines_.try_emplace(line, one);
  if (!isNew && found->second != one) found->second = Pairing::Unknown;
}

Pairing PairedLoads::of(const Instruction& instruction) const {
  const std::string_view opcode = instruction.opcode;
  const bool wide = opcode == "LDS.64" || opcode == "LDS.128";
  if (!wide || instruction.never()) return Pairing::None;
  const auto found = lines_.find(instruction.line);
  return instruction.line == 0 || found == lines_.end() ? Pairing::Unknown : found->second;
}

bool PairedLoads::anyPaired() const {
  return std::ranges::any_of(lines_,
                             [](const auto& line) { return line.second == Pairing::Paired; });
}

}  // namespace tileloom::sass
