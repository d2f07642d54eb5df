// SPDX-License-Identifier: GPL-3.0-or-later
// The verdicts of constraints.h, by the rules of the family.
#include "kernels/tile/constraints.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/families/rules.h"

namespace tileloom {
namespace {

bool appliesTo(const Constraint& row, const Stage& stage) {
  return row.applies == nullptr || row.applies(stage);
}

// Not in the tables of the families, as no tile of any rung of the ladder breaks it.
const Constraint& ofFormats() {
  static const Constraint row = families::formats();
  return row;
}

const Constraint* firstBroken(const Candidate& candidate) {
  if (appliesTo(ofFormats(), candidate.stage)) return &ofFormats();
  for (const Constraint& row : familyOf(candidate.stage).rules()) {
    if (appliesTo(row, candidate.stage) && !row.holds(candidate)) return &row;
  }
  return nullptr;
}

}  // namespace

std::vector<const Constraint*> constraintsOf(const Stage& stage) {
  std::vector<const Constraint*> rows;
  if (appliesTo(ofFormats(), stage)) rows.push_back(&ofFormats());
  for (const Constraint& row : familyOf(stage).rules()) {
    if (appliesTo(row, stage)) rows.push_back(&row);
  }
  return rows;
}

std::optional<Violation> firstViolation(const Stage& stage, const TileShape& tile,
                                        const Architecture& arch) {
  const Derived derived = derive(stage, tile);
  const Candidate candidate{stage, tile, derived, arch};
  const Constraint* row = firstBroken(candidate);
  return row != nullptr ? std::optional(Violation{row, row->reason(candidate)}) : std::nullopt;
}

bool isLegal(const Stage& stage, const TileShape& tile, const Architecture& arch) {
  const Derived derived = derive(stage, tile);
  return firstBroken({stage, tile, derived, arch}) == nullptr;
}

}  // namespace tileloom
