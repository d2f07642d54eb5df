// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/flow_layout.h"

#include <QPushButton>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class FlowLayoutTest : public QObject {
  Q_OBJECT

  // Five buttons, 100 pixels wide each, the third one higher.
  static std::vector<QWidget*> fill(QWidget& parent) {
    auto* layout = new FlowLayout;
    layout->setContentsMargins(5, 3, 5, 3);
    layout->setSpacing(10);
    parent.setLayout(layout);
    std::vector<QWidget*> widgets;
    for (int i = 0; i < 5; ++i) {
      auto* widget = new QPushButton;
      widget->setFixedSize(100, i == 2 ? 30 : 20);
      layout->addWidget(widget);
      widgets.push_back(widget);
    }
    return widgets;
  }

 private slots:
  void oneLine() {
    QWidget parent;
    const auto widgets = fill(parent);
    QCOMPARE(parent.sizeHint(), QSize(10 + 5 * 100 + 4 * 10, 36));
    parent.resize(parent.sizeHint());
    parent.layout()->activate();
    QCOMPARE(widgets.front()->pos(), QPoint(5, 8));  // in the middle of a line of 30
    QCOMPARE(widgets[2]->pos(), QPoint(225, 3));
    QCOMPARE(widgets.back()->geometry().right(), 5 + 540 - 1);
  }
  void asManyLinesAsTheWidthNeeds() {
    QWidget parent;
    const auto widgets = fill(parent);
    for (int width = parent.minimumSizeHint().width(); width <= 560; width += 7) {
      const int height = parent.heightForWidth(width);
      const QRect place(0, 0, width, height);
      parent.layout()->setGeometry(place);
      const QRect inside = place.marginsRemoved(parent.layout()->contentsMargins());
      for (std::size_t i = 0; i < widgets.size(); ++i) {
        QVERIFY(inside.contains(widgets[i]->geometry()));
        for (std::size_t k = 0; k < i; ++k)
          QVERIFY(!widgets[i]->geometry().intersects(widgets[k]->geometry()));
      }
    }
    QVERIFY(parent.heightForWidth(110) > parent.heightForWidth(330));
    QVERIFY(parent.heightForWidth(330) > parent.heightForWidth(550));
    QCOMPARE(parent.heightForWidth(550), parent.sizeHint().height());
  }
  void whatIsHiddenTakesNoRoom() {
    QWidget parent;
    const auto widgets = fill(parent);
    widgets[2]->hide();
    QCOMPARE(parent.sizeHint(), QSize(10 + 4 * 100 + 3 * 10, 26));
    for (QWidget* each : widgets) each->hide();
    QCOMPARE(parent.sizeHint(), QSize(10, 6));
  }
  void itemsAreTaken() {
    QWidget parent;
    fill(parent);
    QLayout& layout = *parent.layout();
    QCOMPARE(layout.count(), 5);
    QVERIFY(layout.itemAt(5) == nullptr && layout.takeAt(-1) == nullptr);
    delete layout.takeAt(1);
    QCOMPARE(layout.count(), 4);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FlowLayoutTest, Widgets)
#include "flow_layout_test.moc"
