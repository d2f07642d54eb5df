// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/scene.h"

#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_access.h"

namespace tileloom {

std::uint32_t Scene::kTile() const {
  const std::uint32_t last = std::max(1u, recording->trace.kTilesTraced) - 1;
  const std::uint32_t now = moment.instruction.kTile;
  if (now != emulator::kNoTile) return std::min(now, last);
  return afterTiles() ? last : 0;
}

std::uint32_t Scene::touchedTile() const {
  const auto& trace = recording->trace;
  std::optional<std::uint32_t> tile;
  for (const analysis::Touch& touch : moment.touches) {
    const analysis::Element& e = touch.element;
    if (e.matrix == analysis::Matrix::C) continue;
    const std::int64_t k = e.matrix == analysis::Matrix::A ? e.column : e.row;
    const auto its = static_cast<std::uint32_t>(k / trace.stepK);
    if (tile && *tile != its) return kTile();
    tile = its;
  }
  return tile && *tile < trace.kTiles ? *tile : kTile();
}

analysis::Region Scene::tileOf(analysis::Matrix matrix, std::uint32_t tile) const {
  const bool a = matrix == analysis::Matrix::A;
  const auto& tiles = a ? recording->map.tileA : recording->map.tileB;
  if (tile < tiles.size()) return tiles[tile];
  analysis::Region region = tiles.empty() ? analysis::Region{} : tiles.front();
  std::int64_t& first = a ? region.column : region.row;
  std::int64_t& depth = a ? region.columns : region.rows;
  first += std::int64_t{tile} * recording->trace.stepK;
  depth = std::clamp<std::int64_t>(recording->trace.problem.k - first, 0, depth);
  return region;
}

std::uint32_t Scene::productsPassedOver() const {
  const auto& trace = recording->trace;
  if (!afterTiles()) return repeated * trace.stepK;
  const auto recorded = std::uint64_t{trace.kTilesTraced} * trace.stepK;
  const auto all = static_cast<std::uint64_t>(trace.problem.k);
  return static_cast<std::uint32_t>(all > recorded ? all - recorded : 0);
}

bool Scene::afterTiles() const {
  return moment.instruction.kTile == emulator::kNoTile && !beforeTiles();
}

bool Scene::beforeTiles() const {
  if (moment.instruction.kTile != emulator::kNoTile) return false;
  const auto& trace = recording->trace;
  const auto at = trace.position(moment.warp, moment.index);
  for (std::uint32_t interval = at.interval + 1; interval-- > 0;) {
    const auto instructions = trace.at(moment.warp, interval).instructions;
    const auto seen = interval == at.interval ? instructions.first(at.instruction) : instructions;
    const auto inLoop = [](const emulator::Instruction& i) { return i.kTile != emulator::kNoTile; };
    if (std::ranges::any_of(seen, inLoop)) return false;
  }
  return true;
}

std::uint32_t Scene::shownThread() const {
  const std::uint32_t first = moment.warp * emulator::kWarpSize;
  if (selection.thread && *selection.thread / emulator::kWarpSize == moment.warp) {
    return *selection.thread;
  }
  return first;
}

namespace {

// A block at the edge of C may have warps that only check whether they are outside, and end: the
// first warp that does more replaces them.
std::uint32_t warpWithWork(const emulator::Trace& trace, std::uint32_t warp) {
  warp = std::min(warp, trace.warps - 1);
  if (trace.length(warp) > 0) return warp;
  for (std::uint32_t other = 0; other < trace.warps; ++other) {
    if (trace.length(other) > 0) return other;
  }
  return warp;
}

}  // namespace

Scene makeScene(std::shared_ptr<const analysis::Recording> recording, std::uint32_t warp,
                std::uint32_t index) {
  Scene scene;
  if (recording == nullptr || recording->trace.warps == 0) return scene;
  const std::uint32_t w = warpWithWork(recording->trace, warp);
  const std::uint32_t length = recording->trace.length(w);
  if (length == 0) return scene;
  const std::uint32_t i = std::min(index, length - 1);
  scene.moment = recording->moment(w, i);
  if (emulator::isMemory(scene.moment.instruction.kind)) {
    scene.access = scene.moment;
  } else if (const auto last = recording->lastAccess(w, i)) {
    scene.access = recording->moment(w, *last);
  }
  scene.recording = std::move(recording);
  return scene;
}

std::uint32_t openingIndex(const analysis::Recording& recording) {
  return analysis::tellingAccess(recording, 0);
}

Selection complete(const Scene& scene, Selection selection) {
  if (!scene.ready()) return selection;
  const analysis::Recording& recording = *scene.recording;
  const auto warp = scene.moment.warp, index = scene.moment.index;
  if (selection.word && !selection.element) {
    const auto words = recording.contents(selection.word->array, warp, index);
    if (selection.word->index < words.size()) {
      selection.element = recording.elementOf(words[selection.word->index]);
    }
  }
  if (selection.element && !selection.word && selection.element->matrix != analysis::Matrix::C) {
    selection.word = recording.wordOf(*selection.element, warp, index);
  }
  if (selection.element && !selection.thread && selection.element->matrix == analysis::Matrix::C) {
    const auto owner = recording.map.ownerOf(selection.element->row, selection.element->column);
    if (owner != analysis::BlockMap::kNobody) selection.thread = owner;
  }
  return selection;
}

}  // namespace tileloom
