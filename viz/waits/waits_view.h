// SPDX-License-Identifier: GPL-3.0-or-later
// The waits between warps, as a widget and as a picture.
#pragma once

#include "viz/base/widgets/painted_view.h"
#include "viz/waits/waits_painter.h"

class QPainter;

namespace tileloom {

class WaitsView : public PaintedView {
  Q_OBJECT
 public:
  explicit WaitsView(QWidget* parent = nullptr);

  void setData(WaitsData data);
  const WaitsData& data() const { return m_data; }
  const WaitsGeometry& geometry();
  void paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
               const Fonts& fonts) const;
  QSize sizeHint() const override { return {900, 360}; }
  QSize minimumSizeHint() const override;

 signals:
  // The user wants to see where this warp waits, or ends a wait.
  void picked(int warp, int line);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void restyle() override;
  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QString textUnder(const QPointF& pixel);

  WaitsData m_data;
  std::optional<WaitsGeometry> m_geometry;
  WaitsHover m_hover;
};

}  // namespace tileloom
