// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/tile/constraints.h"

namespace tileloom::emulator {
namespace {

std::uint32_t u(int v) {
  return static_cast<std::uint32_t>(v);
}

std::array<Matrix, 3> shapes(const Problem& p) {
  return {{{u(p.m), u(p.k), nullptr, nullptr},
           {u(p.k), u(p.n), nullptr, nullptr},
           {u(p.m), u(p.n), nullptr, nullptr}}};
}

std::vector<float> padded(std::span<const float> from, int rows, int columns, int toRows,
                          int toColumns) {
  std::vector<float> to(std::size_t(toRows) * std::size_t(toColumns), 0.0f);
  for (int r = 0; r < rows; ++r) {
    std::copy_n(from.begin() + std::ptrdiff_t(r) * columns, columns,
                to.begin() + std::ptrdiff_t(r) * toColumns);
  }
  return to;
}

}  // namespace

std::string whyNotTraceable(const TraceRequest& request) {
  const Problem& p = request.problem;
  for (const auto& [label, value] : {std::pair{"M", p.m}, {"N", p.n}, {"K", p.k}}) {
    if (value < 1 || value > kMaxDimension) {
      return fmt::format("{} = {} is not a size between 1 and {}", label, value, kMaxDimension);
    }
  }
  if (auto reason = explainTile(*request.stage, request.tile); !reason.empty()) return reason;
  const Problem run = paddedProblem(*request.stage, request.tile, p);
  if (1LL * run.m * run.k > kMaxElements || 1LL * run.k * run.n > kMaxElements ||
      1LL * run.m * run.n > kMaxElements) {
    return fmt::format("{} has a matrix of more than {} elements; choose a smaller size",
                       toString(run), kMaxElements);
  }
  const Extent grid = launchOf(*request.stage, request.tile, run).grid;
  if (request.block.x < 0 || request.block.y < 0 || request.block.x >= grid.x ||
      request.block.y >= grid.y) {
    return fmt::format("block {},{} is outside the grid of {} x {} blocks; the last one is {},{}",
                       request.block.x, request.block.y, grid.x, grid.y, grid.x - 1, grid.y - 1);
  }
  return {};
}

Trace traceBlock(Workspace& workspace, const TraceRequest& request) {
  Trace trace(workspace.words);
  trace.stage = request.stage;
  trace.tile = request.tile;
  trace.asked = request.problem;
  trace.problem = paddedProblem(*request.stage, request.tile, request.problem);
  trace.block = request.block;

  BlockSetup setup;
  setup.stage = request.stage;
  setup.tile = request.tile;
  setup.problem = trace.problem;
  setup.block = request.block;
  setup.alpha = 1.5f;
  setup.beta = -0.5f;
  setup.matrices = shapes(trace.problem);
  const std::uint32_t stepK = std::max(1u, u(derive(*request.stage, request.tile).stepK));
  setup.kLimit = request.kTiles == 0                           ? u(trace.problem.k)
                 : request.kTiles > u(trace.problem.k) / stepK ? u(trace.problem.k)
                                                               : request.kTiles * stepK;
  if (request.kElements != 0) {
    setup.kLimit = std::min(setup.kLimit, request.kElements);
    setup.kEndsThere = true;
  }
  setup.operands = request.operands;
  Block block(workspace, setup);

  trace.threads = block.threads();
  trace.warps = block.warps();
  trace.stepK = stepK;
  trace.kTiles = (u(trace.problem.k) + stepK - 1) / stepK;
  trace.kTilesTraced = (setup.kLimit + stepK - 1) / stepK;
  block.run([&trace](const WarpInterval& interval) { trace.append(interval); });
  trace.arrays = block.arrays();
  trace.sharedBytes = block.sharedBytes();
  trace.faults = block.faults();
  trace.finish();
  return trace;
}

FaultLog runGemm(Workspace& workspace, const Gemm& gemm, const IntervalSink& sink) {
  const Problem& p = gemm.problem;
  const Problem run = paddedProblem(*gemm.stage, gemm.tile, p);
  const std::vector<float> a = padded(gemm.a, p.m, p.k, run.m, run.k);
  const std::vector<float> b = padded(gemm.b, p.k, p.n, run.k, run.n);
  std::vector<float> c = padded(gemm.c, p.m, p.n, run.m, run.n);

  BlockSetup setup;
  setup.stage = gemm.stage;
  setup.tile = gemm.tile;
  setup.problem = run;
  setup.alpha = gemm.alpha;
  setup.beta = gemm.beta;
  setup.matrices = shapes(run);
  setup.matrices[kArrayA].read = a.data();
  setup.matrices[kArrayB].read = b.data();
  setup.matrices[kArrayC].read = c.data();
  setup.matrices[kArrayC].write = c.data();

  FaultLog log;
  const Extent grid = launchOf(*gemm.stage, gemm.tile, run).grid;
  for (setup.block.y = 0; setup.block.y < grid.y; ++setup.block.y) {
    for (setup.block.x = 0; setup.block.x < grid.x; ++setup.block.x) {
      Block block(workspace, setup);
      block.run(sink);
      for (const Fault& fault : block.faults().kept) log.add(fault);
      log.total += block.faults().total - block.faults().kept.size();
    }
  }
  for (int r = 0; r < p.m; ++r) {
    std::copy_n(c.begin() + std::ptrdiff_t(r) * run.n, p.n,
                gemm.c.begin() + std::ptrdiff_t(r) * p.n);
  }
  return log;
}

}  // namespace tileloom::emulator
