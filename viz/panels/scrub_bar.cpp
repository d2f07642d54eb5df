// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/scrub_bar.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/text/describe.h"

namespace tileloom {

using emulator::Kind;

ScrubBar::ScrubBar(QWidget* parent) : PaintedView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Instructions of the warp"));
  setToolTip(tr("Tall: global memory. Middle: shared memory. Low: multiply-adds. Gaps: barriers."));
}

void ScrubBar::setScene(const Scene& scene) {
  if (!scene.ready()) return;
  if (scene.recording != m_recording || scene.moment.warp != m_warp) {
    m_recording = scene.recording;
    m_warp = scene.moment.warp;
    collect();
    drawRibbon();
  }
  m_position = static_cast<int>(scene.moment.index);
  update();
}

void ScrubBar::collect() {
  const auto& trace = m_recording->trace;
  m_kinds.clear();
  m_ticks.clear();
  std::uint32_t tile = emulator::kNoTile;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (const auto& i : trace.at(m_warp, interval).instructions) {
      if (i.kTile != tile) {
        const auto at = static_cast<int>(m_kinds.size());
        if (i.kTile != emulator::kNoTile) {
          m_ticks.push_back({at, trace.features().sharedTiles
                                     ? tr("K tile %1").arg(i.kTile + 1)
                                     : tr("k = %1").arg(i.kTile * trace.stepK)});
        } else if (at > 0) {
          m_ticks.push_back(
              {at, trace.kTilesTraced == trace.kTiles ? tr("epilogue")
                   : trace.features().sharedTiles
                       ? counted(trace.kTiles - trace.kTilesTraced, tr("… 1 K tile more, epilogue"),
                                 tr("… %1 K tiles more, epilogue"))
                       : tr("… on to k = %1, epilogue").arg(trace.problem.k)});
        }
        tile = i.kTile;
      }
      m_kinds.push_back(i.kind);
    }
  }
  m_length = static_cast<int>(m_kinds.size());
}

QRectF ScrubBar::groove() const {
  const double line = QFontMetricsF(m_fonts.small).height();
  return {line * 0.4, line * 0.35, std::max(1.0, width() - 0.8 * line), line * 1.0};
}

void ScrubBar::drawRibbon() {
  const QRectF room = groove();
  const double ratio = devicePixelRatioF();
  const int columns = std::max(1, static_cast<int>(room.width() * ratio));
  const int rows = std::max(1, static_cast<int>(room.height() * ratio));
  m_ribbon = QImage(columns, rows, QImage::Format_ARGB32_Premultiplied);
  m_ribbon.fill(Qt::transparent);
  if (m_length == 0) return;
  QPainter p(&m_ribbon);
  for (int x = 0; x < columns; ++x) {
    const auto from = static_cast<std::size_t>(1LL * x * m_length / columns);
    const auto to =
        std::max(from + 1, static_cast<std::size_t>(1LL * (x + 1) * m_length / columns));
    // One column is for several instructions: the most expensive one decides.
    Kind most = Kind::Position;
    for (std::size_t i = from; i < to && i < m_kinds.size(); ++i) most = std::min(most, m_kinds[i]);
    double height = 0.0;
    QColor colour = m_theme.faint;
    if (emulator::isGlobal(most) || most == Kind::AsyncCopy || most == Kind::BoxLoad ||
        most == Kind::BoxStore) {
      height = 1.0;
      colour = m_theme.text;
    } else if (emulator::isShared(most)) {
      height = 0.66;
      colour = m_theme.soft;
    } else if (emulator::isMultiplyAdd(most)) {
      height = 0.3;
    }
    const int tall = static_cast<int>(height * rows);
    p.fillRect(x, rows - tall, 1, tall, colour);
  }
}

void ScrubBar::setLabelled(bool labelled) {
  if (labelled == m_labelled) return;
  m_labelled = labelled;
  updateGeometry();
  update();
}

QSize ScrubBar::sizeHint() const {
  return {400, static_cast<int>(QFontMetricsF(m_fonts.small).height() * (m_labelled ? 3.0 : 1.9))};
}
QSize ScrubBar::minimumSizeHint() const {
  return {160, sizeHint().height()};
}

void ScrubBar::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (m_length == 0) return;
  const QRectF room = groove();
  const QFontMetricsF metrics(m_fonts.small);
  const double share = m_length > 1 ? static_cast<double>(m_position) / (m_length - 1) : 0.0;
  const double x = room.left() + share * room.width();
  p.setOpacity(0.55);
  p.drawImage(room, m_ribbon);
  p.setOpacity(1.0);
  p.fillRect(QRectF(room.left(), room.bottom() + 1, room.width(), 2), m_theme.line);
  p.fillRect(QRectF(room.left(), room.bottom() + 1, x - room.left(), 2), m_theme.accent);
  p.setFont(m_fonts.small);
  const double radius = metrics.height() * 0.36;
  // Below the handle, whatever the size of the text.
  const double baseline =
      room.bottom() +
      std::max(5 + metrics.ascent(), 2 + radius + 0.04 * metrics.height() + metrics.capHeight());
  double free = -1e9;
  for (const Tick& tick : m_ticks) {
    const double at = room.left() + room.width() * tick.index / std::max(1, m_length - 1);
    p.setPen(m_theme.faint);
    p.drawLine(QPointF(at, room.top()), QPointF(at, room.bottom() + 7));
    const double w = metrics.horizontalAdvance(tick.label);
    const double left = std::min(at + 4, room.right() - w);
    if (left < free || !m_labelled) continue;
    free = left + w + 8;
    p.setPen(m_theme.soft);
    p.drawText(QPointF(left, baseline), tick.label);
  }
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(m_theme.panel, 2));
  p.setBrush(m_theme.accent);
  p.drawEllipse(QPointF(x, room.bottom() + 2), radius, radius);
}

int ScrubBar::indexAt(double x) const {
  const QRectF room = groove();
  const double share = std::clamp((x - room.left()) / room.width(), 0.0, 1.0);
  return qRound(share * (m_length - 1));
}

void ScrubBar::resizeEvent(QResizeEvent*) {
  if (m_recording) drawRibbon();
}

void ScrubBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && m_length > 0)
    emit scrubbed(indexAt(event->position().x()));
}

void ScrubBar::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0 && m_length > 0)
    emit scrubbed(indexAt(event->position().x()));
}

void ScrubBar::restyle() {
  if (m_recording) drawRibbon();
}

}  // namespace tileloom
