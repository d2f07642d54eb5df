// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/outlined_style.h"

#include <QApplication>
#include <QLabel>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>

#include "app/window/frame/flat_scroll_bar.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

void outline(const QStyleOption& option, QPainter& painter) {
  const Theme theme = Theme::of(option.palette);
  if (theme.look != Look::Contrast) return;
  const bool focus = (option.state & QStyle::State_HasFocus) != 0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(hairline(focus ? theme.accent : theme.line, focus ? 2.0 : 1.0));
  painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
  painter.restore();
}

// Width of the arrow at the right of a button that opens a menu, with the room around it.
constexpr int kMenuArrow = 16;

// Whether a click anywhere on the button opens its menu.
bool opensMenu(const QWidget* widget) {
  const auto* button = qobject_cast<const QToolButton*>(widget);
  return button != nullptr && button->menu() != nullptr &&
         button->popupMode() == QToolButton::InstantPopup;
}

// The place of that arrow, or what it leaves to the words.
QRect menuArrow(const QStyleOption& option) {
  QRect place = option.rect;
  place.setLeft(place.right() + 1 - kMenuArrow);
  return QStyle::visualRect(option.direction, option.rect, place.translated(-2, 0));
}
QRect besideMenuArrow(const QStyleOption& option) {
  return QStyle::visualRect(option.direction, option.rect,
                            option.rect.adjusted(0, 0, -kMenuArrow, 0));
}

}  // namespace

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void OutlinedStyle::polish(QWidget* widget) {
  if (auto* label = qobject_cast<QLabel*>(widget); label != nullptr) {
    if (label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
  }
  QProxyStyle::polish(widget);
}

void OutlinedStyle::setStill(bool still) {
  m_still = still;
  for (const auto effect : m_stopped) QApplication::setEffectEnabled(effect, true);
  m_stopped.clear();
  if (!still) return;
  for (const auto effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                            Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox}) {
    if (!QApplication::isEffectEnabled(effect)) continue;
    m_stopped.push_back(effect);
    QApplication::setEffectEnabled(effect, false);
  }
}

int OutlinedStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                             QStyleHintReturn* more) const {
  if (hint == SH_Widget_Animation_Duration && m_still) return 0;
  return QProxyStyle::styleHint(hint, option, widget, more);
}

int OutlinedStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                               const QWidget* widget) const {
  constexpr int kScrollBar = 12;
  if (metric == PM_ScrollBarExtent) return kScrollBar;
  const int usual = QProxyStyle::pixelMetric(metric, option, widget);
  return metric == PM_TabBarTabHSpace ? usual / 2 : usual;
}

QSize OutlinedStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                      const QSize& contents, const QWidget* widget) const {
  QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
  if (type == CT_ToolButton && opensMenu(widget)) size.rwidth() += kMenuArrow;
  return size;
}

QRect OutlinedStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                    SubControl part, const QWidget* widget) const {
  if (control == CC_ScrollBar) {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return flat_scroll_bar::part(*bar, part);
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                  QPainter* painter, const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  switch (element) {
    case PE_PanelLineEdit: {
      // A field within a box has the box's outline.
      const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
      if (frame != nullptr && frame->lineWidth > 0) outline(*option, *painter);
      break;
    }
    case PE_PanelButtonCommand:
    case PE_FrameMenu:
    case PE_FrameWindow:
    case PE_PanelTipLabel:
    case PE_IndicatorCheckBox:
      outline(*option, *painter);
      break;
    default:
      break;
  }
}

void OutlinedStyle::drawControl(ControlElement element, const QStyleOption* option,
                                QPainter* painter, const QWidget* widget) const {
  if (element == CE_ToolButtonLabel && opensMenu(widget)) {
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
      QStyleOptionToolButton words = *button;
      words.rect = besideMenuArrow(words);
      return QProxyStyle::drawControl(element, &words, painter, widget);
    }
  }
  QProxyStyle::drawControl(element, option, painter, widget);
  // Black panels and tabs need a line between them.
  if (element == CE_Splitter || element == CE_TabBarTabShape) outline(*option, *painter);
  // As the ladder marks its rung: shades of the background are not enough in high contrast.
  if (element == CE_TabBarTabShape && (option->state & State_Selected) != 0) {
    const Theme theme = Theme::of(option->palette);
    QRect edge = option->rect;
    edge.setHeight(theme.look == Look::Contrast ? 4 : 2);
    painter->fillRect(edge, theme.accent);
  }
}

void OutlinedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                       QPainter* painter, const QWidget* widget) const {
  if (control == CC_ScrollBar) {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return flat_scroll_bar::paint(*painter, *bar);
  }
  if (control == CC_ToolButton && opensMenu(widget)) {
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
      // Qt draws a tiny arrow in the corner, which looks like a full stop after the text.
      QStyleOptionToolButton plain = *button;
      plain.features &= ~QStyleOptionToolButton::HasMenu;
      QProxyStyle::drawComplexControl(control, &plain, painter, widget);
      QStyleOption arrow = *option;
      arrow.rect = menuArrow(*option);
      return QProxyStyle::drawPrimitive(PE_IndicatorArrowDown, &arrow, painter, widget);
    }
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (control == CC_SpinBox || control == CC_ComboBox) outline(*option, *painter);
}

}  // namespace tileloom
