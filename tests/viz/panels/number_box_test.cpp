// SPDX-License-Identifier: GPL-3.0-or-later
// Typed but not entered text: entered when the focus leaves, silently dropped when the box is
// hidden or disabled, by itself or with its parent.
#include "viz/panels/number_box.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest>
#include <functional>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

class NumberBoxTest : public QObject {
  Q_OBJECT

  struct Form {
    QWidget window;
    QWidget* part = new QWidget;
    NumberBox* box = new NumberBox;
    QPushButton* other = new QPushButton("other");

    explicit Form(bool tracks) {
      auto* column = new QVBoxLayout(&window);
      auto* inner = new QVBoxLayout(part);
      inner->addWidget(box);
      column->addWidget(part);
      column->addWidget(other);
      box->setRange(5, 500);
      box->setValue(50);
      box->setKeyboardTracking(tracks);
    }
    bool typed(const char* text) {
      window.resize(300, 200);
      window.show();
      window.activateWindow();
      if (!QTest::qWaitForWindowActive(&window)) return false;
      box->setFocus();
      box->selectAll();
      QTest::keyClicks(box, text);
      return true;
    }
  };

 private slots:
  void theFocusEntersIt() {
    Form form(false);
    QVERIFY(form.typed("77"));
    QSignalSpy changed(form.box, &QSpinBox::valueChanged);
    form.other->setFocus();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(form.box->value(), 77);
  }

  void aBoxThatGoesDropsIt_data() {
    QTest::addColumn<int>("way");
    QTest::addColumn<bool>("tracks");
    QTest::addColumn<QString>("text");
    for (const bool tracks : {false, true}) {
      // One that tracks has taken 77 already; 3 is below the range, so it is not a number yet.
      for (const char* text : {"77", "3"}) {
        if (tracks && QLatin1String(text) == QLatin1String("77")) continue;
        for (int way = 0; way < 4; ++way)
          QTest::addRow("way %d, %s%s", way, text, tracks ? ", tracks" : "")
              << way << tracks << QString(text);
      }
    }
  }
  void aBoxThatGoesDropsIt() {
    QFETCH(int, way);
    QFETCH(bool, tracks);
    QFETCH(QString, text);
    Form form(tracks);
    QVERIFY(form.typed(qPrintable(text)));
    QSignalSpy changed(form.box, &QSpinBox::valueChanged);
    const std::function<void()> ways[] = {[&] { form.box->hide(); }, [&] { form.part->hide(); },
                                          [&] { form.box->setEnabled(false); },
                                          [&] { form.part->setEnabled(false); }};
    ways[way]();
    QCOMPARE(changed.size(), 0);
    QCOMPARE(form.box->value(), 50);
    QCOMPARE(form.box->text(), "50");
    // And it is forgotten.
    form.window.show();
    form.part->show();
    form.box->show();
    form.part->setEnabled(true);
    form.box->setEnabled(true);
    form.other->setFocus();
    QCOMPARE(changed.size(), 0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::NumberBoxTest, Widgets)
#include "number_box_test.moc"
