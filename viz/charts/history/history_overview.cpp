// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/history/history_panel.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryCharts)
};

constexpr double kGap = 8;         // between the strip and its text
constexpr double kLeastFrame = 6;  // pixels, so that a frame around few moves can be seen
constexpr double kBarShare = 0.55;

}  // namespace

HistoryOverview::HistoryOverview(QCustomPlot* plot, const HistoryState& state)
    : QCPLayoutElement(plot), m_state(state) {
  setAutoMargins(QCP::msNone);
  setMargins({});
}

void HistoryOverview::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

int HistoryOverview::heightFor(const Fonts& fonts) {
  return static_cast<int>(QFontMetricsF(fonts.small).height() * 1.5);
}

QString HistoryOverview::words() const {
  const int first = std::max(1, static_cast<int>(m_state.window.low() + 0.5));
  return Words::tr("moves %1–%2 of %3")
      .arg(figures::grouped(first), figures::grouped(m_state.window.last() + 1),
           figures::grouped(m_state.count()));
}

QRectF HistoryOverview::strip() const {
  const QFontMetricsF metrics(m_state.fonts.small);
  const QString longest =
      Words::tr("moves %1–%2 of %3")
          .arg(figures::grouped(m_state.count()), figures::grouped(m_state.count()),
               figures::grouped(m_state.count()));
  return QRectF(rect()).adjusted(metrics.horizontalAdvance(longest) + kGap, 2, -4, -2);
}

QRectF HistoryOverview::frame() const {
  const QRectF s = strip();
  const double scale = s.width() / std::max(1, m_state.count());
  const double left = s.left() + (m_state.window.low() - 0.5) * scale;
  const double right = s.left() + (m_state.window.high() - 0.5) * scale;
  const double more = std::max(0.0, kLeastFrame - (right - left)) / 2;
  return QRectF(QPointF(std::max(s.left(), left - more), s.top()),
                QPointF(std::min(s.right(), right + more), s.bottom()));
}

double HistoryOverview::moveNear(double x) const {
  const QRectF s = strip();
  return 0.5 + (std::clamp(x, s.left(), s.right()) - s.left()) / s.width() * m_state.count();
}

std::optional<double> HistoryOverview::moveAt(const QPointF& at) const {
  if (!strip().contains(at)) return std::nullopt;
  return moveNear(at.x());
}

void HistoryOverview::draw(QCPPainter* painter) {
  if (m_state.points.empty() || !m_state.window.hasMore()) return;
  QCPPainter& p = *painter;
  const Theme& theme = m_state.theme;
  const QRectF s = strip(), shown = frame();
  p.setFont(m_state.fonts.small);
  p.setPen(theme.soft);
  p.drawText(QRectF(rect()), Qt::AlignLeft | Qt::AlignVCenter, words());
  p.fillRect(s, theme.well);
  p.fillRect(shown, theme.panel);
  const double scale = s.width() / m_state.count();
  const int most = std::max(1, static_cast<int>(2 / scale));
  const auto bins = binsOf(m_state.points, 0, m_state.count() - 1, most, [](const HistoryPoint& q) {
    const auto sample = sampleOf(q, HistoryPanel::Speed);
    return sample ? std::optional(sample->value) : std::nullopt;
  });
  double top = 0, least = 0;
  for (const HistoryBin& bin : bins) {
    top = std::max(top, bin.high);
    least = least > 0 ? std::min(least, bin.low) : bin.low;
  }
  if (top > 0) {
    if (top - least < 0.1 * top) least = 0.9 * top;
    const QRectF inner = s.adjusted(0, 3, 0, -3);
    const auto yOf = [&](double v) {
      return inner.bottom() - (v - least) / (top - least) * inner.height();
    };
    for (const HistoryBin& bin : bins) {
      const double left = s.left() + bin.first * scale;
      const double wide = std::max(1.0, (bin.last - bin.first + 1) * scale - 0.5);
      p.fillRect(QRectF(QPointF(left, yOf(bin.high) - 1), QPointF(left + wide, yOf(bin.low) + 1)),
                 Theme::mix(theme.panel, theme.text, kBarShare));
    }
  }
  // The start of another rung.
  p.setPen(hairline(theme.faint));
  for (int i = 1; i < m_state.count(); ++i) {
    if (m_state.at(i).rung() == m_state.at(i - 1).rung()) continue;
    const double x = s.left() + i * scale;
    p.drawLine(QPointF(x, s.top()), QPointF(x, s.bottom()));
  }
  p.setPen(hairline(theme.accent, 1.4));
  p.setBrush(Qt::NoBrush);
  p.drawRect(shown);
}

}  // namespace tileloom::charts
