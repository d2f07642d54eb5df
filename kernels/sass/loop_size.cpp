// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/loop_size.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/sass/cubin/cubin.h"
#include "kernels/sass/decode.h"
#include "kernels/tile/mma.h"

namespace tileloom::sass {
namespace {

// The bits above say where operands come from.
std::uint64_t opcodeOf(const CodeWord& code) {
  return code.bits(0, 9);
}

bool isFfma(const CodeWord& code) {
  return opcodeOf(code) == 0x023;
}

bool isHmma(const CodeWord& code) {
  return opcodeOf(code) == 0x03c;
}

bool isHgmma(const CodeWord& code) {
  return opcodeOf(code) == 0x1f0;
}

struct Products {
  int ffmas = 0;
  int hmmas = 0;
  int hgmmas = 0;
  // As sass::multiplyAddsOf counts them, except for the width of wgmma: it is at least 64, and a
  // kernel has only one.
  std::int64_t multiplyAdds(const MmaRow& mma) const {
    return 32 * std::int64_t{ffmas} + std::int64_t{mma.products()} * hmmas +
           16384 * std::int64_t{hgmmas};
  }
};

// The target of a branch, in instructions from the one after it.
std::optional<std::int64_t> distance(const CodeWord& code, int capability) {
  constexpr std::uint64_t kBranch = 0x947;
  if (code.bits(0, 12) != kBranch) return std::nullopt;
  return branchDistance(code, capability) / kCodeWordBytes;
}

}  // namespace

std::optional<LoopSize> loopSize(std::span<const char> cubin, const MmaRow* mma) {
  const auto kernel = readCubin(cubin);
  if (!kernel) return std::nullopt;
  const auto count = static_cast<std::int64_t>(kernel->words.size());
  const auto at = [&](std::int64_t i) { return kernel->words[static_cast<std::size_t>(i)]; };
  // Loops may be nested: their multiply-adds are counted once.
  std::vector<Products> before(static_cast<std::size_t>(count) + 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    before[place + 1] = {before[place].ffmas + (isFfma(at(i)) ? 1 : 0),
                         before[place].hmmas + (isHmma(at(i)) ? 1 : 0),
                         before[place].hgmmas + (isHgmma(at(i)) ? 1 : 0)};
  }
  LoopSize best;
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto way = distance(at(i), kernel->capability);
    if (!way || *way >= 0 || -*way > i + 1) continue;
    const Products& first = before[static_cast<std::size_t>(i + 1 + *way)];
    const Products& last = before[static_cast<std::size_t>(i + 1)];
    const Products here{last.ffmas - first.ffmas, last.hmmas - first.hmmas,
                        last.hgmmas - first.hgmmas};
    const LoopSize loop{static_cast<int>(-*way), here.ffmas, here.hmmas, here.hgmmas};
    const std::int64_t products = here.multiplyAdds(mma != nullptr ? *mma : rowOf(kUsualWarpMma));
    const bool more = products > most;
    const bool shorter = products == most && loop.instructions < best.instructions;
    if (more || shorter) best = loop;
    most = std::max(most, products);
  }
  if (most == 0) return std::nullopt;
  return best;
}

}  // namespace tileloom::sass
