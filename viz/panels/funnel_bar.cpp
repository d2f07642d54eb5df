// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/funnel_bar.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "kernels/tile/words.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr double kBar = 3;       // high
constexpr double kAir = 3;       // between words and bar
constexpr double kBetween = 18;  // two steps: room for the arrow

double lengthOf(std::uint64_t value) {
  return std::log10(1.0 + static_cast<double>(value));
}

}  // namespace

FunnelBar::FunnelBar(QWidget* parent) : PaintedView(parent) {
  setObjectName(QStringLiteral("tunerFunnel"));
  setAccessibleName(tr("Tiles that are left after each step"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FunnelBar::setSteps(const Steps& steps) {
  if (steps == m_steps) return;
  m_steps = steps;
  setAccessibleDescription(words());
  setToolTip(tr("%1. The bars are logarithms.").arg(words()));
  update();
}

QString FunnelBar::words() const {
  const std::array<QString, 4> texts = {tr("%1 generated"), tr("%1 legal"),
                                        tr("%1 compiled without spills"), tr("%1 timed")};
  QStringList known;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (m_steps[i]) known += texts[i].arg(toQString(grouped(*m_steps[i])));
  }
  return known.join(QStringLiteral(" → "));
}

QSize FunnelBar::sizeHint() const {
  const QFontMetrics metrics(m_fonts.small);
  return {metrics.horizontalAdvance(words()) + 3 * static_cast<int>(kBetween),
          metrics.height() + static_cast<int>(kAir + kBar) + 1};
}

QSize FunnelBar::minimumSizeHint() const {
  return {80, sizeHint().height()};
}

void FunnelBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(m_fonts.small);
  const QFontMetricsF metrics(m_fonts.small);
  const QStringList texts = words().split(QStringLiteral(" → "), Qt::SkipEmptyParts);
  if (texts.isEmpty()) return;
  // The room of each step is proportional to its words.
  double wanted = 0;
  for (const QString& text : texts) wanted += metrics.horizontalAdvance(text);
  const double room = width() - kBetween * static_cast<double>(texts.size() - 1);
  const double share = room / std::max(1.0, wanted);
  // All bars have one scale, which fits the narrowest.
  double scale = room;
  for (const QString& text : texts)
    scale = std::min(scale, metrics.horizontalAdvance(text) * share);
  const double full = lengthOf(m_steps[0].value_or(1));
  double left = 0;
  qsizetype shown = 0;
  for (const auto& step : m_steps) {
    if (!step) continue;
    const QString& text = texts[shown];
    const double across = metrics.horizontalAdvance(text) * share;
    const QRectF words(left, 0, across, metrics.height());
    painter.setPen(*step > 0 ? m_theme.text : m_theme.faint);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, fitted(text, metrics, across));
    const QRectF groove(left, words.bottom() + kAir, scale, kBar);
    painter.fillRect(groove, m_theme.well);
    QRectF bar = groove;
    bar.setWidth(scale * std::min(1.0, lengthOf(*step) / std::max(1e-9, full)));
    painter.fillRect(bar, m_theme.accent);
    left += across;
    if (++shown == texts.size()) break;
    painter.setPen(m_theme.soft);
    painter.drawText(QRectF(left, 0, kBetween, metrics.height()), Qt::AlignCenter,
                     QStringLiteral("→"));
    left += kBetween;
  }
}

}  // namespace tileloom
