// SPDX-License-Identifier: GPL-3.0-or-later
// A race: every kernel fills the same C at its measured speed, wave after wave of its blocks, and
// continues with the next C when it is full. cuBLAS sets the pace. Above the matrices are the
// slowed time of the launches and a track that shows the order.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>
#include <vector>

#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "viz/base/widgets/painted_view.h"

class QCPPainter;

namespace tileloom {

// Where a racer's speed comes from; each has its own look.
enum class RaceSpeed { Live, Recorded, Stale, Predicted };

// Without a kernel: cuBLAS.
struct Racer : Subject {
  QString name;       // "12 asynchronous copies"
  QString brief;      // "12", for little room
  double gflops = 0;  // 0: unknown, it stays at the start
  double ratio = 0;   // of cuBLAS's speed on its device; 0: unknown, or it is cuBLAS
  // The GFLOP/s at which it races, if not as measured: its share of cuBLAS in the same run, at the
  // speed of the one cuBLAS in the race; 0: as measured.
  double racing = 0;
  double pace() const { return racing > 0 ? racing : gflops; }
  RaceSpeed source = RaceSpeed::Recorded;
  Extent grid{1, 1};
  std::int64_t atOnce = 0;  // blocks that the GPU holds at once; 0: unknown
};

// The progress of a racer.
struct RaceProgress {
  std::int64_t laps = 0;  // filled matrices
  double part = 0;        // of the next one, 0 to 1
};
// After `seconds` of a race in which `pacer` GFLOP/s fill C once in `lap` seconds.
RaceProgress raceProgress(double gflops, double pacer, double seconds, double lap);

// The time of a launch, in three digits: "348 µs", "34.8 ms", "1.24 s". Seconds.
QString launchTimeText(double seconds);

// The done part, 0 to 1, of a block of wave `wave` of `waves` when `part` of the matrix is done:
// the blocks of a wave grow together, wave after wave.
double blockFill(double part, std::int64_t wave, std::int64_t waves);

class RaceView : public PaintedView {
  Q_OBJECT
 public:
  static constexpr double kLap = 4.0;  // seconds in which the pacer fills C

  explicit RaceView(QWidget* parent = nullptr);

  // The fastest racer without a stage sets the pace; without one, the fastest of all.
  void setRacers(std::vector<Racer> racers);
  const std::vector<Racer>& racers() const { return m_racers; }
  // Floating-point operations that fill one C: 2 · M · N · K. 0: unknown, no time is shown.
  void setWork(double flop);
  // Seconds that the racer's launch takes; 0: unknown.
  double launchSeconds(int racer) const;
  // Time since the start, in seconds of the launches.
  double elapsed() const;
  // The place, from 1, in the order in which racers fill their first C; equal speeds share a place.
  // 0: unknown speed.
  int placing(int racer) const;
  // The racer's mark on the track; empty: there is no room for a track.
  QRectF markOf(int racer) const;
  // true: it runs while the view is visible.
  void setRunning(bool running);
  bool running() const { return m_running; }
  void setStill(bool still);
  void restart();
  double seconds() const { return m_seconds; }
  void setSeconds(double seconds);
  // Stops a racer and shows the reason below it; -1: all run.
  void freeze(int racer, const QString& why);
  int frozen() const { return m_frozen; }
  const QString& why() const { return m_why; }

  // The racer's matrix; empty: there is none.
  QRectF box(int racer) const;
  // Whether the matrices have words; otherwise they have numbers that a line explains.
  bool wordedWhole() const;
  QString tipOf(int racer) const;
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
  struct Cell {
    QRectF box, words;
  };
  // Words below the matrices, words beside them, or only numbers below them.
  enum class Form { Below, Beside, Brief };
  struct Lanes {
    Form form = Form::Brief;
    std::vector<Cell> cells;
  };
  Lanes layout(const QSizeF& size) const;
  double wordsWidth() const;
  double headHeight(const QSizeF& size) const;
  int footLines(double width, Form form) const;
  double footHeight(double width, Form form) const;
  double onTrack(int racer, const QRectF& track) const;  // pixels across
  QRectF trackOf(const QSizeF& size) const;
  double clockWidth() const;
  double filled(int racer) const;  // matrices, since the start
  double farthest() const;         // length of the track in matrices
  std::vector<QRectF> marks(const QSizeF& size) const;
  static QString speedWords(const Racer& racer);
  static QString ratioWords(const Racer& racer);
  static QString filledWords(const RaceProgress& progress);
  static QString nameOf(RaceSpeed source);
  QString placeWords(int racer) const;
  QStringList wordsFor(int racer, Form form, double height) const;
  QString slownessWords() const;
  QString invitation() const;
  QString sentence() const;
  std::vector<RaceSpeed> sources() const;
  double legendWidth() const;
  int racerAt(const QPointF& pixel) const;
  QColor doneColour() const;
  void paintHead(QPainter& p, const QSizeF& size) const;
  void paintMark(QPainter& p, int racer, const QRectF& mark, bool named) const;
  void paintWords(QPainter& p, int racer, const Cell& cell, Form form) const;
  void paintLegend(QPainter& p, double x, double y) const;
  void paintPlace(QPainter& p, int racer, const QRectF& box) const;
  void paintBar(QPainter& p, int racer, const QRectF& groove) const;
  double pacer() const;
  double secondsOf(int racer) const;
  void tick();
  void turn();
  void paintRacer(QPainter& p, int racer, const Cell& cell, Form form) const;

  std::vector<Racer> m_racers;
  std::vector<std::vector<std::uint32_t>> m_waves;  // [racer][row * columns + column]: its wave
  std::vector<Extent> m_shapes;                     // [racer]: columns (x) and rows (y) of blocks
  double m_work = 0;
  double m_seconds = 0;
  bool m_running = true, m_still = false;
  int m_frozen = -1;
  double m_frozenAt = 0;
  QString m_why;
  QTimer m_timer;
  QElapsedTimer m_clock;
};

}  // namespace tileloom
