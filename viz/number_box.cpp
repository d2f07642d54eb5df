// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/number_box.h"

#include <QEvent>
#include <QLineEdit>

namespace tileloom {

NumberBox::NumberBox(QWidget* parent) : QSpinBox(parent) {
  lineEdit()->installEventFilter(this);
}

bool NumberBox::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      // Whether it has the keys already: the press has not been handled yet, but focus comes first.
      m_entered = m_entered || !hasFocus();
      break;
    case QEvent::FocusIn:
      m_entered = true;
      break;
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
