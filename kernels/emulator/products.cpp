// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma: each of the four warps of a warpgroup multiplies 16 of 64 rows of A by the same B, which
// the tensor core finds in shared memory by two descriptors. The instruction is executed when the
// last lane of a warp has issued it; the accumulators stay with the tensor core until the warp has
// waited.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"
#include "kernels/emulator/recorded_counts.h"

namespace tileloom::emulator {
namespace {

constexpr std::uint32_t kRows = kProductRows / kWarpsPerGroup;  // of one warp
constexpr std::uint32_t kAllLanes = 0xFFFF'FFFF;

bool same(const ProductRequest& a, const ProductRequest& b) {
  return a.number == b.number && a.columns == b.columns && a.a == b.a && a.b == b.b &&
         a.keep == b.keep;
}

// `known` itself if the lists are equal; else a new list.
OperandList listed(const std::vector<Provenance>& factors, const OperandList& known) {
  if (known != nullptr && *known == factors) return known;
  return std::make_shared<const std::vector<Provenance>>(factors);
}

}  // namespace

std::uint64_t Agents::operand(std::uint32_t array, std::int64_t index, std::uint32_t lead,
                              std::uint32_t stride, std::uint32_t swizzle) const {
  const auto byte = static_cast<std::uint32_t>(block_.arrays_[array].base * 4 + index * 2);
  return packed({byte, lead, stride, swizzle});
}

void Agents::count(Word word, int line) {
  Executed& executed = asked_[thread()].executed[word];
  ++executed.times;
  executed.line = line;
}

void Agents::fenceProducts(int line) {
  count(Fence, line);
  block_.recorder_.event(Kind::FenceProducts, line);
  asked_[thread()].fenced = true;
}

void Agents::multiply(const ProductRequest& request, int line) {
  const std::uint32_t lane = thread() % kWarpSize, warpNumber = thread() / kWarpSize;
  Asked& asked = asked_[thread()];
  Warp& warp = warps_[warpNumber];
  block_.recorder_.event(Kind::Product, line, static_cast<std::uint32_t>(Mma::M64nNk16),
                         request.columns / kProduct.columns, {asked.products});
  if (!asked.fenced) {
    asked.fenced = true;
    add(faultOf(
        FaultKind::NoFence, line,
        "issues a wgmma without fence_products(): its accumulators may not be written yet"));
  }
  const std::uint32_t at = asked.products++ - warp.first;
  if (at >= warp.open.size()) warp.open.resize(at + 1, {request, line, asked.committed, 0});
  Open& open = warp.open[at];
  if (!same(open.request, request) || open.line != line) {
    add(faultOf(FaultKind::Disagreement, line,
                fmt::format("issues a different wgmma from lane {} of its warp in line {}: all 32 "
                            "lanes must issue the same one",
                            std::countr_zero(open.lanes), open.line)));
  }
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

void Agents::readFactors(std::uint32_t byte, std::uint32_t stamp, int line, RegisterSlot* out) {
  Workspace& memory = block_.workspace_;
  const std::size_t at = byte / 4;
  constexpr RegisterSlot kNothing{std::numeric_limits<float>::quiet_NaN(), {}};
  if (at >= memory.shared_.size()) {
    out[0] = out[1] = kNothing;
    add(faultOf(
        FaultKind::OutOfBounds, line,
        fmt::format("issues a wgmma whose operand is at byte {} of shared memory, which has {}",
                    byte, 4 * memory.shared_.size())));
    return;
  }
  std::uint32_t array = kFirstShared;
  while (array + 1 < block_.arrays_.size() && block_.arrays_[array + 1].base <= at) ++array;
  const std::int64_t index = std::int64_t{byte / 2} - 2 * block_.arrays_[array].base;
  readByAgent(at, array, index, stamp, line, "issues a wgmma that reads");
  const Workspace::SharedWord& word = memory.shared_[at];
  out[0] = {word.value, word.provenance};
  out[1] = memory.upper_[at];
}

void Agents::readByAgent(std::size_t at, std::uint32_t array, std::int64_t index,
                         std::uint32_t stamp, int line, const char* how) {
  Workspace::SharedWord& word = block_.workspace_.shared_[at];
  if (word.written != wellWritten_ || word.written == 0) {
    checkRead(word.written, array, index, line, how);
    // Stores of threads have to be made visible to the agents first.
    if (word.written != 0 && (word.written & kManyThreads) < kFirstAgent &&
        !clock().shows(word.written) && word.written != reported_) {
      reported_ = word.written;
      add(faultOf(
          FaultKind::NoFence, line,
          fmt::format("{} {}[{}], which {} has stored without fence_async()", how,
                      block_.arrays_[array].name, index, threadText(word.written & kManyThreads))));
    }
  }
  word.read = readers_.with(word.read, stamp, clock());
}

// All rows of A must be parts of rows of one matrix at the same k; all columns of B must be parts
// of columns at these k. Zeros from outside a matrix fit anywhere.
void Agents::checkFactors(const ProductRecord& product, int line) {
  const std::vector<Provenance>&a = *product.factorsA, &b = *product.factorsB;
  const auto text = [&](Provenance p) -> std::string {
    if (!p.isElement()) return "no element of a matrix";
    const Array& array = block_.arrays_[static_cast<std::uint32_t>(p.source()) - 1];
    return fmt::format("{}[{}][{}]", array.name, p.index() / array.columns,
                       p.index() % array.columns);
  };
  const auto blame = [&](Provenance p, const std::string& why) {
    add(faultOf(FaultKind::WrongFragment, line,
                fmt::format("issues a wgmma with {} {}", text(p), why)));
  };
  const std::uint32_t widthA = block_.arrays_[kArrayA].columns;
  const std::uint32_t widthB = block_.arrays_[kArrayB].columns;
  constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  std::array<std::uint32_t, kProductDepth> depth;
  depth.fill(kNone);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    std::uint32_t itsRow = kNone, origin = 0;
    for (std::uint32_t k = 0; k < kProductDepth; ++k) {
      const Provenance p = a[row * kProductDepth + k];
      if (p == Provenance::outside()) continue;
      if (p.source() != Provenance::Source::A) return blame(p, "where a factor of A must be");
      // Nearly always the next element is the neighbour, which saves a division.
      const std::uint32_t in =
          itsRow != kNone && p.index() - origin < widthA ? p.index() - origin : p.index() % widthA;
      if (itsRow == kNone) {
        origin = p.index() - in;
        itsRow = row;
      } else if (p.index() - in != origin) {
        return blame(
            p, fmt::format("in row {} of its part of A, which began with another row of A", row));
      }
      if (depth[k] == kNone) depth[k] = in;
      if (depth[k] != in)
        return blame(p, fmt::format("at k {} of its part of A, where other rows have {}", k,
                                    text(Provenance::element(Provenance::Source::A, depth[k]))));
    }
  }
  for (std::uint32_t n = 0; n < product.columns; ++n) {
    std::uint32_t itsColumn = kNone;
    for (std::uint32_t k = 0; k < kProductDepth; ++k) {
      const Provenance p = b[k * product.columns + n];
      if (p == Provenance::outside()) continue;
      if (p.source() != Provenance::Source::B) return blame(p, "where a factor of B must be");
      const std::uint32_t guess = p.index() - depth[k] * widthB;  // right where k agrees
      const bool agrees = depth[k] != kNone && guess < widthB;
      const std::uint32_t in = agrees ? guess : p.index() % widthB;
      if (itsColumn == kNone) itsColumn = in;
      if (itsColumn != in)
        return blame(p, fmt::format("in column {} of B, which began with another column of B", n));
      if (!agrees && depth[k] != kNone)
        return blame(p, fmt::format("in B, which is multiplied by elements of A with k = {}: their "
                                    "k differ",
                                    depth[k]));
    }
  }
}

// The four warps of a warpgroup must issue the same wgmma.
void Agents::checkTogether(std::uint32_t warp, std::uint32_t number) {
  const ProductRecord& mine = products_[warp][number];
  const std::uint32_t group = warp / kWarpsPerGroup * kWarpsPerGroup;
  for (std::uint32_t other = group; other < group + kWarpsPerGroup && other < products_.size();
       ++other) {
    if (other == warp || products_[other].size() <= number) continue;
    const ProductRecord& its = products_[other][number];
    if (its.line == mine.line && its.columns == mine.columns && packed(its.a) == packed(mine.a) &&
        packed(its.b) == packed(mine.b)) {
      continue;
    }
    add(faultOf(FaultKind::Disagreement, mine.line,
                fmt::format("issues a different wgmma from warp {} in line {}: the four warps of a "
                            "warpgroup must issue the same one",
                            other, its.line)));
    return;
  }
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
    add(faultOf(FaultKind::WrongFragment, open.line,
                "issues a wgmma whose operand is not swizzled, but all boxes of this rung are"));
    return products_[warp].push_back(std::move(product));
  }
  // The wgmma instructions of a warp are an agent of their own: they have read when their group is
  // complete.
  const std::uint32_t stamp =
      (open.group + 1) << kThreadBits | Component::agent(productsComponent(warp));
  std::vector<Provenance> factorsA(kRows * kProductDepth), factorsB(kProductDepth * columns);
  std::vector<float> a(kRows * kProductDepth), b(kProductDepth * columns);
  RegisterSlot pair[2];
  const std::uint32_t firstRow = warp % kWarpsPerGroup * kRows;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (std::uint32_t k = 0; k < kProductDepth; k += 2) {
      readFactors(product.a.alongK(firstRow + row, k), stamp, open.line, pair);
      for (std::uint32_t i = 0; i < 2; ++i) {
        a[row * kProductDepth + k + i] = pair[i].value;
        factorsA[row * kProductDepth + k + i] = pair[i].provenance;
      }
    }
  }
  for (std::uint32_t k = 0; k < kProductDepth; ++k) {
    for (std::uint32_t n = 0; n < columns; n += 2) {
      readFactors(product.b.alongN(k, n), stamp, open.line, pair);
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
  const std::uint32_t number = static_cast<std::uint32_t>(products_[warp].size());
  // Other warps of the warpgroup, and other groups and rows of 64, have read the same B.
  OperandList likeB;
  const std::uint32_t before = warp > 0 ? warp - 1 : warp;
  if (number < products_[before].size()) likeB = products_[before][number].factorsB;
  product.factorsA = listed(factorsA, nullptr);
  product.factorsB = listed(factorsB, likeB);
  checkFactors(product, open.line);
  products_[warp].push_back(std::move(product));
  checkTogether(warp, number);
}

// The warp has waited for its first `groups` groups. These are groups of its warpgroup: the parts
// of the other three warps are complete, too (PTX ISA, "wgmma.commit_group").
void Agents::finish(std::uint32_t warp, std::uint32_t groups) {
  Clock& mine = clocks_[warp];
  if (mine.heard[productsComponent(warp)] >= groups) return;
  const std::uint32_t first = warp / kWarpsPerGroup * kWarpsPerGroup;
  for (std::uint32_t other = first; other < first + kWarpsPerGroup && other < warps_.size();
       ++other) {
    std::uint32_t& heard = mine.heard[productsComponent(other)];
    heard = std::max(heard, groups);
  }
  readers_.forget();
  wellWritten_ = wellRead_ = 0;
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
  count(Commit, line);
  block_.recorder_.event(Kind::CommitProducts, line);
  ++asked_[thread()].committed;
}

void Agents::waitForProducts(std::uint32_t newest, int line) {
  count(Wait, line);
  if (std::string detail = tooManyGroups(newest); !detail.empty())
    add(faultOf(FaultKind::OutOfBounds, line, std::move(detail)));
  block_.recorder_.event(Kind::WaitProducts, line, std::min(newest, kMostGroupsLeft));
  sleeps_[thread()] = {Cause::Products, 0, 0, newest, line};
  pause();
}

void Agents::useSum(const RegisterSlot& sum, std::uint32_t number, int line) {
  if (sum.provenance != Provenance::underWay()) return;
  const std::uint32_t warp = thread() / kWarpSize;
  int asked = 0;
  std::uint32_t group = 0;
  // The newest wgmma that adds to it, issued by all lanes or only by some so far.
  for (const ProductRecord& product : products_[warp]) {
    if (number - product.number < product.columns / 2) asked = product.line, group = product.group;
  }
  for (const Open& open : warps_[warp].open) {
    if (number - open.request.number < open.request.columns / 2)
      asked = open.line, group = open.group;
  }
  add(faultOf(FaultKind::UnderWay, line,
              fmt::format("uses accumulator {}, which the tensor core still updates: the wgmma of "
                          "line {} is in group {}, which has not been waited for",
                          number, asked, group)));
}

}  // namespace tileloom::emulator
