// SPDX-License-Identifier: GPL-3.0-or-later
// The page of fragments as a widget: hover, click and cell cursor.
#pragma once

#include "viz/base/cell_view.h"
#include "viz/memory/fragment_picture.h"

namespace tileloom {

class FragmentView : public CellView {
  Q_OBJECT
 public:
  explicit FragmentView(QWidget* parent = nullptr);
  void setScene(const Scene& scene);
  const FragmentPicture& picture() const;

  QSize sizeHint() const override { return {760, 320}; }
  QSize minimumSizeHint() const override { return roomFor(56, 12); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void restyle() override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void moveCursor(CursorMove move, int count) override;
  void beginCursor() override;
  Selection cursorSelection() const override;
  QString cursorText() const override;
  QRectF cursorCell() const override;

 private:
  Selection under(const QPointF& pixel) const;

  Scene m_scene;
  // Made when it is looked at: while the view stands behind another, scenes come and go.
  mutable std::optional<FragmentPicture> m_picture;
  std::optional<std::size_t> m_cursor;  // a value of the picture
  GroupPicture::Place m_place{};        // the cursor's, of a warpgroup's product
  // Of such a product, what was shown close up last: it stays while nothing else is chosen.
  mutable GroupPicture::Patch m_patch{};
};

// The lane and the element of a value.
Selection fragmentSelection(const FragmentPicture& picture, std::size_t value);
// What is under a pixel: a cell, a row's name, or a register in the table; of a warpgroup's product
// see groupUnder().
Selection fragmentUnder(const FragmentPicture& picture, const QPointF& pixel);
// From one value to the next in this direction, by where cells stand; Next and Previous go to the
// same register of the next lane. `from` where there is none.
std::size_t moveInFragments(const FragmentPicture& picture, std::size_t from, CursorMove move);

}  // namespace tileloom
