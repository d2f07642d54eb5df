// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race_view.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "viz/loom/block_waves.h"

namespace tileloom {
namespace {

constexpr int kFrameMs = 16;
constexpr double kBar = 8;                    // pixels below a matrix: its bar, and room around it
constexpr std::int64_t kMostCells = 1 << 16;  // blocks of a grid that are drawn one by one

}  // namespace

RaceProgress raceProgress(double gflops, double pacer, double seconds, double lap) {
  if (gflops <= 0 || pacer <= 0 || lap <= 0 || seconds <= 0) return {};
  const double done = seconds / lap * gflops / pacer;
  const double whole = std::floor(done);
  return {static_cast<std::int64_t>(whole), done - whole};
}

double blockFill(double part, std::int64_t wave, std::int64_t waves) {
  if (waves <= 0) return 0;
  const double at = part * static_cast<double>(waves) - static_cast<double>(wave);
  return std::clamp(at, 0.0, 1.0);
}

RaceView::RaceView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Race: every kernel fills the same matrix at its measured speed"));
  m_timer.setInterval(kFrameMs);
  connect(&m_timer, &QTimer::timeout, this, &RaceView::tick);
}

void RaceView::setRacers(std::vector<Racer> racers) {
  m_racers = std::move(racers);
  m_waves.clear();
  m_shapes.clear();
  for (const Racer& r : m_racers) {
    // What is not known to come in waves fills row by row.
    Extent shape{16, 16};
    std::vector<std::uint32_t> waves;
    const std::int64_t blocks = std::int64_t{r.grid.x} * r.grid.y;
    if (r.stage != nullptr && r.atOnce > 0 && blocks <= kMostCells) {
      const auto over = blocksOver(*r.stage, r.grid);
      shape = {over.column, over.row};
      waves.resize(static_cast<std::size_t>(blocks));
      for (int y = 0; y < r.grid.y; ++y) {
        for (int x = 0; x < r.grid.x; ++x) {
          const auto place = placeOf(*r.stage, r.tile, r.grid, {x, y});
          waves[static_cast<std::size_t>(std::int64_t{place.row} * shape.x + place.column)] =
              static_cast<std::uint32_t>(waveOf(r.grid, {x, y}, r.atOnce));
        }
      }
    } else {
      for (int row = 0; row < shape.y; ++row)
        waves.insert(waves.end(), static_cast<std::size_t>(shape.x), std::uint32_t(row));
    }
    m_shapes.push_back(shape);
    m_waves.push_back(std::move(waves));
  }
  if (m_frozen >= static_cast<int>(m_racers.size())) m_frozen = -1;
  update();
}

double RaceView::pacer() const {
  double pace = 0;
  for (const Racer& r : m_racers) {
    if (r.stage == nullptr) pace = std::max(pace, r.gflops);
  }
  if (pace > 0) return pace;
  for (const Racer& r : m_racers) pace = std::max(pace, r.gflops);
  return pace;
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
  m_frozen = -1;
  setSeconds(0);
}

void RaceView::setSeconds(double seconds) {
  m_seconds = seconds;
  update();
}

void RaceView::freeze(int racer, const QString& why) {
  if (racer != m_frozen) m_frozenAt = m_seconds;
  m_frozen = racer;
  m_why = why;
  update();
}

double RaceView::secondsOf(int racer) const {
  return racer == m_frozen ? m_frozenAt : m_seconds;
}

void RaceView::tick() {
  // A window that was covered or stopped does not leap ahead.
  constexpr double kMost = 0.25;
  m_seconds += std::min(kMost, static_cast<double>(m_clock.restart()) * 0.001);
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

std::vector<RaceView::Cell> RaceView::layout(const QSizeF& all) const {
  std::vector<Cell> cells;
  // The last line is for the sentence on the one that stands.
  const QSizeF size(all.width(), all.height() - 1.4 * QFontMetricsF(m_fonts.body).height());
  const auto count = static_cast<int>(m_racers.size());
  if (count == 0) return cells;
  const double body = QFontMetricsF(m_fonts.body).height();
  const double small = QFontMetricsF(m_fonts.small).height();
  const double words = kBar + body + 2 * small + 0.5 * body, gap = 0.8 * body;
  // As many columns as make the matrices largest.
  int best = 1;
  double edge = 0;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const double across = (size.width() - gap) / columns - gap;
    const double down = (size.height() - gap) / rows - gap - words;
    if (std::min(across, down) > edge) {
      edge = std::min(across, down);
      best = columns;
    }
  }
  if (edge < 8) return cells;
  const int rows = (count + best - 1) / best;
  const double width = (size.width() - gap) / best, height = (size.height() - gap) / rows;
  for (int i = 0; i < count; ++i) {
    const double x = gap + (i % best) * width, y = gap + (i / best) * height;
    const double inner = width - gap;
    const QRectF box(x + (inner - edge) / 2, y, edge, edge);
    cells.push_back({box, QRectF(x, box.bottom() + 2, inner, words)});
  }
  return cells;
}

QRectF RaceView::box(int racer) const {
  const auto cells = layout(size());
  return racer >= 0 && racer < static_cast<int>(cells.size())
             ? cells[static_cast<std::size_t>(racer)].box
             : QRectF();
}

void RaceView::paintRacer(QPainter& p, int racer, const Cell& cell) const {
  const auto at = static_cast<std::size_t>(racer);
  const Racer& r = m_racers[at];
  const RaceProgress progress = raceProgress(r.gflops, pacer(), secondsOf(racer), kLap);
  const auto& waves = m_waves[at];
  const std::int64_t count = waves.empty() ? 1 : std::int64_t{std::ranges::max(waves)} + 1;
  // One pixel for each block; laps alternate between two shades, so that a new one can be seen.
  const QColor hue = m_theme.matrix(analysis::Matrix::C);
  const QColor woven[] = {Theme::mix(m_theme.ground, hue, 0.85),
                          Theme::mix(m_theme.ground, hue, 0.55)};
  const QColor now = woven[progress.laps % 2];
  const QColor before = progress.laps == 0 ? m_theme.well : woven[(progress.laps + 1) % 2];
  QImage image(m_shapes[at].x, m_shapes[at].y, QImage::Format_RGB32);
  std::vector<QRgb> shades;
  for (std::int64_t wave = 0; wave < count; ++wave)
    shades.push_back(Theme::mix(before, now, blockFill(progress.part, wave, count)).rgb());
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x)
      line[x] =
          shades[waves[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_shapes[at].x) +
                       static_cast<std::size_t>(x)]];
  }
  p.setRenderHint(QPainter::SmoothPixmapTransform, false);
  p.drawImage(cell.box, image);
  // Blocks that are large enough have lines between them.
  const double blockX = cell.box.width() / image.width(),
               blockY = cell.box.height() / image.height();
  if (std::min(blockX, blockY) >= 5) {
    p.setPen(hairline(Theme::faded(m_theme.ground, 0.45)));
    for (int x = 1; x < image.width(); ++x)
      p.drawLine(QPointF(cell.box.left() + x * blockX, cell.box.top()),
                 QPointF(cell.box.left() + x * blockX, cell.box.bottom()));
    for (int y = 1; y < image.height(); ++y)
      p.drawLine(QPointF(cell.box.left(), cell.box.top() + y * blockY),
                 QPointF(cell.box.right(), cell.box.top() + y * blockY));
  }
  const bool frozen = racer == m_frozen;
  const Qt::PenStyle style = r.source == RaceSpeed::Live        ? Qt::SolidLine
                             : r.source == RaceSpeed::Predicted ? Qt::DotLine
                                                                : Qt::DashLine;
  p.setPen(hairline(frozen               ? m_theme.accent
                    : r.stage == nullptr ? m_theme.text
                                         : hue,
                    frozen ? 3.0 : 1.5, style));
  p.setBrush(Qt::NoBrush);
  p.drawRect(cell.box);

  // Waves look different for every grid: the bar says the same for all.
  const QRectF groove(cell.box.left(), cell.words.top() + 2, cell.box.width(), kBar - 4);
  p.fillRect(groove, m_theme.well);
  p.fillRect(QRectF(groove.left(), groove.top(), groove.width() * progress.part, groove.height()),
             r.stage == nullptr ? m_theme.text : hue);
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  QRectF line(cell.words.left(), cell.words.top() + kBar, cell.words.width(), body.height());
  p.setFont(m_fonts.body);
  p.setPen(m_theme.text);
  p.drawText(line, Qt::AlignHCenter | Qt::AlignVCenter,
             body.elidedText(r.name, Qt::ElideRight, line.width()));
  line = QRectF(line.left(), line.bottom(), line.width(), small.height());
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  const QString source = r.source == RaceSpeed::Live       ? tr("live")
                         : r.source == RaceSpeed::Recorded ? tr("recorded")
                         : r.source == RaceSpeed::Stale    ? tr("stale")
                                                           : tr("predicted");
  const QLocale locale(QLocale::English);
  const QString speed =
      r.gflops <= 0 ? tr("speed not known")
                    : tr("%1%2 GFLOP/s, %3")
                          .arg(r.source == RaceSpeed::Predicted ? QStringLiteral("≈ ") : QString(),
                               locale.toString(qRound64(r.gflops)), source);
  p.drawText(line, Qt::AlignHCenter | Qt::AlignVCenter,
             small.elidedText(speed, Qt::ElideRight, line.width()));
  line.translate(0, small.height());
  const int percent = static_cast<int>(std::floor(100 * progress.part));
  const QString filled = progress.laps == 0 ? tr("first C: %1 %").arg(percent)
                                            : tr("%1 C whole, the next: %2 %")
                                                  .arg(locale.toString(qlonglong(progress.laps)))
                                                  .arg(percent);
  p.setPen(frozen ? m_theme.accent : m_theme.faint);
  p.drawText(line, Qt::AlignHCenter | Qt::AlignVCenter,
             small.elidedText(filled, Qt::ElideRight, line.width()));
}

void RaceView::paintTo(QPainter& p, const QSizeF& size) const {
  p.fillRect(QRectF({}, size), m_theme.ground);
  const auto cells = layout(size);
  for (std::size_t i = 0; i < cells.size(); ++i) paintRacer(p, static_cast<int>(i), cells[i]);
  const QFontMetricsF body(m_fonts.body);
  const QRectF last(8, size.height() - 1.3 * body.height(), size.width() - 16, body.height());
  const bool stands = m_frozen >= 0 && !m_why.isEmpty();
  const QString sentence =
      stands ? tr("%1 stands: %2").arg(m_racers[static_cast<std::size_t>(m_frozen)].name, m_why)
             : tr("cuBLAS fills one C in %1 s here; the others keep their measured distance. Click "
                  "one to see what costs it most.")
                   .arg(kLap);
  p.setFont(m_fonts.body);
  p.setPen(stands ? m_theme.accent : m_theme.soft);
  p.drawText(last, Qt::AlignLeft | Qt::AlignVCenter,
             body.elidedText(sentence, Qt::ElideRight, last.width()));
}

void RaceView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  paintTo(p, size());
}

void RaceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto cells = layout(size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if ((cells[i].box | cells[i].words).contains(event->position()))
      return emit picked(static_cast<int>(i));
  }
}

void RaceView::mouseMoveEvent(QMouseEvent* event) {
  bool on = false;
  for (const Cell& cell : layout(size()))
    on = on || (cell.box | cell.words).contains(event->position());
  setCursor(on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

}  // namespace tileloom
