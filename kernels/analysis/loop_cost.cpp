// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/loop_cost.h"

#include <new>

#include "kernels/analysis/pairing.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/constraints.h"

namespace tileloom::analysis {

sass::PairedLoads pairedLoads(const sass::MachineCode& code) {
  const auto arch = architectureNamed(code.arch);
  const bool traceable = arch && code.stage->ladder == Ladder::Fp32 && !code.stale() &&
                         isLegal(*code.stage, code.tile, *arch);
  if (!traceable) return {};
  try {
    emulator::Workspace workspace;
    return pairedLoads(workspace, *code.stage, code.tile);
  } catch (const std::bad_alloc&) {
    return {};  // the listing is shown without it
  }
}

std::optional<sass::LoopCost> recordedLoopCost(const Stage& stage, const TileShape& tile,
                                               std::string_view arch,
                                               std::optional<Arithmetic> arithmetic) {
  const auto code = sass::recordedListing(stage, tile, arch, arithmetic);
  if (!code || code->stale() || stage.ladder != Ladder::Fp32) return std::nullopt;
  return loopCost(code->listing, mainLoop(code->listing).range, pairedLoads(*code));
}

}  // namespace tileloom::analysis
