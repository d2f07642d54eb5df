// SPDX-License-Identifier: GPL-3.0-or-later
// The loom as a widget: zoom, pan, hover and click. All drawing is in loom_painter.
#pragma once

#include <QVariantAnimation>

#include "kernels/tile/placement.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/lecture/mark.h"
#include "viz/loom/loom_cells.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_geometry.h"
#include "viz/loom/loom_level.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {

class LoomView : public CellView {
  Q_OBJECT
 public:
  using Level = LoomLevel;

  explicit LoomView(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  static constexpr int kFlightMs = 220;
  // Moves the camera so that this level fills the view.
  void zoomTo(Level level, bool animated = true, int ms = kFlightMs);
  // For a film: freezes the flight at this time after its start, until the next call.
  void holdFlight(int ms);
  Level level() const { return m_level; }
  void setStill(bool still) { m_still = still; }  // jumps instead of flying
  // Labels that say what the loom shows; a click or a key hides them.
  void setHinted(bool hinted);
  bool hinted() const { return m_hinted; }
  // The text of the notes if they have no room; else empty.
  QString hintsWithoutRoom() const;
  const LoomGeometry& geometry() const { return m_geometry; }
  const LoomCamera& camera() const { return m_camera; }
  // The user has moved the camera; else it shows the whole level.
  bool movedByHand() const { return m_free; }
  // Its place in pixels; std::nullopt: not shown.
  std::optional<QRectF> placeOf(const MarkTarget& target) const;
  // The targets of a mark at that pixel, the most exact first.
  std::vector<MarkTarget> targetsAt(const QPointF& pixel) const;

  QSize sizeHint() const override { return {760, 620}; }
  QSize minimumSizeHint() const override { return {280, 200}; }

 signals:
  void levelChanged(tileloom::LoomView::Level level);
  void hintsPutAway();
  void blockChosen(int row, int column);  // an element of C outside the shown block

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void restyle() override;
  void moveCursor(CursorMove move, int count) override;
  void beginCursor() override;
  Selection cursorSelection() const override;
  QString cursorText() const override;
  QRectF cursorCell() const override;

 private:
  LoomCells cells() const;
  ThreadPanel panel() const;
  void reveal(const QRectF& cell);

  LoomCamera cameraFor(Level level) const;
  void setCamera(const LoomCamera& camera);
  void refresh();
  Selection under(const QPointF& pixel) const;
  std::optional<LoomLevel> crumbUnder(const QPointF& pixel) const;

  Scene m_scene;
  LoomFrame m_frame;
  LoomInput m_input;
  LoomCamera m_camera;
  LoomGeometry m_geometry;
  LoomContents m_contents;
  Level m_level = Level::Block;
  bool m_free = false;  // the user has moved the camera: a resize keeps it
  LoomCursor m_cursor;
  bool m_still = false;
  bool m_hinted = false;
  QVariantAnimation m_flight;
  LoomCamera m_from, m_to;
  QPointF m_pressed, m_last;
  bool m_dragging = false;
};

}  // namespace tileloom
