// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "viz/ring/ring_painter.h"
#include "viz/ring/ring_words.h"

namespace tileloom {

RingView::RingView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(
      tr("Stage ring: the K tiles in shared memory, and the barriers that count them"));
}

RingView::~RingView() = default;

void RingView::setScene(const Scene& scene) {
  const bool same =
      scene.recording == m_scene.recording && scene.moment.warp == m_scene.moment.warp &&
      scene.moment.index == m_scene.moment.index && scene.repeated == m_scene.repeated;
  if (scene.recording != m_scene.recording) m_ring.reset();
  m_scene = scene;
  if (same) return;  // only the hovered element differs
  m_current = false;
  m_geometry.reset();
  if (!isVisible()) return;
  bringUpToDate();
  sayCell();
  update();
}

void RingView::bringUpToDate() {
  if (m_current) return;
  m_current = true;
  m_geometry.reset();
  const bool ring = m_scene.ready() && whyNoRing(m_scene).isEmpty();
  if (ring) {
    if (m_ring == nullptr) m_ring = std::make_unique<analysis::StageRing>(m_scene.recording);
    m_ring->goTo(m_scene.moment.warp, m_scene.moment.index);
  }
  m_data = ringData(m_scene, ring ? m_ring.get() : nullptr);
  if (m_cursor && *m_cursor >= m_data.stages.size()) m_cursor.reset();
  if (!cursorMode()) setAccessibleDescription(ringSentence(m_data));
}

const RingData& RingView::data() {
  bringUpToDate();
  return m_data;
}

const RingGeometry& RingView::geometry() {
  bringUpToDate();
  if (!m_geometry) m_geometry = RingGeometry(m_data, QRectF(rect()), m_fonts);
  return *m_geometry;
}

void RingView::paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
                       const Fonts& fonts) {
  bringUpToDate();
  painter.fillRect(canvas, theme.ground);
  paintRing(painter, m_data, RingGeometry(m_data, canvas, fonts), std::nullopt, theme, fonts);
}

void RingView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintRing(painter, data(), geometry(), m_hovered, m_theme, m_fonts);
  paintFocus(painter);
}

void RingView::resizeEvent(QResizeEvent*) {
  m_geometry.reset();
}

void RingView::showEvent(QShowEvent* event) {
  CellView::showEvent(event);
  bringUpToDate();
}

void RingView::restyle() {
  m_geometry.reset();
}

void RingView::pick(std::uint32_t stage) {
  if (stage >= m_data.stages.size() || !m_data.stages[stage].next) return;
  const analysis::RingEvent next = *m_data.stages[stage].next;
  emit picked(static_cast<int>(next.warp), static_cast<int>(next.index));
}

// The element of A or B under the pointer, which the other views also show.
Selection RingView::under(const QPointF& pixel) {
  const auto spot = geometry().cellUnder(m_data, pixel);
  if (!spot) return {};
  const analysis::SlotPanel& panel = m_data.stages[spot->stage].slot.panels[spot->panel];
  const analysis::SlotCell& cell = panel.cells[spot->cell];
  if (cell.tile == analysis::kNoRingTile || cell.outside) return {};
  const auto row = static_cast<std::int64_t>(spot->cell) / panel.columns;
  const auto column = static_cast<std::int64_t>(spot->cell) % panel.columns;
  const emulator::Trace& trace = m_scene.recording->trace;
  const analysis::Region& c = m_scene.recording->map.c;
  const std::int64_t k = std::int64_t{cell.tile} * trace.stepK;
  Selection selection;
  selection.element = spot->panel == 0
                          ? analysis::Element{analysis::Matrix::A, c.row + row, k + column}
                          : analysis::Element{analysis::Matrix::B, k + row, c.column + column};
  return selection;
}

void RingView::beginCursor() {
  if (!m_cursor && !data().stages.empty()) m_cursor = 0;
}

void RingView::moveCursor(CursorMove move, int count) {
  beginCursor();
  const int stages = static_cast<int>(m_data.stages.size());
  if (!m_cursor || stages == 0) return;
  const int now = static_cast<int>(*m_cursor);
  int to = now;
  switch (move) {
    case CursorMove::Left:
    case CursorMove::Up:
    case CursorMove::Previous:
      to = now - count;
      break;
    case CursorMove::Right:
    case CursorMove::Down:
    case CursorMove::Next:
      to = now + count;
      break;
    case CursorMove::RowStart:
      to = 0;
      break;
    case CursorMove::RowEnd:
      to = stages - 1;
      break;
  }
  m_cursor = static_cast<std::uint32_t>((to % stages + stages) % stages);
}

QString RingView::cursorText() const {
  return m_cursor && *m_cursor < m_data.stages.size() ? stageText(m_data, *m_cursor) : m_data.why;
}

QRectF RingView::cursorCell() const {
  if (!m_cursor || !m_geometry || *m_cursor >= m_geometry->cards.size()) return {};
  return m_geometry->cards[*m_cursor].whole.adjusted(3, 3, -3, -3);
}

void RingView::keyPressEvent(QKeyEvent* event) {
  if (cursorMode() && m_cursor && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
    return pick(*m_cursor);
  CellView::keyPressEvent(event);
}

void RingView::mouseMoveEvent(QMouseEvent* event) {
  const auto stage = geometry().stageUnder(event->position());
  if (stage != m_hovered) {
    m_hovered = stage;
    setCursor(stage ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
  }
  emit hovered(under(event->position()));
}

void RingView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto stage = geometry().stageUnder(event->position())) pick(*stage);
}

void RingView::leaveEvent(QEvent*) {
  m_hovered.reset();
  emit hovered({});
  update();
}

bool RingView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const RingGeometry& g = geometry();
    if (const auto stage = g.stageUnder(help->pos())) {
      QToolTip::showText(help->globalPos(), stageText(m_data, *stage), this);
    } else if (g.sentence.contains(help->pos())) {
      QToolTip::showText(help->globalPos(), ringSentence(m_data), this);
    } else if (g.note.contains(help->pos())) {
      QToolTip::showText(help->globalPos(), ringNote(m_data), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return CellView::event(event);
}

}  // namespace tileloom
