// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with edges that can be seen in high contrast (its own are shades of the window's colour,
// and of black there is none), without motion where nobody wants any, with tabs that stand closer,
// with flat scroll bars, and with the arrow of a choice on every button that opens a menu. Labels
// show plain text.
#pragma once

#include <QProxyStyle>
#include <vector>

namespace tileloom {

class OutlinedStyle : public QProxyStyle {
  Q_OBJECT
 public:
  OutlinedStyle();

  // Labels, Qt's own tool tips and message boxes among them, show plain text unless they say that
  // they want another: their words may come from files, links and workers, and Qt would guess.
  using QProxyStyle::polish;
  void polish(QWidget* widget) override;

  // Nothing slides, unfolds or fades.
  void setStill(bool still);

  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override;

  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;

  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;

  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;

 private:
  bool m_still = false;
  std::vector<Qt::UIEffect> m_stopped;  // that were there before
};

}  // namespace tileloom
