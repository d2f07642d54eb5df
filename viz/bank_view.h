// SPDX-License-Identifier: GPL-3.0-or-later
// The bank view as a widget: hover and click. All drawing is in bank_painter.
#pragma once

#include "viz/bank_painter.h"
#include "viz/painted_view.h"

namespace tileloom {

class BankView : public PaintedView {
  Q_OBJECT
 public:
  explicit BankView(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  const BankGeometry& geometry() const { return m_geometry; }

  QSize sizeHint() const override { return {760, 250}; }
  QSize minimumSizeHint() const override { return {280, 150}; }

 signals:
  void hovered(const tileloom::Selection& selection);  // empty when the mouse is nowhere
  void clicked(const tileloom::Selection& selection);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void restyle() override;

 private:
  void refresh();
  Selection under(const QPointF& pixel) const;

  Scene m_scene;
  BankFrame m_frame;
  BankGeometry m_geometry;
};

}  // namespace tileloom
