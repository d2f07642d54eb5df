// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/label_places.h"

#include <QPainter>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {
namespace {

constexpr QRectF kRoom(0, 0, 600, 400);

QImage plain() {
  QImage picture(600, 400, QImage::Format_RGB32);
  picture.fill(Qt::white);
  return picture;
}

// Lines like those of text.
void fillWithLines(QImage& picture, const QRect& where) {
  QPainter p(&picture);
  for (int x = where.left(); x <= where.right(); x += 4)
    p.fillRect(x, where.top(), 2, where.height(), Qt::black);
}

}  // namespace

class LabelPlacesTest : public QObject {
  Q_OBJECT
 private slots:
  void clutterIsWhereThereAreEdges() {
    QImage picture = plain();
    fillWithLines(picture, {100, 100, 80, 20});
    const Clutter clutter(picture, {10, 20});  // its corner in the room
    QCOMPARE(clutter.in({300, 300, 50, 20}), 0.0);
    QVERIFY(clutter.in({110, 120, 80, 20}) > 0.4);
    QVERIFY(clutter.in({110, 100, 80, 40}) > 0.2);
    QCOMPARE(clutter.in({-200, -200, 50, 20}), 0.0);  // outside
    QCOMPARE(Clutter().in(kRoom), 0.0);
  }

  void wordsStandRightAboveOnPlainGround() {
    const LabelWish wish{{60, 20}, {300, 200, 20, 20}};
    const QRectF place = labelPlaces({&wish, 1}, kRoom, {}).front();
    QCOMPARE(place.size(), wish.size);
    QCOMPARE(place.bottom(), 194.0);
    QCOMPARE(place.center().x(), 310.0);
  }

  void wordsKeepAwayFromText() {
    QImage picture = plain();
    fillWithLines(picture, {0, 60, 600, 140});  // all that is above the target
    const LabelWish wish{{60, 20}, {300, 200, 20, 20}};
    const QRectF place = labelPlaces({&wish, 1}, kRoom, Clutter(picture, {})).front();
    QVERIFY2(place.top() >= 203, qPrintable(QString::number(place.top())));
  }

  // One letter on plain ground is a letter as well.
  void aLetterAloneStaysVisible() {
    QImage picture = plain();
    const QRect letter(306, 180, 8, 9);  // where the label would be
    fillWithLines(picture, letter);
    const LabelWish wish{{160, 20}, {300, 200, 20, 20}};
    const QRectF place = labelPlaces({&wish, 1}, kRoom, Clutter(picture, {})).front();
    QVERIFY2(!place.intersects(letter), qPrintable(QString::number(place.top())));
  }

  void namesStayFree() {
    const LabelWish wish{{160, 20}, {300, 200, 20, 20}};
    const QRectF kept[] = {{200, 150, 250, 48}, {200, 222, 250, 60}};
    const QRectF place = labelPlaces({&wish, 1}, kRoom, {}, kept).front();
    for (const QRectF& name : kept) QVERIFY(!place.intersects(name));
  }

  // The line from a label crosses neither letters nor another label.
  void linesCrossNoLetters() {
    QImage picture = plain();
    const QRect heading(280, 176, 60, 10);
    fillWithLines(picture, heading);
    LabelWish wish{{60, 20}, {300, 200, 20, 20}, 40};
    wish.core = wish.target;
    const QRectF place = labelPlaces({&wish, 1}, kRoom, Clutter(picture, {})).front();
    const QLineF line = leadingLine(place, *wish.core);
    for (int i = 0; i <= 20; ++i) QVERIFY(!QRectF(heading).contains(line.pointAt(i / 20.0)));
  }

  void noTargetAndNoOtherWordsAreHidden() {
    std::vector<LabelWish> wishes;
    for (int i = 0; i < 6; ++i) wishes.push_back({{90, 20}, {200.0 + 24 * i, 200, 20, 20}});
    const std::vector<QRectF> places = labelPlaces(wishes, kRoom, {});
    QCOMPARE(places.size(), wishes.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      QVERIFY(kRoom.contains(places[i]));
      for (std::size_t j = 0; j < places.size(); ++j) {
        QVERIFY(!places[i].intersects(wishes[j].target));
        QVERIFY(i == j || !places[i].intersects(places[j]));
      }
    }
  }

  void anAreaHasItsNameInside() {
    LabelWish wish{{60, 20}, {100, 100, 300, 200}};
    wish.within = true;
    const QRectF place = labelPlaces({&wish, 1}, kRoom, {}).front();
    QVERIFY(wish.target.contains(place));
    QVERIFY(place.center().y() > wish.target.center().y());  // at the lower edge
  }

  void wordsStayWithinTheRoom() {
    const LabelWish corner{{200, 20}, {590, 2, 8, 8}};
    QVERIFY(kRoom.contains(labelPlaces({&corner, 1}, kRoom, {}).front()));
    // Wider than all there is: they begin where it begins.
    const LabelWish wide{{900, 20}, {300, 200, 20, 20}};
    QCOMPARE(labelPlaces({&wide, 1}, kRoom, {}).front().left(), 0.0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LabelPlacesTest, Nothing)
#include "label_places_test.moc"
