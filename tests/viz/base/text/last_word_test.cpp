// SPDX-License-Identifier: GPL-3.0-or-later
// A retired widget and its children emit nothing more, and it lives until Qt deletes it later.
#include "viz/base/text/last_word.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

class LastWordTest : public QObject {
  Q_OBJECT

 private slots:
  void nothingOfItSpeaks() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    QPointer<QWidget> part = new QWidget;
    part->setObjectName("part");
    auto* inner = new QVBoxLayout(part);
    auto* box = new QSpinBox;
    auto* text = new QLineEdit;
    auto* slider = new QSlider(Qt::Horizontal);
    auto* choice = new QComboBox;
    choice->addItems({"a", "b"});
    for (QWidget* each : std::initializer_list<QWidget*>{box, text, slider, choice})
      inner->addWidget(each);
    column->addWidget(part);
    column->addWidget(new QPushButton("next"));
    box->setKeyboardTracking(false);
    QVERIFY(test::shown(window, {300, 200}));
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "7");
    QSignalSpy entered(box, &QSpinBox::valueChanged), edited(box, &QSpinBox::editingFinished),
        finished(text, &QLineEdit::editingFinished), moved(slider, &QSlider::valueChanged),
        chosen(choice, &QComboBox::currentIndexChanged);
    retire(*part);
    slider->setValue(5);
    choice->setCurrentIndex(1);
    for (const QSignalSpy* spy : {&entered, &edited, &finished, &moved, &chosen})
      QCOMPARE(spy->size(), 0);
    QVERIFY(part != nullptr && part->isHidden());
    QVERIFY(window.findChild<QWidget*>("part") == nullptr);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(part == nullptr);
  }

  // It may be the sender of the signal that retires it.
  void fromItsOwnSignal() {
    QWidget window;
    QPointer<QPushButton> button = new QPushButton("x", &window);
    connect(button, &QPushButton::clicked, &window, [button] { retire(*button); });
    QVERIFY(test::shown(window, {300, 200}));
    QTest::mouseClick(button, Qt::LeftButton);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(button == nullptr);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LastWordTest, Widgets)
#include "last_word_test.moc"
