// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/stage_study.h"

#include "kernels/analysis/occupancy.h"
#include "kernels/analysis/pairing.h"
#include "kernels/tile/derived.h"

namespace tileloom::rewrite {
namespace {

constexpr int kWarp = 32;

analysis::BlockNeeds needsOf(const Stage& stage, const TileShape& tile, int registers) {
  const Derived d = derive(stage, tile);
  return {d.threads, registers, d.sharedBytes};
}

}  // namespace

Residency residencyOf(const Stage& stage, const TileShape& tile, const Architecture& arch,
                      int registers) {
  const analysis::BlockNeeds needs = needsOf(stage, tile, registers);
  emulator::Workspace workspace;
  Residency residency;
  residency.warpsPerBlock = needs.threads / kWarp;
  residency.warps = analysis::occupancy(arch, needs).blocks * residency.warpsPerBlock;
  residency.pairedLoads = analysis::pairedLoads(workspace, stage, tile).anyPaired();
  return residency;
}

tl::expected<LoopStudy, std::string> studyStage(const Stage& stage, const TileShape& tile,
                                                const Architecture& arch,
                                                std::span<const char> cubin) {
  const auto read = sass::readCubin(cubin);
  if (!read) return tl::unexpected(read.error());
  Request request;
  request.registerLimit = analysis::mostRegisters(arch, needsOf(stage, tile, read->registers));
  return studyLoop(cubin, request, residencyOf(stage, tile, arch, read->registers));
}

}  // namespace tileloom::rewrite
