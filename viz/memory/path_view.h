// SPDX-License-Identifier: GPL-3.0-or-later
// The memory path as a widget, and as a picture.
#pragma once

#include "viz/base/cell_view.h"
#include "viz/base/scene.h"
#include "viz/memory/path_cursor.h"
#include "viz/memory/path_geometry.h"

class QPainter;

namespace tileloom {

struct PathPicture {
  analysis::MemoryPath path;
  PathGeometry geometry;
  QRectF header, footer;
};
// Laid out for a canvas; empty where the scene has shown no access to memory yet.
std::optional<PathPicture> pathPicture(const Scene& scene, const QRectF& canvas,
                                       const Fonts& fonts);
void paintPath(QPainter& painter, const PathPicture& picture, const Scene& scene,
               const Theme& theme, const Fonts& fonts);

class PathView : public CellView {
  Q_OBJECT
 public:
  explicit PathView(QWidget* parent = nullptr);
  void setScene(const Scene& scene);
  QSize sizeHint() const override { return {760, 320}; }
  QSize minimumSizeHint() const override { return {280, 150}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
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
  Selection selectionOf(const PathCell& cell) const;
  Selection under(const QPointF& pixel) const;
  void layOut();

  Scene m_scene;
  std::optional<PathPicture> m_picture;  // of the scene's access, while the view is visible
  std::optional<PathCell> m_cursor;      // of the picture
};

}  // namespace tileloom
