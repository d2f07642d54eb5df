// SPDX-License-Identifier: GPL-3.0-or-later
// The page Fragments as a widget: hover, click and cell cursor.
#pragma once

#include "viz/base/widgets/cell_view.h"
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
  // Made when the view is visible: scenes also change while it is hidden.
  mutable std::optional<FragmentPicture> m_picture;
  std::optional<std::size_t> m_cursor;  // a value of the picture
  GroupPicture::Place m_place{};        // of the cursor, in a wgmma
  // Of a wgmma, the last close-up: it stays while nothing else is selected.
  mutable GroupPicture::Patch m_patch{};
};

// The lane and the element of a value.
Selection fragmentSelection(const FragmentPicture& picture, std::size_t value);
// What is under a pixel: a cell, a row's name, or a register in the table; for a wgmma see
// groupUnder().
Selection fragmentUnder(const FragmentPicture& picture, const QPointF& pixel);
// From one value to the next in this direction, by the places of cells; Next and Previous go to the
// same register of the next lane. Returns `from` if there is none.
std::size_t moveInFragments(const FragmentPicture& picture, std::size_t from, CursorMove move);

}  // namespace tileloom
