// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/outlined_style.h"

#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <memory>

#include "tests/support/test_class.h"

namespace tileloom::test {

class OutlinedStyleTest : public QObject {
  Q_OBJECT

  OutlinedStyle m_style;

  // A button with this text, and optionally with a menu.
  std::unique_ptr<QToolButton> button(const QString& words, bool menu,
                                      Qt::LayoutDirection direction = Qt::LeftToRight) {
    auto made = std::make_unique<QToolButton>();
    made->setStyle(&m_style);
    made->setLayoutDirection(direction);
    made->setText(words);
    if (menu) {
      made->setPopupMode(QToolButton::InstantPopup);
      made->setMenu(new QMenu(made.get()));
    }
    made->resize(made->sizeHint());
    return made;
  }

  // The columns in which the two differ, from the left.
  static QPair<int, int> columnsOfDifference(QWidget& one, QWidget& other) {
    other.resize(one.size());
    const QImage a = one.grab().toImage();
    const QImage b = other.grab().toImage();
    QPair<int, int> columns(a.width(), -1);
    for (int x = 0; x < a.width(); ++x) {
      for (int y = 0; y < a.height(); ++y) {
        if (a.pixel(x, y) == b.pixel(x, y)) continue;
        columns.first = std::min(columns.first, x);
        columns.second = std::max(columns.second, x);
      }
    }
    return columns;
  }

 private slots:
  void aButtonThatOpensAMenuHasRoomForAnArrow() {
    const QString words = QStringLiteral("rungs 14 to 16");
    const auto plain = button(words, false);
    const auto opens = button(words, true);
    QVERIFY(opens->sizeHint().width() >= plain->sizeHint().width() + 10);
    QCOMPARE(opens->sizeHint().height(), plain->sizeHint().height());
  }

  // Without text only the arrow differs: away from the edges, in the middle.
  void theArrowStandsBesideTheWords_data() {
    QTest::addColumn<bool>("mirrored");
    QTest::newRow("left to right") << false;
    QTest::newRow("right to left") << true;
  }
  void theArrowStandsBesideTheWords() {
    QFETCH(const bool, mirrored);
    const auto direction = mirrored ? Qt::RightToLeft : Qt::LeftToRight;
    const auto opens = button(QString(), true, direction);
    opens->resize(100, 24);
    const auto plain = button(QString(), false, direction);
    const auto [first, last] = columnsOfDifference(*opens, *plain);
    QVERIFY2(last >= first, "no arrow is drawn");
    const int fromEdge = mirrored ? first : opens->width() - 1 - last;
    QVERIFY2(fromEdge >= 4, qPrintable(QString::number(fromEdge)));
    QVERIFY2(last - first < 14, qPrintable(QString::number(last - first)));
    const int middle = (first + last) / 2;
    QVERIFY(mirrored ? middle < 20 : middle > 80);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OutlinedStyleTest, Widgets)
#include "outlined_style_test.moc"
