// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_strip.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/text.h"

namespace tileloom {

SourceStrip::SourceStrip(QWidget* parent) : PaintedView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Source of the rung around the executing line"));
}

void SourceStrip::setScene(const Scene& scene) {
  if (!scene.ready()) return;
  const Stage* stage = scene.recording->trace.rung();
  if (stage != m_stage) {
    m_stage = stage;
    const auto source = sourceText(*stage);
    m_lines = toQString(source).split(u'\n');
  }
  const int line = scene.moment.instruction.line;
  if (line != m_line) {
    m_line = line;
    setAccessibleDescription(m_lines.value(line - 1).trimmed());
  }
  update();
}

void SourceStrip::setLines(int lines) {
  if (lines == m_rows) return;
  m_rows = lines;
  updateGeometry();
  update();
}

QSize SourceStrip::sizeHint() const {
  return {400, m_rows == 0
                   ? 0
                   : static_cast<int>(QFontMetricsF(m_fonts.mono).height() * (m_rows + 0.8))};
}
QSize SourceStrip::minimumSizeHint() const {
  return {200, sizeHint().height()};
}

void SourceStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.ground);
  p.setFont(m_fonts.mono);
  const QFontMetricsF metrics(m_fonts.mono);
  const double height = metrics.height();
  const double left = height * 0.7, number = metrics.horizontalAdvance(QStringLiteral("000 "));
  for (int i = 0; i < m_rows; ++i) {
    const int line = m_line - m_rows / 2 + i;
    if (line < 1 || line > m_lines.size()) continue;
    const QRectF row(left, height * 0.4 + i * height, width() - 2 * left, height);
    const bool current = line == m_line;
    if (current) p.fillRect(row.adjusted(-4, 0, 4, 0), m_theme.well);
    p.setPen(m_theme.faint);
    p.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, QString::number(line));
    p.setPen(current ? m_theme.text : m_theme.soft);
    const QRectF code = row.adjusted(number, 0, 0, 0);
    p.drawText(code, Qt::AlignLeft | Qt::AlignVCenter,
               fittedWords(m_lines[line - 1], metrics, code.width()));
  }
}

}  // namespace tileloom
