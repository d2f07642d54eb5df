// SPDX-License-Identifier: GPL-3.0-or-later
// A race: every kernel fills the same C at its measured speed, wave after wave of its blocks, and
// continues with the next C when it is full. cuBLAS sets the pace. Above the matrices are the
// slowed time of the launches and a track that shows the order.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/race/race_data.h"
#include "viz/charts/race/race_waves.h"

namespace tileloom {

class RaceView : public PaintedView {
  Q_OBJECT
 public:
  explicit RaceView(QWidget* parent = nullptr);

  // The fastest racer without a stage sets the pace; without one, the fastest of all.
  void setRacers(std::vector<Racer> racers);
  // Floating-point operations that fill one C: 2 · M · N · K. 0: unknown, no time is shown.
  void setWork(double flop);
  // The race at this instant.
  const Race& data() const { return m_race; }
  // true: it runs while the view is visible.
  void setRunning(bool running);
  bool running() const { return m_running; }
  void setStill(bool still);
  void restart();
  void setSeconds(double seconds);
  // Stops a racer and shows the reason below it; -1: all run.
  void freeze(int racer, const QString& why);

  // The racer's matrix; empty: there is none.
  QRectF box(int racer) const;
  // The racer's mark on the track; empty: there is no room for a track.
  QRectF markOf(int racer) const;
  // Whether the matrices have words; otherwise they have numbers that a line explains.
  bool wordedWhole() const;
  // The lines beside or below a racer's matrix.
  QStringList wordsOf(int racer) const;
  void paintTo(QPainter& painter, const QSizeF& size) const;

  QSize sizeHint() const override { return {900, 420}; }
  QSize minimumSizeHint() const override { return roomFor(64, 11); }

 signals:
  void picked(int racer);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  int racerAt(const QPointF& pixel) const;
  void tick();
  void turn();

  Race m_race;
  std::vector<charts::RacerWaves> m_waves;  // [racer]
  bool m_running = true, m_still = false;
  QTimer m_timer;
  QElapsedTimer m_clock;
};

}  // namespace tileloom
