// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/word_use.h"

namespace tileloom {
namespace {

// Calls visit(lane, part) for each word of each active lane.
template <class Visit>
void forEachWord(const analysis::Moment& access, Visit visit) {
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((access.instruction.mask >> lane & 1u) == 0) continue;
    for (std::uint32_t part = 0; part < access.width; ++part) visit(lane, part);
  }
}

void note(WordUses& uses, std::uint32_t word, std::uint32_t lane, std::uint32_t part) {
  auto [entry, isNew] = uses.try_emplace(word);
  WordUse& use = entry->second;
  if (isNew) {
    use.lane = lane;
    use.start = part == 0;
  }
  use.lanes |= 1u << lane;
}

}  // namespace

WordUses wordUses(const analysis::Moment& access) {
  WordUses uses;
  forEachWord(access, [&](std::uint32_t lane, std::uint32_t part) {
    note(uses, access.cost.addresses[lane] + part, lane, part);
  });
  return uses;
}

std::vector<WordUses> wavefrontUses(const analysis::Moment& access) {
  const auto& served = access.cost.shared;
  std::vector<WordUses> uses(served.count);
  forEachWord(access, [&](std::uint32_t lane, std::uint32_t part) {
    const std::uint32_t wavefront = served.servedIn[lane * analysis::kMostWidth + part];
    if (wavefront < uses.size())
      note(uses[wavefront], access.cost.addresses[lane] + part, lane, part);
  });
  return uses;
}

}  // namespace tileloom
