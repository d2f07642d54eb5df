// SPDX-License-Identifier: GPL-3.0-or-later
// A painted view whose cells can be walked through with the keyboard: in cursor mode the arrows
// move from cell to cell, which does what a hovering mouse does, and says the cell in words to
// whoever listens.
#pragma once

#include "viz/base/cursor_move.h"
#include "viz/base/painted_view.h"
#include "viz/base/scene.h"

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
  void hovered(const tileloom::Selection& selection);  // empty when the mouse is nowhere
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

  // Over everything else: the cursor, and the frame that shows where the keys go.
  void paintFocus(QPainter& painter) const;
  // The scene has changed under the cursor.
  void sayCell();

 private:
  void showCell();

  bool m_cursorMode = false;
  bool m_byKeyboard = false;  // the focus came by the keyboard: only then is it framed
};

}  // namespace tileloom
