// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's cell cursor.
#include "viz/describe_cell.h"
#include "viz/loom_view.h"

namespace tileloom {

LoomCells LoomView::cells() const {
  return {m_input.tileA, m_input.tileB, m_input.block};
}

void LoomView::beginCursor() {
  // Where the person has been last: at what is held or hovered, else where the cursor was left.
  if (!m_scene.ready()) return;
  const auto& element = m_scene.selection.element;
  if (element && cells().of(element->matrix).contains(element->row, element->column))
    m_cursor.place(cells(), *element);
  reveal(cursorCell());
}

void LoomView::moveCursor(CursorMove move, int count) {
  if (!m_scene.ready()) return;
  m_cursor.move(cells(), move, count);
  reveal(cursorCell());
}

// A cell that is out of sight is brought to the middle, in the direction that it is missing in.
void LoomView::reveal(const QRectF& cell) {
  const QPointF at = cell.center(), middle = m_frame.viewport.center();
  const QRectF view = m_frame.viewport;
  QPointF way;
  if (at.x() < view.left() || at.x() > view.right()) way.setX(at.x() - middle.x());
  if (at.y() < view.top() || at.y() > view.bottom()) way.setY(at.y() - middle.y());
  if (way.isNull()) return;
  m_flight.stop();
  m_free = true;
  LoomCamera camera = m_camera;
  camera.centre += way / m_camera.scale;
  setCamera(camera);
}

Selection LoomView::cursorSelection() const {
  Selection selection;
  if (m_scene.ready()) selection.element = m_cursor.element(cells());
  return selection;
}

QString LoomView::cursorText() const {
  return m_scene.ready() ? describeCell(m_scene, m_cursor.element(cells())) : QString();
}

QRectF LoomView::cursorCell() const {
  return m_scene.ready() ? m_geometry.of(m_cursor.element(cells())) : QRectF();
}

}  // namespace tileloom
