// SPDX-License-Identifier: GPL-3.0-or-later
// The page SASS in the window.
#include <QTabWidget>

#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/code/sass_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowSassTest : public QObject {
  Q_OBJECT

  static SassView& open(OpenWindow& w) {
    w.key(Qt::Key_A);
    SassView& view = *w.window.view<SassView>();
    if (!QTest::qWaitFor([&] { return view.isVisible() && view.side().facts; }, test::kPatience))
      qFatal("no machine code is shown");
    return view;
  }

 private slots:
  void initTestCase() { qputenv("TILELOOM_NVDISASM", "none"); }

  void itFollowsTheRung() {
    OpenWindow w;
    QVERIFY(w.ready());
    SassView& view = open(w);
    QCOMPARE(w.window.currentPage(), std::string_view("sass"));
    QVERIFY(view.side().facts->code.rung() == &w.explorer().stage());
    QVERIFY(w.pick(test::stage("tuned")));
    QTRY_VERIFY(view.side().facts->code.rung() == &test::stage("tuned"));
    QCOMPARE(view.side().facts->cost.ffmas, 1024);
    // A tile that is not recorded: why, and what to install.
    w.explorer().setTile(w.explorer().tile().with(Parameter::GROUP, 4));
    QTRY_VERIFY(view.side().facts == nullptr);
    QVERIFY(view.side().note.contains("NVRTC"));
  }

  void arrowsAreForTheListing() {
    OpenWindow w;
    QVERIFY(w.ready());
    SassView& view = open(w);
    const auto before = w.scene().moment.index;
    view.page()->setFocus();
    w.key(Qt::Key_Down);
    w.key(Qt::Key_Down);
    QCOMPARE(view.page()->cursor(), view.page()->facts()->loopBegin() + 1);
    QCOMPARE(w.scene().moment.index, before);
    w.window.view<LoomView>()->setFocus();
    w.key(Qt::Key_Down);
    QVERIFY(w.scene().moment.index != before);
  }

  void besideTheBaseline() {
    OpenWindow w;
    QVERIFY(w.ready());
    SassView& view = open(w);
    QVERIFY(!w.window.baselineView<SassView>()->isVisible());
    QVERIFY(w.pick(test::stage("tuned")));
    const Stage& fragments = test::stage("fragments");
    w.explorer().pin(standardSubject(fragments));
    SassView& left = *w.window.baselineView<SassView>();
    QTRY_VERIFY(left.isVisible() && left.side().facts);
    QVERIFY(left.side().facts->code.rung() == &fragments);
    QCOMPARE(left.side().scale, view.side().scale);
    QVERIFY(left.side().facts->cost.lost() > view.side().facts->cost.lost());  // mixed
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!left.isVisible());
  }

  void theCommandLineNamesIt() {
    OpenWindow w;
    QVERIFY(w.ready());
    open(w);
    QVERIFY(w.window.commandLine().contains("--tab sass"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSassTest, Window)
#include "window_sass_test.moc"
