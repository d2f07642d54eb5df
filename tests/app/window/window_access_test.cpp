// SPDX-License-Identifier: GPL-3.0-or-later
// The page Access pattern in the window: typing, sessions, and its text at 300 % in a small window.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/session/session.h"
#include "app/session/session_text.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/memory/pattern_view.h"
#include "viz/panels/pattern_panel.h"

namespace tileloom {

using test::OpenWindow;

class WindowAccessTest : public QObject {
  Q_OBJECT

  static PatternPanel& panelOf(OpenWindow& w) { return *w.window.view<PatternPanel>(); }

 private slots:
  // Letters, spaces and arrows belong to the field while it has the focus.
  void typing() {
    OpenWindow w;
    QVERIFY(w.ready());
    QTest::keyClick(&w.window, Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(w.window.currentPage(), std::string_view("access"));
    QLineEdit& field = *panelOf(w).field();
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, "lane * 33 + B");
    QCOMPARE(field.text(), "lane * 33 + B");
    QCOMPARE(w.window.currentPage(), std::string_view("access"));
    QVERIFY2(panelOf(w).trouble().contains("B has no value"), qPrintable(panelOf(w).trouble()));
    for (int i = 0; i < 4; ++i) QTest::keyClick(&field, Qt::Key_Backspace);
    QCOMPARE(panelOf(w).trouble(), QString());
    QCOMPARE(panelOf(w).findChild<QLabel*>("patternVerdict")->text(),
             "1 wavefront, without a conflict.");
  }

  void sessionsKeepIt() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.showPage("access");
    const PatternChoice choice{.text = "lane -> lane * 64",
                               .kind = own::PatternKind::Ldmatrix4,
                               .swizzle = "Swizzle<3,4,3>",
                               .unit = own::SwizzleUnit::Byte};
    panelOf(w).choose(choice);
    const Session session = w.window.session();
    QVERIFY(session.pattern == choice);
    const auto read = parseSession(sessionText(session));
    QVERIFY(read && read->pattern == choice);
    panelOf(w).choose({});
    w.window.restore(*read);
    QVERIFY(panelOf(w).choice() == choice);
    QCOMPARE(panelOf(w).findChild<QLabel*>("patternVerdict")->text(),
             "4 wavefronts, without a conflict.");
  }
};

}  // namespace tileloom

using tileloom::WindowAccessTest;
TILELOOM_TEST(WindowAccessTest, Window)
#include "window_access_test.moc"
