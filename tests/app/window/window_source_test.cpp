// SPDX-License-Identifier: GPL-3.0-or-later
// The page Source in the window.
#include <QScrollBar>
#include <QTabWidget>

#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/code/source_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowSourceTest : public QObject {
  Q_OBJECT

  static void clickLine(SourcePage& page, int line) {
    QTest::mouseClick(&page, Qt::LeftButton, {}, page.rowOf(line).center().toPoint());
  }

 private slots:
  void theKeyOpensIt() {
    OpenWindow w;
    QVERIFY(w.ready());
    SourcePage& page = *w.window.view<SourceView>()->page();
    QVERIFY(!page.isVisible());
    w.key(Qt::Key_S);
    QTRY_VERIFY(page.isVisible());
    QCOMPARE(page.current(), int{w.scene().moment.instruction.line});
    QCOMPARE(page.lines(), sourceLines(w.explorer().stage()).size());
    w.key(Qt::Key_Right);  // playing goes on
    QCOMPARE(page.current(), int{w.scene().moment.instruction.line});
  }

  void theExecutingLineStaysInSight() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.key(Qt::Key_S);
    const SourceView& view = *w.window.view<SourceView>();
    QTRY_VERIFY(view.page()->isVisible());
    const auto length = w.recording().trace.length(0);
    for (std::uint32_t index = 0; index < length; index += length / 23) {
      w.explorer().setIndex(static_cast<int>(index));
      const QRectF row = view.page()->rowOf(view.page()->current());
      const double top = view.verticalScrollBar()->value();
      QVERIFY(row.top() >= top && row.bottom() <= top + view.viewport()->height());
    }
  }

  static bool isSeen(const SourceView& view, int line) {
    const QRectF row = view.page()->rowOf(line);
    const double top = view.verticalScrollBar()->value();
    return row.top() >= top && row.bottom() <= top + view.viewport()->height();
  }

  // The line with the most samples is visible first, unless an instruction was chosen.
  void itOpensAtTheHottestLine() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.key(Qt::Key_S);
    const SourceView& view = *w.window.view<SourceView>();
    QTRY_VERIFY(view.page()->isVisible() && view.page()->hottest() > 0);
    QCOMPARE(view.page()->hottest(), test::lineOf(w.explorer().stage(), "acc[(wm * TM + m)"));
    QCOMPARE(view.page()->openingLine(), view.page()->hottest());
    QTRY_VERIFY(isSeen(view, view.page()->hottest()));
    QVERIFY(view.page()->headWords().contains("sampled on NVIDIA H100"));
    w.explorer().setIndex(3);
    QCOMPARE(view.page()->openingLine(), view.page()->current());
    QVERIFY(isSeen(view, view.page()->current()));
  }

  void aClickGoesToTheNextExecution() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_S);
    SourcePage& page = *w.window.view<SourceView>()->page();
    QTRY_VERIFY(page.isVisible());
    const Stage& stage = w.explorer().stage();
    const int line = test::lineOf(stage, "load_run(regN");
    w.key(Qt::Key_Home);
    const auto here = [line](const emulator::Instruction& i) { return i.line == line; };
    const auto first = test::indexOf(w.recording(), 0, here);
    clickLine(page, line);
    QCOMPARE(w.scene().moment.index, first);
    clickLine(page, line);
    QCOMPARE(w.scene().moment.index, test::indexOf(w.recording(), 0, here, first + 1));
    // After the last one it begins again.
    w.explorer().setIndex(static_cast<int>(w.recording().trace.length(0)) - 1);
    clickLine(page, line);
    QCOMPARE(w.scene().moment.index, first);
    // A comment executes nothing.
    clickLine(page, 2);
    QCOMPARE(w.scene().moment.index, first);
  }

  void keysReachEachLine() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_S);
    SourcePage& page = *w.window.view<SourceView>()->page();
    QTRY_VERIFY(page.isVisible());
    page.setFocus();
    const int from = page.current();
    QTest::keyClick(&page, Qt::Key_Down);
    QCOMPARE(page.cursor(), from + 1);
    QVERIFY(page.accessibleDescription().startsWith(QString("line %1:").arg(from + 1)));
    const auto before = w.scene().moment.index;
    QTest::keyClick(&page, Qt::Key_Up);
    QTest::keyClick(&page, Qt::Key_Return);
    QVERIFY(w.scene().moment.index != before);
    QCOMPARE(page.current(), from);
    for (int i = 0; i < 200; ++i) QTest::keyClick(&page, Qt::Key_Down);
    QCOMPARE(page.cursor(), page.lines());
  }

  void figuresFollowTheTile() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_S);
    SourcePage& page = *w.window.view<SourceView>()->page();
    QTRY_VERIFY(page.isVisible());
    const int line = test::lineOf(w.explorer().stage(), "acc[(wm * TM + m)");
    QCOMPARE(page.figureText(line, LineFigure::Fmas), "524k");  // 128 x 128 x 16 x 2
    QVERIFY(page.figureText(line, LineFigure::Sectors).isEmpty());
    TileShape tile = w.explorer().tile();
    tile[Parameter::BK] = 8;
    w.explorer().setTile(tile);
    QVERIFY(w.settled());
    QCOMPARE(page.figureText(line, LineFigure::Fmas), "262k");
    QVERIFY(w.pick(test::stage("naive")));
    QCOMPARE(page.lines(), sourceLines(test::stage("naive")).size());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSourceTest, Window)
#include "window_source_test.moc"
