// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler leaves on the table: a main loop as it was compiled above the one that was
// written anew, as a widget and as a picture.
#pragma once

#include "viz/base/painted_view.h"
#include "viz/code/loop_geometry.h"

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
  // The part of the turn that is shown; the whole one by default.
  void setWindow(const LoopWindow& window);

  void paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
               const Fonts& fonts) const;
  bool wantsArrows() const override { return m_data.ready(); }
  QSize sizeHint() const override { return {1000, minimumSizeHint().height()}; }
  QSize minimumSizeHint() const override;
  // Pixels that most loops need, whether or not there is one yet; `withWaits`: to show what the
  // warps wait for, too.
  int usualHeight(bool withWaits) const;

 signals:
  // The person wants to see this version beside the untouched loop.
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
  // By this factor about a cycle that stays where it is.
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
