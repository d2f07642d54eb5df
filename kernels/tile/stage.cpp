// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/base/plain_text.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"

namespace tileloom {

ParameterSpec::ParameterSpec(Parameter its, int usual)
    : ParameterSpec(its, usual, rowOf(its).min, rowOf(its).max) {}

ParameterSpec::ParameterSpec(Parameter its, int usual, int smallest, int largest)
    : parameter(its), standard(usual), min(smallest), max(largest) {}

const ParameterSpec* Stage::spec(Parameter parameter) const {
  const auto it =
      std::find_if(parameters.begin(), parameters.end(),
                   [parameter](const ParameterSpec& s) { return s.parameter == parameter; });
  return it == parameters.end() ? nullptr : &*it;
}

TileShape Stage::standardTile() const {
  TileShape tile;
  for (const ParameterSpec& s : parameters) tile[s.parameter] = s.standard;
  return tile;
}

std::span<const Stage> ladderOf(Format format) {
  return format == Format::Fp32 ? stages() : tensorStages();
}

std::span<const Stage> ladderOf(const Stage& stage) {
  return ladderOf(stage.usualFormat());
}

std::string rungLabel(const Stage& stage) {
  return fmt::format("{}{}", stage.ladder == Ladder::Tensor ? "T" : "", stage.rung);
}

const Stage& openingStage() {
  return **stageNamed("warptiled");
}

tl::expected<const Stage*, std::string> stageNamed(std::string_view text) {
  constexpr std::size_t kMostShown = 24;  // characters: the list after them is long enough
  const auto startsWith = [text](char lower, char upper) {
    return !text.empty() && (text.front() == lower || text.front() == upper);
  };
  const bool byLiterature = startsWith('k', 'K'), byTensor = startsWith('t', 'T');
  const std::string_view digits = byLiterature || byTensor ? text.substr(1) : text;
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool isNumber =
      parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && !digits.empty();
  std::string known;
  for (const Stage& stage : tensorStages()) {
    if (text == stage.id || (isNumber && byTensor && number == stage.rung)) return &stage;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", rungLabel(stage), stage.id);
  }
  if (isNumber && byTensor) {
    return tl::unexpected(fmt::format("there is no rung \"{}\" on the tensor ladder, which has {}",
                                      quotable(text, kMostShown), known));
  }
  for (const Stage& stage : stages()) {
    if (text == stage.id || (isNumber && !byLiterature && number == stage.rung)) return &stage;
  }
  for (const Stage& stage : stages()) {
    if (isNumber && byLiterature && number > 0 && number == stage.literature) return &stage;
  }
  known.clear();
  for (const Stage* stage : everyStage())
    known += fmt::format("{}{}", known.empty() ? "" : ", ", stage->id);
  return tl::unexpected(
      fmt::format("there is no stage \"{}\": choose one of {}, or 1 to {} or {} to {}",
                  quotable(text, kMostShown), known, stages().size(),
                  rungLabel(tensorStages().front()), rungLabel(tensorStages().back())));
}

namespace {

int roundUp(int value, int unit) {
  return unit > 0 ? (value + unit - 1) / unit * unit : value;
}

}  // namespace

Problem paddedProblem(const Stage& stage, const TileShape& tile, const Problem& problem) {
  // A tensor map steps from row to row by multiples of 16 bytes, and needs no more padding.
  if (stage.features().tma) return {problem.m, roundUp(problem.n, 8), roundUp(problem.k, 8)};
  if (!stage.features().sharedTiles) return problem;
  const Derived d = derive(stage, tile);
  return {roundUp(problem.m, d.blockM), roundUp(problem.n, d.blockN), roundUp(problem.k, d.stepK)};
}

Launch launchOf(const Stage& stage, const TileShape& tile, const Problem& padded) {
  const Derived d = derive(stage, tile);
  // A cluster covers whole rows of block tiles, the last ones perhaps outside C.
  const int below = d.blockM > 0 ? roundUp(padded.m, d.blockM) / d.blockM : padded.m;
  const int rows = roundUp(below, clusterOf(stage, tile));
  const int columns = roundUp(padded.n, d.blockN) / d.blockN;
  Launch launch;
  launch.grid = stage.rowsAlongX ? Extent{rows, columns} : Extent{columns, rows};
  launch.block = stage.squareBlock ? Extent{d.blockM, d.blockN} : Extent{d.threads, 1};
  return launch;
}

int clusterOf(const Stage& stage, const TileShape& tile) {
  return stage.has(Parameter::CLUSTER) ? std::max(1, tile[Parameter::CLUSTER]) : 1;
}

Launch residentLaunch(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  Launch launch = launchOf(stage, tile, padded);
  if (looksUpParts(stage, tile)) {
    launch.grid = {static_cast<int>(lastWaveOf(stage, tile, padded, sms).blocks.size()), 1};
    return launch;
  }
  if (!stage.features().persistent) return launch;
  const int cluster = clusterOf(stage, tile);
  const std::int64_t tiles = std::int64_t{launch.grid.x} * launch.grid.y;
  const std::int64_t room = std::max(1, sms / cluster) * std::int64_t{cluster};
  launch.grid = {static_cast<int>(stage.split() == SplitK::Rounds ? room : std::min(tiles, room)),
                 1};
  return launch;
}

Resident residentOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                    const Extent& block, int sms) {
  if (looksUpParts(stage, tile)) {
    return {{block.y * launchOf(stage, tile, padded).grid.x + block.x, 0}, 0};
  }
  if (!stage.features().persistent) return {block, 0};
  const int cluster = clusterOf(stage, tile);
  const int clusters = residentLaunch(stage, tile, padded, sms).grid.x / cluster;
  const std::int64_t number =
      std::int64_t{block.y} * launchOf(stage, tile, padded).grid.x + block.x;
  const std::int64_t its = number / cluster;
  return {{static_cast<int>(its % clusters * cluster + number % cluster), 0},
          static_cast<int>(its / clusters)};
}

BlockPlace blocksOver(const Stage& stage, const Extent& grid) {
  return stage.rowsAlongX ? BlockPlace{grid.x, grid.y} : BlockPlace{grid.y, grid.x};
}

// A rasterised stage numbers its blocks down GROUP rows, then on to the next column; the last group
// may have fewer rows. The rows are those of clusters, whose blocks are one below the other.
BlockPlace placeOf(const Stage& stage, const TileShape& tile, const Extent& grid,
                   const Extent& block) {
  if (stage.rowsAlongX) return {block.x, block.y};
  const int group = tile[Parameter::GROUP];
  if (!stage.has(Parameter::GROUP) || group < 1) return {block.y, block.x};
  const int cluster = clusterOf(stage, tile);
  const std::int64_t number = std::int64_t{block.y} * grid.x + block.x;
  const std::int64_t its = number / cluster, inGroup = std::int64_t{group} * grid.x;
  const int first = static_cast<int>(its / inGroup) * group;
  const int rows = std::min(group, grid.y / cluster - first);
  const auto at = static_cast<int>(its % inGroup);
  return {(first + at % rows) * cluster + static_cast<int>(number % cluster), at / rows};
}

Extent blockAt(const Stage& stage, const TileShape& tile, const Extent& grid,
               const BlockPlace& place) {
  if (stage.rowsAlongX) return {place.row, place.column};
  const int group = tile[Parameter::GROUP];
  if (!stage.has(Parameter::GROUP) || group < 1) return {place.column, place.row};
  const int cluster = clusterOf(stage, tile), row = place.row / cluster;
  const int first = row / group * group;
  const int rows = std::min(group, grid.y / cluster - first);
  const std::int64_t its =
      std::int64_t{first} * grid.x + std::int64_t{place.column} * rows + (row - first);
  const std::int64_t number = its * cluster + place.row % cluster;
  return {static_cast<int>(number % grid.x), static_cast<int>(number / grid.x)};
}

}  // namespace tileloom
