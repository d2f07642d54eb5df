// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a main loop as compiled, above the rewritten one, as a widget and as a picture.
#pragma once

#include "viz/base/widgets/painted_view.h"
#include "viz/code/loop/loop_geometry.h"

namespace tileloom {

class LoopView : public PaintedView {
  Q_OBJECT
 public:
  explicit LoopView(QWidget* parent = nullptr);

  void setData(LoopData data);
  const LoopData& data() const { return m_data; }
  const LoopGeometry& geometry();
  const std::vector<LoopRow>& rows() const { return m_rows; }
  const std::vector<LoopWait>& waits() const { return m_waits; }
  LoopWindow window() const { return m_window; }
  // The visible part of the turn; by default the whole turn.
  void setWindow(const LoopWindow& window);

  void paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
               const Fonts& fonts) const;
  bool wantsArrows() const override { return m_data.ready(); }
  QSize sizeHint() const override { return {1000, minimumSizeHint().height()}; }
  QSize minimumSizeHint() const override;
  // Pixels that most loops need, also without a loop; `withWaits`: including the table of waits.
  int usualHeight(bool withWaits) const;

 signals:
  // The user has chosen this version to be shown beside the untouched loop.
  void picked(const rewrite::Version& version);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void restyle() override;
  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  double length() const;  // of the longer turn, in cycles
  // Zooms by this factor about a cycle that stays in place.
  void zoom(double factor, double about);
  void move(double cycles);
  QString textUnder(const QPointF& place);

  LoopData m_data;
  std::vector<LoopRow> m_rows;
  std::vector<LoopWait> m_waits;
  LoopWindow m_window;
  std::optional<LoopGeometry> m_geometry;
  std::optional<LoopPlace> m_hover;
  std::optional<QPointF> m_pressed;  // where a drag began, or was last
};

}  // namespace tileloom
