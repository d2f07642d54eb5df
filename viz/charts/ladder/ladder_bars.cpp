// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/ladder/ladder_bars.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LadderChart)
};

constexpr double kClear = 4;      // between the line of cuBLAS and a number
constexpr double kNumberGap = 8;  // between a bar's whisker and its number
constexpr double kEdge = 10;
constexpr double kSwatch = 22;
constexpr double kLeastBars = 84;       // pixels that columns leave the bars
constexpr double kLeastTrouble = 0.01;  // conflicts are marked from this share on

double widthOf(const QFont& font, const QString& text) {
  return QFontMetricsF(font).horizontalAdvance(text);
}

// The width of the column of rung numbers: "14", or "T13" on the tensor ladder.
double numberWidth(const Fonts& fonts, std::span<const LadderBar> bars) {
  double widest = widthOf(fonts.body, QStringLiteral("00"));
  for (const LadderBar& bar : bars) {
    if (bar.rung() != nullptr)
      widest = std::max(widest, widthOf(fonts.body, figures::rungText(*bar.rung())));
  }
  return widest + 6;
}

std::vector<Freshness> freshnessOf(std::span<const LadderBar> bars) {
  std::vector<Freshness> found;
  for (const Freshness freshness : {Freshness::Live, Freshness::Recorded, Freshness::Stale}) {
    if (std::ranges::any_of(bars, [freshness](const LadderBar& b) {
          return b.freshness == freshness && b.ratio.known();
        })) {
      found.push_back(freshness);
    }
  }
  return found;
}

double highestOf(const LadderBar& bar) {
  return bar.ratio.known() ? 100 * std::max(bar.ratio.median, bar.ratio.high) : 0;
}

// The end of a row's marks, in percent: its bar, or the bar before it if that is longer.
double endOf(const LadderState& state, int row) {
  const LadderSetback* setback = setbackAt(state.setbacks, row);
  const double own = highestOf(state.at(row));
  return setback != nullptr ? std::max(own, highestOf(state.at(setback->before))) : own;
}

std::span<const LadderBar> barsOf(const LadderState& state, const LadderRows& rows) {
  return std::span(state.bars)
      .subspan(static_cast<std::size_t>(rows.first), static_cast<std::size_t>(rows.count));
}

constexpr double kHeading = 1.35;  // of a ladder, in lines

}  // namespace

std::vector<LadderRows> laddersOf(std::span<const LadderBar> bars) {
  std::vector<LadderRows> ladders(1);
  const auto ladderAt = [&](int row) {
    const Stage* stage = bars[static_cast<std::size_t>(row)].rung();
    return stage != nullptr ? stage->ladder : Ladder::Fp32;
  };
  for (int row = 0; row < static_cast<int>(bars.size()); ++row) {
    if (row > 0 && ladderAt(row) != ladderAt(row - 1)) ladders.push_back({row, 0});
    ++ladders.back().count;
  }
  return ladders;
}

LadderBars::LadderBars(QCPAxisRect* rect, const LadderState& state)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("main")), m_rect(rect), m_state(state) {}

void LadderBars::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void LadderBars::setRows(const LadderRows& rows, bool alone) {
  m_rows = rows;
  m_alone = alone;
}

bool LadderBars::isSlower() const {
  return std::ranges::any_of(m_state.setbacks,
                             [this](const LadderSetback& s) { return m_rows.contains(s.row); });
}

Ladder LadderBars::ladder() const {
  const bool known = m_rows.count > 0 && m_state.at(m_rows.first).rung() != nullptr;
  return known ? m_state.at(m_rows.first).rung()->ladder : Ladder::Fp32;
}

Format LadderBars::format() const {
  return m_rows.count > 0 ? m_state.at(m_rows.first).format : Format::Fp32;
}

QString LadderBars::caption() const {
  return m_alone ? ladderCaption(m_state) : ladderCaption(m_state, ladder());
}

LadderBars::Head LadderBars::measureHead(int width) const {
  const double line = QFontMetricsF(m_state.fonts.small).height();
  const double across = width - 2 * kEdge;
  const QFontMetricsF small(m_state.fonts.small);
  Head head;
  head.legendBelow = small.horizontalAdvance(caption()) + 24 + legendWidth() > across;
  head.caption =
      small.boundingRect(QRectF(0, 0, across, 1000), Qt::TextWordWrap, caption()).height();
  head.height = 4 + std::max(head.caption, line) + (head.legendBelow ? 1.2 * line : 0) +
                (m_alone ? 0 : kHeading * line);
  return head;
}

double LadderBars::around(int width) const {
  const double line = QFontMetricsF(m_state.fonts.small).height();
  return measureHead(width).height + (isSlower() ? 4.9 : 3.8) * line;
}

void LadderBars::arrange(const QRect& band) {
  const QSize size = band.size();
  m_top = band.top();
  const Fonts& fonts = m_state.fonts;
  m_narrow = size.width() < kBesideWidth;
  const double line = QFontMetricsF(fonts.small).height();
  // Rows that are too low for the usual font use the small one.
  m_rowFont = fonts.body;
  const double rows =
      size.height() - (m_alone ? (isSlower() ? 8.1 : 7) * line : around(size.width()));
  if (!m_narrow && !m_state.figures.empty() &&
      rows < QFontMetricsF(fonts.body).height() * m_rows.count) {
    m_rowFont = fonts.small;
  }
  double names = 0;
  for (const LadderBar& bar : m_state.bars) {
    names = std::max(names, widthOf(m_rowFont, rungTitle(bar)));
  }
  const double left = m_narrow ? kEdge : kEdge + numberWidth(fonts, m_state.bars) + names + 10;
  m_head = measureHead(size.width());
  const double head = m_head.height;
  const double table = QFontMetricsF(m_rowFont).height() * m_rows.count;
  m_footer = footerFor(size, head + 3.8 * line + table);
  double highest = 100;
  for (const LadderBar& bar : barsOf(m_state, m_rows)) highest = std::max(highest, highestOf(bar));
  const double top = highest <= 100 ? 102 : std::ceil(highest / 10 + 0.2) * 10;
  m_columns.clear();
  if (!m_narrow && !m_state.figures.empty()) {
    const double columns = size.width() - left - kEdge - kLeastBars;
    m_columns = placeColumns(m_state.bars, m_state.figures, columns, m_rowFont, fonts.small);
  }
  // The plot leaves room for the number at the end of each bar.
  const double room = std::max(60.0, size.width() - left - 10);
  double plot = room - 0.5 * widthOf(fonts.small, Words::tr("100 %"));
  for (int row = m_rows.first; row < m_rows.first + m_rows.count; ++row) {
    const double end = endOf(m_state, row) / top;
    const double number = widthOf(fonts.body, barText(m_state.at(row))) + kNumberGap + 6;
    if (end > 0) plot = std::min(plot, (room - number) / end);
  }
  // If the cuBLAS line would cross a number, all numbers are in a column to the right of the line.
  m_column.reset();
  double widest = 0;
  bool crossed = false;
  for (int row = m_rows.first; row < m_rows.first + m_rows.count; ++row) {
    if (!m_state.at(row).ratio.known()) continue;
    const double width = widthOf(fonts.body, barText(m_state.at(row))) + 2;
    const double at = endOf(m_state, row) / top * plot + kNumberGap, line100 = 100 / top * plot;
    crossed = crossed || (at - kClear < line100 && at + width + kClear > line100);
    widest = std::max(widest, width);
  }
  if (crossed) {
    m_column = std::max(highest, 100.0);
    plot = std::min(plot, (room - widest - kNumberGap) / (*m_column / top));
  }
  if (!m_columns.empty()) {
    m_column.reset();
    const PlacedColumn& last = m_columns.back();
    m_columnsFrom = size.width() - kEdge - last.left - last.width;
    plot = m_columnsFrom - left - 2;
  }
  plot = std::max(plot, 60.0);
  m_rect->setMargins({static_cast<int>(left), static_cast<int>(head + 2.2 * line),
                      static_cast<int>(size.width() - left - plot),
                      static_cast<int>(line * (1.6 + 1.1 * static_cast<double>(m_footer.size())))});
  QCPAxis* axis = m_rect->axis(QCPAxis::atBottom);
  axis->setRange(0, top);
  double step = top > 220 ? 100 : plot < 220 ? 50 : 25;
  // Labels must not touch.
  const double label = widthOf(fonts.small, Words::tr("100 %")) + kNumberGap;
  while (step < 100 && step / top * plot < label) step *= 2;
  axis->ticker().staticCast<QCPAxisTickerFixed>()->setTickStep(step);
}

double LadderBars::xOf(double percent) const {
  return m_rect->axis(QCPAxis::atBottom)->coordToPixel(percent);
}

QRectF LadderBars::rowRect(int row) const {
  const QRectF r(m_rect->rect());
  const double height = r.height() / std::max(1, m_rows.count);
  return {0, r.top() + (row - m_rows.first) * height,
          static_cast<double>(m_rect->parentPlot()->viewport().width()), height};
}

QRectF LadderBars::barBand(int row) const {
  const QRectF r = rowRect(row);
  const double line = QFontMetricsF(m_state.fonts.body).height();
  if (!m_narrow) {
    const double thick = std::min({r.height() * 0.62, 30.0});
    return {r.left(), r.center().y() - thick / 2, r.width(), thick};
  }
  const double thick = std::clamp(r.height() - line - 4, 5.0, 16.0);
  const double top = r.center().y() - (line + thick) / 2 + line;
  return {r.left(), top, r.width(), thick};
}

std::optional<QRectF> LadderBars::barRect(int row) const {
  if (row < 0 || row >= m_state.count() || !m_state.at(row).ratio.known()) return {};
  const QRectF band = barBand(row);
  return QRectF(QPointF(xOf(0), band.top()),
                QPointF(xOf(100 * m_state.at(row).ratio.median), band.bottom()));
}

QRectF LadderBars::cellRect(int row, const PlacedColumn& column) const {
  const double line = QFontMetricsF(m_rowFont).height();
  return {m_columnsFrom + column.left, rowRect(row).center().y() - line / 2, column.width, line};
}

QRectF LadderBars::numberRect(int row) const {
  if (!m_columns.empty()) return cellRect(row, m_columns.front());
  const LadderBar& bar = m_state.at(row);
  const double line = QFontMetricsF(m_state.fonts.body).height();
  const double end = !bar.ratio.known() ? 0 : m_column.value_or(endOf(m_state, row));
  return {xOf(end) + kNumberGap, barBand(row).center().y() - line / 2,
          widthOf(m_state.fonts.body, barText(bar)) + 2, line};
}

std::optional<QRectF> LadderBars::setbackRect(int row) const {
  const LadderSetback* setback = setbackAt(m_state.setbacks, row);
  if (setback == nullptr) return {};
  const QRectF band = barBand(row);
  return QRectF(QPointF(xOf(100 * m_state.at(row).ratio.median), band.top()),
                QPointF(xOf(100 * m_state.at(setback->before).ratio.median), band.bottom()));
}

// One line per rung if the rows stay high enough, else one line for all; a line has only facts that
// fit completely.
QStringList LadderBars::footerFor(const QSize& size, double least) const {
  std::vector<LadderSetback> setbacks;
  for (const LadderSetback& setback : m_state.setbacks) {
    if (m_rows.contains(setback.row)) setbacks.push_back(setback);
  }
  if (setbacks.empty()) return {};
  const QFont& font = m_state.fonts.small;
  const double room = size.width() - 2 * kEdge - kSwatch - 6;
  const double line = QFontMetricsF(font).height();
  const double lines = static_cast<double>(setbacks.size());
  QStringList footer;
  if (least + 1.1 * line * lines <= size.height() && !m_narrow) {
    for (const LadderSetback& setback : setbacks) {
      QString text = Words::tr("Rung %1 is %2")
                         .arg(figures::rungText(*m_state.at(setback.row).rung()))
                         .arg(setbackText(m_state.bars, setback));
      QString join = QStringLiteral(": ");
      for (const QString& fact : setbackFacts(m_state.bars, m_state.figures, setback)) {
        if (widthOf(font, text + join + fact) > room) continue;
        text += join + fact;
        join = QStringLiteral("; ");
      }
      footer += text;
    }
    return footer;
  }
  QStringList all;
  for (const LadderSetback& setback : setbacks)
    all += Words::tr("%1 by %2 %")
               .arg(figures::rungText(*m_state.at(setback.row).rung()))
               .arg(figures::percentText(100 * setback.share));
  const QString list = all.join(QStringLiteral(", "));
  const QString whole = Words::tr("Slower than the rung before it: rung %1").arg(list);
  return {widthOf(font, whole) <= room ? whole : Words::tr("Slower: rung %1").arg(list)};
}

void LadderBars::drawFooter(QCPPainter& p) const {
  const Fonts& fonts = m_state.fonts;
  const double line = QFontMetricsF(fonts.small).height();
  const double width = m_rect->parentPlot()->viewport().width();
  double top = m_rect->rect().bottom() + 1.55 * line;
  for (const QString& text : m_footer) {
    figures::fillTrouble(p, QRectF(kEdge, top + line / 2 - 4, kSwatch, 8), m_state.theme);
    p.setFont(fonts.small);
    p.setPen(m_state.theme.text);
    p.drawText(QRectF(kEdge + kSwatch + 6, top, width - 2 * kEdge - kSwatch - 6 + 1, line),
               Qt::AlignLeft | Qt::AlignVCenter, text);
    top += 1.1 * line;
  }
}

// Draws the difference to the bar before it, as a hatched end and, beside columns, a number. false:
// no room for the number.
bool LadderBars::drawSetback(QCPPainter& p, int row) const {
  const auto rect = setbackRect(row);
  if (!rect) return true;
  figures::fillTrouble(p, *rect, m_state.theme);
  p.setPen(hairline(m_state.theme.trouble, 1.2));
  p.drawLine(rect->topRight(), rect->bottomRight());
  if (m_columns.empty()) return true;
  const LadderSetback& setback = *setbackAt(m_state.setbacks, row);
  const QString text =
      Words::tr("−%1 %").arg(figures::percentText(100 * setback.share));  // a true minus sign
  const QFont& font = m_state.fonts.small;
  const double left = std::max(rect->right(), xOf(highestOf(m_state.at(row)))) + 5;
  const double width = widthOf(font, text);
  // It must not cross the cuBLAS line or the columns.
  const double line100 = xOf(100);
  const double end = line100 > left ? line100 - 2 : m_columnsFrom;
  if (left + width > end) return false;
  p.setFont(font);
  p.drawText(QRectF(left, rect->top() - 20, width + 1, rect->height() + 40),
             Qt::AlignLeft | Qt::AlignVCenter, text);
  return true;
}

int LadderBars::rowAt(const QPointF& at) const {
  for (int row = m_rows.first; row < m_rows.first + m_rows.count; ++row) {
    if (rowRect(row).contains(at)) return row;
  }
  return -1;
}

void LadderBars::drawHead(QCPPainter& p) const {
  const Fonts& fonts = m_state.fonts;
  const double width = m_rect->parentPlot()->viewport().width() - 2 * kEdge;
  const double line = QFontMetricsF(fonts.small).height();
  double top = m_top + 3;
  if (!m_alone) {
    QFont bold = fonts.small;
    bold.setWeight(QFont::DemiBold);
    p.setFont(bold);
    p.setPen(m_state.theme.text);
    p.drawText(QRectF(kEdge, top, width + 1, line), Qt::AlignLeft | Qt::AlignVCenter,
               fitted(ladderHeading(format()), QFontMetricsF(bold), width));
    top += kHeading * line;
  }
  p.setFont(fonts.small);
  p.setPen(m_state.theme.soft);
  drawWrapped(p, QRectF(kEdge, top, width + 1, m_head.caption + 1), Qt::AlignLeft, caption());
  if (m_head.legendBelow) {
    drawLegend(p, QRectF(kEdge, top + m_head.caption + 0.2 * line, width, line));
  } else {
    drawLegend(p, QRectF(kEdge + width - legendWidth(), top, legendWidth(), line));
  }
}

double LadderBars::legendWidth() const {
  double width = 0;
  for (const Freshness freshness : freshnessOf(barsOf(m_state, m_rows))) {
    width += kSwatch + 6 + widthOf(m_state.fonts.small, figures::freshnessWord(freshness)) + 12;
  }
  return width;
}

// The legend of filled, dashed and dotted bars.
void LadderBars::drawLegend(QCPPainter& p, const QRectF& line) const {
  double x = line.left();
  for (const Freshness freshness : freshnessOf(barsOf(m_state, m_rows))) {
    LadderBar bar;
    bar.freshness = freshness;
    drawBar(p, bar, QRectF(x, line.center().y() - 4, kSwatch, 8));
    x += kSwatch + 6;
    const double width = widthOf(m_state.fonts.small, figures::freshnessWord(freshness));
    p.setFont(m_state.fonts.small);
    p.setPen(m_state.theme.soft);
    p.drawText(QRectF(x, line.top(), width + 1, line.height()), Qt::AlignVCenter,
               figures::freshnessWord(freshness));
    x += width + 12;
  }
}

void LadderBars::drawReference(QCPPainter& p) const {
  const QRectF r(m_rect->rect());
  const Fonts& fonts = m_state.fonts;
  const double x = xOf(100);
  const double line = QFontMetricsF(fonts.small).height();
  p.setPen(hairline(m_state.theme.soft, 1.4));
  p.drawLine(QPointF(x, r.top() - 4), QPointF(x, r.bottom()));
  QFont bold = fonts.small;
  bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  const QString text = referenceText(format());
  const double width = widthOf(bold, text);
  const double space = m_columns.empty() ? m_rect->parentPlot()->viewport().width() : m_columnsFrom;
  const double left = std::clamp(x - width / 2, 6.0, std::max(6.0, space - width - 6));
  p.setPen(m_state.theme.text);
  const QRectF at(left, r.top() - 5 - line, width + 1, line);
  p.drawText(at, Qt::AlignCenter, text);
  // The axis title at the left, if it does not touch the line's name.
  const QString head = axisText(ladder());
  p.setFont(fonts.small);
  p.setPen(m_state.theme.soft);
  if (r.left() + widthOf(fonts.small, head) + 12 < at.left())
    p.drawText(QRectF(r.left(), at.top(), at.left() - r.left(), line), Qt::AlignLeft, head);
}

// Solid; a lighter fill with a dashed frame; hollow with a dotted frame: distinct without colour.
void LadderBars::drawBar(QCPPainter& p, const LadderBar& bar, const QRectF& rect) const {
  const Theme& theme = m_state.theme;
  const QColor ink = figures::inkOf(bar.freshness, theme);
  if (bar.freshness == Freshness::Live) {
    p.fillRect(rect, Theme::mix(ink, theme.panel, 0.15));
  } else {
    p.setPen(figures::linePen(bar.freshness, theme));
    p.setBrush(Theme::mix(theme.panel, ink, bar.freshness == Freshness::Recorded ? 0.3 : 0.05));
    p.drawRect(rect);
    p.setBrush(Qt::NoBrush);
  }
}

void LadderBars::drawRow(QCPPainter& p, int row) const {
  const LadderBar& bar = m_state.at(row);
  const Theme& theme = m_state.theme;
  const Fonts& fonts = m_state.fonts;
  const QRectF whole = rowRect(row);
  const QRectF band = barBand(row);
  if (row == m_state.pointed || row == m_state.cursor) p.fillRect(whole, theme.well);
  if (bar.rung() != nullptr && bar.rung() == m_state.present)
    p.fillRect(QRectF(0, whole.top() + 1, 3, whole.height() - 2), theme.accent);
  const double line = QFontMetricsF(m_rowFont).height();
  QFont font = m_rowFont;
  if (bar.rung() != nullptr && bar.rung() == m_state.present) font.setWeight(QFont::DemiBold);
  p.setFont(font);
  p.setPen(theme.text);
  const double top = m_narrow ? band.top() - line : band.center().y() - line / 2;
  const double digits = numberWidth(fonts, m_state.bars);
  if (bar.rung() != nullptr) {
    const Qt::Alignment side = m_narrow ? Qt::AlignLeft : Qt::AlignRight;
    p.setPen(theme.soft);
    p.drawText(QRectF(kEdge, top, digits - 6, line), side | Qt::AlignVCenter,
               figures::rungText(*bar.rung()));
  }
  p.setPen(theme.text);
  p.drawText(QRectF(kEdge + (m_narrow ? digits * 0.7 : digits) + 2, top,
                    whole.width() - kEdge - digits, line),
             Qt::AlignLeft | Qt::AlignVCenter, rungTitle(bar));
  bool told = true;  // the setback's number was drawn
  if (const auto rect = barRect(row)) {
    told = drawSetback(p, row);
    drawBar(p, bar, *rect);
    const double y = band.center().y();
    const double low = xOf(100 * bar.ratio.low);
    const double high = xOf(100 * bar.ratio.high);
    if (high - low >= 1) {
      // Inside a filled bar the whisker has the ground's colour to be visible.
      const auto whisker = [&](double from, double to, const QColor& color, double cap) {
        p.setPen(hairline(color, 1.4));
        p.drawLine(QPointF(from, y), QPointF(to, y));
        p.drawLine(QPointF(cap, y - 4), QPointF(cap, y + 4));
      };
      const bool filled = bar.freshness == Freshness::Live;
      whisker(low, rect->right(), filled ? theme.panel : theme.accent, low);
      whisker(rect->right(), high, theme.accent, high);
    }
  }
  if (!m_columns.empty()) return drawCells(p, row, !told);
  const QRectF at = numberRect(row);
  // The grid must not cross a number.
  p.fillRect(at.adjusted(-3, 1, 3, -1),
             row == m_state.pointed || row == m_state.cursor ? theme.well : theme.panel);
  p.setPen(bar.ratio.known() ? theme.text : theme.faint);
  p.drawText(at, Qt::AlignLeft | Qt::AlignVCenter, barText(bar));
}

void LadderBars::drawColumnHeads(QCPPainter& p) const {
  const Fonts& fonts = m_state.fonts;
  const double line = QFontMetricsF(fonts.small).height();
  const double top = m_rect->rect().top() - 2 - 1.8 * line;
  p.setFont(fonts.small);
  for (const PlacedColumn& column : m_columns) {
    const ColumnHead head = headOf(column.column);
    const QRectF at(m_columnsFrom + column.left, top, column.width, line);
    p.setPen(m_state.theme.text);
    p.drawText(at, Qt::AlignRight | Qt::AlignVCenter, head.title);
    p.setPen(m_state.theme.soft);
    p.drawText(at.translated(0, 0.85 * line), Qt::AlignRight | Qt::AlignVCenter, head.unit);
  }
}

void LadderBars::drawCells(QCPPainter& p, int row, bool slower) const {
  const LadderBar& bar = m_state.at(row);
  const LadderFigures figures = m_state.figuresAt(row);
  const Theme& theme = m_state.theme;
  for (const PlacedColumn& column : m_columns) {
    const QRectF at = cellRect(row, column);
    const QString text = cellOf(column.column, bar, figures);
    const bool trouble = (column.column == LadderColumn::Speed && slower) ||
                         (column.column == LadderColumn::Conflicts &&
                          figures.conflictShare.value_or(0) >= kLeastTrouble) ||
                         (column.column == LadderColumn::Registers && figures.spillBytes > 0);
    p.setFont(m_rowFont);
    if (trouble) {
      const double width = widthOf(m_rowFont, text), side = 0.55 * at.height();
      figures::fillTrouble(
          p,
          QRectF(at.right() - width - 1.6 * side - 4, at.center().y() - side / 2, 1.6 * side, side),
          theme);
    }
    // Values of another card from the literature are fainter than measured ones.
    const bool theirs = column.column == LadderColumn::LiteratureSpeed ||
                        column.column == LadderColumn::LiteratureShare;
    p.setPen(text == QStringLiteral("–") ? theme.faint : theirs ? theme.soft : theme.text);
    p.drawText(at, Qt::AlignRight | Qt::AlignVCenter, text);
  }
}

void LadderBars::draw(QCPPainter* painter) {
  QCPPainter& p = *painter;
  p.setBrush(Qt::NoBrush);
  if (m_state.bars.empty()) {
    p.setFont(m_state.fonts.body);
    p.setPen(m_state.theme.soft);
    drawWrapped(p, QRectF(m_rect->parentPlot()->viewport()).adjusted(16, 0, -16, 0),
                Qt::AlignCenter,
                Words::tr("no rung to compare yet: each measured rung becomes a bar here"));
    return;
  }
  drawHead(p);
  drawReference(p);
  if (!m_columns.empty()) drawColumnHeads(p);
  for (int row = m_rows.first; row < m_rows.first + m_rows.count; ++row) drawRow(p, row);
  drawFooter(p);
}

}  // namespace tileloom::charts
