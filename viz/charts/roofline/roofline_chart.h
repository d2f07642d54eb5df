// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: speed over FLOP per byte, under the device's roofs. A click on a rung picks it; Up
// and Down move through the rungs, Left and Right through the memory levels.
#pragma once

#include <optional>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/roofline/roofline_geometry.h"

class QCPPainter;

namespace tileloom {

class RooflineChart : public PaintedView {
  Q_OBJECT
 public:
  explicit RooflineChart(QWidget* parent = nullptr);

  // Keeps the level of setLevel().
  void setData(RooflineData data);
  const RooflineData& data() const { return m_data; }
  void setLevel(RooflineLevel level);
  RooflineLevel level() const { return m_data.level; }
  const charts::RooflineGeometry& geometryOfPoints() const { return m_geometry; }

  void paintTo(QCPPainter& painter, const QSize& size) const;

  QSize sizeHint() const override { return {700, 330}; }
  QSize minimumSizeHint() const override;
  bool wantsArrows() const override { return true; }

 signals:
  void picked(const Stage* stage);
  void levelChanged(tileloom::RooflineLevel level);

 protected:
  void restyle() override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refresh();
  void describe();
  const RooflinePoint* pointOf(std::optional<int> index) const;
  std::optional<int> focus() const { return m_pointed ? m_pointed : m_cursor; }

  RooflineData m_data;
  charts::RooflineGeometry m_geometry;
  std::optional<int> m_pointed;  // under the mouse; -1: the present tile
  std::optional<int> m_cursor;   // chosen with the keys
};

}  // namespace tileloom
