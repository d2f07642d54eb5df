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

Qt::PenStyle frameOf(RaceSpeed source) {
  return source == RaceSpeed::Live        ? Qt::SolidLine
         : source == RaceSpeed::Predicted ? Qt::DotLine
         : source == RaceSpeed::Stale     ? Qt::DashDotLine
                                          : Qt::DashLine;
}

// Parted at the space that makes the longer part shortest; without a space, all in the first one.
std::pair<QString, QString> inTwoLines(const QString& words, const QFontMetricsF& metrics) {
  std::pair<QString, QString> best(words, QString());
  double width = metrics.horizontalAdvance(words);
  for (qsizetype at = words.indexOf(u' '); at >= 0; at = words.indexOf(u' ', at + 1)) {
    const QString first = words.left(at), second = words.mid(at + 1);
    const double longer =
        std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(second));
    if (longer >= width) continue;
    width = longer;
    best = {first, second};
  }
  return best;
}

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

QString RaceView::speedWords(const Racer& r) {
  if (r.gflops <= 0) return tr("speed not known");
  return (r.source == RaceSpeed::Predicted ? tr("≈ %1 GFLOP/s") : tr("%1 GFLOP/s"))
      .arg(QLocale(QLocale::English).toString(qRound64(r.gflops)));
}

QString RaceView::filledWords(const RaceProgress& progress) {
  const int percent = static_cast<int>(std::floor(100 * progress.part));
  if (progress.laps == 0) return tr("first C: %1 %").arg(percent);
  return tr("%1 C full, next %2 %")
      .arg(QLocale(QLocale::English).toString(qlonglong(progress.laps)))
      .arg(percent);
}

QStringList RaceView::wordsFor(int racer, Form form) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const RaceProgress progress = raceProgress(r.gflops, pacer(), secondsOf(racer), kLap);
  if (form != Form::Brief) return {r.name, speedWords(r), filledWords(progress)};
  const QLocale locale(QLocale::English);
  const double filled = static_cast<double>(progress.laps) + std::floor(10 * progress.part) / 10;
  return {r.brief.isEmpty() ? r.name : r.brief,
          r.gflops <= 0 ? QStringLiteral("?") : locale.toString(r.gflops / 1000, 'f', 1),
          locale.toString(filled, 'f', 1)};
}

QString RaceView::tipOf(int racer) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const RaceProgress progress = raceProgress(r.gflops, pacer(), secondsOf(racer), kLap);
  QStringList lines{r.name, speedWords(r)};
  if (r.gflops > 0) lines.back() += QStringLiteral(", ") + nameOf(r.source);
  lines += filledWords(progress);
  return lines.join(u'\n');
}

bool RaceView::wordedWhole() const {
  return layout(size()).form != Form::Brief;
}

QString RaceView::nameOf(RaceSpeed source) {
  switch (source) {
    case RaceSpeed::Live:
      return tr("measured live");
    case RaceSpeed::Recorded:
      return tr("recorded");
    case RaceSpeed::Stale:
      return tr("recorded with other sources");
    case RaceSpeed::Predicted:
      break;
  }
  return tr("predicted");
}

// How wide the words beside a matrix are: names in two lines, the others in one.
double RaceView::wordsWidth() const {
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  double width = small.horizontalAdvance(filledWords({88, 0.88}));
  for (const Racer& r : m_racers) {
    width = std::max(width, small.horizontalAdvance(speedWords(r)));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).first));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).second));
  }
  return std::ceil(width) + 2;
}

// The sentence on the one that stands, and the legend beside it or above it: the same whoever
// stands, so that a click moves nothing.
double RaceView::footHeight(double width) const {
  const QFontMetricsF body(m_fonts.body);
  const double line = 1.4 * body.height();
  return line * (body.horizontalAdvance(invitation()) + legendWidth() + 40 <= width ? 1 : 2);
}

RaceView::Lanes RaceView::layout(const QSizeF& all) const {
  Lanes lanes;
  const QSizeF size(all.width(), all.height() - footHeight(all.width()));
  const auto count = static_cast<int>(m_racers.size());
  if (count == 0) return lanes;
  const double body = QFontMetricsF(m_fonts.body).height();
  const double small = QFontMetricsF(m_fonts.small).height();
  const double gap = 0.8 * body, wide = wordsWidth();
  const double high = 2 * body + 2 * small;
  // As many columns as make the matrices largest; words before numbers.
  int best = 1;
  double edge = 0;
  const auto consider = [&](Form form, int columns) {
    const int rows = (count + columns - 1) / columns;
    const double across = (size.width() - gap) / columns - gap;
    const double down = (size.height() - gap) / rows - gap;
    double fits = 0;
    switch (form) {
      case Form::Below:
        fits = across < wide ? 0 : std::min(across, down - kBar - high);
        break;
      case Form::Beside:
        fits = down < high ? 0 : std::min(across - wide - gap / 2, down - kBar);
        break;
      case Form::Brief:
        fits = std::min(across, down - kBar - body - 2 * small);
        break;
    }
    if (fits <= edge) return;
    edge = fits;
    best = columns;
    lanes.form = form;
  };
  constexpr double kLeast = 24;  // pixels of a matrix in which waves can be told apart
  for (int columns = 1; columns <= count; ++columns) {
    consider(Form::Below, columns);
    consider(Form::Beside, columns);
  }
  if (edge < kLeast) {
    edge = 0;
    for (int columns = 1; columns <= count; ++columns) consider(Form::Brief, columns);
  }
  if (edge < 8) return lanes;
  const int rows = (count + best - 1) / best;
  const double width = (size.width() - gap) / best, height = (size.height() - gap) / rows;
  for (int i = 0; i < count; ++i) {
    const double x = gap + (i % best) * width, y = gap + (i / best) * height;
    const double inner = width - gap;
    if (lanes.form == Form::Beside) {
      const QRectF box(x, y, edge, edge);
      lanes.cells.push_back({box, QRectF(box.right() + gap / 2, y, wide, std::max(edge, high))});
    } else {
      const QRectF box(x + (inner - edge) / 2, y, edge, edge);
      // Numbers may reach into the gap.
      const double over = lanes.form == Form::Brief ? gap / 2 + 2 : 0;
      lanes.cells.push_back(
          {box, QRectF(x - over, box.bottom() + kBar, inner + 2 * over, height - gap - edge)});
    }
  }
  return lanes;
}

QRectF RaceView::box(int racer) const {
  const auto cells = layout(size()).cells;
  return racer >= 0 && racer < static_cast<int>(cells.size())
             ? cells[static_cast<std::size_t>(racer)].box
             : QRectF();
}

void RaceView::paintRacer(QPainter& p, int racer, const Cell& cell, Form form) const {
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
  p.setPen(hairline(frozen               ? m_theme.accent
                    : r.stage == nullptr ? m_theme.text
                                         : hue,
                    frozen ? 3.0 : 1.5, frameOf(r.source)));
  p.setBrush(Qt::NoBrush);
  p.drawRect(cell.box);

  // Waves look different for every grid: the bar says the same for all.
  const QRectF groove(cell.box.left(), cell.box.bottom() + 3, cell.box.width(), kBar - 4);
  p.fillRect(groove, m_theme.well);
  p.fillRect(QRectF(groove.left(), groove.top(), groove.width() * progress.part, groove.height()),
             r.stage == nullptr ? m_theme.text : hue);
  paintWords(p, racer, cell, form);
}

void RaceView::paintWords(QPainter& p, int racer, const Cell& cell, Form form) const {
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  const bool beside = form == Form::Beside;
  const int along = (beside ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
  double y = cell.words.top();
  const auto line = [&](const QFont& font, const QFontMetricsF& metrics, const QColor& ink,
                        const QString& words) {
    const QRectF place(cell.words.left(), y, cell.words.width(), metrics.height());
    p.setFont(font);
    p.setPen(ink);
    p.drawText(place, along, metrics.elidedText(words, Qt::ElideRight, place.width()));
    y += metrics.height();
  };
  const QStringList words = wordsFor(racer, form);
  if (form == Form::Brief) {
    const bool whole = body.horizontalAdvance(words[0]) <= cell.words.width();
    line(whole ? m_fonts.body : m_fonts.small, whole ? body : small, m_theme.text, words[0]);
  } else {
    const bool whole = body.horizontalAdvance(words[0]) <= cell.words.width();
    const auto parts = whole ? std::pair(words[0], QString()) : inTwoLines(words[0], body);
    line(m_fonts.body, body, m_theme.text, parts.first);
    if (!parts.second.isEmpty()) line(m_fonts.body, body, m_theme.text, parts.second);
  }
  line(m_fonts.small, small, m_theme.soft, words[1]);
  line(m_fonts.small, small, racer == m_frozen ? m_theme.accent : m_theme.soft, words[2]);
}

QString RaceView::invitation() const {
  return tr("cuBLAS fills one C in %1 s; the others keep their distance. Click one to see what "
            "costs it most.")
      .arg(kLap);
}

QString RaceView::sentence() const {
  if (m_frozen < 0 || m_why.isEmpty()) return invitation();
  return tr("%1 stands: %2").arg(m_racers[static_cast<std::size_t>(m_frozen)].name, m_why);
}

// A frame for each kind of speed that races, with its name.
double RaceView::legendWidth() const {
  const QFontMetricsF small(m_fonts.small);
  double width = 0;
  for (const RaceSpeed source : sources())
    width += 3.2 * small.height() + small.horizontalAdvance(nameOf(source));
  return width;
}

std::vector<RaceSpeed> RaceView::sources() const {
  std::vector<RaceSpeed> found;
  for (const RaceSpeed source :
       {RaceSpeed::Live, RaceSpeed::Recorded, RaceSpeed::Stale, RaceSpeed::Predicted}) {
    if (std::ranges::any_of(m_racers, [&](const Racer& r) { return r.source == source; }))
      found.push_back(source);
  }
  return found;
}

void RaceView::paintLegend(QPainter& p, double x, double y) const {
  const QFontMetricsF small(m_fonts.small);
  const double box = 0.75 * small.height();
  p.setFont(m_fonts.small);
  for (const RaceSpeed source : sources()) {
    p.setPen(hairline(m_theme.matrix(analysis::Matrix::C), 1.5, frameOf(source)));
    p.setBrush(Qt::NoBrush);
    p.drawRect(QRectF(x, y - box / 2, 1.8 * box, box));
    x += 2.4 * box;
    const double width = small.horizontalAdvance(nameOf(source));
    p.setPen(m_theme.soft);
    p.drawText(QRectF(x, y - small.height() / 2, width + 2, small.height()),
               Qt::AlignLeft | Qt::AlignVCenter, nameOf(source));
    x += width + 1.4 * small.height();
  }
}

void RaceView::paintTo(QPainter& p, const QSizeF& size) const {
  p.fillRect(QRectF({}, size), m_theme.ground);
  const Lanes lanes = layout(size);
  for (std::size_t i = 0; i < lanes.cells.size(); ++i)
    paintRacer(p, static_cast<int>(i), lanes.cells[i], lanes.form);
  if (m_racers.empty()) return;
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  const bool stands = m_frozen >= 0 && !m_why.isEmpty();
  const double line = 1.4 * body.height(), foot = footHeight(size.width());
  const bool oneLine = foot < 1.5 * line;
  const double legend = size.width() - 8 - legendWidth();
  const double above = size.height() - foot + line / 2, below = size.height() - line / 2;
  paintLegend(p, oneLine ? legend : 8, above);
  if (!oneLine && lanes.form == Form::Brief) {
    const QString numbers = tr("numbers: rung, TFLOP/s, matrices filled");
    const double x = 8 + legendWidth();
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    p.drawText(QRectF(x, above - line / 2, size.width() - x - 8, line),
               Qt::AlignLeft | Qt::AlignVCenter,
               small.elidedText(numbers, Qt::ElideRight, size.width() - x - 8));
  }
  const double room = (oneLine ? legend - 16 : size.width() - 8) - 8;
  // Smaller before shorter.
  const bool fits = body.horizontalAdvance(sentence()) <= room;
  p.setFont(fits ? m_fonts.body : m_fonts.small);
  p.setPen(stands ? m_theme.accent : m_theme.soft);
  p.drawText(QRectF(8, below - line / 2, room, line), Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(p.font()).elidedText(sentence(), Qt::ElideRight, room));
}

void RaceView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  paintTo(p, size());
}

int RaceView::racerAt(const QPointF& pixel) const {
  const auto cells = layout(size()).cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if ((cells[i].box | cells[i].words).contains(pixel)) return static_cast<int>(i);
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
  setToolTip(racer >= 0 ? tipOf(racer) : QString());
}

}  // namespace tileloom
