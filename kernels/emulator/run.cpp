// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/emulator/block.h"
#include "kernels/emulator/clock.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"

namespace tileloom::emulator {
namespace {

static_assert(kMaxElements <= std::int64_t{Provenance::kIndexMask} + 1,
              "the numbers of the elements do not fit into a provenance");
// Two intervals for each K tile, which has one element of K or more; the highest bit of a stamp
// marks a copy in flight.
static_assert(2 * kMaxDimension + 2 < 1 << (31 - kThreadBits),
              "the numbers of the intervals do not fit into a stamp");

std::uint32_t u(int v) {
  return static_cast<std::uint32_t>(v);
}

std::array<Matrix, 3> shapes(const Problem& p) {
  const auto shape = [](int rows, int columns) {
    Matrix matrix;
    matrix.rows = u(rows);
    matrix.columns = u(columns);
    return matrix;
  };
  return {shape(p.m, p.k), shape(p.k, p.n), shape(p.m, p.n)};
}

// The first `columns` elements of `from`. A part of a byte that is left over stays as it is in
// `to`.
void copyRow(const std::byte* from, std::byte* to, int columns, const FormatRow& format) {
  const int whole = columns / format.elementsPerByte() * format.elementsPerByte();
  std::copy_n(from, format.bytesOf(whole), to);
  for (std::uint32_t i = u(whole); i < u(columns); ++i)
    setElementBits(to, i, format.bits, elementBits(from, i, format.bits));
}

// The bytes of a matrix, with zeros to the right and below.
std::vector<std::byte> padded(std::span<const std::byte> from, int rows, int columns, int toRows,
                              int toColumns, const FormatRow& format) {
  const auto line = format.bytesOf(columns), toLine = format.bytesOf(toColumns);
  std::vector<std::byte> to(static_cast<std::size_t>(toRows * toLine));
  for (int r = 0; r < rows; ++r)
    copyRow(from.data() + r * line, to.data() + r * toLine, columns, format);
  return to;
}

// A kernel numbers the elements of a matrix from one row to the next.
void demandWholeBytes(const FormatRow& format, std::initializer_list<int> columns) {
  for (const int each : columns) {
    if (each % format.elementsPerByte() != 0) {
      throw std::invalid_argument(
          fmt::format("a row of {} elements of {} ends within a byte: choose a multiple of {}",
                      each, format.name, format.elementsPerByte()));
    }
  }
}

}  // namespace

std::string whyNotTraceable(const TraceRequest& request) {
  const Problem& p = request.problem;
  for (const auto& [label, value] : {std::pair{"M", p.m}, {"N", p.n}, {"K", p.k}}) {
    if (value < 1 || value > kMaxDimension) {
      return fmt::format("{} = {} is not a size between 1 and {}", label, value, kMaxDimension);
    }
  }
  if (auto reason = explainTile(*request.rung(), request.tile); !reason.empty()) return reason;
  const Problem run = paddedProblem(*request.rung(), request.tile, p);
  if (1LL * run.m * run.k > kMaxElements || 1LL * run.k * run.n > kMaxElements ||
      1LL * run.m * run.n > kMaxElements) {
    return fmt::format("{} has a matrix of more than {} elements; choose a smaller size",
                       toString(run), kMaxElements);
  }
  const Extent grid = launchOf(*request.rung(), request.tile, run).grid;
  if (request.block.x < 0 || request.block.y < 0 || request.block.x >= grid.x ||
      request.block.y >= grid.y) {
    const bool tiles =
        request.rung()->features().persistent || looksUpParts(*request.rung(), request.tile);
    return fmt::format("{0} {1},{2} is outside the grid of {3} x {4} {0}s; the last one is {5},{6}",
                       tiles ? "block tile" : "block", request.block.x, request.block.y, grid.x,
                       grid.y, grid.x - 1, grid.y - 1);
  }
  const int below = placeOf(*request.rung(), request.tile, grid, request.block).row *
                    derive(*request.rung(), request.tile).blockM;
  if (below >= run.m) {
    return fmt::format(
        "block {},{} has no element of C: it only completes a cluster; choose one "
        "of the blocks above row {} of C",
        request.block.x, request.block.y, run.m);
  }
  return {};
}

namespace {

// The blocks that run together with the block that `setup` describes, including it.
class Together {
 public:
  Together(Workspace& workspace, BlockSetup setup) {
    const Extent grid = launchOf(*setup.rung(), setup.tile, setup.problem).grid;
    const int cluster = clusterOf(*setup.rung(), setup.tile);
    const int number = setup.block.y * grid.x + setup.block.x;
    rank_ = u(number % cluster);
    for (int rank = 0; rank < cluster; ++rank) {
      const int its = number - number % cluster + rank;
      setup.block = {its % grid.x, its / grid.x};
      Workspace& memory = rank == number % cluster
                              ? workspace
                              : workspace.other(u(rank - (rank > number % cluster ? 1 : 0)));
      owned_.push_back(std::make_unique<Block>(memory, setup));
      blocks_.push_back(owned_.back().get());
    }
  }

  // `sink` gets the intervals of the described block; `all`: those of the others, too.
  void run(const IntervalSink& sink, bool all) {
    if (blocks_.size() == 1) return watched().run(sink);
    std::vector<IntervalSink> sinks;
    for (std::uint32_t rank = 0; rank < blocks_.size(); ++rank)
      sinks.push_back(all || rank == rank_ ? sink : [](const WarpInterval&) {});
    Block::runTogether(blocks_, sinks);
  }

  Block& watched() { return *blocks_[rank_]; }
  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(blocks_.size()); }
  FaultLog faults() const {
    FaultLog log = blocks_[rank_]->faults();
    for (std::uint32_t rank = 0; rank < blocks_.size(); ++rank) {
      if (rank == rank_) continue;
      const FaultLog& its = blocks_[rank]->faults();
      for (const Fault& fault : its.kept) log.add(fault);
      log.total += its.total - its.kept.size();
    }
    return log;
  }

 private:
  std::vector<std::unique_ptr<Block>> owned_;
  std::vector<Block*> blocks_;
  std::uint32_t rank_ = 0;
};

}  // namespace

Trace traceBlock(Workspace& workspace, const TraceRequest& request, const JudgesReader& read) {
  if (const auto traced = request.rung()->traced) return traced(request);
  Trace trace(workspace.words);
  trace.subject() = request;
  trace.asked = request.problem;
  trace.problem = paddedProblem(*request.rung(), request.tile, request.problem);
  trace.block = request.block;
  trace.persistent = request.rung()->features().persistent;

  BlockSetup setup;
  setup.subject() = request;
  setup.problem = trace.problem;
  trace.format = setup.format = request.format;
  setup.block = request.block;
  setup.alpha = 1.5f;
  setup.beta = -0.5f;
  setup.matrices = shapes(trace.problem);
  const std::uint32_t stepK = std::max(1u, u(derive(*request.rung(), request.tile).stepK));
  setup.kLimit = request.kTiles == 0                           ? u(trace.problem.k)
                 : request.kTiles > u(trace.problem.k) / stepK ? u(trace.problem.k)
                                                               : request.kTiles * stepK;
  if (request.kElements != 0) {
    setup.kLimit = std::min(setup.kLimit, request.kElements);
    setup.kEndsThere = true;
  }
  setup.operands = request.operands;
  if (request.rung()->features().persistent) setup.walks = std::max(1u, request.walks);
  Together together(workspace, setup);
  Block& block = together.watched();

  trace.threads = block.threads();
  trace.warps = block.warps();
  trace.stepK = stepK;
  trace.kEnd = block.kEnd();
  // Some kernels step along K in whole rounds of their pipeline.
  const std::uint32_t round = request.rung()->split() == SplitK::Rounds
                                  ? std::max(1u, u(request.tile[Parameter::STAGES]))
                                  : 1;
  const auto tilesIn = [&](std::uint32_t elements) {
    return (elements + stepK * round - 1) / (stepK * round) * round;
  };
  trace.kTiles = tilesIn(u(trace.problem.k));
  trace.kTilesTraced = tilesIn(setup.kLimit);
  trace.cluster = together.size();
  trace.rank = together.rank();
  together.run([&trace](const WarpInterval& interval) { trace.append(interval); }, false);
  trace.walked = setup.walks;
  trace.arrays = block.arrays();
  trace.sharedBytes = block.sharedBytes();
  const judges::Requests& requests = block.requests();
  trace.barriers = requests.barriers;
  trace.roles = requests.roles;
  trace.remoteArrivals = requests.remoteArrivals;
  trace.boxes = requests.boxes;
  trace.boxStores = requests.boxStores;
  trace.products = requests.products;
  trace.faults = together.faults();
  trace.finish();
  if (read) read(block.judges());
  return trace;
}

namespace {

// Runs every block on padded copies of the matrices; place(setup.matrices, a, b, c) sets the
// pointers to these.
template <class Place>
FaultLog runPadded(Workspace& workspace, const ElementGemm& gemm, BlockSetup setup,
                   const IntervalSink& sink, Place place) {
  const Problem& p = gemm.problem;
  const Problem run = paddedProblem(*gemm.rung(), gemm.tile, p);
  const FormatRow& format = rowOf(gemm.format);
  demandWholeBytes(format, {run.k, run.n});
  const std::vector<std::byte> a = padded(gemm.a, p.m, p.k, run.m, run.k, format);
  const std::vector<std::byte> b = padded(gemm.b, p.k, p.n, run.k, run.n, format);
  std::vector<std::byte> c = padded(gemm.c, p.m, p.n, run.m, run.n, format);
  setup.subject() = gemm;
  setup.problem = run;
  setup.matrices = shapes(run);
  place(setup.matrices, a.data(), b.data(), c.data());

  FaultLog log;
  const Extent grid = launchOf(*gemm.rung(), gemm.tile, run).grid;
  const int cluster = clusterOf(*gemm.rung(), gemm.tile);
  const auto runCluster = [&](int number) {
    setup.block = {number % grid.x, number / grid.x};
    Together together(workspace, setup);
    together.run(sink, true);
    const FaultLog faults = together.faults();
    for (const Fault& fault : faults.kept) log.add(fault);
    log.total += faults.total - faults.kept.size();
  };
  setup.sms = gemm.sms;
  if (gemm.rung()->split() == SplitK::Rounds) {
    // The launched blocks, the last one first: a cluster leaves its sums for an earlier one.
    LeftSums left;
    setup.left = &left;
    const int blocks = residentLaunch(*gemm.rung(), gemm.tile, run, setup.sms).grid.x;
    for (int number = blocks - cluster; number >= 0; number -= cluster) runCluster(number);
    for (const auto& [flag, fault] : left.told) log.add(fault);
  } else if (looksUpParts(*gemm.rung(), gemm.tile)) {
    LeftSums left;
    left.wave = lastWaveOf(*gemm.rung(), gemm.tile, run, setup.sms);
    setup.left = &left;
    for (int number = 0; number < static_cast<int>(left.wave.blocks.size()); ++number)
      runCluster(number);
    for (const auto& [flag, fault] : left.told) log.add(fault);
  } else {
    for (int number = 0; number < grid.x * grid.y; number += cluster) runCluster(number);
  }
  const auto line = format.bytesOf(p.n), fromLine = format.bytesOf(run.n);
  for (int r = 0; r < p.m; ++r)
    copyRow(c.data() + r * fromLine, gemm.c.data() + r * line, p.n, format);
  return log;
}

// The same multiplication, of any elements.
template <class Typed>
ElementGemm asElements(const Typed& gemm) {
  ElementGemm elements;
  static_cast<Launched&>(elements) = gemm;
  elements.a = std::as_bytes(gemm.a);
  elements.b = std::as_bytes(gemm.b);
  elements.c = std::as_writable_bytes(gemm.c);
  elements.sms = gemm.sms;
  return elements;
}

}  // namespace

FaultLog runGemm(Workspace& workspace, const Gemm& gemm, const IntervalSink& sink) {
  BlockSetup setup;
  setup.alpha = gemm.alpha;
  setup.beta = gemm.beta;
  return runPadded(
      workspace, asElements(gemm), setup, sink,
      [](std::array<Matrix, 3>& matrices, const std::byte* a, const std::byte* b, std::byte* c) {
        matrices[kArrayA].read = reinterpret_cast<const float*>(a);
        matrices[kArrayB].read = reinterpret_cast<const float*>(b);
        matrices[kArrayC].write = reinterpret_cast<float*>(c);
        matrices[kArrayC].read = matrices[kArrayC].write;
      });
}

FaultLog runGemm(Workspace& workspace, const ElementGemm& gemm, const IntervalSink& sink) {
  return runPadded(
      workspace, gemm, {}, sink,
      [](std::array<Matrix, 3>& matrices, const std::byte* a, const std::byte* b, std::byte* c) {
        matrices[kArrayA].elements = a;
        matrices[kArrayB].elements = b;
        matrices[kArrayC].elements = matrices[kArrayC].writable = c;
      });
}

FaultLog runGemm(Workspace& workspace, const HalfGemm& gemm, const IntervalSink& sink) {
  return runGemm(workspace, asElements(gemm), sink);
}

}  // namespace tileloom::emulator
