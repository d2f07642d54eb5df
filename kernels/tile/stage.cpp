// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/tile/derived.h"

namespace tileloom {

const KnobSpec* Stage::spec(Knob knob) const {
  const auto it = std::find_if(knobs.begin(), knobs.end(),
                               [knob](const KnobSpec& s) { return s.knob == knob; });
  return it == knobs.end() ? nullptr : &*it;
}

TileShape Stage::standardTile() const {
  TileShape tile;
  for (const KnobSpec& s : knobs) tile[s.knob] = s.standard;
  return tile;
}

tl::expected<const Stage*, std::string> stageNamed(std::string_view text) {
  const bool byLiterature = !text.empty() && (text.front() == 'k' || text.front() == 'K');
  const std::string_view digits = byLiterature ? text.substr(1) : text;
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool isNumber =
      parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && !digits.empty();
  std::string known;
  for (const Stage& stage : stages()) {
    if (text == stage.id || (isNumber && !byLiterature && number == stage.rung)) return &stage;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", stage.id);
  }
  for (const Stage& stage : stages()) {
    if (isNumber && number == stage.literature) return &stage;
  }
  return tl::unexpected(
      fmt::format("there is no stage \"{}\": choose one of {}, or a rung from 1 to {}", text, known,
                  stages().size()));
}

namespace {

int roundUp(int value, int unit) {
  return unit > 0 ? (value + unit - 1) / unit * unit : value;
}

}  // namespace

Problem paddedProblem(const Stage& stage, const TileShape& tile, const Problem& problem) {
  if (!stage.is(Trait::PaddedProblem)) return problem;
  const Derived d = derive(stage, tile);
  return {roundUp(problem.m, d.blockM), roundUp(problem.n, d.blockN), roundUp(problem.k, d.stepK)};
}

Launch launchOf(const Stage& stage, const TileShape& tile, const Problem& padded) {
  const Derived d = derive(stage, tile);
  const int rows = roundUp(padded.m, d.blockM) / d.blockM;
  const int columns = roundUp(padded.n, d.blockN) / d.blockN;
  Launch launch;
  launch.grid = stage.rowsAlongX ? Extent{rows, columns} : Extent{columns, rows};
  launch.block = stage.squareBlock ? Extent{d.blockM, d.blockN} : Extent{d.threads, 1};
  return launch;
}

}  // namespace tileloom
