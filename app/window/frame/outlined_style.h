// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's Fusion style with edges that are visible in high contrast (Fusion's are shades of the
// window's colour, and black has none), optionally without motion, with closer tabs, with flat
// scroll bars, and with an arrow on every button that opens a menu. Labels show plain text.
#pragma once

#include <QProxyStyle>
#include <vector>

namespace tileloom {

class OutlinedStyle : public QProxyStyle {
  Q_OBJECT
 public:
  OutlinedStyle();

  // Labels, also those of Qt's tool tips and message boxes, show plain text unless they set a
  // format: their texts may come from files, links and workers, and Qt would guess the format.
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
  std::vector<Qt::UIEffect> m_stopped;  // existing before
};

}  // namespace tileloom
