// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/live.h"

namespace tileloom::sass {

gpu::Result<MachineCode> disassembleStage(const gpu::Nvrtc& nvrtc, const gpu::BuildCache* cache,
                                          const Disassembler& disassembler, const Stage& stage,
                                          const TileShape& tile, const Architecture& arch) {
  const auto build = gpu::buildStage(nvrtc, cache, stage, tile, arch);
  if (!build) return tl::unexpected(build.error());
  auto listing = disassembler.disassemble(build->cubin);
  if (!listing) return tl::unexpected(listing.error());
  MachineCode code;
  code.stage = &stage;
  code.tile = tile;
  code.arch = build->arch;
  code.nvrtc = build->nvrtc;
  code.sourceHash = build->hash;
  code.tool = disassembler.tool();
  code.registers = build->resources.registers;
  code.spillBytes = build->resources.spillStores + build->resources.spillLoads;
  code.listing = std::move(*listing);
  return code;
}

}  // namespace tileloom::sass
