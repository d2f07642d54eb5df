// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/new_step_dialog.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class NewStepDialogTest : public QObject {
  Q_OBJECT

 private slots:
  // A headline is required, a text is optional.
  void itAsksForTheWords() {
    NewStepDialog dialog;
    dialog.show();
    auto* add = dialog.findChild<QPushButton*>("add");
    auto* headline = dialog.findChild<QLineEdit*>("headline");
    QVERIFY(!add->isEnabled());
    headline->setText("   ");
    QVERIFY(!add->isEnabled());
    headline->setText(" My step ");
    QVERIFY(add->isEnabled());
    QCOMPARE(dialog.headline(), QString("My step"));
    QVERIFY(!dialog.text().isEmpty());
    dialog.findChild<QPlainTextEdit*>("text")->setPlainText("It says this.\n");
    QCOMPARE(dialog.text(), QString("It says this."));
    add->click();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::NewStepDialogTest, Window)
#include "new_step_dialog_test.moc"
