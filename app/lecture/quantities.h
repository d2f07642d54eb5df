// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a tile that texts and task conditions of lectures can name: one table, a row per
// figure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom {

namespace analysis {
struct Totals;
}  // namespace analysis

namespace lecture {

// The known figures of one tile of one rung.
struct TileFacts : Launched {
  bool legal = false;
  Derived derived;
  int registers = 0;  // per thread: compiled, recorded or estimated
  analysis::Occupancy occupancy;
  const analysis::Totals* block = nullptr;  // of the traced block; nullptr: not traced
};

// Without a compiler: with the registers of a recorded run of the tile, or else with the estimate.
// Compiled `registers` have priority over both.
TileFacts factsOf(const Subject& subject, const Problem& problem,
                  std::optional<int> registers = std::nullopt,
                  const analysis::Totals* block = nullptr);

struct Quantity {
  std::string_view name;  // "blocks per SM"
  std::string_view what;  // one line without a full stop
  // std::nullopt: unknown, or not applicable to this tile.
  std::optional<double> (*value)(const TileFacts& facts);
  // As in a text, with its unit if it has one: "1,024", "93.7 %".
  std::string (*text)(double value);
  bool counted = false;  // of the traced block: unknown for another rung
};

// Without the tile parameters: each is a quantity by its name.
std::span<const Quantity> quantities();

// A quantity or a tile parameter by its name.
class Named {
 public:
  // Or one sentence without a full stop.
  static tl::expected<Named, std::string> find(std::string_view name);

  std::string name() const;
  std::optional<double> value(const TileFacts& facts) const;
  std::string text(double value) const;
  bool counted() const { return row_ != nullptr && row_->counted; }

 private:
  const Quantity* row_ = nullptr;
  Parameter parameter_ = Parameter{};
};

}  // namespace lecture
}  // namespace tileloom
