// SPDX-License-Identifier: GPL-3.0-or-later
// The multistage pipeline in shared memory as a widget, and as a picture.
#pragma once

#include <memory>

#include "viz/base/widgets/cell_view.h"
#include "viz/ring/ring_geometry.h"

class QPainter;

namespace tileloom {

class RingView : public CellView {
  Q_OBJECT
 public:
  explicit RingView(QWidget* parent = nullptr);
  ~RingView() override;

  void setScene(const Scene& scene);
  void paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme, const Fonts& fonts);
  QSize sizeHint() const override { return {760, 320}; }
  QSize minimumSizeHint() const override { return roomFor(48, 10); }
  const RingData& data();  // updated first
  const RingGeometry& geometry();

 signals:
  // The user wants to see what happens next to a stage.
  void picked(int warp, int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void restyle() override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void moveCursor(CursorMove move, int count) override;
  void beginCursor() override;
  Selection cursorSelection() const override { return {}; }
  QString cursorText() const override;
  QRectF cursorCell() const override;

 private:
  void bringUpToDate();
  void pick(std::uint32_t stage);
  Selection under(const QPointF& pixel);

  Scene m_scene;
  std::unique_ptr<analysis::StageRing> m_ring;  // of the scene's recording; made when first shown
  RingData m_data;
  bool m_current = false;  // the data are those of the scene
  std::optional<RingGeometry> m_geometry;
  std::optional<std::uint32_t> m_hovered, m_cursor;
};

}  // namespace tileloom
