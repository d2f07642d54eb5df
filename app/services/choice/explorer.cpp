// SPDX-License-Identifier: GPL-3.0-or-later
// The choice: what is recorded, and at which instant a recording opens.
#include "app/services/choice/explorer.h"

#include <algorithm>
#include <utility>

#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/own/own_kernel.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

constexpr int kFrameMs = 16;

// A kernel of the user may have been compiled again.
bool isVersionOf(const Stage& one, const Stage& other) {
  const auto* a = own::OwnKernel::of(one);
  const auto* b = own::OwnKernel::of(other);
  return &one == &other || (a != nullptr && b != nullptr && a->isVersionOf(*b));
}

}  // namespace

Explorer::Explorer(QObject* parent)
    : QObject(parent), m_stage(&openingStage()), m_tile(m_stage->standardTile()) {
  m_timer.setInterval(kFrameMs);
  m_timer.setTimerType(Qt::PreciseTimer);
  connect(&m_timer, &QTimer::timeout, this, &Explorer::advance);
  connect(&m_service, &TraceService::recorded, this,
          [this](std::shared_ptr<const analysis::Recording> recording, quint64) {
            take(std::move(recording));
          });
  connect(&m_baselineService, &TraceService::recorded, this,
          [this](std::shared_ptr<const analysis::Recording> recording, quint64) {
            m_baselineRecording = std::move(recording);
            m_gone.reset();
            m_hoveredThere = {};
            m_heldThere.word.reset();  // its shared memory has another layout
            publishBaseline();
          });
  retrace();
}

std::uint32_t Explorer::tilesRecorded(const Stage& stage, const TileShape& tile) {
  constexpr std::int64_t kMany = 1'500'000;  // multiply-adds of lanes
  const Derived d = derive(stage, tile);
  // Recording the same number of products takes less time by this factor where one instruction
  // makes many of them.
  const int products = stage.features().warpgroupMma ? 12 : stage.features().warpMma ? 3 : 1;
  const std::int64_t perTile = std::int64_t{d.blockM} * d.blockN * d.stepK / products;
  if (perTile > kMany) return 1;
  // The pipeline has to wrap around: its first stage is filled, read, filled again, and read again.
  const int ring = d.buffers > 2 ? d.buffers + 1 : 2;
  return perTile * ring > kMany ? 2 : static_cast<std::uint32_t>(ring);
}

void Explorer::setStage(const Stage& stage) {
  if (&stage == m_stage) return;
  m_seeksDifference = false;
  m_tiles[m_stage] = m_tile;
  if (m_scene.ready() && m_scene.recording->trace.rung() == m_stage)
    m_places[m_stage] = {m_scene.moment.warp, m_scene.moment.index};
  m_stage = &stage;
  const auto left = m_tiles.find(m_stage);
  m_tile = left != m_tiles.end() ? left->second : stage.standardTile();
  m_moved.reset();
  m_opening = true;
  const auto place = m_places.find(m_stage);
  m_destination.reset();
  if (place != m_places.end()) m_destination = Destination{place->second};
  m_hovered = m_held = m_hoveredThere = m_heldThere = {};
  m_warpThere.reset();
  emit stageChanged(stage);
  retrace();
}

void Explorer::setStage(const Stage& stage, const Problem& problem) {
  m_problem = problem;
  m_row = m_column = 0;
  setStage(stage);
}

void Explorer::replaceStage(const Stage& stage) {
  if (&stage == m_stage) return;
  m_seeksDifference = false;
  m_stage = &stage;
  m_tile = stage.standardTile();
  m_moved.reset();
  emit stageChanged(stage);
  retrace();
}

void Explorer::setTile(const TileShape& tile, std::optional<Parameter> moved) {
  if (tile == m_tile) return;
  m_tile = tile;
  m_moved = moved;
  retrace();
}

QString Explorer::setProblem(const Problem& problem) {
  emulator::TraceRequest request{{{m_stage, m_tile, format()}, problem}, {0, 0}, 1};
  if (!isLegal(*m_stage, m_tile)) request.tile = m_stage->standardTile();
  const std::string why = emulator::whyNotTraceable(request);
  if (!why.empty()) return QString::fromStdString(why);
  if (problem == m_problem) return {};
  m_problem = problem;
  retrace();
  return {};
}

ViewState Explorer::state() const {
  ViewState s{m_stage,
              m_tile,
              m_problem,
              static_cast<int>(m_row),
              static_cast<int>(m_column),
              0,
              0,
              std::nullopt,
              m_held,
              m_pinned,
              m_moved,
              m_halves};
  if (m_destination) {
    s.warp = m_destination->place.warp;
    s.index = m_destination->place.index;
    s.goal = m_destination->goal;
  } else if (m_scene.ready()) {
    s.warp = m_scene.moment.warp;
    s.index = m_scene.moment.index;
  }
  return s;
}

void Explorer::setState(const ViewState& state) {
  m_seeksDifference = false;
  const bool other = state.stage != m_stage;
  if (other) m_tiles[m_stage] = m_tile;
  m_stage = state.stage;
  m_tile = state.tile;
  m_moved = state.moved;
  m_problem = state.problem;
  m_halves = state.halves;
  m_row = state.row;
  m_column = state.column;
  m_hovered = m_hoveredThere = m_heldThere = {};
  m_warpThere.reset();
  m_held = state.held;
  const bool endsComparing = m_pinned.has_value() && !state.pinned;
  m_pinned = inFormat(state.pinned, m_halves);
  m_destination = Destination{{state.warp, state.index}, state.goal};
  m_opening = false;
  if (other) emit stageChanged(*m_stage);
  retrace();
  if (endsComparing) publishBaseline();  // no view shows it any more
}

void Explorer::setHalves(Format halves) {
  if (halves == m_halves || halves == Format::Fp32) return;
  m_halves = halves;
  m_pinned = inFormat(m_pinned, m_halves);
  retrace();
}

void Explorer::setBlockAt(int row, int column) {
  m_row = row;
  m_column = column;
  m_hovered = m_held = m_hoveredThere = m_heldThere = {};
  m_warpThere.reset();
  retrace();
}

void Explorer::retrace() {
  // Padding to whole tiles may make a size too large.
  const auto request = requestFor(*m_stage, m_tile);
  m_illegal = !request;
  if (request) {
    m_block = request->block;
    m_service.request(*request);
  } else {
    // The last legal tile is shown, although its recording may not have arrived yet.
    m_scene.stale = true;
    if (!recording()) m_destination.reset();
    publish();
  }
  retraceBaseline();
  emit choiceChanged(request.has_value());
  emit stateChanged();
}

std::optional<emulator::TraceRequest> Explorer::requestFor(const Stage& stage,
                                                           const TileShape& tile,
                                                           const ViewState& state) {
  emulator::TraceRequest request{{{&stage, tile, formatOf(stage, state.halves)}, state.problem},
                                 {0, 0},
                                 tilesRecorded(stage, tile)};
  if (!emulator::whyNotTraceable(request).empty()) return std::nullopt;
  // The block keeps its place on C while the tile around it changes.
  const Launch launch = launchOf(stage, tile, paddedProblem(stage, tile, state.problem));
  const auto [rows, columns] = blocksOver(stage, launch.grid);
  const Derived d = derive(stage, tile);
  // A tile below the last row of C only completes a cluster: it has nothing to show.
  const auto tileOf = [](int element, int elements, int size, int tiles) {
    return std::clamp(std::min(element, elements - 1) / size, 0, tiles - 1);
  };
  const int row = tileOf(state.row, state.problem.m, d.blockM, rows);
  const int column = tileOf(state.column, state.problem.n, d.blockN, columns);
  request.block = blockAt(stage, tile, launch.grid, {row, column});
  return request;
}

std::optional<emulator::TraceRequest> Explorer::requestFor(const Stage& stage,
                                                           const TileShape& tile) const {
  ViewState here;
  here.problem = m_problem;
  here.halves = m_halves;
  here.row = static_cast<int>(m_row);
  here.column = static_cast<int>(m_column);
  return requestFor(stage, tile, here);
}

void Explorer::take(std::shared_ptr<const analysis::Recording> recording) {
  std::uint32_t warp = m_scene.ready() ? m_scene.moment.warp : 0;
  std::uint32_t index = 0;
  const bool sameStage =
      m_chosenIn && isVersionOf(*m_chosenIn->trace.rung(), *recording->trace.rung());
  const auto destination = std::exchange(m_destination, std::nullopt);
  const bool chosen = destination || m_opening || !sameStage;
  if (destination) {
    warp = std::min(destination->place.warp, recording->trace.warps - 1);
    index = destination->place.index;
    if (destination->goal)
      index = instructionAt(*destination->goal, *recording, warp).value_or(index);
  } else if (m_opening || !sameStage) {
    warp = 0;
    index = openingIndex(*recording);
  } else {
    // Stay at the same access: the same number is another one in another stream.
    warp = std::min(m_chosen.warp, recording->trace.warps - 1);
    index =
        recording->trace.length(warp) == 0
            ? openingIndex(*recording)
            : analysis::counterpart(*m_chosenIn, m_chosen.warp, m_chosen.index, *recording).index;
  }
  m_opening = false;
  m_held.word.reset();  // shared memory has another layout
  m_hovered = {};
  Scene scene = makeScene(std::move(recording), warp, index);
  if (!scene.ready()) return;  // a block that does nothing: the last recording stays
  m_gone.reset();
  m_scene = std::move(scene);
  m_scene.stale = m_illegal;
  m_scene.residency = m_residency;  // of the same kernel, perhaps; then no further call sets it
  m_tempo = analysis::Tempo(m_scene.recording->trace, m_scene.moment.warp);
  m_time = m_tempo.startOf(m_scene.moment.index);
  if (chosen) keepChosen();
  emit recordingChanged(m_scene);
  publish();
}

void Explorer::keepChosen() {
  m_chosenIn = m_scene.recording;
  m_chosen = {m_scene.moment.warp, m_scene.moment.index};
}

void Explorer::show(std::uint32_t warp, std::uint32_t index) {
  if (!m_scene.ready()) return;
  m_seeksDifference = false;
  const bool stale = m_scene.stale;
  const std::uint32_t before = m_scene.moment.warp;
  m_scene = makeScene(m_scene.recording, warp, index);
  m_scene.stale = stale;
  if (m_scene.moment.warp != before)
    m_tempo = analysis::Tempo(m_scene.recording->trace, m_scene.moment.warp);
  m_time = m_tempo.startOf(m_scene.moment.index);
  keepChosen();
  publish();
}

void Explorer::publish() {
  const Selection held = heldHere();
  m_scene.held = !held.empty();
  m_scene.residency = m_residency;
  m_scene.selection = complete(m_scene, m_hovered.empty() ? held : m_hovered);
  emit sceneChanged(m_scene);
  if (m_pinned) publishBaseline();
}

void Explorer::setResidency(const std::optional<Residency>& residency) {
  if (residency == m_residency) return;
  m_residency = residency;
  if (m_scene.ready()) publish();
}

}  // namespace tileloom
