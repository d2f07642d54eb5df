// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/block_product.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/asynchronous.h"

namespace tileloom::analysis {
namespace {

using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;

class Products {
 public:
  explicit Products(const Trace& trace)
      : trace_(trace),
        k_(trace.arrays[emulator::kArrayA].columns),
        columns_(trace.arrays[emulator::kArrayC].columns),
        bColumns_(trace.arrays[emulator::kArrayB].columns) {}

  // The product of two elements is added to a sum that `thread` has.
  void add(std::uint32_t thread, Provenance sum, Provenance a, Provenance b) {
    if (!sum.isAccumulator() || !a.isElement() || !b.isElement()) return;
    const std::uint32_t element = elementOf(thread, sum);
    if (element == Trace::kNoElement) return;
    const std::uint32_t k = a.index() % k_;
    if (a.index() / k_ != element / columns_ || b.index() % bColumns_ != element % columns_ ||
        b.index() / bColumns_ != k)
      ++result_.foreign;
    else
      add(element, k);
  }
  // The same of an element of C.
  void add(std::uint32_t element, std::uint32_t k) {
    auto& seen = seen_.try_emplace(element, k_, false).first->second;
    ++result_.products;
    if (seen[k]) ++result_.repeated;
    seen[k] = true;
  }
  std::uint32_t elementOf(std::uint32_t thread, Provenance sum) const {
    const std::uint32_t owner = sum.owner(thread);
    return owner < trace_.threads ? trace_.accumulatorElement(owner, sum.slot())
                                  : Trace::kNoElement;
  }
  bool possible() const { return k_ != 0 && columns_ != 0 && bColumns_ != 0; }
  std::uint32_t k() const { return k_; }
  void foreign() { ++result_.foreign; }
  std::uint32_t columns() const { return columns_; }

  BlockProduct result() {
    bool first = true;
    for (const auto& [element, seen] : seen_) {
      const std::uint32_t row = element / columns_, column = element % columns_;
      result_.firstRow = first ? row : std::min(result_.firstRow, row);
      result_.firstColumn = first ? column : std::min(result_.firstColumn, column);
      result_.lastRow = std::max(result_.lastRow, row);
      result_.lastColumn = std::max(result_.lastColumn, column);
      result_.complete += std::ranges::all_of(seen, [](bool is) { return is; }) ? 1 : 0;
      first = false;
    }
    result_.elements = seen_.size();
    return result_;
  }

 private:
  const Trace& trace_;
  std::uint32_t k_, columns_, bColumns_;
  std::unordered_map<std::uint32_t, std::vector<bool>> seen_;  // by element of C: along K
  BlockProduct result_;
};

// A tensor core's product: a row of A is held by four lanes.
void addMatrices(const emulator::WarpInterval& view, std::size_t at, Products& products) {
  const MmaRow& mma = view.instructions[at].mma();
  constexpr std::uint32_t kRows = 16;
  std::array<std::vector<Provenance>, kRows> rows;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t* words = view.payload(at, lane);
    for (std::uint32_t i = 0; i < mma.laneA(); ++i)
      rows[mma.placeInA(lane, i).row % kRows].push_back(Provenance(words[i]));
  }
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t* words = view.payload(at, lane);
    for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
      const Provenance sum(words[mma.laneA() + mma.laneB() + i]);
      if (!sum.isAccumulator()) continue;
      const std::uint32_t element = products.elementOf(view.warp * emulator::kWarpSize + lane, sum);
      if (element == Trace::kNoElement) continue;
      for (const Provenance a : rows[mma.placeInC(lane, i).row % kRows]) {
        if (!a.isElement()) continue;
        if (a.index() / products.k() != element / products.columns())
          products.foreign();
        else
          products.add(element, a.index() % products.k());
      }
    }
  }
}

// A warp's part of a wgmma.
void addProduct(const Trace& trace, std::uint32_t warp, const emulator::ProductRecord& product,
                Products& products) {
  if (product.factorsA == nullptr || product.factorsB == nullptr) return;
  const std::vector<Provenance>&a = *product.factorsA, &b = *product.factorsB;
  const std::uint32_t columns = product.columns;
  const auto depth = static_cast<std::uint32_t>(b.size() / columns);
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t thread = warp * emulator::kWarpSize + lane;
    if (thread >= trace.threads) return;
    for (std::uint32_t i = 0; i < columns / 2; ++i) {
      const emulator::SumPlace place = emulator::placeOfSum(lane, i);
      const Provenance sum = Provenance::accumulator(product.number + i);
      for (std::uint32_t k = 0; k < depth; ++k)
        products.add(thread, sum, a[place.row * depth + k], b[k * columns + place.column]);
    }
  }
}

}  // namespace

BlockProduct blockProductOf(const Trace& trace) {
  Products products(trace);
  if (!products.possible()) return {};
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const auto view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const emulator::Instruction& instruction = view.instructions[i];
        if (instruction.kind == Kind::Mma) addMatrices(view, i, products);
        if (instruction.kind == Kind::Product)
          addProduct(trace, warp, trace.products[warp][view.payload(i, 0)[0]], products);
        if (instruction.kind != Kind::Fma) continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1) == 0) continue;
          const std::uint32_t* words = view.payload(i, lane);
          products.add(warp * emulator::kWarpSize + lane, Provenance(words[2]),
                       Provenance(words[0]), Provenance(words[1]));
        }
      }
    }
  }
  return products.result();
}

}  // namespace tileloom::analysis
