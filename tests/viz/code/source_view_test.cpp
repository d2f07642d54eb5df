// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_view.h"

#include <QScrollBar>
#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

class SourceViewTest : public QObject {
  Q_OBJECT

  static bool isSeen(const SourceView& view, int line) {
    const QRectF row = view.page()->rowOf(line);
    const int top = view.verticalScrollBar()->value();
    return row.top() >= top && row.bottom() <= top + view.viewport()->height();
  }
  static void prepare(SourceView& view, const test::RecordingPointer& recording, int height) {
    view.resize(700, height);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setScene(makeScene(recording, 0, 0));
  }

 private slots:
  // Pointed-at lines are visible together if they fit, from any scroll position, and stay so while
  // the height changes.
  void linesAreKeptInSight() {
    const auto recording = test::recorded({.stage = "blocktile2d"});
    const Stage& stage = *recording->trace.rung();
    const int fetch = test::lineOf(stage, "As[(pass + rowA) * BK + colA]");
    const int use = test::lineOf(stage, "regM[m] = As[");
    SourceView view;
    prepare(view, recording, 420);
    for (const int from : {0, 10'000}) {
      view.keepInSight({});
      view.verticalScrollBar()->setValue(from);
      view.keepInSight({fetch, use});
      QVERIFY(isSeen(view, fetch) && isSeen(view, use));
    }
    view.resize(700, 330);
    QVERIFY(isSeen(view, fetch) && isSeen(view, use));
    view.verticalScrollBar()->setValue(0);  // the user has scrolled
    view.resize(700, 420);
    QVERIFY(isSeen(view, fetch) && isSeen(view, use));
  }

  // The scroll bar is updated after the view.
  void linesOfALongerSourceAreSeen() {
    SourceView view;
    prepare(view, test::recorded({.stage = "naive"}), 140);
    const auto longer = test::recorded({.stage = "blocktile2d"});
    view.setScene(makeScene(longer, 0, 0));
    const int use = test::lineOf(*longer->trace.rung(), "regM[m] = As[");
    view.keepInSight({use});
    QTRY_VERIFY(isSeen(view, use));
  }

  // Where it opens does not depend on what was shown before.
  void whicheverSourceWasBefore() {
    const auto wanted = test::recorded({.stage = "blocktile2d"});
    const auto at = static_cast<std::uint32_t>(wanted->trace.length(0) / 2);
    SourceView fresh, changed;
    prepare(fresh, wanted, 140);
    fresh.setScene(makeScene(test::recorded({.stage = "blocktile2d"}), 0, at));
    prepare(changed, test::recorded({.stage = "warptiled"}), 140);
    const auto other = test::recorded({.stage = "warptiled"});
    changed.setScene(makeScene(other, 0, other->trace.length(0) - 1));
    changed.setScene(makeScene(wanted, 0, at));
    QTRY_COMPARE(changed.verticalScrollBar()->maximum(), fresh.verticalScrollBar()->maximum());
    QTRY_COMPARE(changed.verticalScrollBar()->value(), fresh.verticalScrollBar()->value());
    QVERIFY(isSeen(changed, changed.page()->current()));
  }

  // Without room for both it is the first.
  void theFirstComesFirst() {
    const auto recording = test::recorded({.stage = "blocktile2d"});
    const Stage& stage = *recording->trace.rung();
    const int first = test::lineOf(stage, "regM[m] = As[");
    const int far = test::lineOf(stage, "K_TILES");
    SourceView view;
    prepare(view, recording, 140);
    view.keepInSight({first, far});
    QVERIFY(isSeen(view, first) && !isSeen(view, far));
    view.keepInSight({far, first});
    QVERIFY(!isSeen(view, first) && isSeen(view, far));
  }

  // A step shows the executing line again.
  void itFollowsTheExecutingLineAgain() {
    const auto recording = test::recorded({.stage = "blocktile2d"});
    const Stage& stage = *recording->trace.rung();
    SourceView view;
    prepare(view, recording, 140);
    view.keepInSight({1});
    QVERIFY(isSeen(view, 1));
    const auto late = test::indexOf(*recording, 0, [&](const emulator::Instruction& i) {
      return i.kind == emulator::Kind::SharedLoad;
    });
    view.setScene(makeScene(recording, 0, late));
    QVERIFY(isSeen(view, view.page()->current()));
    QVERIFY(view.page()->current() != test::lineOf(stage, "K_TILES"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SourceViewTest, Widgets)
#include "source_view_test.moc"
