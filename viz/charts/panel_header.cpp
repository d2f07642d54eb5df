// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/history/history_bins.h"
#include "viz/charts/history/history_panel.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryCharts)
};

constexpr double kGap = 6;
constexpr double kPiece = 20;  // of a line in the legend

double widthOf(const QFont& font, const QString& text) {
  return QFontMetricsF(font).horizontalAdvance(text);
}

// Draws at the left end of `line` and returns the rest of the line.
QRectF put(QCPPainter& p, const QRectF& line, const QFont& font, const QColor& color,
           const QString& text, double gap = kGap) {
  const double width = widthOf(font, text);
  p.setFont(font);
  p.setPen(color);
  // Whole metrics differ a little from painted ones, hence the extra pixel.
  p.drawText(QRectF(line.left(), line.top(), width + 1, line.height()),
             Qt::AlignLeft | Qt::AlignVCenter, text);
  return line.adjusted(width + gap, 0, 0, 0);
}

}  // namespace

std::vector<HistoryPoint> HistoryState::drawn() const {
  const auto shown = visible();
  std::vector<HistoryPoint> all(shown.begin(), shown.end());
  // An empty panel has no axis.
  if (baseline && !all.empty()) {
    all.push_back(*baseline);
    // The baseline's cuBLAS is from another run.
    all.back().cublas = {};
    all.back().forecast.reset();
  }
  return all;
}

std::span<const HistoryPoint> HistoryState::visible() const {
  if (points.empty() || window.last() < window.first()) return {};
  const auto first = static_cast<std::size_t>(window.first());
  return std::span(points).subspan(first, static_cast<std::size_t>(window.last()) + 1 - first);
}

int HistoryState::shown() const {
  for (const int index : {hovered, cursor, current}) {
    if (index >= 0 && index < count()) return index;
  }
  return count() - 1;
}

PanelHeader::PanelHeader(QCustomPlot* plot, const HistoryState& state, HistoryPanel panel)
    : QCPLayoutElement(plot), m_state(state), m_panel(panel) {
  setAutoMargins(QCP::msNone);
  setMargins({});
}

int PanelHeader::heightFor(const Fonts& fonts, bool compact) {
  const double line = QFontMetricsF(fonts.small).height();
  if (compact) return static_cast<int>(line * 1.5);
  return static_cast<int>(line * 1.15 + std::max(2 * line, QFontMetricsF(fonts.number).height()) +
                          2);
}

void PanelHeader::setCompact(bool compact) {
  m_compact = compact;
  const int height = heightFor(m_state.fonts, compact);
  setMinimumSize(40, height);
  setMaximumSize(QWIDGETSIZE_MAX, height);
}

void PanelHeader::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void PanelHeader::drawTitle(QCPPainter& p, const QRectF& line) const {
  const Fonts& fonts = m_state.fonts;
  QFont bold = fonts.small;
  bold.setWeight(QFont::DemiBold);
  const QRectF rest =
      put(p, line, bold, m_state.theme.text, panelTitle(m_panel, m_state.format()), kGap);
  // The origin of the figure below; the legend explains the marks.
  const int shown = m_state.shown();
  QString right = shown < 0 ? QString() : originWord(m_state.at(shown), m_panel);
  // Registers and occupancy are not measured: only recorded and stale ones need a word.
  const bool counted = m_panel == HistoryPanel::Registers || m_panel == HistoryPanel::Occupancy;
  if (counted && right == figures::freshnessWord(Freshness::Live)) right.clear();
  if (shown >= 0 && shown != m_state.count() - 1) {
    // The figure below is not the latest one: name its move.
    const QString move = Words::tr("move %1").arg(shown + 1);
    right = right.isEmpty() ? move : Words::tr("%1 · %2").arg(right, move);
  }
  p.setFont(fonts.small);
  p.setPen(m_state.theme.soft);
  p.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
             QFontMetricsF(fonts.small).elidedText(right, Qt::ElideLeft, rest.width()));
}

void PanelHeader::drawFull(QCPPainter& p, const QRectF& below) const {
  const int shown = m_state.shown();
  if (shown < 0) return;
  const Headline headline = headlineOf(m_state.at(shown), m_panel);
  const Fonts& fonts = m_state.fonts;
  const Theme& theme = m_state.theme;
  const bool known = sampleOf(m_state.at(shown), m_panel).has_value();
  QRectF rest = put(p, below, fonts.number,
                    known                     ? theme.text
                    : headline.unit.isEmpty() ? theme.faint
                                              : theme.soft,
                    headline.value, headline.unit.isEmpty() ? 12 : 4);
  if (!headline.unit.isEmpty()) {
    const double drop = QFontMetricsF(fonts.number).ascent() - QFontMetricsF(fonts.small).ascent();
    // On the figure's own base line.
    rest = put(p, rest.translated(0, drop / 2), fonts.small, theme.soft, headline.unit, 12)
               .translated(0, -drop / 2);
  }
  const double line = QFontMetricsF(fonts.small).height();
  const auto lines = static_cast<double>(headline.notes.size());
  QRectF note(rest.left(), below.center().y() - lines * line / 2, rest.width(), line);
  for (qsizetype i = 0; i < headline.notes.size(); ++i) {
    QRectF words = note;
    const bool trouble = headline.trouble && i == 0;
    if (trouble) {
      figures::drawHatch(p, QRectF(note.left(), note.top() + line * 0.15, line * 0.7, line * 0.7),
                         theme.trouble);
      words.setLeft(note.left() + line);
    }
    p.setFont(fonts.small);
    p.setPen(trouble ? theme.trouble : theme.soft);
    p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
               fitted(headline.notes[i], QFontMetricsF(fonts.small), words.width()));
    note.translate(0, line);
  }
}

void PanelHeader::drawCompact(QCPPainter& p, const QRectF& line) const {
  const int shown = m_state.shown();
  const Fonts& fonts = m_state.fonts;
  QFont bold = fonts.small;
  bold.setWeight(QFont::DemiBold);
  QRectF rest =
      put(p, line, fonts.small, m_state.theme.soft, panelTitle(m_panel, m_state.format()), kGap);
  if (shown < 0) return;
  const Headline headline = headlineOf(m_state.at(shown), m_panel);
  rest = put(p, rest, bold, m_state.theme.text, headline.value, kGap);
  p.setFont(fonts.small);
  p.setPen(headline.trouble ? m_state.theme.trouble : m_state.theme.soft);
  QStringList words = headline.notes;
  // The freshness must not be lost with the title line.
  const QString origin = originWord(m_state.at(shown), m_panel);
  if (!origin.isEmpty() && !words.contains(origin))
    words.insert(std::min<qsizetype>(1, words.size()), origin);
  // Notes that do not fit completely are left out: half a number would be wrong.
  const QFontMetricsF metrics(fonts.small);
  QString text = words.isEmpty() ? QString() : fitted(words.front(), metrics, rest.width());
  for (qsizetype i = 1; i < words.size(); ++i) {
    const QString more = text + QStringLiteral(", ") + words[i];
    if (metrics.horizontalAdvance(more) <= rest.width()) text = more;
  }
  p.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void PanelHeader::draw(QCPPainter* painter) {
  const QRectF r(rect());
  if (m_compact) {
    drawCompact(*painter, r);
    return;
  }
  const double line = QFontMetricsF(m_state.fonts.small).height() * 1.15;
  drawTitle(*painter, QRectF(r.left(), r.top(), r.width(), line));
  drawFull(*painter, r.adjusted(0, line, 0, 0));
}

HistoryLegend::HistoryLegend(QCustomPlot* plot, const HistoryState& state)
    : QCPLayoutElement(plot), m_state(state) {
  setAutoMargins(QCP::msNone);
  setMargins({});
}

void HistoryLegend::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void HistoryLegend::draw(QCPPainter* painter) {
  QRectF line(rect());
  const Fonts& fonts = m_state.fonts;
  for (const Freshness freshness : {Freshness::Live, Freshness::Recorded, Freshness::Stale}) {
    const auto points = m_state.visible();
    const bool present = std::ranges::any_of(
        points, [freshness](const HistoryPoint& p) { return p.freshness == freshness; });
    if (!present) continue;
    figures::drawMark(*painter, QPointF(line.left() + 5, line.center().y()), freshness,
                      m_state.theme, 3.5);
    line = put(*painter, line.adjusted(14, 0, 0, 0), fonts.small, m_state.theme.soft,
               figures::freshnessWord(freshness), 14);
  }
  const bool measuring = std::ranges::any_of(m_state.visible(), &HistoryPoint::measuring);
  if (measuring) {
    painter->setPen(hairline(m_state.theme.soft));
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(QPointF(line.left() + 6, line.center().y()), 6, 6);
    line = put(*painter, line.adjusted(17, 0, 0, 0), fonts.small, m_state.theme.soft,
               Words::tr("being measured"), 14);
  }
  const bool foretold = std::ranges::any_of(
      m_state.visible(), [](const HistoryPoint& p) { return p.forecast.has_value(); });
  if (foretold) {
    const double half = 4;
    painter->setPen(hairline(m_state.theme.soft, 1.0, Qt::DotLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(line.left() + 1, line.center().y() - half, 2 * half, 2 * half));
    line = put(*painter, line.adjusted(14, 0, 0, 0), fonts.small, m_state.theme.soft,
               Words::tr("predicted: 80 % lie within"), 14);
  }
  drawLines(*painter, line);
}

// The legend of the lines between marks, with a sample of each.
void HistoryLegend::drawLines(QCPPainter& p, QRectF line) const {
  const auto points = m_state.visible();
  if (points.size() < 2) return;
  const Theme& theme = m_state.theme;
  const QFont& font = m_state.fonts.small;
  const auto sample = [&](const QPen& pen, const QString& words) {
    p.setPen(pen);
    const double y = line.center().y();
    p.drawLine(QPointF(line.left(), y), QPointF(line.left() + kPiece, y));
    line = put(p, line.adjusted(kPiece + 5, 0, 0, 0), font, theme.soft, words, 14);
  };
  const Freshness freshness = points.back().freshness;
  if (m_state.density == HistoryDensity::Dense) {
    p.fillRect(QRectF(line.left() + 3, line.center().y() - 5, 4, 10),
               Theme::mix(theme.panel, theme.accent, 0.45));
    line = put(p, line.adjusted(12, 0, 0, 0), font, theme.soft, Words::tr("range of several moves"),
               14);
    QPen pen = figures::linePen(freshness, theme);
    pen.setWidthF(2);
    return sample(pen, Words::tr("medians"));
  }
  // Only lines that this density draws and that are visible.
  const std::vector<bool> dragged = sameDrag(m_state.points);
  bool same = false, other = false;
  for (int i = std::max(1, m_state.window.first()); i <= m_state.window.last(); ++i) {
    if (!joined(m_state.at(i - 1), m_state.at(i))) continue;
    (dragged[static_cast<std::size_t>(i)] ? same : other) = true;
  }
  const QPen pen = figures::linePen(freshness, theme);
  if (same) sample(pen, Words::tr("same parameter changed again"));
  if (other && m_state.density == HistoryDensity::Roomy)
    sample(hairline(theme.faint, 1, pen.style()), Words::tr("another parameter changed"));
}

PlainSentence::PlainSentence(QCustomPlot* plot, const HistoryState& state)
    : QCPLayerable(plot, QStringLiteral("main")), m_state(state) {}

void PlainSentence::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void PlainSentence::draw(QCPPainter* painter) {
  if (!m_state.points.empty()) return;
  const QRectF all(parentPlot()->viewport());
  // Lines longer than this are hard to read.
  const double width = std::min(all.width() - 24, QFontMetricsF(m_state.fonts.body).height() * 24);
  painter->setFont(m_state.fonts.body);
  painter->setPen(m_state.theme.soft);
  drawWrapped(*painter, QRectF(all.center().x() - width / 2, all.top(), width, all.height()),
              Qt::AlignCenter, emptyHistorySentence());
}

}  // namespace tileloom::charts
