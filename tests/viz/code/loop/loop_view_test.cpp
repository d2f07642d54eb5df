// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a rewritten loop: the places of its parts, its texts, and what mouse and keys do.
#include "viz/code/loop/loop_view.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <iterator>

#include "kernels/runs/counters.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "viz/code/loop/loop_words.h"

namespace tileloom::test {

class LoopViewTest : public QObject {
  Q_OBJECT

  static const std::shared_ptr<const rewrite::LoopStudy>& study() {
    static const std::shared_ptr<const rewrite::LoopStudy> made = [] {
      std::ifstream file(TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin",
                         std::ios::binary);
      const std::vector<char> cubin((std::istreambuf_iterator<char>(file)), {});
      auto all = rewrite::studyLoop(cubin, {}, {.warps = 8, .warpsPerBlock = 2});
      if (!all) qFatal("%s", all.error().c_str());
      return std::make_shared<const rewrite::LoopStudy>(std::move(*all));
    }();
    return made;
  }
  static runs::LoopTimes times() {
    runs::LoopTimes all;
    all.device = "NVIDIA H100 80GB HBM3";
    all.when = "2026-11-26T20:00:00Z";
    all.recorded = true;
    all.times.push_back({std::nullopt, {700, 690, 710}});
    all.times.push_back({rewrite::Changes{}, {600, 590, 610}});
    all.times.push_back({rewrite::Changes{.loads = false}, {660, 650, 670}});
    all.times.push_back({std::nullopt, {720, 710, 730}, true});
    return all;
  }
  static LoopData data(const rewrite::Version& version = {}) {
    LoopData all;
    all.study = study();
    all.times = times();
    all.version = version;
    return all;
  }
  // Of every 16 samples at an instruction, eight see it issued, five wait for shared memory, two
  // are at a barrier, and one at a reason that the model does not know.
  static std::shared_ptr<const StallFacts> stalls() {
    auto facts = std::make_shared<StallFacts>();
    facts->samples.device = "NVIDIA H100 80GB HBM3";
    facts->samples.problem = {4096, 4096, 4096};
    facts->samples.when = "2026-11-27T10:00:00Z";
    facts->samples.recorded = true;
    const auto reason = [](runs::Counter counter) {
      for (std::size_t i = 0; i < runs::kStallReasons; ++i)
        if (runs::counterOfReason(i) == counter) return i;
      qFatal("no such reason");
      return std::size_t{0};
    };
    for (const rewrite::Op& op : study()->rewritten().facts.turn) {
      runs::SampledInstruction at;
      at.address = op.code.address;
      at.by[reason(runs::Counter::StalledSelected)] = 8;
      at.by[reason(runs::Counter::StalledShortScoreboard)] = 5;
      at.by[reason(runs::Counter::StalledBarrier)] = 2;
      at.by[reason(runs::Counter::StalledNoInstruction)] = 1;
      facts->samples.at.push_back(at);
    }
    return facts;
  }
  static const LoopWait& waitNamed(const std::vector<LoopWait>& waits, const QString& part) {
    for (const LoopWait& each : waits)
      if (each.name.contains(part)) return each;
    qFatal("no wait \"%s\"", qPrintable(part));
    return waits.front();
  }
  static rewrite::Version lacking(int bits) {
    return {{.order = (bits & 1) == 0, .loads = (bits & 2) == 0, .barrier = (bits & 4) == 0},
            (bits & 8) != 0};
  }
  static LoopGeometry laid(const LoopData& all, const QSizeF& size, const LoopWindow& window = {}) {
    return LoopGeometry::of(all, loopRows(all), loopWaits(all), QRectF(QPointF(0, 0), size),
                            Fonts::of(QApplication::font()), window);
  }

 private slots:
  void rowsSayWhatEachChangeIsWorth() {
    const auto rows = loopRows(data());
    QCOMPARE(rows.size(), std::size_t{7});
    QCOMPARE(rows[0].name, "rewritten");
    QCOMPARE(rows[1].name, "without 2 × 2 order");
    QCOMPARE(rows[2].name, "without early loads");
    QCOMPARE(rows[3].name, "without early barrier");
    QCOMPARE(rows[4].name, "with lanes of rung 14");
    QCOMPARE(rows[5].name, "as compiled");
    QCOMPARE(rows[6].name, "as compiled, lanes of rung 14");
    QVERIFY(rows[0].shown && !rows[2].shown);
    QCOMPARE(rows[0].measured, std::optional(600.0));
    QCOMPARE(rows[2].measured, std::optional(660.0));
    QVERIFY(!rows[1].measured);  // not measured
    QVERIFY(!rows[4].measured);  // not with these lanes
    QCOMPARE(rows[5].measured, std::optional(700.0));
    QCOMPARE(rows[6].measured, std::optional(720.0));
    QVERIFY(!rows[5].version && !rows[6].version);
    QCOMPARE(rows[6].predicted, study()->untouchedOtherwise.time.cycles);
    for (std::size_t i = 0; i < rows.size(); ++i) QCOMPARE(rows[i].otherLanes, i == 4 || i == 6);
    for (const LoopRow& row : rows) QVERIFY(!row.whyNot.isEmpty() || row.predicted > 0);
  }
  void whatIsChosenIsAmongTheRows() {
    const rewrite::Version both{{.order = false, .loads = false}, false};
    const auto rows = loopRows(data(both));
    QCOMPARE(rows.size(), std::size_t{8});
    QCOMPARE(rows[5].name, "without 2 × 2 order, early loads");
    QVERIFY(!rows[6].version && !rows[7].version);
    QVERIFY(rows[5].shown && !rows[5].usual && rows[4].usual && rows[6].usual && rows[7].usual);
    QCOMPARE(loopRows(data(lacking(15)))[5].name, "without all three; lanes of rung 14");
    QVERIFY(turnText(data(both), true).startsWith("Rewritten without 2 × 2 order, early loads: "));
    QVERIFY(turnText(data(lacking(8)), true).startsWith("Rewritten with lanes of rung 14: "));
  }
  void waitsAreSampledAndPredicted() {
    LoopData all = data();
    all.stalls = stalls();
    const auto waits = loopWaits(all);
    QVERIFY(waits.size() >= 4);
    QCOMPARE(waits.front().sampled, std::optional(0.5));
    QVERIFY(!waits.front().waits && waits.front().predicted);
    const LoopWait& shared = waitNamed(waits, "for data from shared memory");
    QCOMPARE(shared.sampled, std::optional(5.0 / 16));
    QVERIFY(shared.waits);
    QVERIFY(waitText(shared).startsWith(
        "For data from shared memory: 31.2 % of the warps' time sampled, "));
    QVERIFY(waitText(waitNamed(waits, "for an instruction")).endsWith("not in the model"));
    QCOMPARE(waitsOrigin(all), "rewritten · recorded on H100, 2026-11-27 · 4096³");
    for (const LoopWait& each : waits) {
      QVERIFY(std::max(each.sampled.value_or(0), each.predicted.value_or(0)) >= 0.005);
      QVERIFY(waitsSentence(waits).contains(waitText(each)));
    }
    LoopView view;
    view.setData(all);
    QVERIFY(view.accessibleDescription().contains(waitText(shared)));
  }
  // Samples of the loop that runs say nothing about another version, and none about one that does
  // not exist.
  void waitsOfOtherVersionsArePredicted() {
    LoopData all = data({{.loads = false}, false});
    all.stalls = stalls();
    const auto waits = loopWaits(all);
    QVERIFY(!waits.empty());
    for (const LoopWait& each : waits) QVERIFY(!each.sampled && each.predicted);
    QCOMPARE(waitsOrigin(all), "without early loads · only the loop that runs is sampled");
    QVERIFY(waitText(waits.front()).endsWith("predicted; not sampled"));
    all.version = {};
    all.stalls.reset();
    QCOMPARE(waitsOrigin(all), "rewritten · not sampled");
    auto broken = std::make_shared<rewrite::LoopStudy>(*study());
    for (rewrite::VersionFacts& each : broken->versions) {
      each.facts = {};
      each.whyNot = "it is too quick";
    }
    all.study = broken;
    QVERIFY(loopWaits(all).empty());
  }
  void nothingIsKnown() {
    LoopData none;
    none.note = "Choose rung 16.";
    QVERIFY(loopRows(none).empty());
    QCOMPARE(loopSentence(none), none.note);
    LoopView view;
    view.setData(none);
    view.resize(700, 300);
    QVERIFY(!view.wantsArrows());
    QVERIFY(!view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_Plus);
    wheelAt(view, {100, 100}, 1);
    QVERIFY(view.window().whole());
  }

  void everythingHasRoom_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("lacks");  // bits: order, loads, barrier, lanes
    LoopView least;
    for (const int lacks : {0, 1, 3, 7, 11, 15}) {
      least.setData(data(lacking(lacks)));
      for (const int width : {420, 652, 899, 900, 1000}) {
        least.resize(width, 300);
        QTest::addRow("least at %d, without %d", width, lacks)
            << QSizeF(width, least.minimumSizeHint().height()) << lacks;
      }
    }
    QTest::newRow("below the loom") << QSizeF(1280, 300) << 0;
    QTest::newRow("narrow") << QSizeF(620, 560) << 0;
    QTest::newRow("wide") << QSizeF(2560, 700) << 0;
  }
  void everythingHasRoom() {
    QFETCH(QSizeF, size);
    QFETCH(int, lacks);
    LoopData all = data(lacking(lacks));
    all.stalls = stalls();
    const LoopGeometry g = laid(all, size);
    const QRectF canvas(QPointF(0, 0), size);
    std::vector<QRectF> parts = {g.untouched.words, g.untouched.bars,   g.untouched.ribbon,
                                 g.joins,           g.rewritten.ribbon, g.rewritten.bars,
                                 g.rewritten.words, g.costs.heading,    g.costs.origin};
    QVERIFY(g.marks.size() > 10);
    for (const LoopMark& mark : g.marks) {
      parts.push_back(mark.sample);
      parts.push_back(mark.words);
    }
    const auto rows = loopRows(all);
    QCOMPARE(g.costs.rows.size(), rows.size());
    const Fonts fonts = Fonts::of(QApplication::font());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const LoopTable::Row& row = g.costs.rows[i];
      parts.push_back(row.room);
      // The parts of a row do not touch, and its name is not cut off.
      QVERIFY(row.room.contains(row.name) && row.room.contains(row.predicted));
      QVERIFY(row.name.right() <= row.counted.left());
      QVERIFY(row.counted.right() <= row.predicted.left());
      QVERIFY(!g.costs.withBars ||
              (row.name.right() <= row.bars.left() && row.bars.right() <= row.counted.left()));
      const QFontMetricsF metrics(row.lines > 1 ? fonts.small : fonts.body);
      const QRectF needs = metrics.boundingRect(
          row.name, Qt::AlignLeft | Qt::AlignVCenter | (row.lines > 1 ? Qt::TextWordWrap : 0),
          rows[i].name);
      QVERIFY2(needs.height() <= row.name.height() && needs.width() <= row.name.width() + 1,
               qPrintable(rows[i].name));
    }
    for (std::size_t i = 0; i < g.waits.rows.size(); ++i) {
      const LoopTable::Row& row = g.waits.rows[i];
      parts.push_back(row.room);
      const QFontMetricsF metrics(row.lines > 1 ? fonts.small : fonts.body);
      const QRectF needs = metrics.boundingRect(
          row.name, Qt::AlignLeft | Qt::AlignVCenter | (row.lines > 1 ? Qt::TextWordWrap : 0),
          loopWaits(all)[i].name);
      QVERIFY(needs.height() <= row.name.height() && needs.width() <= row.name.width() + 1);
      QVERIFY(row.room.contains(row.name) && row.room.contains(row.predicted));
      QVERIFY(row.name.right() <= row.counted.left());
    }
    if (!g.waits.rows.empty()) {
      parts.push_back(g.waits.heading);
      parts.push_back(g.waits.origin);
      QCOMPARE(g.waits.counted.left(), g.costs.counted.left());
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      QVERIFY(canvas.contains(parts[i]));
      for (std::size_t k = 0; k < i; ++k) {
        const QRectF both = parts[i].intersected(parts[k]);
        QVERIFY(both.width() < 0.01 || both.height() < 0.01);
      }
    }
    // One scale for both turns, and every bar begins at its load.
    for (const bool after : {false, true}) {
      if (after && !all.possible()) continue;
      const LoopTurn& turn = g.turn(after);
      QVERIFY(turn.length * g.pixelsPerCycle <= turn.ribbon.width() + 0.01);
      QVERIFY(!turn.uses.empty());
      for (const LoopTurn::Use& use : turn.uses) {
        // Or it was loaded in the turn before.
        QVERIFY(std::abs(use.bar.left() - g.x(turn.starts[use.load])) < 0.01 ||
                std::abs(use.bar.left() - g.x(0)) < 0.01);
        QVERIFY(use.bar.width() > 0);
      }
    }
  }
  // The rows are beside the turns in a page of the smallest window, and below them in a large font.
  void rowsStandBesideTheTurns() {
    const LoopData all = data();
    const auto beside = [](const LoopGeometry& g) {
      return g.costs.heading.left() > g.joins.right() && g.costs.heading.top() < g.joins.top();
    };
    const LoopGeometry low = laid(all, {652, 230});
    QVERIFY(beside(low) && !low.costs.withBars);
    QVERIFY(low.marks.front().sample.top() > low.costs.rows.back().room.bottom());
    QVERIFY(low.marks.back().words.right() > low.joins.right());
    const LoopGeometry wide = laid(all, {1100, 330});
    QVERIFY(beside(wide) && wide.costs.withBars);
    QVERIFY(!beside(laid(all, {460, 560})));
    QFont large = QApplication::font();
    large.setPixelSize(40);
    const LoopGeometry g =
        LoopGeometry::of(all, loopRows(all), loopWaits(all), QRectF(0, 0, 900, 1500),
                         Fonts::of(large), LoopWindow());
    QVERIFY(!beside(g) && g.joins.width() > 800);
  }
  // A low page has only the turns and the rows; in a higher one the waits are below the rows,
  // beside or below the turns.
  void waitsHaveWhatIsLeft() {
    const LoopData all = data();
    const std::size_t waits = loopWaits(all).size();
    QVERIFY(waits > 2);
    QVERIFY(laid(all, {1280, 230}).waits.rows.empty());
    for (const QSizeF& size : {QSizeF(1280, 560), QSizeF(652, 560), QSizeF(460, 900)}) {
      const LoopGeometry g = laid(all, size);
      QCOMPARE(g.waits.rows.size(), waits);
      QVERIFY(g.waits.heading.top() > g.costs.bottom());
      QCOMPARE(g.waitAt(g.waits.rows[1].room.center()), std::optional(std::size_t{1}));
      QVERIFY(!g.rowAt(g.waits.rows[1].room.center()) && !g.waitAt(g.costs.rows[1].room.center()));
    }
    LoopData none = all;
    none.study.reset();
    QVERIFY(loopWaits(none).empty());
  }
  void placesAreFound() {
    const LoopData all = data();
    const LoopGeometry g = laid(all, {1280, 360});
    for (const bool after : {false, true}) {
      const LoopTurn& turn = g.turn(after);
      for (std::size_t i = 0; i < turn.starts.size(); i += 17) {
        const QPointF middle(g.x(turn.starts[i] + 0.5), turn.ribbon.center().y());
        QVERIFY(g.at(middle) == (LoopPlace{after, i}));
        QVERIFY(std::abs(g.cycleAt(middle.x()) - turn.starts[i] - 0.5) < 1e-6);
      }
    }
    QVERIFY(!g.at(g.marks.front().words.center()));
    QCOMPARE(g.rowAt(g.costs.rows[3].room.center()), std::optional(std::size_t{3}));
    QVERIFY(!g.rowAt(g.joins.center()));
  }
  void wordsNameTheInstructionInBothTurns() {
    const LoopData all = data();
    const LoopGeometry g = laid(all, {1280, 360});
    const auto& after = all.shown();
    for (std::size_t i = 0; i < after.origins.size(); i += 11) {
      const QString text = placeText(all, g, {true, i});
      QVERIFY(text.contains(QString::fromStdString(after.facts.turn[i].code.text())));
      QVERIFY(
          text.contains(QStringLiteral("instruction %1 as compiled").arg(after.origins[i] + 1)));
      const QString before = placeText(all, g, {false, after.origins[i]});
      QVERIFY(before.contains(QStringLiteral("instruction %1 as rewritten").arg(i + 1)));
    }
    QVERIFY(turnText(all, false).contains("700 cycles per iteration, measured on H100"));
    QVERIFY(turnText(all, true).contains("600 cycles per iteration, measured on H100"));
    LoopData unmeasured = all;
    unmeasured.times.reset();
    QVERIFY(turnText(unmeasured, true).contains("predicted, not measured"));
    QVERIFY(rowText(all, loopRows(all)[1]).contains("not measured"));
    LoopData paired = all;
    paired.version.pairedLoads = true;
    QVERIFY(turnText(paired, true).contains("predicted, not measured"));
    paired.times->times.push_back({rewrite::Changes{}, {615, 610, 620}, true});
    QVERIFY(turnText(paired, true).contains("615 cycles per iteration, measured on H100"));
    QVERIFY(rowText(paired, loopRows(paired)[4])
                .contains("615 cycles per iteration, recorded on H100"));
    QVERIFY(rowText(paired, loopRows(paired)[6])
                .contains("720 cycles per iteration, recorded on H100"));
  }
  void aVersionThatDoesNotExist() {
    auto broken = std::make_shared<rewrite::LoopStudy>(*study());
    for (rewrite::VersionFacts& each : broken->versions) {
      if (each.version.changes.loads) continue;
      each.facts = {};
      each.origins.clear();
      each.whyNot = "the new loop does not wait long enough";
    }
    LoopData all = data({{.loads = false}, false});
    all.study = broken;
    QVERIFY(!all.possible());
    QVERIFY(turnText(all, true).contains("the new loop does not wait long enough"));
    LoopView view;
    view.resize(1280, 320);
    view.setData(all);
    QVERIFY(!view.grab().isNull());
    QVERIFY(!view.geometry().at(view.geometry().rewritten.ribbon.center()));
    QSignalSpy picked(&view, &LoopView::picked);
    clickAt(view, view.geometry().costs.rows[2].room.center().toPoint());
    QCOMPARE(picked.size(), 0);
  }

  void aRowIsPicked() {
    LoopView view;
    view.resize(1280, 320);
    view.setData(data());
    QSignalSpy picked(&view, &LoopView::picked);
    clickAt(view, view.geometry().costs.rows[2].room.center().toPoint());
    QCOMPARE(picked.size(), 1);
    QVERIFY(picked.front().front().value<rewrite::Version>() ==
            (rewrite::Version{{.loads = false}, false}));
    clickAt(view, view.geometry().costs.rows.back().room.center().toPoint());
    QCOMPARE(picked.size(), 1);  // the untouched loop is always there
  }
  void theWheelZoomsAboutThePointer() {
    LoopView view;
    view.resize(1280, 320);
    view.setData(data());
    const QPointF at(400, view.geometry().joins.center().y());
    const double before = view.geometry().cycleAt(at.x());
    const double scale = view.geometry().pixelsPerCycle;
    wheelAt(view, at, 3);
    QVERIFY(view.geometry().pixelsPerCycle > scale * 1.5);
    QVERIFY(std::abs(view.geometry().cycleAt(at.x()) - before) < 0.5);
    for (int i = 0; i < 40; ++i) wheelAt(view, at, 3);
    QVERIFY(view.window().to - view.window().from > 10);
    const LoopWindow near = view.window();
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.window().from > near.from);
    for (int i = 0; i < 500; ++i) QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.geometry().cycleAt(view.geometry().joins.right()) <=
            std::max(view.geometry().untouched.length, view.geometry().rewritten.length) + 0.01);
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(view.window().whole());
    QTest::keyClick(&view, Qt::Key_Minus);
    QVERIFY(view.window().whole());
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(!view.window().whole());
    // Another kernel is seen as a whole.
    LoopData other = data();
    other.study = std::make_shared<rewrite::LoopStudy>(*study());
    view.setData(other);
    QVERIFY(view.window().whole());
  }
  void thePictureFollowsTheView() {
    LoopView view;
    view.resize(1280, 320);
    view.setData(data());
    const auto picture = [&view] {
      QImage image(1280, 320, QImage::Format_RGB32);
      QPainter painter(&image);
      view.paintTo(painter, QRectF(0, 0, 1280, 320), Theme::make(Look::Light),
                   Fonts::of(QApplication::font()));
      return image;
    };
    const QImage whole = picture();
    view.setWindow({100, 200});
    QVERIFY(picture() != whole);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopViewTest, Widgets)
#include "loop_view_test.moc"
