// SPDX-License-Identifier: GPL-3.0-or-later
// Shows where the joules of a multiplication go at the power limit: what-if kernels without some
// loads, one below the other in joules, and the rungs in percent of the library's energy. A click
// chooses a rung; Up and Down move through the rows, Enter chooses a rung.
#pragma once

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/energy/energy_geometry.h"

class QCPPainter;

namespace tileloom {

class EnergyChart : public PaintedView {
  Q_OBJECT
 public:
  explicit EnergyChart(QWidget* parent = nullptr);

  void setData(EnergyData data);
  const EnergyData& data() const { return m_data; }
  const charts::EnergyGeometry& geometryOfRows() const { return m_geometry; }

  // Without the highlight under the mouse.
  void paintTo(QCPPainter& painter, const QSize& size) const;

  QSize sizeHint() const override { return {860, 380}; }
  QSize minimumSizeHint() const override;
  bool wantsArrows() const override { return true; }

 signals:
  void picked(const Stage* stage);

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
  void point(std::optional<EnergySpot> spot, const QPoint& global);
  // The rung of a row; nullptr: it has none.
  const Stage* stageOf(const std::optional<EnergySpot>& spot) const;
  const std::optional<EnergySpot>& focus() const { return m_pointed ? m_pointed : m_cursor; }

  EnergyData m_data;
  charts::EnergyGeometry m_geometry;
  std::optional<EnergySpot> m_pointed;  // under the mouse
  std::optional<EnergySpot> m_cursor;   // chosen with the keys
};

}  // namespace tileloom
