// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer as a player: it moves through the recording, by steps, to places and with time.
#include <algorithm>

#include "app/services/choice/explorer.h"
#include "kernels/analysis/order/next_instruction.h"
#include "kernels/analysis/recording.h"

namespace tileloom {

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

}  // namespace tileloom
