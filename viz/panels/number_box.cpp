// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/number_box.h"

#include <QFocusEvent>
#include <QHideEvent>
#include <QLineEdit>
#include <QSignalBlocker>

namespace tileloom {

NumberBox::NumberBox(QWidget* parent) : QSpinBox(parent) {
  lineEdit()->installEventFilter(this);
}

// The focus event comes before the press.
void NumberBox::focusInEvent(QFocusEvent* event) {
  m_entered = event->reason() == Qt::MouseFocusReason;
  QSpinBox::focusInEvent(event);
}

void NumberBox::drop() {
  const QSignalBlocker quiet(this);
  setValue(value());
}

// A box that is disabled, or whose parent is hidden, first loses the focus.
void NumberBox::focusOutEvent(QFocusEvent* event) {
  if (!isEnabled() || !isVisible()) drop();
  QSpinBox::focusOutEvent(event);
}

// Not if the window system has hidden the window: it comes back unchanged.
void NumberBox::hideEvent(QHideEvent* event) {
  if (!event->spontaneous()) drop();
  QSpinBox::hideEvent(event);
}

bool NumberBox::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonRelease:
      if (m_entered && !lineEdit()->hasSelectedText()) selectAll();
      m_entered = false;
      break;
    case QEvent::MouseButtonDblClick:
      selectAll();  // a word may be the prefix
      return true;
    default:
      break;
  }
  return QSpinBox::eventFilter(watched, event);
}

}  // namespace tileloom
