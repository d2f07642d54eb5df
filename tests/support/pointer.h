// SPDX-License-Identifier: GPL-3.0-or-later
// A mouse for widget tests. Moves go through the window system, so that enter, leave and hover
// events occur as for a user.
#pragma once

#include <QApplication>
#include <QWheelEvent>
#include <QWidget>
#include <QWindow>
#include <QtTest>

namespace tileloom::test {

inline void hoverAt(QWidget& widget, const QPointF& at) {
  QWidget* window = widget.window();
  QTest::mouseMove(window->windowHandle(), widget.mapTo(window, at.toPoint()));
}

// The mouse leaves the widget.
inline void leave(QWidget& widget) {
  QEvent event(QEvent::Leave);
  QApplication::sendEvent(&widget, &event);
}

// `notches` of the wheel, away from the user if positive.
inline void wheelAt(QWidget& widget, const QPointF& at, int notches) {
  constexpr int kNotch = 120;
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * kNotch}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

inline void clickAt(QWidget& widget, const QPointF& at) {
  QTest::mouseClick(&widget, Qt::LeftButton, Qt::NoModifier, at.toPoint());
}

// Shows a widget of this size and waits until it is exposed.
inline bool shown(QWidget& widget, const QSize& size) {
  widget.resize(size);
  widget.show();
  return QTest::qWaitForWindowExposed(&widget);
}

}  // namespace tileloom::test
