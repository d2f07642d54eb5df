// SPDX-License-Identifier: GPL-3.0-or-later
// Marks in the lecture editor: each kind is picked on the picture, changed by its fields, and
// drawn.
#include "app/window/lecture/mark_places.h"

#include <QListWidget>
#include <QMenu>

#include "kernels/tile/placement.h"
#include "tests/app/edited_window.h"
#include "tests/support/test_class.h"
#include "viz/lecture/mark_picker.h"
#include "viz/lecture/mark_words.h"

namespace tileloom {

using test::EditedWindow;
using Json = LectureEditor::Json;

class MarkPlacesTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  // Each kind of target is found at its place.
  void marksArePicked_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<QString>("target");
    const auto row = [](const char* name, int step, const char* target) {
      QTest::newRow(name) << step << QString(target);
    };
    row("element of C", 0, R"({"element": "C[800,1300]"})");
    row("element of A", 0, R"({"element": "A[800,100]"})");
    row("element of B", 0, R"({"element": "B[100,1300]"})");
    row("lane", 3, R"({"lane": 5})");
    row("warp", 3, R"({"warp": 0})");
    row("block", 2, R"({"block": true})");
    row("bank", 5, R"({"bank": 0})");
    row("lane in the banks", 5, R"({"lane": 0, "in": "banks"})");
    row("tile parameter", 6, R"({"knob": "BN"})");
    row("rung", 1, R"({"rung": "naive"})");
    row("ladder", 1, R"({"area": "ladder"})");
    row("loom", 1, R"({"area": "loom"})");
    row("page", 1, R"({"area": "pages"})");
    row("tile panel", 1, R"({"area": "tile"})");
    row("line", -1, "");  // whichever is there
  }
  void marksArePicked() {
    QFETCH(int, step);
    QFETCH(QString, target);
    EditedWindow w(*m_around, "show-me-around", static_cast<std::size_t>(std::max(step, 0)));
    QVERIFY(w.ready() && w.arrived());
    MarkTarget known;
    std::optional<QRectF> place;
    if (step >= 0) {
      // A click finds it at the place that the window reports.
      w.editor().set("/marks", Json::array({{{"ring", Json::parse(target.toStdString())}}}), "x");
      w.editor().showNow();
      QCOMPARE(w.editor().trouble("/marks"), QString());
      known = w.editor().attempt().lecture.steps[w.editor().chosen()].marks.front().target;
      place = placeOf(w.window, known);
    } else {
      w.window.showPage("source");
      w.window.middle().setLower(50);
      w.press("retakeStep");
      QVERIFY(w.arrived());
      QCoreApplication::processEvents();
      // The first visible line that can be named.
      const QWidget& page = *w.window.page("source")->widget();
      for (int y = 20; y < page.height() && !place; y += 5) {
        for (const MarkTarget& found : w.window.page("source")->targetsAt(QPointF(60, y))) {
          known = found;
          place = placeOf(w.window, found);
        }
      }
    }
    QVERIFY(place);
    w.editor().set("/marks", nullptr, "x");
    w.press("addMark");
    MarkPicker& picker = w.of().picker();
    QVERIFY(picker.picking());
    const QPointF at = picker.mapFrom(&w.window, place->center());
    QTest::mouseClick(&picker, Qt::LeftButton, Qt::NoModifier, at.toPoint());
    if (picker.picking()) {
      auto* menu = picker.findChild<QMenu*>("markTargets");
      QVERIFY(menu != nullptr);
      QAction* entry = nullptr;
      for (QAction* action : menu->actions())
        if (action->text() == targetName(known)) entry = action;
      if (known.thing == MarkTarget::Thing::Element && entry == nullptr) {
        // An element may be smaller than a pixel: its neighbour is accepted.
        entry = menu->actions().front();
      }
      QVERIFY2(entry != nullptr, qPrintable(targetName(known)));
      entry->trigger();
      menu->close();
    }
    QVERIFY(!picker.picking());
    QCOMPARE(w.editor().marks().size(), std::size_t{1});
    QCOMPARE(w.editor().trouble("/marks"), QString());
    w.editor().showNow();
    const auto& marks = w.editor().attempt().lecture.steps[w.editor().chosen()].marks;
    QCOMPARE(marks.size(), std::size_t{1});
    if (known.thing != MarkTarget::Thing::Element) QVERIFY(marks.front().target == known);
    // Its text can be typed at once, and it is drawn.
    QVERIFY(QApplication::focusWidget() == &w.the<QLineEdit>("markText"));
    QTest::keyClicks(QApplication::focusWidget(), "here");
    QCOMPARE(w.at("/marks/0/text"), Json("here"));
    auto& glass = w.window.lecture().marks();
    QTRY_COMPARE(glass.marks().size(), std::size_t{1});
    QTRY_COMPARE(glass.marks().front().text, std::string("here"));
    QVERIFY(glass.places().front().has_value());
    w.press("eraseMark");
    QVERIFY(w.at("/marks").is_null());
  }

  void marksAreChangedByFields() {
    EditedWindow w(*m_around, "show-me-around", 1);
    QVERIFY(w.ready() && w.arrived());
    w.the<QListWidget>("marks").setCurrentRow(1);
    w.choose("markForm", 1);
    QVERIFY(w.at("/marks/1").contains("arrow") && !w.at("/marks/1").contains("ring"));
    QCOMPARE(w.at("/marks/1/text"), Json("loom"));
    w.choose("markKind", 2);  // of a warp
    QCOMPARE(w.at("/marks/1/arrow"), Json({{"warp", 0}}));
    w.the<QComboBox>("markValue").setEditText("99");
    emit w.the<QComboBox>("markValue").lineEdit()->textEdited("99");
    QCOMPARE(w.at("/marks/1/arrow"), Json({{"warp", 99}}));
    QVERIFY(w.editor().trouble("/marks").contains("31"));
    QVERIFY(w.editor().troubleOfStep(1).contains("31"));
    QVERIFY(w.the<QListWidget>("steps").item(1)->text().startsWith(u'✗'));
    w.line("markText", "a warp");
    QCOMPARE(w.at("/marks/1/text"), Json("a warp"));
  }

  void pickingEnds() {
    EditedWindow w(*m_around, "show-me-around", 1);
    QVERIFY(w.ready() && w.arrived());
    w.press("addMark");
    MarkPicker& picker = w.of().picker();
    QVERIFY(picker.picking());
    QTest::keyClick(&picker, Qt::Key_Escape);
    QVERIFY(!picker.picking() && !w.editor().modified());
    // Without a target a message says so, and picking continues.
    w.press("addMark");
    QString refused;
    connect(&picker, &MarkPicker::refused, this,
            [&](const QString& sentence) { refused = sentence; });
    const QWidget& words = *w.window.findChild<LecturePanel*>();
    picker.pickAt(picker.mapFrom(&w.window, words.mapTo(&w.window, QPointF(20, 20))));
    QVERIFY(refused.contains("can be marked") && picker.picking());
    // Keys alone work, too.
    QTest::keyClick(&picker, Qt::Key_Right, Qt::ShiftModifier);
    picker.cancel();
    w.press("addMark");
    const auto place = placeOf(w.window, [] {
      MarkTarget t;
      t.thing = MarkTarget::Thing::Rung;
      t.text = "naive";
      return t;
    }());
    QVERIFY(place);
    test::hoverAt(picker, picker.mapFrom(&w.window, place->center()));
    QCoreApplication::processEvents();
    QTest::keyClick(&picker, Qt::Key_Return);
    if (auto* menu = picker.findChild<QMenu*>("markTargets")) QTest::keyClick(menu, Qt::Key_Return);
    QTRY_VERIFY(!picker.picking());
    QVERIFY(w.editor().modified());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::MarkPlacesTest, Window)
#include "mark_places_test.moc"
