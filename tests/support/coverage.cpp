// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/coverage.h"
#include "kernels/tile/placement.h"

#include <fmt/format.h>

#include <vector>

namespace tileloom::test {
namespace {

using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;
using Source = Provenance::Source;

struct Element {
  std::uint32_t row, column;
  Element(std::uint32_t index, std::uint32_t columns)
      : row(index / columns), column(index % columns) {}
};

// Counts the products, scalings and stores of one (padded) problem.
class Proof {
 public:
  Proof(const Problem& run, bool scales)
      : timesScaled_(scales ? 1 : 0),
        m_(unsigned(run.m)),
        n_(unsigned(run.n)),
        k_(unsigned(run.k)),
        products_(std::size_t{m_} * n_ * k_),
        scaled_(std::size_t{m_} * n_),
        stored_(std::size_t{m_} * n_) {}

  std::string add(const Trace& trace) {
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
        if (auto flaw = addInterval(trace, trace.at(warp, interval)); !flaw.empty()) return flaw;
      }
    }
    return {};
  }

  std::string incomplete() const {
    for (std::size_t p = 0; p < products_.size(); ++p) {
      if (products_[p] != 1) {
        const std::size_t i = p / (std::size_t{n_} * k_), j = p / k_ % n_, k = p % k_;
        return fmt::format("A[{0}][{1}]·B[{1}][{2}] is added {3} times to C[{0}][{2}]", i, k, j,
                           products_[p]);
      }
    }
    for (std::size_t e = 0; e < stored_.size(); ++e) {
      if (scaled_[e] != timesScaled_ || stored_[e] != 1) {
        return fmt::format("C[{}][{}] is scaled {} times and stored {} times", e / n_, e % n_,
                           scaled_[e], stored_[e]);
      }
    }
    return {};
  }

 private:
  std::string addInterval(const Trace& trace, const emulator::WarpInterval& view) {
    for (std::size_t i = 0; i < view.instructions.size(); ++i) {
      const emulator::Instruction& instruction = view.instructions[i];
      if (instruction.kind == Kind::Mma) {
        if (auto flaw = addMma(trace, view, i); !flaw.empty()) return flaw;
        continue;
      }
      if (instruction.kind == Kind::Product) {
        if (auto flaw = addProduct(trace, view, i); !flaw.empty()) return flaw;
        continue;
      }
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        if ((instruction.mask >> lane & 1u) == 0) continue;
        const std::uint32_t* words = view.payload(i, lane);
        const std::uint32_t thread = view.warp * emulator::kWarpSize + lane;
        std::string flaw;
        if (instruction.kind == Kind::Fma) {
          flaw = addFma(trace, thread, words);
        } else if (instruction.kind == Kind::GlobalStore) {
          for (std::uint32_t w = 0; w < instruction.elements(); ++w) ++stored_.at(words[0] + w);
        } else if (instruction.kind == Kind::BoxStore) {
          addBoxStore(trace.boxStores.at(words[1]));
        }
        if (!flaw.empty()) return flaw;
      }
    }
    return {};
  }

  // Elements outside of C are not stored.
  void addBoxStore(const emulator::BoxStoreRecord& store) {
    for (std::uint32_t i = 0; i < store.box.rows * store.box.columns; ++i) {
      const std::int64_t row = store.box.y + std::int64_t{i / store.box.columns};
      const std::int64_t column = store.box.x + std::int64_t{i % store.box.columns};
      if (row >= 0 && row < m_ && column >= 0 && column < n_)
        ++stored_.at(static_cast<std::size_t>(row * n_ + column));
    }
  }

  // The 2,048 multiply-adds of a tensor core, each from the lanes that hold its operands. The
  // positions of the operands are written here by row and column, and in fragment_layout.h by lane.
  std::string addMma(const Trace& trace, const emulator::WarpInterval& view, std::size_t i) {
    if (view.instructions[i].mask != 0xFFFF'FFFF) return "not all lanes of a warp multiply";
    for (std::uint32_t row = 0; row < 16; ++row) {
      for (std::uint32_t column = 0; column < 8; ++column) {
        const std::uint32_t owner = row % 8 * 4 + column / 2;
        const std::uint32_t sum = view.payload(i, owner)[12 + column % 2 + row / 8 * 2];
        for (std::uint32_t k = 0; k < 16; ++k) {
          const std::uint32_t a =
              view.payload(i, row % 8 * 4 + k % 8 / 2)[k % 2 + row / 8 * 2 + k / 8 * 4];
          const std::uint32_t b = view.payload(i, column * 4 + k % 8 / 2)[8 + k % 2 + k / 8 * 2];
          const std::uint32_t words[] = {a, b, sum};
          auto flaw = addFma(trace, view.warp * emulator::kWarpSize + owner, words);
          if (!flaw.empty()) return flaw;
        }
      }
    }
    return {};
  }

  // A warp's 16 rows of a wgmma of its warpgroup. As above, the positions of the sums are written
  // by row and column, unlike in asynchronous.h.
  std::string addProduct(const Trace& trace, const emulator::WarpInterval& view, std::size_t i) {
    if (view.instructions[i].mask != 0xFFFF'FFFF) return "not all lanes of a warp multiply";
    const std::uint32_t number = view.payload(i, 0)[0];
    for (std::uint32_t lane = 1; lane < emulator::kWarpSize; ++lane) {
      if (view.payload(i, lane)[0] != number) return "the lanes of a warp issue different wgmma";
    }
    const emulator::ProductRecord& product = trace.products.at(view.warp).at(number);
    if (product.factorsA == nullptr || product.factorsB == nullptr)
      return "a product has no operands";
    for (std::uint32_t row = 0; row < 16; ++row) {
      for (std::uint32_t column = 0; column < product.columns; ++column) {
        const std::uint32_t owner = row % 8 * 4 + column % 8 / 2;
        const std::uint32_t sum = column / 8 * 4 + row / 8 * 2 + column % 2;
        auto flaw = addSum(trace, view.warp * emulator::kWarpSize + owner,
                           Provenance::accumulator(product.number + sum),
                           product.factorsA->data() + row * 16, product.factorsB->data() + column,
                           product.columns);
        if (!flaw.empty()) return flaw;
      }
    }
    return {};
  }

  // The 16 products of one sum, nearly always right: addFma() says what is wrong.
  std::string addSum(const Trace& trace, std::uint32_t thread, Provenance sum, const Provenance* a,
                     const Provenance* b, std::uint32_t stride) {
    const std::uint32_t element = trace.accumulatorElement(thread, sum.slot());
    const bool stored = element != Trace::kNoElement;
    const Element c(stored ? element : 0, n_);
    for (std::uint32_t k = 0; k < 16; ++k, b += stride) {
      if (stored && a[k].source() == Source::A && b->source() == Source::B) {
        const std::uint32_t at = a[k].index() - c.row * k_;  // large if it is not in the row
        if (at < k_ && b->index() == at * n_ + c.column) {
          ++products_.at(std::size_t{element} * k_ + at);
          continue;
        }
      }
      const std::uint32_t words[] = {a[k].bits(), b->bits(), sum.bits()};
      if (auto flaw = addFma(trace, thread, words); !flaw.empty()) return flaw;
    }
    return {};
  }

  std::string addFma(const Trace& trace, std::uint32_t thread, const std::uint32_t* words) {
    Provenance a(words[0]), b(words[1]);
    const Provenance sum(words[2]);
    // A zero for an element outside of a matrix adds nothing. If a thread multiplies an element
    // that C needs by such a zero, the missing product shows it; sums of only such zeros belong to
    // no element of C, and are never stored.
    if (a == Provenance::outside() || b == Provenance::outside()) return {};
    if (!sum.isAccumulator()) return fmt::format("thread {} adds into no accumulator", thread);
    const std::uint32_t element = trace.accumulatorElement(thread, sum.slot());
    if (element == Trace::kNoElement) {
      return fmt::format("accumulator {} of thread {} is never stored", sum.slot(), thread);
    }
    const Element c(element, n_);
    if (a.isAccumulator()) return addEpilogue(a, b, sum, element);
    if (a.source() != Source::A) std::swap(a, b);
    if (a.source() != Source::A || b.source() != Source::B) {
      return fmt::format("a product for C[{}][{}] is not of an element of A and one of B", c.row,
                         c.column);
    }
    const Element fromA(a.index(), k_), fromB(b.index(), n_);
    if (fromA.column != fromB.row || fromA.row != c.row || fromB.column != c.column) {
      return fmt::format("A[{}][{}]·B[{}][{}] is added to C[{}][{}]", fromA.row, fromA.column,
                         fromB.row, fromB.column, c.row, c.column);
    }
    ++products_.at((std::size_t{c.row} * n_ + c.column) * k_ + fromA.column);
    return {};
  }

  // alpha·accumulator + beta·C of one element, stored in that element.
  std::string addEpilogue(Provenance accumulator, Provenance old, Provenance sum,
                          std::uint32_t element) {
    if (sum != accumulator || old != Provenance::element(Source::C, element)) {
      return fmt::format("C[{}][{}] is not scaled with its own accumulator", element / n_,
                         element % n_);
    }
    ++scaled_.at(element);
    return {};
  }

  std::uint32_t timesScaled_;  // each element of C
  std::uint32_t m_, n_, k_;
  std::vector<std::uint8_t> products_, scaled_, stored_;
};

}  // namespace

std::string coverageFlaw(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                         const Problem& problem) {
  const Problem run = paddedProblem(stage, tile, problem);
  const Extent grid = launchOf(stage, tile, run).grid;
  Proof proof(run, stage.ladder == Ladder::Fp32);
  emulator::TraceRequest request;
  request.subject() = usualSubject(stage, tile);
  request.problem = problem;
  for (request.block.y = 0; request.block.y < grid.y; ++request.block.y) {
    for (request.block.x = 0; request.block.x < grid.x; ++request.block.x) {
      const Trace trace = emulator::traceBlock(workspace, request);
      if (!trace.faults.empty()) return describe(trace.faults.kept.front());
      if (auto flaw = proof.add(trace); !flaw.empty()) return flaw;
    }
  }
  return proof.incomplete();
}

}  // namespace tileloom::test
