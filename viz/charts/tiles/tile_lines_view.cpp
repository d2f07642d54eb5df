// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_lines_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernels/tile/parameters.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"

namespace tileloom {
namespace {

constexpr double kFan = 0.72;  // of the room between two values: the spread of lines at one value
constexpr double kNear = 10;   // hit distance of a line, in pixels
constexpr std::size_t kTop = 10;  // highlighted

}  // namespace

TileLines::TileLines(const Stage& stage, const std::vector<tuning::TileFigure>& figures,
                     const QRectF& room)
    : m_room(room) {
  for (const ParameterSpec& spec : stage.parameters) {
    std::set<int> values;
    for (const auto& figure : figures) values.insert(figure.tile[spec.parameter]);
    if (values.size() > 1)
      m_axes.push_back({spec.parameter, std::vector<int>(values.begin(), values.end()), 0});
  }
  const auto gaps = static_cast<double>(std::max<std::size_t>(m_axes.size(), 2) - 1);
  for (std::size_t i = 0; i < m_axes.size(); ++i)
    m_axes[i].x = room.left() + room.width() * static_cast<double>(i) / gaps;
  m_places.assign(figures.size(), std::vector<double>(m_axes.size()));
  for (std::size_t a = 0; a < m_axes.size(); ++a) {
    std::map<int, std::vector<std::size_t>> sharing;  // fastest first
    for (std::size_t i = 0; i < figures.size(); ++i)
      sharing[figures[i].tile[m_axes[a].parameter]].push_back(i);
    const double slot = room.height() / static_cast<double>(m_axes[a].values.size());
    for (const auto& [value, which] : sharing) {
      const auto index = static_cast<std::size_t>(std::ranges::find(m_axes[a].values, value) -
                                                  m_axes[a].values.begin());
      for (std::size_t i = 0; i < which.size(); ++i) {
        const double share =
            which.size() > 1 ? static_cast<double>(i) / static_cast<double>(which.size() - 1) - 0.5
                             : 0;
        m_places[which[i]][a] = yOf(a, index) + share * kFan * slot;
      }
    }
  }
}

double TileLines::yOf(std::size_t axis, std::size_t value) const {
  const auto count = static_cast<double>(m_axes[axis].values.size());
  return m_room.bottom() - m_room.height() * (static_cast<double>(value) + 0.5) / count;
}

QPointF TileLines::at(std::size_t figure, std::size_t axis) const {
  return {m_axes[axis].x, m_places[figure][axis]};
}

std::optional<std::size_t> TileLines::nearest(const QPointF& point, double within) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < m_places.size(); ++i) {
    for (std::size_t a = 0; a + 1 < m_axes.size(); ++a) {
      if (point.x() < m_axes[a].x || point.x() > m_axes[a + 1].x) continue;
      const double share = (point.x() - m_axes[a].x) / (m_axes[a + 1].x - m_axes[a].x);
      const double y = m_places[i][a] + share * (m_places[i][a + 1] - m_places[i][a]);
      // Of two equally near lines the faster wins.
      if (std::abs(y - point.y()) < within - 1e-9) {
        within = std::abs(y - point.y());
        found = i;
      }
    }
  }
  return found;
}

TileLinesView::TileLinesView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setObjectName(QStringLiteral("tileLines"));
}

void TileLinesView::setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures,
                               const TileShape& present, const QString& device) {
  if (&stage == m_stage && figures == m_figures && present == m_present && device == m_device)
    return;
  m_device = device;
  if (figures != m_figures) m_pointed = m_cursor = std::nullopt;
  m_stage = &stage;
  m_figures = std::move(figures);
  m_present = present;
  refresh();
}

QRectF TileLinesView::roomIn(const QSizeF& size) const {
  const QFontMetricsF small(m_fonts.small);
  const double side = small.horizontalAdvance(toQString(kLongestParameterName)) / 2 + 14;
  return QRectF(QPointF(), size)
      .adjusted(side, small.height() + 8, -side, -2 * small.height() - 10);
}

void TileLinesView::refresh() {
  m_lines = m_stage != nullptr ? TileLines(*m_stage, m_figures, roomIn(size())) : TileLines();
  describe();
  update();
}

QString TileLinesView::sentenceOf(std::size_t figure) const {
  const tuning::TileFigure& f = m_figures[figure];
  QString text =
      tr("rank %1 of %2: %3, %4 GFLOP/s %5, %6 % of the fastest")
          .arg(figure + 1)
          .arg(m_figures.size())
          .arg(figures::tileText(m_stage, f.tile), figures::speedText(f.gflops.median),
               figures::spreadText(f.gflops),
               figures::percentText(100 * f.gflops.median / m_figures.front().gflops.median));
  if (f.registers >= 0)
    text += QStringLiteral("; ") + figures::residencyText(f.registers, f.blocksPerSm);
  return text;
}

void TileLinesView::paint(QPainter& p, const QSizeF& size, bool clickable) const {
  p.setFont(m_fonts.small);
  const QFontMetricsF small(m_fonts.small);
  const QRectF foot(8, size.height() - 2 * small.height() - 4, size.width() - 16,
                    2 * small.height());
  if (m_stage == nullptr || m_figures.size() < 2) {
    p.setPen(m_theme.soft);
    p.drawText(QRectF(QPointF(), size), Qt::AlignCenter,
               tr("Fewer than two tiles of this rung are measured at this size."));
    return;
  }
  const TileLines lines(*m_stage, m_figures, roomIn(size));
  const double best = m_figures.front().gflops.median;
  const auto draw = [&](std::size_t figure) {
    QPolygonF line;
    for (std::size_t a = 0; a < lines.axes().size(); ++a) line += lines.at(figure, a);
    p.drawPolyline(line);
  };
  // From the slowest on, so that the fastest are on top.
  for (std::size_t i = m_figures.size(); i-- > 0;) {
    const double warmth = std::clamp((m_figures[i].gflops.median / best - 0.25) / 0.75, 0.0, 1.0);
    const bool top = i < kTop;
    p.setPen(
        QPen(top ? m_theme.text : Theme::faded(m_theme.soft, 0.05 + 0.35 * std::pow(warmth, 3)),
             top ? 1.4 : 0.8));
    draw(i);
  }
  for (std::size_t a = 0; a < lines.axes().size(); ++a) {
    const auto& axis = lines.axes()[a];
    p.setPen(m_theme.text);
    p.drawText(QRectF(axis.x - 60, 2, 120, small.height()), Qt::AlignCenter,
               toQString(name(axis.parameter)));
    for (std::size_t v = 0; v < axis.values.size(); ++v) {
      const QString number = QString::number(axis.values[v]);
      const QRectF box(axis.x - small.horizontalAdvance(number) / 2 - 3,
                       lines.yOf(a, v) - small.height() / 2, small.horizontalAdvance(number) + 6,
                       small.height());
      p.fillRect(box, Theme::faded(m_theme.panel, 0.85));
      const bool now = axis.values[v] == m_present[axis.parameter];
      p.setPen(now ? m_theme.accent : m_theme.soft);
      p.drawText(box, Qt::AlignCenter, number);
    }
  }
  const auto chosen = focus();
  if (chosen && *chosen < m_figures.size()) {
    p.setPen(QPen(m_theme.accent, 2.4));
    draw(*chosen);
  }
  p.setPen(m_theme.soft);
  QString words = (m_device.isEmpty() ? tr("%1 measured tiles, one line per tile; ")
                                      : tr("%1 tiles measured on %2, one line per tile; "))
                      .arg(m_figures.size());
  if (!m_device.isEmpty()) words = words.arg(m_device);
  words += tr("thick: the ten fastest; at one value the faster line is higher.");
  if (clickable) words += u' ' + tr("Click a line to use its tile.");
  drawWrapped(p, foot, Qt::AlignLeft | Qt::AlignTop, chosen ? sentenceOf(*chosen) : words);
}

void TileLinesView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paint(p, size(), true);
}

void TileLinesView::mouseMoveEvent(QMouseEvent* event) {
  const auto line = m_lines.nearest(event->position(), kNear);
  if (line == m_pointed) return;
  m_pointed = line;
  describe();
  update();
}

void TileLinesView::leaveEvent(QEvent*) {
  m_pointed.reset();
  describe();
  update();
}

void TileLinesView::mousePressEvent(QMouseEvent* event) {
  const auto line = m_lines.nearest(event->position(), kNear);
  if (!line || event->button() != Qt::LeftButton) return;
  m_cursor = line;
  emit picked(TileShape(m_figures[*line].tile));
}

void TileLinesView::keyPressEvent(QKeyEvent* event) {
  if (m_figures.empty()) return QWidget::keyPressEvent(event);
  const std::size_t last = m_figures.size() - 1;
  const std::size_t at = m_cursor.value_or(0);
  switch (event->key()) {
    case Qt::Key_Up:
      m_cursor = m_cursor && at > 0 ? at - 1 : 0;
      break;
    case Qt::Key_Down:
      m_cursor = m_cursor ? std::min(at + 1, last) : 0;
      break;
    case Qt::Key_Home:
      m_cursor = 0;
      break;
    case Qt::Key_End:
      m_cursor = last;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_cursor) emit picked(TileShape(m_figures[*m_cursor].tile));
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  m_pointed.reset();
  describe();
  update();
}

void TileLinesView::describe() {
  const auto line = focus();
  setAccessibleName(line && *line < m_figures.size()
                        ? sentenceOf(*line)
                        : tr("Measured tiles on parallel axes, one per tile parameter"));
}

}  // namespace tileloom
