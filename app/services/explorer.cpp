// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/explorer.h"

#include <algorithm>
#include <utility>

#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/next_instruction.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

constexpr int kFrameMs = 16;

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
  const bool sameStage = m_chosenIn && m_chosenIn->trace.rung() == recording->trace.rung();
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

// An instant of playback: with the instruction it knows those executed just before, which still
// glow, and the number of skipped K tiles.
void Explorer::showTime(double time) {
  constexpr double kGlow = 0.14;  // seconds
  moveTo(time);
  if (instructionsPerSecond(m_pace) == 0) {
    const std::uint32_t index = m_scene.moment.index;
    const double from = std::max(0.0, time - kGlow / secondsPerTile(m_pace));
    m_scene.recent = index - std::min(index, m_tempo.indexAt(from)) + 1;
  }
  publish();
}

void Explorer::moveTo(double time) {
  m_seeksDifference = false;
  const auto& trace = m_scene.recording->trace;
  const bool stale = m_scene.stale;
  const std::uint32_t index = m_tempo.indexAt(time);
  m_scene = makeScene(m_scene.recording, m_scene.moment.warp, index);
  m_scene.stale = stale;
  const double start = m_tempo.startOf(index), end = m_tempo.startOf(index + 1);
  if (end > start) m_scene.passed = std::clamp((time - start) / (end - start), 0.0, 0.999);
  if (time < m_tempo.passTo() && trace.kTiles > trace.kTilesTraced) {
    m_scene.repeated =
        static_cast<std::uint32_t>(m_tempo.passed(time) * (trace.kTiles - trace.kTilesTraced));
  }
  m_time = time;
  keepChosen();
}

void Explorer::publish() {
  const Selection held = heldHere();
  m_scene.held = !held.empty();
  m_scene.residency = m_residency;
  m_scene.selection = complete(m_scene, m_hovered.empty() ? held : m_hovered);
  emit sceneChanged(m_scene);
  if (m_pinned) publishBaseline();
}

// A block without such a thread holds nothing; the next one may have it again.
Selection Explorer::heldHere() const {
  const bool none =
      m_held.thread && m_scene.ready() && *m_held.thread >= m_scene.recording->trace.threads;
  return none ? Selection{} : m_held;
}

void Explorer::setWarp(int warp) {
  if (!m_scene.ready()) return;
  m_warpThere.reset();
  show(static_cast<std::uint32_t>(std::max(0, warp)), m_scene.moment.index);
  emit stateChanged();
}

void Explorer::setIndex(int index) {
  if (m_scene.ready()) show(m_scene.moment.warp, static_cast<std::uint32_t>(std::max(0, index)));
}

void Explorer::setInstant(int index, double passed) {
  if (!m_scene.ready()) return;
  const auto last = m_scene.recording->trace.length(m_scene.moment.warp) - 1;
  const auto at = std::min(static_cast<std::uint32_t>(std::max(0, index)), last);
  const double start = m_tempo.startOf(at), end = m_tempo.startOf(at + 1);
  moveTo(start + std::clamp(passed, 0.0, 0.999) * (end - start));
  publish();
}

void Explorer::step(int direction) {
  if (m_scene.ready()) setIndex(static_cast<int>(m_scene.moment.index) + direction);
}

void Explorer::goTo(int kTile, int dot) {
  if (!m_scene.ready()) return;
  if (kTile >= static_cast<int>(m_scene.recording->trace.kTilesTraced)) {
    const auto beyond = [](const emulator::Instruction& i) { return i.kTile == emulator::kNoTile; };
    // Starts within the loop: the prologue is outside of it, too.
    std::optional<int> from;
    if (m_scene.beforeTiles()) {
      const auto first = m_scene.recording->find(m_scene.moment.warp, 0, emulator::kNoDot);
      if (first) from = static_cast<int>(*first);
    }
    if (m_scene.afterTiles() || !seek(1, beyond, from)) publish();
    return;
  }
  const auto found =
      m_scene.recording->find(m_scene.moment.warp, static_cast<std::uint32_t>(kTile),
                              dot < 0 ? emulator::kNoDot : static_cast<std::uint16_t>(dot));
  if (found) return show(m_scene.moment.warp, *found);
  publish();  // the caller shows the present state again
}

void Explorer::goToNext(const std::function<bool(const emulator::Instruction&)>& wanted) {
  if (!m_scene.ready()) return;
  if (!seek(1, wanted)) seek(1, wanted, -1);
}

void Explorer::goToLine(int line) {
  goToNext([line](const emulator::Instruction& i) { return i.line == line; });
}

void Explorer::goToInstruction(int line, emulator::Kind kind, const QString& array) {
  if (!m_scene.ready()) return;
  const auto& arrays = m_scene.recording->trace.arrays;
  goToNext([&](const emulator::Instruction& i) {
    return i.line == line && i.kind == kind &&
           (!emulator::isMemory(kind) || arrays[i.array].name == array.toStdString());
  });
}

void Explorer::goToWarpsLine(int warp, int line) {
  if (!m_scene.ready()) return;
  const auto of = static_cast<std::uint32_t>(warp);
  const bool watched = of == m_scene.moment.warp;
  if (of >= m_scene.recording->trace.warps) return;
  const auto found = analysis::nextInstruction(
      m_scene.recording->trace, of, watched ? m_scene.moment.index + 1 : 0,
      [line](const emulator::Instruction& i) { return i.line == line; });
  if (!found) return;
  setWarp(warp);
  setIndex(static_cast<int>(*found));
}

void Explorer::stepTile(int direction) {
  if (!m_scene.ready()) return;
  // The prologue is before the first tile, the epilogue after the last.
  int tile = static_cast<int>(m_scene.kTile()) + direction;
  if (m_scene.beforeTiles() && direction > 0) --tile;
  if (m_scene.afterTiles() && direction < 0) ++tile;
  if (tile < 0) return setIndex(0);
  goTo(tile, -1);
}

void Explorer::stepDot(int direction) {
  if (!m_scene.ready()) return;
  const auto now = m_scene.moment.instruction;
  const auto found = seek(direction, [now](const emulator::Instruction& i) {
    return i.dot != emulator::kNoDot && (i.dot != now.dot || i.kTile != now.kTile);
  });
  // Backwards, the last instruction of that k comes first.
  if (found && direction < 0) goTo(static_cast<int>(found->kTile), found->dot);
}

std::optional<emulator::Instruction> Explorer::seek(
    int direction, const std::function<bool(const emulator::Instruction&)>& wanted,
    std::optional<int> from) {
  const auto& trace = m_scene.recording->trace;
  const std::uint32_t warp = m_scene.moment.warp;
  const auto length = static_cast<int>(trace.length(warp));
  const int start = from.value_or(static_cast<int>(m_scene.moment.index));
  for (int i = start + direction; i >= 0 && i < length; i += direction) {
    const auto at = trace.position(warp, static_cast<std::uint32_t>(i));
    const emulator::Instruction instruction =
        trace.at(warp, at.interval).instructions[at.instruction];
    if (!wanted(instruction)) continue;
    setIndex(i);
    return instruction;
  }
  return std::nullopt;
}

void Explorer::setPlaying(bool playing) {
  if (playing == m_timer.isActive()) return;
  if (playing) {
    if (m_scene.ready() &&
        m_scene.moment.index + 1 >= m_scene.recording->trace.length(m_scene.moment.warp)) {
      setIndex(0);
    }
    m_due = 0;
    m_clock.start();
    m_timer.start();
  } else {
    m_timer.stop();
    // At rest a picture shows one instruction.
    if (m_scene.ready() && m_scene.recent > 1) {
      m_scene.recent = 1;
      publish();
    }
  }
  emit playingChanged(playing);
}

// By the clock, not by the frame: a late frame skips instructions and keeps the pace.
void Explorer::advance() {
  if (!playOn(static_cast<double>(m_clock.restart()) * 0.001)) setPlaying(false);
}

bool Explorer::playOn(double seconds) {
  if (!m_scene.ready()) return true;
  const double rate = instructionsPerSecond(m_pace);
  const std::uint32_t index = m_scene.moment.index;
  const bool passes = m_tempo.passTo() > m_tempo.passFrom();
  const bool passing = passes && m_time >= m_tempo.passFrom() && m_time < m_tempo.passTo();
  double time = m_time;
  if (rate == 0 || passing) {
    time += seconds / secondsPerTile(m_pace);
  } else {
    m_due += seconds * rate;
    const auto whole = static_cast<std::uint32_t>(m_due);
    if (whole == 0) return true;
    m_due -= whole;
    const std::uint32_t next =
        std::min(m_scene.recording->trace.length(m_scene.moment.warp) - 1, index + whole);
    time = m_tempo.startOf(next);
    if (passes && m_time < m_tempo.passFrom() && time > m_tempo.passFrom())
      time = m_tempo.passFrom();
    if (next == index) time = m_tempo.end();
  }
  showTime(std::min(time, m_tempo.end()));
  return time < m_tempo.end();
}

void Explorer::setResidency(const std::optional<Residency>& residency) {
  if (residency == m_residency) return;
  m_residency = residency;
  if (m_scene.ready()) publish();
}

void Explorer::hover(const Selection& selection) {
  if (selection == m_hovered && m_hoveredThere.empty()) return;
  m_hovered = selection;
  m_hoveredThere = {};
  publish();
}

void Explorer::hold(const Selection& selection) {
  m_held = selection == m_held ? Selection{} : selection;
  m_heldThere = {};
  m_warpThere.reset();
  watchHeld();
}

// Watching a thread means watching its warp.
void Explorer::watchHeld() {
  const auto thread = complete(m_scene, m_held).thread;
  if (thread && m_scene.ready() && *thread / emulator::kWarpSize != m_scene.moment.warp) {
    show(*thread / emulator::kWarpSize, m_scene.moment.index);
  } else {
    publish();
  }
  emit stateChanged();
}

}  // namespace tileloom
