// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/marks_layer.h"

#include <QLabel>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class MarksLayerTest : public QObject {
  Q_OBJECT

  static Mark mark(MarkForm form, MarkTarget::Thing thing, const char* text) {
    Mark mark;
    mark.form = form;
    mark.target.thing = thing;
    mark.text = text;
    return mark;
  }
  // All that a mark draws but its label, in black on white.
  static QImage drawn(const Mark& mark, const QRectF& place, const QRectF& words) {
    QImage picture(600, 300, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter p(&picture);
    paintMark(p, mark, place, words, QFont(), Theme::make(Look::Light).palette());
    p.fillRect(words, Qt::white);
    return picture;
  }
  static int darkIn(const QImage& picture, const QRectF& where) {
    int dark = 0;
    const QRect all = where.toRect();
    for (int y = all.top(); y <= all.bottom(); ++y)
      for (int x = all.left(); x <= all.right(); ++x)
        dark += qGray(picture.pixel(x, y)) < 100 ? 1 : 0;
    return dark;
  }

 private slots:
  // A small target has a letter: the tip of the arrow ends beside it.
  void anArrowLeavesLettersReadable() {
    const Mark lane = mark(MarkForm::Arrow, MarkTarget::Thing::Lane, "lane 0");
    const QRectF cell(300, 150, 18, 16);
    for (const QRectF& words : {QRectF(270, 90, 70, 20), QRectF(270, 210, 70, 20)}) {
      const QImage picture = drawn(lane, cell, words);
      QVERIFY(darkIn(picture, QRectF(290, 110, 40, 100)) > 40);  // there is an arrow
      QCOMPARE(darkIn(picture, cell.adjusted(4, 4, -4, -4)), 0);
    }
  }

  // A ring is around the letters of its row, not on them.
  void aRingIsAroundItsRow() {
    for (const auto thing : {MarkTarget::Thing::Parameter, MarkTarget::Thing::Line}) {
      const QRectF row(200, 150, 200, 24);
      const QImage picture = drawn(mark(MarkForm::Ring, thing, ""), row, {});
      QCOMPARE(darkIn(picture, row.adjusted(1, 1, -1, -1)), 0);
      QVERIFY(darkIn(picture, row.adjusted(-8, -6, 8, 6)) > 400);
    }
  }

  // A label that is wider than half of the room has several lines; all of it is inside.
  void aLongLabelIsWrapped() {
    const std::vector<Mark> marks = {
        mark(MarkForm::Ring, MarkTarget::Thing::Block, "a block tile: 128 x 128 elements of C")};
    const std::vector<std::optional<QRectF>> places = {QRectF(100, 100, 60, 60)};
    QFont font;
    font.setPointSizeF(20);
    const QFontMetricsF metrics(font);
    const QRectF room(0, 0, 400, 300);
    const QRectF words = wordsOf(marks, places, room, font, {}).front();
    QVERIFY(metrics.horizontalAdvance(QString::fromStdString(marks[0].text)) > room.width());
    QVERIFY(room.contains(words));
    QVERIFY(words.height() > 1.8 * metrics.height());
    // With room for it there is one line.
    const QRectF one = wordsOf(marks, places, {0, 0, 3000, 300}, font, {}).front();
    QVERIFY(one.height() < 1.6 * metrics.height());
  }

  // Names and values of the window stay readable; the layer finds them.
  void labelsLeaveNamesFree() {
    QWidget window;
    window.resize(600, 300);
    std::vector<QLabel*> names;
    // Rows above and below the target; there is room at its left.
    for (const int y : {60, 90, 120, 180, 210, 240}) {
      auto* name = new QLabel(QStringLiteral("WNITER  1 2 4 8 16  a row of a list"), &window);
      name->setGeometry(300, y, 290, 24);
      names.push_back(name);
    }
    MarksLayer layer([](const MarkTarget&) { return QRectF(300, 150, 290, 24); },
                     [](const QPointF& at) {
                       return InkPoint{0, at};
                     },
                     [](const InkPoint& at) { return at.at; },
                     [&window](int) { return QRectF(window.rect()); }, &window);
    window.show();
    layer.show();
    layer.setMarks({mark(MarkForm::Ring, MarkTarget::Thing::Parameter, "subtiles along N")});
    QTest::qWait(20);
    const QRectF label = layer.labels().front();
    QVERIFY(!label.isEmpty());
    for (const QLabel* name : names)
      QVERIFY2(!label.intersects(name->geometry()),
               qPrintable(QString("%1 %2").arg(label.left()).arg(label.top())));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::MarksLayerTest, Widgets)
#include "marks_layer_test.moc"
