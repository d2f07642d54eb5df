// SPDX-License-Identifier: GPL-3.0-or-later
// The slider with mouse and keyboard.
#include "viz/panels/parameter_slider.h"

#include <QSignalSpy>
#include <QtTest>
#include <algorithm>

#include "kernels/tile/placement.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

using Mark = ParameterSlider::Mark;

class ParameterSliderTest : public QObject {
  Q_OBJECT

  const std::vector<Mark> marks_ = {{4, false},  {8, true},  {16, true}, {24, true},
                                    {32, false}, {48, true}, {64, true}, {128, false}};

  static bool legal(const ParameterSlider& slider, int value) {
    return std::ranges::any_of(slider.marks(),
                               [value](const Mark& m) { return m.legal && m.value == value; });
  }
  static QPoint placeOf(const ParameterSlider& slider, int value) {
    return {qRound(slider.positionOf(value)), slider.height() / 3};
  }

 private slots:
  void positionsRise() {
    ParameterSlider slider;
    slider.resize(240, 30);
    slider.setMarks(marks_, 16);
    double last = -1;
    for (int value = 4; value <= 128; ++value) {
      const double at = slider.positionOf(value);
      QVERIFY(at > last && at >= 0 && at <= slider.width());
      last = at;
    }
    // Equal ratios, equal distances.
    const double octave = slider.positionOf(16) - slider.positionOf(8);
    QVERIFY(std::abs(slider.positionOf(128) - slider.positionOf(64) - octave) < 1e-9);
    // Whatever a spin box may hold stays on the groove.
    for (const int value : {-99999, 0, 1, 99999}) {
      QVERIFY(slider.positionOf(value) >= slider.positionOf(4));
      QVERIFY(slider.positionOf(value) <= slider.positionOf(128));
    }
  }

  // In large text, too, "8" and "16" do not look like 816.
  void largeLabelsStandApart() {
    std::vector<Mark> marks;
    for (int v = 4; v <= 64; v *= 2) marks.push_back({v, true});
    ParameterSlider slider;
    QFont large = slider.font();
    large.setPointSizeF(2 * large.pointSizeF());
    slider.setFont(large);
    const double digit = QFontMetricsF(Fonts::of(large).small).horizontalAdvance(u'0');
    for (int width = 180; width <= 400; width += 10) {
      slider.resize(width, 60);
      slider.setMarks(marks, 16);
      const auto labels = slider.labels();
      for (const auto& label : labels) {
        for (const auto& other : labels) {
          if (other.room.left() > label.room.left())
            QVERIFY(other.room.left() - label.room.right() >= 0.5 * digit - 0.1);
        }
      }
    }
  }

  // The range is legible at any value, and labels do not overlap.
  void endsAreLabelled() {
    std::vector<Mark> marks;
    for (int v = 1; v <= 256; v *= 2) marks.push_back({v, v >= 64});
    for (const int width : {180, 224, 300}) {
      for (const Mark& present : marks) {
        ParameterSlider slider;
        slider.resize(width, 30);
        slider.setMarks(marks, present.value);
        std::vector<int> said;
        const auto labels = slider.labels();
        for (const auto& label : labels) {
          said.push_back(label.mark->value);
          QVERIFY(label.room.left() >= 0 && label.room.right() <= width);
          for (const auto& other : labels)
            QVERIFY(&other == &label || !other.room.intersects(label.room));
        }
        QCOMPARE(said.front(), present.value);
        QVERIFY(std::ranges::count(said, 1) == 1);
        // If the value below it is the present one, both must fit.
        if (width >= 224 || present.value != 128) QVERIFY(std::ranges::count(said, 256) == 1);
      }
    }
  }

  // A single flag has its full words; several never overlap or pass the ends.
  void flagsHaveRoom() {
    std::vector<Mark> marks;
    for (int v = 1; v <= 32; v *= 2) marks.push_back({v, true});
    ParameterSlider slider;
    slider.setMarks(marks, 8);
    slider.resize(240, 30);
    slider.setCliffs({{16, 8, 12, true, "why"}});
    QCOMPARE(slider.flags().size(), std::size_t{1});
    QCOMPARE(slider.flags().front().label, QString("12 → 8 warps per SM"));
    for (const int width : {110, 150, 190, 260, 400}) {
      slider.resize(width, 30);
      slider.setCliffs({{1, 32, 12, false, ""},
                        {2, 24, 12, false, ""},
                        {4, 16, 12, false, ""},
                        {16, 8, 12, true, ""},
                        {32, 4, 12, true, ""}});
      const auto flags = slider.flags();
      QVERIFY(!flags.empty());
      // The nearest values come first.
      QVERIFY(flags.front().cliff->value == 4 || flags.front().cliff->value == 16);
      for (const auto& flag : flags) {
        QVERIFY(flag.left >= 0 && flag.end <= width + 1);
        for (const auto& other : flags)
          QVERIFY(&other == &flag || other.end < flag.left || flag.end < other.left);
      }
    }
  }

  void dragTakesLegalValuesOnly() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    for (const Mark& target : marks_) {
      QSignalSpy moved(&slider, &ParameterSlider::moved);
      const QPoint from = placeOf(slider, slider.value()), to = placeOf(slider, target.value);
      QTest::mousePress(&slider, Qt::LeftButton, {}, from);
      const int way = to.x() > from.x() ? 1 : -1;
      for (int x = from.x(); x != to.x(); x += way) {
        QTest::mouseMove(&slider, {x, from.y() + 4});
      }
      QTest::mouseMove(&slider, to);
      QTest::mouseRelease(&slider, Qt::LeftButton, {}, to);
      for (const auto& signal : moved) QVERIFY(legal(slider, signal.first().toInt()));
      if (target.legal) QCOMPARE(slider.value(), target.value);
      QVERIFY(legal(slider, slider.value()));
      if (!moved.empty()) QCOMPARE(moved.back().first().toInt(), slider.value());
    }
    QCOMPARE(slider.value(), 64);  // dragged towards the illegal 128
  }

  void dragBeyondTheEnds() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    QTest::mousePress(&slider, Qt::LeftButton, {}, placeOf(slider, 16));
    QTest::mouseMove(&slider, {5000, 900});
    QCOMPARE(slider.value(), 64);
    QTest::mouseMove(&slider, {-5000, -900});
    QCOMPARE(slider.value(), 8);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, {-5000, -900});
    QCOMPARE(slider.value(), 8);
  }

  void clickTakesAnyMark() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    for (const Mark& mark : marks_) {
      if (mark.value == slider.value()) continue;
      QSignalSpy moved(&slider, &ParameterSlider::moved);
      test::clickAt(slider, placeOf(slider, mark.value));
      QCOMPARE(moved.size(), 1);
      QCOMPARE(moved.front().front().toInt(), mark.value);  // illegal ones too, for the reason
      QCOMPARE(slider.value(), mark.value);
    }
    // Between marks a click means the nearest legal value.
    test::clickAt(slider, {(slider.positionOf(8) + slider.positionOf(16)) / 2 + 4, 10});
    QCOMPARE(slider.value(), 16);
  }

  void onlyTheLeftButtonCounts() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    QSignalSpy moved(&slider, &ParameterSlider::moved);
    QTest::mouseClick(&slider, Qt::RightButton, {}, placeOf(slider, 64));
    test::hoverAt(slider, placeOf(slider, 48));
    QVERIFY(moved.empty());
  }

  void keysStepThroughLegalValues() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    slider.setFocus();
    const auto press = [&slider](Qt::Key key) {
      QTest::keyClick(&slider, key);
      return slider.value();
    };
    QCOMPARE(press(Qt::Key_Right), 24);
    QCOMPARE(press(Qt::Key_Right), 48);  // 32 is not legal
    QCOMPARE(press(Qt::Key_Left), 24);
    QCOMPARE(press(Qt::Key_Up), 48);
    QCOMPARE(press(Qt::Key_Down), 24);
    QCOMPARE(press(Qt::Key_End), 64);
    QCOMPARE(press(Qt::Key_Right), 64);  // there is no more
    QCOMPARE(press(Qt::Key_Home), 8);
    QCOMPARE(press(Qt::Key_Left), 8);
    // From an illegal value to its legal neighbours.
    slider.setMarks(marks_, 30);
    QCOMPARE(press(Qt::Key_Left), 24);
    slider.setMarks(marks_, 30);
    QCOMPARE(press(Qt::Key_Right), 48);
  }

  void wheelTurnsItOnlyWithFocus() {
    ParameterSlider slider;
    slider.setMarks(marks_, 16);
    QVERIFY(test::shown(slider, {300, 30}));
    slider.clearFocus();
    test::wheelAt(slider, {50, 10}, 1);
    QCOMPARE(slider.value(), 16);
    slider.activateWindow();
    slider.setFocus();
    QTRY_VERIFY(slider.hasFocus());
    test::wheelAt(slider, {50, 10}, 2);
    QCOMPARE(slider.value(), 48);
    test::wheelAt(slider, {50, 10}, -1);
    QCOMPARE(slider.value(), 24);
  }

  void nothingLegal() {
    ParameterSlider slider;
    slider.setMarks({{8, false}, {16, false}}, 12);
    QVERIFY(test::shown(slider, {300, 30}));
    QSignalSpy moved(&slider, &ParameterSlider::moved);
    QTest::keyClick(&slider, Qt::Key_End);
    QTest::mousePress(&slider, Qt::LeftButton, {}, {20, 10});
    QTest::mouseMove(&slider, {200, 10});
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, {200, 10});
    QVERIFY(moved.empty());
    QCOMPARE(slider.value(), 12);
    slider.setMarks({}, 12);
    test::clickAt(slider, {100, 10});
    QCOMPARE(slider.value(), 12);
    QVERIFY(!slider.grab().isNull());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ParameterSliderTest, Widgets)
#include "parameter_slider_test.moc"
