// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements at a power limit: a file is accepted as a whole or refused with one sentence, and an
// accepted one has energies that can be separated and added.
#include "kernels/model/limits/energy.h"

#include <cmath>

#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto calls = model::energyCallsFrom(bytes, "energy.jsonl");
  if (!calls) return requireSentence(calls.error());
  for (const model::EnergyCall& call : *calls) {
    require(!call.whatIfs.empty() || !call.rungs.empty(), "a call says something");
    for (const auto& rung : call.rungs)
      require(std::isfinite(energyPercent(rung)), "a share of energy is a number");
    if (call.whatIfs.empty()) continue;
    const auto s = sharesOf(call);
    require(std::isfinite(s.whole) && s.whole > 0, "an energy is a number above 0");
    require(s.fromL2 >= 0 && s.fromDram >= 0 && s.onlyA >= 0 && s.onlyB >= 0,
            "no part of an energy is below 0");
  }
}
