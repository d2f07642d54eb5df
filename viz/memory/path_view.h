// SPDX-License-Identifier: GPL-3.0-or-later
// The memory path as a widget, and as a picture.
#pragma once

#include "viz/base/scene.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/memory/chunk_picture.h"
#include "viz/memory/path_cursor.h"
#include "viz/memory/path_geometry.h"

class QPainter;

namespace tileloom {

struct PathPicture {
  analysis::MemoryPath path;
  PathGeometry geometry;
  QRectF header, footer;
};
// Laid out for a canvas; empty if the scene has shown no access to memory yet, or only one whose
// elements the recording does not know.
std::optional<PathPicture> pathPicture(const Scene& scene, const QRectF& canvas,
                                       const Fonts& fonts);
void paintPath(QPainter& painter, const PathPicture& picture, const Scene& scene,
               const Theme& theme, const Fonts& fonts);

// Paints what the view shows of a scene: chunks that no thread moves, else the latest access of the
// warp, else a sentence.
void paintMemoryPath(QPainter& painter, const Scene& scene, const QRectF& canvas,
                     const Theme& theme, const Fonts& fonts);

class PathView : public CellView {
  Q_OBJECT
 public:
  explicit PathView(QWidget* parent = nullptr);
  void setScene(const Scene& scene);
  QSize sizeHint() const override { return {760, 320}; }
  QSize minimumSizeHint() const override { return roomFor(56, 10); }

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
  // Of the scene, while the view is visible: one of them, or none.
  std::optional<ChunkPicture> m_chunks;
  std::optional<PathPicture> m_picture;
  std::optional<PathCell> m_cursor;        // of the picture
  std::optional<ChunkPicture::Cell> m_at;  // of the chunks
};

}  // namespace tileloom
