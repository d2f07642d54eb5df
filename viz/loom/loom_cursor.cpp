// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's cell cursor.
#include <QFontMetricsF>

#include "kernels/tile/placement.h"
#include "viz/base/text/describe_cell.h"
#include "viz/loom/loom_view.h"
#include "viz/loom/panels/instruction_panel.h"
#include "viz/loom/panels/panel_moves.h"

namespace tileloom {

LoomCells LoomView::cells() const {
  return {m_input.tileA, m_input.tileB, m_input.block};
}

ThreadPanel LoomView::panel() const {
  return loomPanel(m_scene, m_geometry, m_contents, QFontMetricsF(m_fonts.title).height());
}

void LoomView::beginCursor() {
  // Where the user was last: at what is held or hovered, else at the cursor's last place.
  if (!m_scene.ready()) return;
  const auto& element = m_scene.selection.element;
  if (element && cells().of(element->matrix).contains(element->row, element->column))
    m_cursor.place(cells(), *element);
  const ThreadPanel thread = panel();
  if (thread.shown()) {
    // Only this thread's cells of C are visible.
    if (!thread.placeOf(m_cursor.element(cells()))) m_cursor.place(cells(), thread.front());
    return;
  }
  reveal(cursorCell());
}

void LoomView::moveCursor(CursorMove move, int count) {
  if (!m_scene.ready()) return;
  const ThreadPanel thread = panel();
  if (thread.shown()) {
    if (const auto to = moveInPanel(thread, m_cursor.element(cells()), move, count))
      m_cursor.place(cells(), *to);
    return;
  }
  m_cursor.move(cells(), move, count);
  reveal(cursorCell());
}

// Moves a cell that is out of sight to the middle, in the direction in which it is out of sight.
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
  if (!m_scene.ready()) return selection;
  selection.element = m_cursor.element(cells());
  // A fragment belongs to the shown thread, which stays the shown one.
  const ThreadPanel thread = panel();
  if (thread.shown() && thread.placeOf(*selection.element))
    selection.thread = thread.holderOf(*selection.element);
  return selection;
}

QString LoomView::cursorText() const {
  return m_scene.ready() ? describeCell(m_scene, m_cursor.element(cells())) : QString();
}

QRectF LoomView::cursorCell() const {
  if (!m_scene.ready()) return {};
  const analysis::Element element = m_cursor.element(cells());
  const ThreadPanel thread = panel();
  if (!thread.shown()) return m_geometry.of(element);
  if (const auto place = thread.placeOf(element)) return *place;
  // The slabs stay; of C only the panel is left.
  const QRectF place = m_geometry.of(element);
  const bool covered = element.matrix == analysis::Matrix::C || thread.area.intersects(place);
  return covered ? QRectF() : place;
}

}  // namespace tileloom
