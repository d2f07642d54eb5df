// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of an access pattern as a widget: hovering or the cursor names a lane and its
// address.
#pragma once

#include <optional>

#include "kernels/own/access_pattern.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/memory/pattern_picture.h"

namespace tileloom {

class PatternView : public CellView {
  Q_OBJECT
 public:
  explicit PatternView(QWidget* parent = nullptr);

  // Shows the first access of the pattern.
  void setPattern(const own::AccessPattern& pattern);
  void clear();  // shows none
  const PatternPicture& picture() const;

  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;  // tool tips
  void restyle() override;
  void moveCursor(CursorMove move, int count) override;
  void beginCursor() override;
  Selection cursorSelection() const override { return {}; }
  QString cursorText() const override;
  QRectF cursorCell() const override;

 private:
  // The lanes of a cell, a line each.
  QString textOf(const PatternCell& cell) const;
  void frame(std::optional<std::uint32_t> lane);

  std::optional<own::AccessPattern> m_pattern;
  mutable std::optional<PatternPicture> m_picture;
  std::optional<std::uint32_t> m_lane;  // under the mouse
  std::size_t m_cursor = 0;             // a cell of the picture
};

}  // namespace tileloom
