// SPDX-License-Identifier: GPL-3.0-or-later
// Sums that one block leaves in global memory for another one to add. Blocks are run one after the
// other, those that leave sums first; judges/partial_sums.h has the rules.
#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {

void Agents::leaveSums(int line) {
  report(event::SumsLeft{here(line)});
}

void Agents::tell(std::int64_t flag, int line) {
  report(event::FlagSet{here(line), flag});
}

void Agents::await(std::int64_t flag, int line) {
  if (judges().allows(event::FlagAwait{here(line), flag})) report(event::FlagAwaited{here(line)});
}

void Agents::checkAwaited(int line) {
  report(event::SumsAdded{here(line)});
}

std::uint32_t Block::countLeft(std::int64_t flag, std::uint32_t parts, int line) {
  LeftSums& left = *state_.setup.left;
  const std::uint32_t before = left.counts[flag]++;
  if (before + 1 == parts) left.counts.erase(flag);
  report(event::PartLeft{here(line), flag, before, parts});
  return before;
}

}  // namespace tileloom::emulator
