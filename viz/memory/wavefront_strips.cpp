// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/wavefront_strips.h"

#include <algorithm>
#include <array>

#include "kernels/analysis/memory/copy_cost.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom {
namespace {

using emulator::kWarpSize;

// Passes in L1 beyond those of the banks.
std::uint32_t passesInL1(const analysis::Moment& access) {
  const auto& cost = access.cost;
  if (cost.copy.wavefronts <= cost.shared.count || access.width != 1) return 0;
  return cost.copy.wavefronts - cost.shared.count + 1;  // the first coincides with one of the banks
}

// Each wavefront serves lanes that address rows of one matrix.
void nameMatrices(std::vector<WavefrontStrip>& strips) {
  std::array<std::uint32_t, emulator::kMatrices> counts{};
  for (WavefrontStrip& strip : strips) {
    if (strip.uses.empty()) continue;
    strip.matrix = strip.uses.begin()->second.lane / emulator::kMatrixEdge;
    strip.inMatrix = counts[strip.matrix]++;
  }
  for (WavefrontStrip& strip : strips) strip.ofMatrix = counts[strip.matrix];
}

bool isWideCopy(const analysis::Moment& access) {
  return access.cost.copy.wavefronts > 0 && access.width > 1;
}

}  // namespace

std::uint32_t stripCount(const analysis::Moment& access) {
  if (isWideCopy(access)) return access.cost.copy.wavefronts;
  return access.cost.shared.count + passesInL1(access);
}

std::vector<WavefrontStrip> wavefrontStrips(const analysis::Moment& access) {
  const auto& cost = access.cost;
  std::vector<WavefrontStrip> strips;
  const std::uint32_t inL1 = passesInL1(access);
  if (!isWideCopy(access)) {
    for (WordUses& uses : wavefrontUses(access)) {
      const auto number = static_cast<std::uint32_t>(strips.size());
      strips.push_back({std::move(uses), false, (cost.shared.extra >> number & 1u) != 0, number});
    }
    if (access.instruction.kind == emulator::Kind::MatrixLoad) nameMatrices(strips);
    if (inL1 == 0) return strips;
  }
  const std::size_t first = strips.size();
  strips.resize(stripCount(access));
  for (std::size_t i = first; i < strips.size(); ++i) {
    strips[i].number = static_cast<std::uint32_t>(i - first);
    strips[i].inL1 = inL1 > 0;
    strips[i].extra = inL1 > 0 && strips[i].number > 0;
  }
  const auto passes =
      analysis::copyPasses(cost.copied, cost.addresses, access.instruction.mask, access.width);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (first + passes[lane] >= strips.size()) continue;
    WordUses& uses = strips[first + passes[lane]].uses;
    for (std::uint32_t part = 0; part < access.width; ++part) {
      const std::uint32_t at = (inL1 > 0 ? cost.copied : cost.addresses)[lane] + part;
      WordUse& use = uses.try_emplace(at, WordUse{lane, 0, part == 0}).first->second;
      use.lanes |= 1u << lane;
    }
  }
  return strips;
}

}  // namespace tileloom
