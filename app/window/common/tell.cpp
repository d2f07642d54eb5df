// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/tell.h"

#include <QMessageBox>

namespace tileloom {
namespace {

void tell(QMessageBox::Icon icon, QWidget& window, const QString& title, const QString& sentence) {
  QMessageBox box(&window);
  box.setIcon(icon);
  box.setWindowTitle(title);
  box.setTextFormat(Qt::PlainText);  // before the text, which is never parsed then
  box.setText(sentence);
  box.exec();
}

}  // namespace

void tellProblem(QWidget& window, const QString& title, const QString& sentence) {
  tell(QMessageBox::Warning, window, title, sentence);
}

void tellResult(QWidget& window, const QString& title, const QString& sentence) {
  tell(QMessageBox::Information, window, title, sentence);
}

}  // namespace tileloom
