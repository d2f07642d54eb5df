// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of an access pattern: what the user types is counted at once, and a mistake leaves the
// picture as it was and is explained under the field.
#include "viz/panels/pattern_panel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "tests/support/test_class.h"
#include "viz/memory/pattern_view.h"

namespace tileloom::test {

class PatternPanelTest : public QObject {
  Q_OBJECT

  static QString labelOf(PatternPanel& panel, const char* name) {
    return panel.findChild<QLabel*>(QLatin1String(name))->text();
  }

 private slots:
  void typing() {
    PatternPanel panel;
    panel.resize(1000, 500);
    panel.show();
    QSignalSpy chosen(&panel, &PatternPanel::chosen);
    panel.field()->setText("lane * 32");
    QCOMPARE(chosen.size(), 1);
    QVERIFY(labelOf(panel, "patternVerdict").startsWith("32 wavefronts"));
    const auto rows = panel.view()->picture().rows.size();
    QCOMPARE(rows, std::size_t(32));

    panel.field()->setText("lane * (32");
    QVERIFY(panel.trouble().contains("a closing parenthesis is missing"));
    QVERIFY(panel.findChild<QLabel*>("patternTrouble")->isVisible());
    QCOMPARE(panel.view()->picture().rows.size(), rows);
    QVERIFY(labelOf(panel, "patternVerdict").startsWith("32 wavefronts"));

    panel.field()->setText("lane * 33");
    QVERIFY(panel.trouble().isEmpty());
    QCOMPARE(panel.view()->picture().rows.size(), std::size_t(1));
    QCOMPARE(panel.choice().text, std::string("lane * 33"));
  }

  void theHintIsApplied() {
    PatternPanel panel;
    panel.field()->setText("lane * 32");
    panel.findChild<QPushButton*>("patternUsePadding")->click();
    QCOMPARE(panel.choice().padding, std::string("32,1"));
    QCOMPARE(labelOf(panel, "patternVerdict"), "1 wavefront, without a conflict.");
    panel.choose({.text = "lane * 64", .kind = own::PatternKind::Ldmatrix4});
    panel.findChild<QPushButton*>("patternUseSwizzle")->click();
    QCOMPARE(panel.choice().swizzle, std::string("Swizzle<3,3,3>"));
    QCOMPARE(labelOf(panel, "patternVerdict"), "4 wavefronts, without a conflict.");
  }

  void boxes() {
    PatternPanel panel;
    panel.choose({.text = "lane", .bytes = 16, .element = 4, .warp = 1});
    QVERIFY(panel.trouble().contains("lane 1 begins at byte"));
    QVERIFY(!panel.shown());  // the picture of the default is not kept
    QCOMPARE(panel.findChild<QComboBox*>("patternBytes")->currentText(), "16");
    panel.findChild<QComboBox*>("patternElement")->setCurrentIndex(0);
    QVERIFY(panel.trouble().isEmpty());
    QCOMPARE(panel.choice().element, 0u);
    panel.findChild<QComboBox*>("patternMemory")->setCurrentIndex(1);
    QVERIFY(labelOf(panel, "patternVerdict").startsWith("1 request: 16 sectors"));
    panel.findChild<QComboBox*>("patternKind")->setCurrentText("ldmatrix.x4");
    QVERIFY(panel.trouble().contains("choose load or store for global memory"));
    QVERIFY(!panel.findChild<QComboBox*>("patternBytes")->isEnabled());
  }

  void examples() {
    PatternPanel panel;
    const auto actions = panel.findChild<QToolButton*>("patternExamples")->menu()->actions();
    QVERIFY(actions.size() >= 8);
    for (QAction* action : actions) {
      action->trigger();
      QVERIFY2(panel.trouble().isEmpty(), qPrintable(action->text() + panel.trouble()));
      QCOMPARE(panel.field()->text().toStdString(), panel.choice().text);
    }
  }

  void theCursorNamesLanes() {
    PatternPanel panel;
    panel.resize(1000, 500);
    panel.show();
    panel.field()->setText("lane * 16");
    panel.view()->setCursorMode(true);
    QCOMPARE(panel.view()->accessibleDescription(),
             "Lane 0: index 0, byte 0 (0x0), bank 0, wavefront 1");
    QTest::keyClick(panel.view(), Qt::Key_Right);
    QVERIFY(panel.view()->accessibleDescription().startsWith("Lane 1:"));
    QTest::keyClick(panel.view(), Qt::Key_Down);
    QVERIFY(panel.view()->accessibleDescription().startsWith("Lane 3:"));
    QTest::keyClick(panel.view(), Qt::Key_Home);
    QVERIFY(panel.view()->accessibleDescription().startsWith("Lane 2:"));
  }
};

}  // namespace tileloom::test

using tileloom::test::PatternPanelTest;
TILELOOM_TEST(PatternPanelTest, Widgets)
#include "pattern_panel_test.moc"
