// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/number_box.h"

#include <QFocusEvent>
#include <QLineEdit>

namespace tileloom {

NumberBox::NumberBox(QWidget* parent) : QSpinBox(parent) {
  lineEdit()->installEventFilter(this);
}

// The keys come before the press does.
void NumberBox::focusInEvent(QFocusEvent* event) {
  m_entered = event->reason() == Qt::MouseFocusReason;
  QSpinBox::focusInEvent(event);
}

bool NumberBox::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonRelease:
      if (m_entered && !lineEdit()->hasSelectedText()) selectAll();
      m_entered = false;
      break;
    case QEvent::MouseButtonDblClick:
      selectAll();  // a word would be the prefix
      return true;
    default:
      break;
  }
  return QSpinBox::eventFilter(watched, event);
}

}  // namespace tileloom
