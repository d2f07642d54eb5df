// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "viz/charts/race/race_geometry.h"
#include "viz/charts/race/race_painter.h"
#include "viz/charts/race/race_track.h"
#include "viz/charts/race/race_words.h"

namespace tileloom {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

RaceView::RaceView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Race: every kernel fills the same matrix at its measured speed"));
  m_timer.setInterval(kFrameMs);
  connect(&m_timer, &QTimer::timeout, this, &RaceView::tick);
}

void RaceView::setRacers(std::vector<Racer> racers) {
  m_race.racers = std::move(racers);
  m_waves.clear();
  for (const Racer& racer : m_race.racers) m_waves.push_back(charts::racerWaves(racer));
  if (m_race.frozen >= m_race.count()) m_race.frozen = -1;
  update();
}

void RaceView::setWork(double flop) {
  if (flop == m_race.work) return;
  m_race.work = flop;
  update();
}

void RaceView::setRunning(bool running) {
  m_running = running;
  turn();
}

void RaceView::setStill(bool still) {
  m_still = still;
  turn();
}

void RaceView::turn() {
  const bool runs = m_running && !m_still && isVisible();
  if (runs == m_timer.isActive()) return;
  if (runs) {
    m_clock.start();
    m_timer.start();
  } else {
    m_timer.stop();
  }
}

void RaceView::restart() {
  m_race.frozen = -1;
  setSeconds(0);
}

void RaceView::setSeconds(double seconds) {
  m_race.seconds = seconds;
  update();
}

void RaceView::freeze(int racer, const QString& why) {
  if (racer != m_race.frozen) m_race.frozenAt = m_race.seconds;
  m_race.frozen = racer;
  m_race.why = why;
  update();
}

void RaceView::tick() {
  // A covered or stopped window must not jump ahead.
  constexpr double kMost = 0.25;
  m_race.seconds += std::min(kMost, static_cast<double>(m_clock.restart()) * 0.001);
  update();
}

void RaceView::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  turn();
}

void RaceView::hideEvent(QHideEvent* event) {
  PaintedView::hideEvent(event);
  turn();
}

QRectF RaceView::box(int racer) const {
  const auto cells = charts::raceLanes(m_race, size(), m_fonts).cells;
  return racer >= 0 && racer < static_cast<int>(cells.size())
             ? cells[static_cast<std::size_t>(racer)].box
             : QRectF();
}

QRectF RaceView::markOf(int racer) const {
  return charts::raceTrack(m_race, size(), m_fonts).marks[static_cast<std::size_t>(racer)];
}

bool RaceView::wordedWhole() const {
  return charts::raceLanes(m_race, size(), m_fonts).form != charts::RaceForm::Brief;
}

QStringList RaceView::wordsOf(int racer) const {
  const charts::RaceLanes lanes = charts::raceLanes(m_race, size(), m_fonts);
  const auto at = static_cast<std::size_t>(racer);
  return at < lanes.cells.size() ? charts::racerWords(m_race, racer, lanes.form,
                                                      lanes.cells[at].words.height(), m_fonts)
                                 : QStringList();
}

void RaceView::paintTo(QPainter& p, const QSizeF& size) const {
  charts::paintRace(p, m_race, m_waves, size, m_theme, m_fonts);
}

void RaceView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  paintTo(p, size());
}

int RaceView::racerAt(const QPointF& pixel) const {
  const auto cells = charts::raceLanes(m_race, size(), m_fonts).cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if ((cells[i].box | cells[i].words).contains(pixel)) return static_cast<int>(i);
  }
  const auto marks = charts::raceTrack(m_race, size(), m_fonts).marks;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].contains(pixel)) return static_cast<int>(i);
  }
  return -1;
}

void RaceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int racer = racerAt(event->position()); racer >= 0) emit picked(racer);
}

void RaceView::mouseMoveEvent(QMouseEvent* event) {
  const int racer = racerAt(event->position());
  setCursor(racer >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setToolTip(racer >= 0 ? charts::racerToolTip(m_race, racer) : QString());
}

}  // namespace tileloom
