// SPDX-License-Identifier: GPL-3.0-or-later
// A painted view with a keyboard cursor: in cursor mode the arrows move from cell to cell, which
// has the effect of hovering with the mouse and describes the cell to screen readers.
#pragma once

#include "viz/base/scene.h"
#include "viz/base/widgets/cursor_move.h"
#include "viz/base/widgets/painted_view.h"

class QPainter;

namespace tileloom {

class CellView : public PaintedView {
  Q_OBJECT
 public:
  explicit CellView(QWidget* parent = nullptr);

  bool cursorMode() const { return m_cursorMode; }
  void setCursorMode(bool on);
  bool wantsArrows() const override { return m_cursorMode; }

 signals:
  void hovered(const tileloom::Selection& selection);  // empty when the mouse is on no cell
  void clicked(const tileloom::Selection& selection);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

  // Moves to another cell, or to the first one if there was none.
  virtual void moveCursor(CursorMove move, int count) = 0;
  virtual void beginCursor() = 0;
  virtual Selection cursorSelection() const = 0;
  virtual QString cursorText() const = 0;
  virtual QRectF cursorCell() const = 0;  // in pixels

  // Paints over everything else: the cursor, and the frame of the keyboard focus.
  void paintFocus(QPainter& painter) const;
  // The scene has changed under the cursor.
  void sayCell();

 private:
  void showCell();

  bool m_cursorMode = false;
  bool m_byKeyboard = false;  // the focus came from the keyboard: only then it has a frame
};

}  // namespace tileloom
