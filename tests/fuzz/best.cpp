// SPDX-License-Identifier: GPL-3.0-or-later
// The best tiles of tuning: each accepted one is written as a line that reads back as the same, and
// one that becomes a default is legal.
#include "kernels/tuning/best.h"

#include "kernels/runs/run_store.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/words.h"
#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto all = tuning::parseBest(bytes);
  for (const tuning::BestTile& best : all) {
    const std::string line = tuning::toLine(best);
    requirePlainLine(line);
    const auto again = tuning::parseBest(line);
    require(again.size() == 1 && tuning::toLine(again[0]) == line,
            "a best tile is written in the same way again");
    requirePlain(tuning::tunedText(best));
    const Stage* stage = stageWithId(best.run.stage);
    if (stage == nullptr) continue;
    const auto chosen = tuning::bestTile(all, *stage, best.run.problem,
                                         {best.run.device, best.run.driver}, best.run.format);
    if (!chosen) continue;
    const auto arch = architectureNamed(chosen->run.arch);
    require(isLegal(*stage, chosen->run.tile, arch ? *arch : defaultArchitecture()),
            "a tile that is taken for a default is legal");
  }
}
