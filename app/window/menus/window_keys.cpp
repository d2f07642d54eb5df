// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/window_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>

#include "app/window/frame/layouts.h"
#include "app/window/undo_history.h"
#include "app/window/window.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

WindowKeys::WindowKeys(Window& window, UndoHistory& undo)
    : QObject(&window.frame()), m_window(window), m_undo(undo) {
  qApp->installEventFilter(this);
}

// Playing is driven by plain keys, which a focused slider, list or box needs for itself.
bool WindowKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const QWidget* focus = QApplication::focusWidget();
    const auto* painted = qobject_cast<const PaintedView*>(focus);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool moves = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                       key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End ||
                       key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    const bool wantsMoves = qobject_cast<const QAbstractSpinBox*>(focus) != nullptr ||
                            qobject_cast<const QComboBox*>(focus) != nullptr ||
                            qobject_cast<const QAbstractItemView*>(focus) != nullptr ||
                            (painted != nullptr && painted->wantsArrows());
    const bool presses =
        key == Qt::Key_Space && qobject_cast<const QAbstractButton*>(focus) != nullptr;
    if ((moves && wantsMoves) || presses) {
      event->accept();
      return true;
    }
  }
  // Any key except their own hides the loom's labels, also a shortcut.
  if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
      m_window.frame().isActiveWindow()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (auto* loom = m_window.view<LoomView>();
        loom != nullptr && loom->hinted() && key != Qt::Key_F1)
      loom->setHinted(false);
  }
  if (event->type() == QEvent::KeyPress && m_window.layouts().alone() &&
      m_window.frame().isActiveWindow() &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    m_window.layouts().setAlone(false);
    return true;
  }
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress)
    m_undo.beginGesture();
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Shortcut)
    enterNumber(*watched);
  if (event->type() == QEvent::KeyPress) {
    // After a number is entered, keys control playback again.
    const int key = static_cast<QKeyEvent*>(event)->key();
    QWidget* focus = QApplication::focusWidget();
    const bool typing = qobject_cast<QAbstractSpinBox*>(focus) != nullptr ||
                        qobject_cast<QLineEdit*>(focus) != nullptr;
    const bool answering = typing && m_window.view<LecturePanel>()->isAncestorOf(focus);
    if (typing && !answering && focus->window() == &m_window.frame() &&
        (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape)) {
      QWidget* loom = m_window.pages().front()->focusTarget();
      QTimer::singleShot(0, loom, [loom] { loom->setFocus(); });
    }
  }
  return QObject::eventFilter(watched, event);
}

// A number typed in a box is entered before the next action: most tabs, lists and buttons, and the
// keys of the menus, do not take the keyboard focus.
void WindowKeys::enterNumber(const QObject& next) {
  auto* box = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget());
  if (box == nullptr || box->window() != &m_window.frame()) return;
  const auto* pressed = qobject_cast<const QWidget*>(&next);
  const bool elsewhere =
      !next.isWindowType() && pressed != box && (pressed == nullptr || !box->isAncestorOf(pressed));
  if (!elsewhere) return;
  box->interpretText();
  m_undo.beginGesture();  // the number is a separate undo step
}

}  // namespace tileloom
