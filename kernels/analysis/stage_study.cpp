// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/stage_study.h"

#include "kernels/analysis/occupancy.h"
#include "kernels/analysis/pairing.h"
#include "kernels/tile/derived.h"

namespace tileloom::analysis {
namespace {

constexpr int kWarp = 32;

BlockNeeds needsOf(const Stage& stage, const TileShape& tile, int registers) {
  const Derived d = derive(stage, tile);
  return {d.threads, registers, d.sharedBytes};
}

}  // namespace

rewrite::Residency residencyOf(const Stage& stage, const TileShape& tile, const Architecture& arch,
                               int registers) {
  const BlockNeeds needs = needsOf(stage, tile, registers);
  emulator::Workspace workspace;
  rewrite::Residency residency;
  residency.warpsPerBlock = needs.threads / kWarp;
  residency.warps = occupancy(arch, needs).blocks * residency.warpsPerBlock;
  residency.pairedLoads = pairedLoads(workspace, stage, tile).anyPaired();
  return residency;
}

tl::expected<rewrite::LoopStudy, std::string> studyStage(const Stage& stage, const TileShape& tile,
                                                         const Architecture& arch,
                                                         std::span<const char> cubin) {
  const auto read = sass::readCubin(cubin);
  if (!read) return tl::unexpected(read.error());
  rewrite::Request request;
  request.registerLimit = mostRegisters(arch, needsOf(stage, tile, read->registers));
  return rewrite::studyLoop(cubin, request, residencyOf(stage, tile, arch, read->registers));
}

}  // namespace tileloom::analysis
