// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/bank_view.h"

#include <QEvent>
#include <QMouseEvent>

namespace tileloom {

BankView::BankView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Bank view: the 32 shared-memory banks and the wavefronts of one access"));
}

void BankView::setScene(const Scene& scene) {
  m_scene = scene;
  refresh();
  update();
}

void BankView::refresh() {
  m_frame = BankFrame::of(QRectF(rect()), m_fonts);
  m_geometry = bankGeometry(m_scene, m_frame, m_fonts);
}

void BankView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintBanks(painter, m_frame, m_geometry, m_scene, m_theme, m_fonts);
}

void BankView::resizeEvent(QResizeEvent*) {
  refresh();
}

Selection BankView::under(const QPointF& pixel) const {
  Selection selection;
  const analysis::Moment* m = bankMoment(m_scene);
  const auto word = m_geometry.wordAt(pixel);
  if (m == nullptr || !word) return selection;
  const auto& array = m_scene.recording->trace.arrays[m->instruction.array];
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const bool active = (m->instruction.mask >> lane & 1u) != 0;
    if (active && *word >= m->addresses[lane] && *word < m->addresses[lane] + m->width) {
      selection.thread = m->warp * emulator::kWarpSize + lane;
      break;
    }
  }
  if (array.space == emulator::Space::Shared) {
    // A row may show words of the neighbouring array as well.
    for (std::uint32_t a = emulator::kFirstShared; a < m_scene.recording->trace.arrays.size();
         ++a) {
      const auto& candidate = m_scene.recording->trace.arrays[a];
      if (*word >= candidate.base && *word < candidate.base + candidate.elements) {
        selection.word = analysis::SharedWord{a, *word - candidate.base};
      }
    }
  } else {
    selection.element = analysis::Element{static_cast<analysis::Matrix>(m->instruction.array),
                                          *word / array.columns, *word % array.columns};
  }
  return selection;
}

void BankView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(under(event->position()));
}

void BankView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit clicked(under(event->position()));
}

void BankView::leaveEvent(QEvent*) {
  emit hovered({});
}

void BankView::restyle() {
  refresh();
}

}  // namespace tileloom
