// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma: each of the four warps of a warpgroup multiplies 16 of 64 rows of A by the same B, which
// the tensor core finds in shared memory by two descriptors. The instruction is executed when the
// last lane of a warp has issued it; the accumulators stay with the tensor core until the warp has
// waited.
#include <algorithm>
#include <utility>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block_access.h"
#include "kernels/emulator/product_shape.h"
#include "kernels/tile/mma_table.h"

namespace tileloom::emulator {
namespace {

constexpr std::uint32_t kRows = kProductRows / kWarpsPerGroup;  // of one warp
static_assert(kMmaTable[static_cast<std::size_t>(kUsualGroupMma)].rows == kProductRows &&
              kMmaTable[static_cast<std::size_t>(kUsualGroupMma)].depth == kProductDepth);
constexpr std::uint32_t kAllLanes = 0xFFFF'FFFF;

// `known` itself if the lists are equal; else a new list.
OperandList listed(const std::vector<Provenance>& factors, const OperandList& known) {
  if (known != nullptr && *known == factors) return known;
  return std::make_shared<const std::vector<Provenance>>(factors);
}

}  // namespace

std::uint64_t Agents::operand(std::uint32_t array, std::int64_t index, std::uint32_t lead,
                              std::uint32_t stride, std::uint32_t swizzle) const {
  const auto byte = static_cast<std::uint32_t>(block_.arrays[array].base * 4 + index * 2);
  return packed({byte, lead, stride, swizzle});
}

void Agents::fenceProducts(int line) {
  report(event::FenceProducts{here(line)});
}

void Agents::multiply(const ProductRequest& request, int line) {
  const std::uint32_t lane = thread() % kWarpSize, warpNumber = thread() / kWarpSize;
  Asked& asked = asked_[thread()];
  Warp& warp = warps_[warpNumber];
  report(event::Product{here(line), asked.products, asked.committed, request.number,
                        request.columns, request.a, request.b, request.keep});
  const std::uint32_t at = asked.products++ - warp.first;
  if (at >= warp.open.size()) warp.open.resize(at + 1, {request, line, asked.committed, 0});
  Open& open = warp.open[at];
  open.lanes |= 1u << lane;
  Sums& sums = sumsOf(warpNumber, open);
  sums.held[lane] = request.sums;
  // The values stay in the slots until the instruction is executed.
  for (std::uint32_t i = 0; i < request.columns / 2; ++i)
    request.sums[i].provenance = Provenance::underWay();
  if (open.lanes != kAllLanes) return;
  execute(warpNumber, open);
  // Lanes come in the order of their numbers, so that the oldest instruction is complete first.
  while (!warp.open.empty() && warp.open.front().lanes == kAllLanes) {
    warp.open.erase(warp.open.begin());
    ++warp.first;
  }
}

Agents::Sums& Agents::sumsOf(std::uint32_t warp, const Open& open) {
  std::vector<Sums>& all = warps_[warp].sums;
  const auto found = std::ranges::find_if(
      all, [&](const Sums& sums) { return sums.number == open.request.number; });
  if (found != all.end()) return *found;
  Sums sums;
  sums.number = open.request.number;
  sums.columns = open.request.columns;
  sums.values.resize(std::size_t{kRows} * sums.columns);
  return all.emplace_back(std::move(sums));
}

void Agents::readFactors(std::uint32_t byte, std::uint32_t group, int line,
                         RegisterSlot* out) const {
  const std::uint32_t at = byte / 4;
  const Origin origin = here(line);
  if (!judges().allows(event::OperandRead{origin, byte})) {
    out[0] = out[1] = kNothing;
    return;
  }
  std::uint32_t array = kFirstShared;
  while (array + 1 < block_.arrays.size() && block_.arrays[array + 1].base <= at) ++array;
  const std::int64_t index = std::int64_t{byte / 2} - 2 * block_.arrays[array].base;
  judges().see(event::AgentLoad{origin, event::Agent::Products, group, array, index, at});
  out[0] = block_.shared[at].held;
  out[1] = block_.upper[at];
}

// Each product is exact in fp32 and the sums are rounded in the order of k, as in warp_wide.cpp.
void Agents::execute(std::uint32_t warp, const Open& open) {
  const std::uint32_t columns = open.request.columns;
  Sums& sums = sumsOf(warp, open);
  if (!std::exchange(sums.underWay, true) && values_) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      for (std::uint32_t i = 0; i < columns / 2; ++i) {
        const auto [row, column] = placeOfSum(lane, i);
        sums.values[row * columns + column] = sums.held[lane][i].value;
      }
    }
  }
  if (!open.request.keep) std::ranges::fill(sums.values, 0.f);
  sums.group = open.group;

  ProductRecord product;
  product.columns = columns;
  product.number = open.request.number;
  product.group = open.group;
  product.a = unpacked(open.request.a);
  product.b = unpacked(open.request.b);
  product.line = static_cast<std::uint16_t>(open.line);
  for (const Operand& operand : {product.a, product.b}) {
    if (operand.swizzle != 0) continue;
    return report(event::ProductExecuted{here(open.line), std::move(product)});
  }
  std::vector<Provenance> factorsA(kRows * kProductDepth), factorsB(kProductDepth * columns);
  std::vector<float> a(kRows * kProductDepth), b(kProductDepth * columns);
  RegisterSlot pair[2];
  const std::uint32_t firstRow = warp % kWarpsPerGroup * kRows;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (std::uint32_t k = 0; k < kProductDepth; k += 2) {
      readFactors(product.a.alongK(firstRow + row, k), open.group, open.line, pair);
      for (std::uint32_t i = 0; i < 2; ++i) {
        a[row * kProductDepth + k + i] = pair[i].value;
        factorsA[row * kProductDepth + k + i] = pair[i].provenance;
      }
    }
  }
  for (std::uint32_t k = 0; k < kProductDepth; ++k) {
    for (std::uint32_t n = 0; n < columns; n += 2) {
      readFactors(product.b.alongN(k, n), open.group, open.line, pair);
      for (std::uint32_t i = 0; i < 2; ++i) {
        b[k * columns + n + i] = pair[i].value;
        factorsB[k * columns + n + i] = pair[i].provenance;
      }
    }
  }
  for (std::uint32_t row = 0; values_ && row < kRows; ++row) {
    float* const c = sums.values.data() + std::size_t{row} * columns;
    for (std::uint32_t k = 0; k < kProductDepth; ++k) {
      const float factor = a[row * kProductDepth + k];
      const float* const line = b.data() + std::size_t{k} * columns;
      for (std::uint32_t n = 0; n < columns; ++n) c[n] += factor * line[n];
    }
  }
  const std::vector<std::vector<ProductRecord>>& products = judges().requests().products;
  // Other warps of the warpgroup, and other groups and rows of 64, have read the same B.
  const std::size_t number = products[warp].size();
  const std::vector<ProductRecord>& before = products[warp > 0 ? warp - 1 : warp];
  product.factorsA = listed(factorsA, nullptr);
  product.factorsB = listed(factorsB, number < before.size() ? before[number].factorsB : nullptr);
  report(event::ProductExecuted{here(open.line), std::move(product)});
}

// The warp has waited for its first `groups` groups.
void Agents::finish(std::uint32_t warp, std::uint32_t groups) {
  report(event::ProductsEnded{warp, groups});
  for (Sums& sums : warps_[warp].sums) {
    if (!sums.underWay || sums.group >= groups) continue;
    sums.underWay = false;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      for (std::uint32_t i = 0; i < sums.columns / 2; ++i) {
        const auto [row, column] = placeOfSum(lane, i);
        sums.held[lane][i] = {sums.values[row * sums.columns + column],
                              Provenance::accumulator(sums.number + i)};
      }
    }
  }
}

void Agents::commitProducts(int line) {
  report(event::CommitProducts{here(line)});
  ++asked_[thread()].committed;
}

void Agents::waitForProducts(std::uint32_t newest, int line) {
  report(event::WaitProducts{here(line), newest});
  sleeps_[thread()] = {event::Cause::Products, 0, 0, newest, line};
  pause();
}

void Agents::useSum(const RegisterSlot& sum, std::uint32_t number, int line) {
  report(event::SumUse{here(line), number, sum.provenance});
}

}  // namespace tileloom::emulator
