// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/cell_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <optional>

namespace tileloom {
namespace {

constexpr int kJump = 8;           // cells, with Ctrl
constexpr double kLeastRing = 11;  // pixels: a cell may be smaller than what can be seen

std::optional<CursorMove> moveOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return CursorMove::Left;
    case Qt::Key_Right:
      return CursorMove::Right;
    case Qt::Key_Up:
      return CursorMove::Up;
    case Qt::Key_Down:
      return CursorMove::Down;
    case Qt::Key_Home:
      return CursorMove::RowStart;
    case Qt::Key_End:
      return CursorMove::RowEnd;
    case Qt::Key_PageDown:
      return CursorMove::Next;
    case Qt::Key_PageUp:
      return CursorMove::Previous;
    default:
      return std::nullopt;
  }
}

}  // namespace

CellView::CellView(QWidget* parent) : PaintedView(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleDescription(tr("Cursor mode in the View menu moves through its cells"));
}

void CellView::setCursorMode(bool on) {
  if (on == m_cursorMode) return;
  m_cursorMode = on;
  if (on) {
    beginCursor();
    showCell();
  } else {
    setAccessibleDescription(tr("Cursor mode is off"));
    emit hovered({});
    update();
  }
}

void CellView::showCell() {
  emit hovered(cursorSelection());
  sayCell();
  update();
}

void CellView::sayCell() {
  if (!m_cursorMode) return;
  // Setting it notifies screen readers, but only if it has changed.
  const QString text = cursorText();
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

void CellView::keyPressEvent(QKeyEvent* event) {
  if (!m_cursorMode) return PaintedView::keyPressEvent(event);
  if (const auto move = moveOf(event->key())) {
    moveCursor(*move, (event->modifiers() & Qt::ControlModifier) != 0 ? kJump : 1);
    return showCell();
  }
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit clicked(cursorSelection());
      return;
    case Qt::Key_Escape:
      return setCursorMode(false);
    default:
      PaintedView::keyPressEvent(event);
  }
}

void CellView::focusInEvent(QFocusEvent* event) {
  m_byKeyboard = event->reason() == Qt::TabFocusReason ||
                 event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
  PaintedView::focusInEvent(event);
  if (m_cursorMode) showCell();
  update();
}

void CellView::focusOutEvent(QFocusEvent* event) {
  m_byKeyboard = false;
  PaintedView::focusOutEvent(event);
  update();
}

void CellView::paintFocus(QPainter& painter) const {
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  if (m_byKeyboard || m_cursorMode) {
    painter.setPen(hairline(m_theme.accent));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (!m_cursorMode) return;
  QRectF ring = cursorCell();
  if (ring.isEmpty()) return;
  const double wide = std::max(0.0, kLeastRing - ring.width()) / 2;
  const double high = std::max(0.0, kLeastRing - ring.height()) / 2;
  ring.adjust(-wide - 2, -high - 2, wide + 2, high + 2);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(hairline(m_theme.ground, 6.0));
  painter.drawRect(ring);
  painter.setPen(hairline(m_theme.accent, 3.0));
  painter.drawRect(ring);
}

}  // namespace tileloom
