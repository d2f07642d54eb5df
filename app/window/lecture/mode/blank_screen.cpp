// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/blank_screen.h"

#include <QPalette>

#include "viz/base/text/last_word.h"

namespace tileloom {

void BlankScreen::set(bool blank) {
  if (blank == shown()) return;
  if (!blank) {
    retire(*m_black);
    m_black = nullptr;
    return;
  }
  m_black = new QWidget(&m_window);
  m_black->setObjectName(QStringLiteral("blank"));
  m_black->setAutoFillBackground(true);
  QPalette black = m_black->palette();
  black.setColor(QPalette::Window, Qt::black);
  m_black->setPalette(black);
  m_black->setGeometry(m_window.rect());
  m_black->show();
  m_black->raise();
}

}  // namespace tileloom
