// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with edges that can be seen in high contrast: its own are shades of the window's colour,
// and of black there is none.
#pragma once

#include <QProxyStyle>

namespace tileloom {

class OutlinedStyle : public QProxyStyle {
  Q_OBJECT
 public:
  OutlinedStyle();

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;
};

}  // namespace tileloom
