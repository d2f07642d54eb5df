// SPDX-License-Identifier: GPL-3.0-or-later
// The bank view as a widget: hover, click and cell cursor. All drawing is in bank_painter.
#pragma once

#include "kernels/tile/placement.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/lecture/mark.h"
#include "viz/memory/bank_painter.h"

namespace tileloom {

// The banks of one access.
class AccessView : public CellView {
  Q_OBJECT
 public:
  explicit AccessView(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  // The same with shared memory in another layout.
  void setScene(const Scene& scene, const OtherLayout& other);
  const BankGeometry& geometry() const { return picture().geometry; }
  // Set if a wgmma is shown instead of an access.
  const std::optional<OperandBanks>& product() const { return picture().product; }

  // A bank's column, or the first word of a lane; std::nullopt: not shown.
  std::optional<QRectF> placeOf(const MarkTarget& target) const;

  QSize sizeHint() const override { return {760, 250}; }
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;  // tool tips
  void restyle() override;
  void moveCursor(CursorMove move, int count) override;
  void beginCursor() override;
  Selection cursorSelection() const override;
  QString cursorText() const override;
  QRectF cursorCell() const override;

 private:
  const BankPicture& picture() const;
  Selection under(const QPointF& pixel) const;
  // The recorded word at a word of the picture.
  std::optional<std::uint32_t> recordedWord(std::uint32_t word) const;

  Scene m_scene;
  OtherLayout m_other;
  // Made when the view is visible: scenes also change while it is hidden.
  mutable std::optional<BankPicture> m_picture;
  std::optional<std::uint32_t> m_cursor;  // a word of the shown memory
  // The last shown reads of a wgmma.
  mutable std::optional<ShownReads> m_reads;
};

// The bank view of the window: one, and one for the baseline.
class BankView : public AccessView {
  Q_OBJECT
 public:
  using AccessView::AccessView;
};

}  // namespace tileloom
