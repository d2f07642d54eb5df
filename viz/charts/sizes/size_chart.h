// SPDX-License-Identifier: GPL-3.0-or-later
// Speed over the problem size, predicted and measured, above the used shares of whole tiles and
// waves. A click chooses a size; Left and Right move through the sizes, Up and Down through those
// of whole tiles, Enter chooses one.
#pragma once

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/sizes/size_geometry.h"

class QCPPainter;

namespace tileloom {

class SizeChart : public PaintedView {
  Q_OBJECT
 public:
  explicit SizeChart(QWidget* parent = nullptr);

  void setData(SizeData data);
  const SizeData& data() const { return m_data; }
  const charts::SizeGeometry& geometryOfCurves() const { return m_geometry; }

  // Without the highlight under the mouse.
  void paintTo(QCPPainter& painter, const QSize& size) const;

  QSize sizeHint() const override { return {760, 330}; }
  QSize minimumSizeHint() const override;
  bool wantsArrows() const override { return true; }

 signals:
  void picked(int size);  // M = N = K

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
  void moveCursor(bool forward, bool wholeTiles);
  std::optional<int> focus() const { return m_pointed ? m_pointed : m_cursor; }

  SizeData m_data;
  charts::SizeGeometry m_geometry;
  std::optional<int> m_pointed;  // size under the mouse
  std::optional<int> m_cursor;   // chosen with the keys
};

}  // namespace tileloom
