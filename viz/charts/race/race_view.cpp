// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_view.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "kernels/tile/placement.h"
#include "viz/base/paint/marks.h"
#include "viz/base/paint/paint_cells.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/charts/dodge.h"
#include "viz/loom/block_waves.h"

namespace tileloom {
namespace {

constexpr int kFrameMs = 16;
constexpr double kBar = 11;                   // pixels below a matrix: its bar, and room around it
constexpr double kFlash = 0.15;               // lightness of a block that starts again,
constexpr double kFlashed = 0.06;             // until this part of it is done
constexpr std::int64_t kMostCells = 1 << 16;  // blocks of a grid that are drawn one by one

Qt::PenStyle frameOf(RaceSpeed source) {
  return source == RaceSpeed::Live        ? Qt::SolidLine
         : source == RaceSpeed::Predicted ? Qt::DotLine
         : source == RaceSpeed::Stale     ? Qt::DashDotLine
                                          : Qt::DashLine;
}

// "1st", "2nd", "11th".
QString ordinal(int place) {
  const int last = place % 10;
  const bool teen = place / 10 % 10 == 1;
  const QString form = teen || last > 3 || last == 0 ? RaceView::tr("%1th")
                       : last == 1                   ? RaceView::tr("%1st")
                       : last == 2                   ? RaceView::tr("%1nd")
                                                     : RaceView::tr("%1rd");
  return form.arg(place);
}

// Split at the space that makes the longer part shortest; without a space, all in the first part.
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

QString numbersWords() {
  return RaceView::tr("numbers: rung, TFLOP/s, part of C that is done");
}

// Rounded, but below 100 while it is not full.
int percentDone(double part) {
  return part < 1 ? std::min(99, static_cast<int>(std::lround(100 * part))) : 100;
}
QString tenthsOf(double matrices) {
  const double full = std::floor(matrices);
  return QLocale(QLocale::English)
      .toString(full + std::min(0.9, std::round(10 * (matrices - full)) / 10), 'f', 1);
}

}  // namespace

RaceProgress raceProgress(double gflops, double pacer, double seconds, double lap) {
  if (gflops <= 0 || pacer <= 0 || lap <= 0 || seconds <= 0) return {};
  const double done = seconds / lap * gflops / pacer;
  const double whole = std::floor(done);
  return {static_cast<std::int64_t>(whole), done - whole};
}

QString launchTimeText(double seconds) {
  if (seconds <= 0) return RaceView::tr("0 µs");
  const bool micro = seconds < 0.9995e-3, milli = seconds < 0.9995;
  const double value = seconds * (micro ? 1e6 : milli ? 1e3 : 1.0);
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const QString text = figures::grouped(value, decimals);
  return (micro   ? RaceView::tr("%1 µs")
          : milli ? RaceView::tr("%1 ms")
                  : RaceView::tr("%1 s"))
      .arg(text);
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
    // Without known waves it fills row by row.
    Extent shape{16, 16};
    std::vector<std::uint32_t> waves;
    const std::int64_t blocks = std::int64_t{r.grid.x} * r.grid.y;
    if (r.rung() != nullptr && r.atOnce > 0 && blocks <= kMostCells) {
      const auto over = blocksOver(*r.rung(), r.grid);
      shape = {over.column, over.row};
      waves.resize(static_cast<std::size_t>(blocks));
      for (int y = 0; y < r.grid.y; ++y) {
        for (int x = 0; x < r.grid.x; ++x) {
          const auto place = placeOf(*r.rung(), r.tile, r.grid, {x, y});
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
    if (r.rung() == nullptr) pace = std::max(pace, r.pace());
  }
  if (pace > 0) return pace;
  for (const Racer& r : m_racers) pace = std::max(pace, r.pace());
  return pace;
}

void RaceView::setWork(double flop) {
  if (flop == m_work) return;
  m_work = flop;
  update();
}

double RaceView::launchSeconds(int racer) const {
  const double gflops = m_racers[static_cast<std::size_t>(racer)].pace();
  return gflops > 0 ? m_work / (gflops * 1e9) : 0;
}

double RaceView::elapsed() const {
  const double pace = pacer();
  return pace > 0 ? m_seconds / kLap * m_work / (pace * 1e9) : 0;
}

int RaceView::placing(int racer) const {
  const double own = m_racers[static_cast<std::size_t>(racer)].pace();
  if (own <= 0) return 0;
  return 1 + static_cast<int>(
                 std::ranges::count_if(m_racers, [own](const Racer& r) { return r.pace() > own; }));
}

double RaceView::filled(int racer) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const RaceProgress progress = raceProgress(r.pace(), pacer(), secondsOf(racer), kLap);
  return static_cast<double>(progress.laps) + progress.part;
}

// The whole first C, then the leader's progress: distances stay true.
double RaceView::farthest() const {
  double most = 1;
  for (int i = 0; i < static_cast<int>(m_racers.size()); ++i) most = std::max(most, filled(i));
  return most;
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
  // A covered or stopped window must not jump ahead.
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
  if (r.gflops <= 0) return tr("speed unknown");
  return (r.source == RaceSpeed::Predicted ? tr("≈ %1 GFLOP/s") : tr("%1 GFLOP/s"))
      .arg(QLocale(QLocale::English).toString(qRound64(r.gflops)));
}

QString RaceView::ratioWords(const Racer& r) {
  if (r.rung() == nullptr || r.ratio <= 0) return {};
  const int decimals = r.ratio < 0.1 ? 3 : 2;
  return (r.source == RaceSpeed::Predicted ? tr("≈ × %1 cuBLAS") : tr("× %1 cuBLAS"))
      .arg(QLocale(QLocale::English).toString(r.ratio, 'f', decimals));
}

// The done part of the first C, afterwards its place and time.
QString RaceView::placeWords(int racer) const {
  const double done = filled(racer);
  const int place = placing(racer);
  if (done < 1) {
    const QString part = tr("%1 % of C").arg(percentDone(done));
    return done > 0 ? tr("%1, %2").arg(ordinal(place), part) : part;
  }
  if (m_work <= 0) return tr("%1 with C").arg(ordinal(place));
  return tr("%1 in %2").arg(ordinal(place), launchTimeText(launchSeconds(racer)));
}

QString RaceView::slownessWords() const {
  const double pace = pacer();
  if (pace <= 0 || m_work <= 0) return {};
  const double times = kLap / (m_work / (pace * 1e9));
  const double step = std::pow(10.0, std::floor(std::log10(times)) - 2);
  return tr("slowed down %1 times").arg(figures::grouped(std::round(times / step) * step));
}

QString RaceView::filledWords(const RaceProgress& progress) {
  const int percent = percentDone(progress.part);
  if (progress.laps == 0) return tr("first C: %1 %").arg(percent);
  return tr("%1 C full, next %2 %")
      .arg(QLocale(QLocale::English).toString(qlonglong(progress.laps)))
      .arg(percent);
}

// As many lines as fit into the height: name, speed and progress come first.
QStringList RaceView::wordsFor(int racer, Form form, double height) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  if (form == Form::Brief) {
    const QLocale locale(QLocale::English);
    const double done = filled(racer);
    return {r.brief.isEmpty() ? r.name : r.brief,
            r.gflops <= 0 ? QStringLiteral("?") : locale.toString(r.gflops / 1000, 'f', 1),
            done < 1 ? tr("%1 %").arg(percentDone(done)) : tr("%1 C").arg(tenthsOf(done))};
  }
  const double small = QFontMetricsF(m_fonts.small).height();
  const double room = height - 2 * QFontMetricsF(m_fonts.body).height();
  QStringList words{r.name};
  const QString ratio = ratioWords(r);
  if (ratio.isEmpty() || room >= 3 * small - 1) words += speedWords(r);
  if (!ratio.isEmpty()) words += ratio;
  words += placeWords(racer);
  return words;
}

QStringList RaceView::wordsOf(int racer) const {
  const Lanes lanes = layout(size());
  const auto at = static_cast<std::size_t>(racer);
  return at < lanes.cells.size() ? wordsFor(racer, lanes.form, lanes.cells[at].words.height())
                                 : QStringList();
}

QString RaceView::tipOf(int racer) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const RaceProgress progress = raceProgress(r.pace(), pacer(), secondsOf(racer), kLap);
  QStringList lines{r.name, speedWords(r)};
  if (r.gflops > 0) lines.back() += QStringLiteral(", ") + nameOf(r.source);
  if (const QString ratio = ratioWords(r); !ratio.isEmpty()) lines += ratio;
  if (r.gflops > 0 && m_work > 0)
    lines += tr("one C in %1, %2 of all kernels")
                 .arg(launchTimeText(launchSeconds(racer)), ordinal(placing(racer)));
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
  double width = small.horizontalAdvance(tr("%1, %2").arg(ordinal(88), tr("%1 % of C").arg(88)));
  width = std::max(
      width, small.horizontalAdvance(tr("%1 in %2").arg(ordinal(88), launchTimeText(88.8e-3))));
  for (const Racer& r : m_racers) {
    width = std::max(width, small.horizontalAdvance(speedWords(r)));
    width = std::max(width, small.horizontalAdvance(ratioWords(r)));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).first));
    width = std::max(width, body.horizontalAdvance(inTwoLines(r.name, body).second));
  }
  return std::ceil(width) + 2;
}

// The clock and the track, if the matrices leave room for them.
double RaceView::headHeight(const QSizeF& size) const {
  const double body = QFontMetricsF(m_fonts.body).height();
  if (m_racers.empty() || pacer() <= 0) return 0;
  if (size.height() < 15 * body || size.width() < 30 * body) return 0;
  // Two rows of marks with the line between them, and a line of words.
  const double small = QFontMetricsF(m_fonts.small).height();
  return std::ceil(
      std::max(QFontMetricsF(m_fonts.number).height() + 1.2 * small, 3.2 * small + 12));
}

double RaceView::clockWidth() const {
  if (m_work <= 0) return 0;
  const double time = QFontMetricsF(m_fonts.number).horizontalAdvance(launchTimeText(888e-6));
  return std::ceil(std::max(time, QFontMetricsF(m_fonts.small).horizontalAdvance(slownessWords())) +
                   24);
}

QRectF RaceView::trackOf(const QSizeF& size) const {
  const double head = headHeight(size);
  if (head <= 0) return {};
  const double side = 0.5 * QFontMetricsF(m_fonts.small).horizontalAdvance(tr("cuBLAS")) + 10;
  const double left = 8 + clockWidth() + side;
  return {left, 2, size.width() - 8 - side - left, head - 2};
}

double RaceView::onTrack(int racer, const QRectF& track) const {
  return track.left() + track.width() * filled(racer) / farthest();
}

// In two rows, above and below the line. A mark that would cover another one of its row moves
// aside, and a line joins it to its true place.
std::vector<QRectF> RaceView::marks(const QSizeF& size) const {
  std::vector<QRectF> found(m_racers.size());
  const QRectF track = trackOf(size);
  if (track.width() <= 0) return found;
  const QFontMetricsF small(m_fonts.small);
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(m_racers.size()); ++i) order.push_back(i);
  std::ranges::stable_sort(order, std::less{}, [this](int i) { return filled(i); });
  const double high = small.height() + 2, middle = track.top() + high + 3;
  constexpr double kGap = 2;
  struct Row {
    std::vector<int> racers;
    std::vector<charts::Dodging> places;
    double end = -1e9;  // of the last mark
  };
  std::array<Row, 2> rows;  // above, below
  for (const int i : order) {
    const double wide =
        std::max(high, small.horizontalAdvance(m_racers[static_cast<std::size_t>(i)].brief) + 8) +
        kGap;
    const double centre = onTrack(i, track), left = centre - wide / 2;
    Row& row = left >= rows[0].end || rows[0].end <= rows[1].end ? rows[0] : rows[1];
    row.racers.push_back(i);
    row.places.push_back({centre, wide});
    row.end = std::max(row.end, left) + wide;
  }
  for (const Row& row : rows) {
    const auto lefts = charts::dodged(row.places, 8 + clockWidth(), size.width() - 4);
    const double top = &row == rows.data() ? middle - 3 - high : middle + 3;
    for (std::size_t k = 0; k < lefts.size(); ++k)
      found[static_cast<std::size_t>(row.racers[k])] =
          QRectF(lefts[k] + kGap / 2, top, row.places[k].width - kGap, high);
  }
  return found;
}

QRectF RaceView::markOf(int racer) const {
  return marks(size())[static_cast<std::size_t>(racer)];
}

// The sentence on the stopped racer, and the legend beside or above it. The layout does not depend
// on which one is stopped, so that a click moves nothing. The explanation of the numbers follows
// the legend, or has its own line.
int RaceView::footLines(double width, Form form) const {
  const double sentence = QFontMetricsF(m_fonts.body).horizontalAdvance(invitation()) + 40;
  const double numbers =
      form == Form::Brief ? QFontMetricsF(m_fonts.small).horizontalAdvance(numbersWords()) + 16 : 0;
  if (sentence + legendWidth() + numbers <= width) return 1;
  return legendWidth() + numbers <= width ? 2 : 3;
}

double RaceView::footHeight(double width, Form form) const {
  return 1.4 * QFontMetricsF(m_fonts.body).height() * footLines(width, form);
}

RaceView::Lanes RaceView::layout(const QSizeF& all) const {
  Lanes lanes;
  const double head = headHeight(all);
  QSizeF size(all.width(), all.height() - head - footHeight(all.width(), Form::Below));
  const auto count = static_cast<int>(m_racers.size());
  if (count == 0) return lanes;
  const double body = QFontMetricsF(m_fonts.body).height();
  const double small = QFontMetricsF(m_fonts.small).height();
  const double gap = 0.8 * body, wide = wordsWidth();
  const double high = 2 * body + 2 * small;
  // The number of columns that makes the matrices largest; layouts with words are preferred.
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
  constexpr double kLeast = 24;  // pixels of a matrix in which waves are distinguishable
  for (int columns = 1; columns <= count; ++columns) {
    consider(Form::Below, columns);
    consider(Form::Beside, columns);
  }
  if (edge < kLeast) {
    edge = 0;
    size.setHeight(all.height() - head - footHeight(all.width(), Form::Brief));
    for (int columns = 1; columns <= count; ++columns) consider(Form::Brief, columns);
  }
  if (edge < 8) return lanes;
  const int rows = (count + best - 1) / best;
  const double width = (size.width() - gap) / best, height = (size.height() - gap) / rows;
  for (int i = 0; i < count; ++i) {
    const int column = i % best, row = i / best;
    const double x = gap + column * width, y = head + gap + row * height;
    const double inner = width - gap;
    if (lanes.form == Form::Beside) {
      const QRectF box(x, y, edge, edge);
      lanes.cells.push_back({box, QRectF(box.right() + gap / 2, y, wide, std::max(edge, high))});
    } else {
      const QRectF box(x + (inner - edge) / 2, y, edge, edge);
      // Numbers may extend into the gap.
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
  const RaceProgress progress = raceProgress(r.pace(), pacer(), secondsOf(racer), kLap);
  const auto& waves = m_waves[at];
  const std::int64_t count = waves.empty() ? 1 : std::int64_t{std::ranges::max(waves)} + 1;
  // One pixel per block. Its shade shows only how much of it is done: a full C stays full, and
  // blocks that are computed again only flash.
  const QColor hue = m_theme.matrix(analysis::Matrix::C), done = doneColour();
  const int columns = m_shapes[at].x, rows = m_shapes[at].y;
  std::vector<QRgb> shades;
  for (std::int64_t wave = 0; wave < count; ++wave) {
    const double fill = blockFill(progress.part, wave, count);
    const double flash = fill > 0 ? kFlash * std::max(0.0, 1 - fill / kFlashed) : 0;
    shades.push_back((progress.laps == 0 ? Theme::mix(m_theme.well, done, fill)
                                         : Theme::mix(done, m_theme.text, flash))
                         .rgb());
  }
  paintCells(p, cell.box, columns, rows, [&](int x, int y) {
    return shades[waves[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                        static_cast<std::size_t>(x)]];
  });
  // Large blocks have lines between them.
  const double blockX = cell.box.width() / columns, blockY = cell.box.height() / rows;
  if (std::min(blockX, blockY) >= 5) {
    p.setPen(hairline(Theme::faded(m_theme.ground, 0.45)));
    for (int x = 1; x < columns; ++x)
      p.drawLine(QPointF(cell.box.left() + x * blockX, cell.box.top()),
                 QPointF(cell.box.left() + x * blockX, cell.box.bottom()));
    for (int y = 1; y < rows; ++y)
      p.drawLine(QPointF(cell.box.left(), cell.box.top() + y * blockY),
                 QPointF(cell.box.right(), cell.box.top() + y * blockY));
  }
  const bool frozen = racer == m_frozen;
  p.setPen(hairline(frozen                ? m_theme.accent
                    : r.rung() == nullptr ? m_theme.text
                                          : hue,
                    frozen ? 3.0 : 1.5, r.gflops > 0 ? frameOf(r.source) : Qt::SolidLine));
  p.setBrush(Qt::NoBrush);
  p.drawRect(cell.box);

  paintPlace(p, racer, cell.box);
  // Waves look different for every grid; the bar is comparable.
  paintBar(p, racer, {cell.box.left(), cell.box.bottom() + 3, cell.box.width(), kBar - 4});
  paintWords(p, racer, cell, form);
}

// A racer that has filled its first C shows its place on it, because a full C looks like a nearly
// full one. All places have one font size, in which each fits.
void RaceView::paintPlace(QPainter& p, int racer, const QRectF& box) const {
  if (filled(racer) < 1) return;
  for (const QFont& font : {m_fonts.number, m_fonts.body, m_fonts.small}) {
    const QFontMetricsF metrics(font);
    const double margin = metrics.averageCharWidth();
    if (metrics.horizontalAdvance(ordinal(88)) + margin > box.width() ||
        metrics.height() > box.height())
      continue;
    const QString place = ordinal(placing(racer));
    const QSizeF size(metrics.horizontalAdvance(place) + margin, metrics.height());
    const QRectF badge(box.center() - QPointF(size.width() / 2, size.height() / 2), size);
    p.fillRect(badge, m_theme.ground);
    p.setFont(font);
    p.setPen(m_theme.text);
    return p.drawText(badge, Qt::AlignCenter, place);
  }
}

QColor RaceView::doneColour() const {
  return Theme::mix(m_theme.ground, m_theme.matrix(analysis::Matrix::C), 0.85);
}

// The done part of the first C. Live: solid. Recorded: lighter, dashed frame. Predicted: hatched,
// dotted frame.
void RaceView::paintBar(QPainter& p, int racer, const QRectF& groove) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const QColor ink = r.rung() == nullptr ? m_theme.text : m_theme.matrix(analysis::Matrix::C);
  p.fillRect(groove, m_theme.well);
  QRectF part = groove;
  part.setWidth(groove.width() * std::min(1.0, filled(racer)));
  if (part.width() < 1) return;
  if (r.source == RaceSpeed::Live) return p.fillRect(part, ink);
  if (r.source == RaceSpeed::Predicted) {
    figures::fillHatched(p, part, ink);
  } else {
    p.fillRect(part, Theme::mix(m_theme.ground, ink, 0.45));
  }
  p.setPen(hairline(ink, 1.0, frameOf(r.source)));
  p.setBrush(Qt::NoBrush);
  p.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
}

// The time of the launches at the left, the progress of each racer at the right.
void RaceView::paintHead(QPainter& p, const QSizeF& size) const {
  const QRectF track = trackOf(size);
  if (track.width() <= 0) return;
  const QFontMetricsF small(m_fonts.small), number(m_fonts.number);
  if (m_work > 0) {
    p.setFont(m_fonts.number);
    p.setPen(m_theme.text);
    p.drawText(QRectF(8, 2, clockWidth(), number.height()), Qt::AlignLeft | Qt::AlignVCenter,
               launchTimeText(elapsed()));
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    p.drawText(QRectF(8, 2 + number.height(), clockWidth(), small.height()),
               Qt::AlignLeft | Qt::AlignVCenter, slownessWords());
  }
  const double middle = track.top() + small.height() + 5;
  p.setPen(hairline(m_theme.faint, 1.5));
  p.drawLine(QPointF(track.left(), middle), QPointF(track.right(), middle));
  // Marks full C matrices. After the first one the scale shrinks, so that the leader stays visible.
  const double most = farthest(), each = track.width() / most;
  const double apart = small.horizontalAdvance(tr("%1 C").arg(888)) + 24;
  double step = 1;
  while (step * each < apart) step *= std::fmod(std::log10(step) + 1e-9, 1.0) < 0.5 ? 5 : 2;
  p.setFont(m_fonts.small);
  for (double n = 0; n <= most + 1e-9; n += step) {
    const double x = track.left() + n * each;
    p.setPen(hairline(n == 1 ? m_theme.text : m_theme.faint, n == 1 ? 2.0 : 1.0));
    p.drawLine(QPointF(x, middle - small.height() - 4), QPointF(x, middle + small.height() + 6));
    const QString name = n == 0   ? tr("start")
                         : n == 1 ? tr("C is full")
                                  : tr("%1 C").arg(QString::number(n, 'f', 0));
    const double wide = small.horizontalAdvance(name) + 4;
    p.setPen(m_theme.soft);
    p.drawText(QRectF(std::clamp(x - wide / 2, 8 + clockWidth(), size.width() - wide - 4),
                      track.bottom() - small.height() + 2, wide, small.height()),
               Qt::AlignCenter, name);
  }
  const auto places = marks(size);
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(m_racers.size()); ++i) order.push_back(i);
  std::ranges::stable_sort(order, std::less{}, [this](int i) { return filled(i); });
  const auto placeOf = [&](int i) { return places[static_cast<std::size_t>(i)]; };
  for (const int i : order) {
    const double at = onTrack(i, track);
    const QRectF& mark = placeOf(i);
    if (at >= mark.left() && at <= mark.right()) continue;
    p.setPen(hairline(m_theme.soft));
    p.drawLine(QPointF(at, middle),
               QPointF(mark.center().x(), mark.top() < middle ? mark.bottom() : mark.top()));
  }
  for (auto i = order.begin(); i != order.end(); ++i) {
    // If the next mark would cover this one's label, it has none.
    const double wide = small.horizontalAdvance(m_racers[static_cast<std::size_t>(*i)].brief);
    QRectF words = placeOf(*i).adjusted(3, 3, -3, -3);
    if (wide > words.width())
      words.adjust((words.width() - wide) / 2, 0, (wide - words.width()) / 2, 0);
    const bool free = std::none_of(i + 1, order.end(), [&](int other) {
      return placeOf(other).adjusted(-1, 0, 1, 0).intersects(words);
    });
    paintMark(p, *i, placeOf(*i), free);
  }
}

void RaceView::paintMark(QPainter& p, int racer, const QRectF& mark, bool named) const {
  const Racer& r = m_racers[static_cast<std::size_t>(racer)];
  const QColor ink = r.rung() == nullptr ? m_theme.text : m_theme.matrix(analysis::Matrix::C);
  const QColor fill = r.source == RaceSpeed::Live        ? ink
                      : r.source == RaceSpeed::Predicted ? m_theme.ground
                                                         : Theme::mix(m_theme.ground, ink, 0.45);
  const bool frozen = racer == m_frozen;
  p.setRenderHint(QPainter::Antialiasing, true);
  p.setPen(hairline(frozen ? m_theme.accent : ink, frozen ? 2.5 : 1.2, frameOf(r.source)));
  p.setBrush(fill);
  p.drawRoundedRect(mark, 4, 4);
  p.setRenderHint(QPainter::Antialiasing, false);
  p.setBrush(Qt::NoBrush);
  p.setFont(m_fonts.small);
  p.setPen(Theme::ink(fill));
  if (named) p.drawText(mark, Qt::AlignCenter, r.brief);
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
    p.drawText(place, along, fitted(words, metrics, place.width() - 4));  // from the next cell's
    y += metrics.height();
  };
  const QStringList words = wordsFor(racer, form, cell.words.height());
  if (form == Form::Brief) {
    const bool whole = body.horizontalAdvance(words[0]) <= cell.words.width();
    line(whole ? m_fonts.body : m_fonts.small, whole ? body : small, m_theme.text, words[0]);
  } else {
    const bool whole = body.horizontalAdvance(words[0]) <= cell.words.width();
    const auto parts = whole ? std::pair(words[0], QString()) : inTwoLines(words[0], body);
    line(m_fonts.body, body, m_theme.text, parts.first);
    if (!parts.second.isEmpty()) line(m_fonts.body, body, m_theme.text, parts.second);
  }
  for (qsizetype i = 1; i + 1 < words.size(); ++i)
    line(m_fonts.small, small, m_theme.soft, words[i]);
  // The progress comes last; a racer with a full first C has it in full ink.
  line(m_fonts.small, small,
       racer == m_frozen    ? m_theme.accent
       : filled(racer) >= 1 ? m_theme.text
                            : m_theme.soft,
       words.back());
}

QString RaceView::invitation() const {
  if (pacer() <= 0)
    return tr("No speed is known for this size: measure the kernels, or choose a recorded size.");
  const bool library = std::ranges::any_of(
      m_racers, [](const Racer& r) { return r.rung() == nullptr && r.gflops > 0; });
  return (library ? tr("cuBLAS fills its C in %1 s here, then starts again. Click a kernel to see "
                       "what costs it most.")
                  : tr("The fastest fills its C in %1 s here, then starts again. Click a kernel to "
                       "see what costs it most."))
      .arg(kLap);
}

QString RaceView::sentence() const {
  if (m_frozen < 0 || m_why.isEmpty()) return invitation();
  return tr("%1 stopped: %2").arg(m_racers[static_cast<std::size_t>(m_frozen)].name, m_why);
}

namespace {

QString shadeWords() {
  return RaceView::tr("a block: not started to done");
}

}  // namespace

// The legend: the shades of a block, and the frame of each kind of speed in the race.
double RaceView::legendWidth() const {
  const QFontMetricsF small(m_fonts.small);
  double width = 3.2 * small.height() + small.horizontalAdvance(shadeWords());
  for (const RaceSpeed source : sources())
    width += 3.2 * small.height() + small.horizontalAdvance(nameOf(source));
  return width;
}

std::vector<RaceSpeed> RaceView::sources() const {
  std::vector<RaceSpeed> found;
  for (const RaceSpeed source :
       {RaceSpeed::Live, RaceSpeed::Recorded, RaceSpeed::Stale, RaceSpeed::Predicted}) {
    if (std::ranges::any_of(m_racers,
                            [&](const Racer& r) { return r.gflops > 0 && r.source == source; }))
      found.push_back(source);
  }
  return found;
}

void RaceView::paintLegend(QPainter& p, double x, double y) const {
  const QFontMetricsF small(m_fonts.small);
  const double box = 0.75 * small.height();
  p.setFont(m_fonts.small);
  const auto words = [&](const QString& text) {
    const double width = small.horizontalAdvance(text);
    p.setPen(m_theme.soft);
    p.drawText(QRectF(x, y - small.height() / 2, width + 2, small.height()),
               Qt::AlignLeft | Qt::AlignVCenter, text);
    x += width + 1.4 * small.height();
  };
  constexpr int kShades = 6;
  const double shade = 1.8 * box / kShades;
  for (int i = 0; i < kShades; ++i)
    p.fillRect(QRectF(x + i * shade, y - box / 2, shade + 0.5, box),
               Theme::mix(m_theme.well, doneColour(), i / (kShades - 1.0)));
  x += 2.4 * box;
  words(shadeWords());
  for (const RaceSpeed source : sources()) {
    p.setPen(hairline(m_theme.matrix(analysis::Matrix::C), 1.5, frameOf(source)));
    p.setBrush(Qt::NoBrush);
    p.drawRect(QRectF(x, y - box / 2, 1.8 * box, box));
    x += 2.4 * box;
    words(nameOf(source));
  }
}

void RaceView::paintTo(QPainter& p, const QSizeF& size) const {
  p.fillRect(QRectF({}, size), m_theme.ground);
  const Lanes lanes = layout(size);
  for (std::size_t i = 0; i < lanes.cells.size(); ++i)
    paintRacer(p, static_cast<int>(i), lanes.cells[i], lanes.form);
  if (m_racers.empty()) return;
  paintHead(p, size);
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  const bool stands = m_frozen >= 0 && !m_why.isEmpty();
  const double line = 1.4 * body.height();
  const int lines = footLines(size.width(), lanes.form);
  const double below = size.height() - line / 2;
  const double above = below - (lines - 1) * line;
  const bool brief = lanes.form == Form::Brief;
  const double numbers = brief ? small.horizontalAdvance(numbersWords()) + 16 : 0;
  const double legend = size.width() - 8 - legendWidth() - numbers;
  paintLegend(p, lines == 1 ? legend : 8, above);
  if (brief) {
    const double x = lines == 3 ? 8 : (lines == 1 ? legend : 8) + legendWidth();
    const double y = lines == 3 ? above + line : above;
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    p.drawText(QRectF(x, y - line / 2, size.width() - x - 8, line),
               Qt::AlignLeft | Qt::AlignVCenter,
               fitted(numbersWords(), small, size.width() - x - 8));
  }
  const double room = (lines == 1 ? legend - 16 : size.width() - 8) - 8;
  // A smaller font is preferred over a cut text.
  const bool fits = body.horizontalAdvance(sentence()) <= room;
  p.setFont(fits ? m_fonts.body : m_fonts.small);
  p.setPen(stands ? m_theme.accent : m_theme.soft);
  p.drawText(QRectF(8, below - line / 2, room, line), Qt::AlignLeft | Qt::AlignVCenter,
             fitted(sentence(), QFontMetricsF(p.font()), room));
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
  const auto places = marks(size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].contains(pixel)) return static_cast<int>(i);
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
