// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a widget: the wheel zooms about the pointer, dragging moves, a double click shows
// the first K tiles again, a click goes to an instruction.
#pragma once

#include "viz/base/widgets/painted_view.h"
#include "viz/timeline/timeline_geometry.h"

namespace tileloom {

class TimelineView : public PaintedView {
  Q_OBJECT
 public:
  explicit TimelineView(QWidget* parent = nullptr);

  void setData(TimelineData data);
  const TimelineData& data() const { return m_data; }
  // Another view over the same axis, above or beneath: its lane names get equal room here, so that
  // the axes begin at the same place. nullptr: none. It must outlive this one.
  void setOverSameAxis(const TimelineView* other);
  // std::nullopt: the usual span, which follows the timeline.
  void setSpan(std::optional<CycleSpan> span);
  const std::optional<CycleSpan>& span() const { return m_span; }
  CycleSpan shown() const;
  const TimelineGeometry& picture() const;

  void paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
               const Fonts& fonts) const;

  QSize sizeHint() const override { return {900, 300}; }
  QSize minimumSizeHint() const override;

 signals:
  void picked(int warp, int instruction);  // of the timeline's trace
  void spanChanged();                      // by the user

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void restyle() override;
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void show(double from, double to);
  TimelineInput input(const QRectF& canvas, const Fonts& fonts) const;

  TimelineData m_data;
  const TimelineView* m_other = nullptr;
  std::optional<CycleSpan> m_span;
  mutable std::optional<TimelineGeometry> m_picture;
  std::optional<TimelineGeometry::Spot> m_hovered;
  struct Grip {
    QPointF at;
    CycleSpan span;
    bool moved = false;
  };
  std::optional<Grip> m_grip;
};

}  // namespace tileloom
