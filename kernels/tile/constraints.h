// SPDX-License-Identifier: GPL-3.0-or-later
// The rules for tiles. Each family has a table of them (families/), which is the only code that
// knows which of its tiles are legal. Sliders, command line, tuner, emulator and the tests' random
// tiles all read it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"

namespace tileloom {

// Everything that a row may depend on.
struct Candidate {
  const Stage& stage;
  const TileShape& tile;
  const Derived& derived;
  const Architecture& arch;
};

struct Constraint {
  std::string_view id;
  bool (*applies)(const Stage&);      // to which stages of its family; nullptr: to all
  std::vector<Parameter> parameters;  // what can be changed to mend it
  bool (*holds)(const Candidate&);
  std::string (*reason)(const Candidate&);  // names the numbers; called when broken only
};

// Each row names every tile parameter that its verdict depends on: the tuner judges a row as soon
// as these are set (kernels/tuning/space.cpp), and a test changes all the others.
//
// The rows that apply to `stage`, in the order in which they are judged; a later row may rely on
// the earlier ones.
std::vector<const Constraint*> constraintsOf(const Stage& stage);

struct Violation {
  const Constraint* row = nullptr;
  std::string reason;
};

// The first row that the tile breaks, or nothing for a legal tile.
std::optional<Violation> firstViolation(const Stage& stage, const TileShape& tile,
                                        const Architecture& arch = defaultArchitecture());
bool isLegal(const Stage& stage, const TileShape& tile,
             const Architecture& arch = defaultArchitecture());

// All values of `parameter` that are legal while the other tile parameters stay, ascending.
std::vector<int> legalValues(const Stage& stage, const TileShape& tile, Parameter parameter,
                             const Architecture& arch = defaultArchitecture());

struct Nearest {
  std::optional<int> below;  // the next legal value below the present one
  std::optional<int> above;
};

// The legal values on either side of tile[parameter], with the others unchanged.
Nearest nearestValues(const Stage& stage, const TileShape& tile, Parameter parameter,
                      const Architecture& arch = defaultArchitecture());

// The legal tile that differs in the fewest tile parameters and, among these, changes them by the
// smallest ratio; where several have to change, among tiles with round values. `keep`, if given,
// stays as it is whenever that is possible.
std::optional<TileShape> nearestTile(const Stage& stage, const TileShape& tile,
                                     std::optional<Parameter> keep = std::nullopt,
                                     const Architecture& arch = defaultArchitecture());

// The tile parameter whose nearest values are offered instead of an illegal one: `moved` if it can
// mend the tile alone, else the first tile parameter of the broken rule that can; std::nullopt
// where none can.
std::optional<Parameter> mendingParameter(const Stage& stage, const TileShape& tile,
                                          std::optional<Parameter> moved = std::nullopt,
                                          const Architecture& arch = defaultArchitecture());

// What is wrong and what to do instead, in one sentence; empty for a legal tile. `moved` is the
// tile parameter that the user changed last: its nearest legal values are offered first.
std::string explainTile(const Stage& stage, const TileShape& tile,
                        std::optional<Parameter> moved = std::nullopt,
                        const Architecture& arch = defaultArchitecture());

}  // namespace tileloom
