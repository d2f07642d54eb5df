// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the timeline in the window: it follows tile and instruction, and they follow it.
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QToolButton>

#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/timeline/timeline_view.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {

using test::OpenWindow;

class WindowTimelineTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;

  TimelineView& view() { return *w_->window.findChild<TimelineView*>("timeline"); }
  TimelineView& baseline() { return *w_->window.findChild<TimelineView*>("baselineTimeline"); }
  QSlider& slider() { return *w_->window.findChild<QSlider*>("timelineDelay"); }
  QSlider& varies() { return *w_->window.findChild<QSlider*>("timelineVaries"); }
  Explorer& explorer() { return w_->window.explorer(); }
  void show(const char* stage) {
    explorer().setStage(**stageNamed(stage));
    QTRY_VERIFY(explorer().scene().ready() &&
                explorer().scene().recording->trace.rung()->id == stage);
    w_->window.showPage("timeline");
    QTRY_VERIFY(view().data().ready() && !view().data().waiting &&
                view().data().rung()->id == stage);
  }

 private slots:
  void init() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
  }
  void cleanup() { w_.reset(); }

  void itFollowsTheTile() {
    show("padded");
    const double before = view().data().timeline->cyclesPerTile;
    TileShape tile = explorer().tile();
    tile[Parameter::BK] = 8;
    explorer().setTile(tile);
    QTRY_VERIFY(view().data().tile == tile);
    QVERIFY(view().data().timeline->cyclesPerTile < before);
    QVERIFY(view().data().usualEnd > 0);
  }

  // Figures of the former kernel are not shown as those of the chosen one.
  void itSaysThatItIsComputed() {
    show("padded");
    QVERIFY(!view().data().another);
    explorer().setStage(**stageNamed("overlapped"));
    QVERIFY(view().data().another);
    QVERIFY2(timelineSentence(view().data()).startsWith("Computing"),
             qPrintable(timelineSentence(view().data())));
    QVERIFY(timelineFacts(view().data()).contains("rung 9"));
    QTRY_VERIFY(!view().data().another && view().data().rung()->id == "overlapped");
    QVERIFY(timelineFigure(view().data()).contains("cycles"));
    // The same of a baseline.
    explorer().pin(usualSubject(**stageNamed("padded"), (*stageNamed("padded"))->standardTile()));
    QTRY_VERIFY(!baseline().isHidden() && baseline().data().ready());
    Session other = w_->window.session();
    other.state.pinned =
        usualSubject(**stageNamed("multistage"), (*stageNamed("multistage"))->standardTile());
    w_->window.restore(other);
    QTRY_VERIFY(baseline().data().ready() && baseline().data().rung()->id == "multistage" &&
                !baseline().data().another);
  }

  // The cursor goes with the instruction, and a click on a span goes to its instruction.
  void oneCursorForAll() {
    show("doublebuffered");
    explorer().setWarp(0);
    explorer().setIndex(0);
    const double start = *view().data().now;
    explorer().setIndex(600);
    QVERIFY(*view().data().now > start);
    const TimelineGeometry g = view().picture();  // a copy: it is made again with each click
    const auto timeline = view().data().timeline;
    int clicked = 0;
    for (const TimelineBox& box : g.boxes) {
      const timeline::Lane& lane = timeline->lanes[box.lane];
      const timeline::Span& span = lane.spans[box.first];
      if (lane.number != 3 || lane.kind != timeline::LaneKind::Warp || box.joined()) continue;
      if (span.work != timeline::Work::Multiply || box.rect.width() < 4) continue;
      QTest::mouseClick(&view(), Qt::LeftButton, {}, box.rect.center().toPoint());
      const auto& moment = explorer().scene().moment;
      QCOMPARE(moment.warp, 3u);
      QCOMPARE(moment.instruction.line, span.line);
      QCOMPARE(moment.instruction.dot, span.dot);
      // Beyond the K tiles that are recorded: the same of the last one.
      QCOMPARE(moment.instruction.kTile,
               std::min(span.kTile, explorer().scene().recording->trace.kTilesTraced - 1));
      ++clicked;
    }
    QVERIFY(clicked > 5);
  }

  // The epilogue is at the end of both recordings.
  void theEpilogueIsAtTheEnd() {
    show("padded");
    const auto& trace = explorer().scene().recording->trace;
    explorer().setIndex(static_cast<int>(trace.length(0)) - 1);
    QVERIFY(*view().data().now > view().data().timeline->loopEnd);
  }

  void slowerMemory() {
    show("fragments");
    const double usual = view().data().timeline->cyclesPerTile;
    slider().setValue(800);
    // The last one stays until it is simulated.
    QVERIFY(view().data().waiting && view().data().timeline->cyclesPerTile == usual);
    QTRY_COMPARE(view().data().delay, 800);
    QVERIFY(!view().data().waiting && view().data().timeline->cyclesPerTile > usual + 700);
    QVERIFY(timelineFigure(view().data()).contains("more than without the delay"));
    slider().setValue(0);
    QTRY_COMPARE(view().data().delay, 0);
    QCOMPARE(view().data().timeline->cyclesPerTile, usual);
  }

  // A latency that varies from K tile to K tile, the same for both that are compared.
  void memoryThatVaries() {
    show("overlapped");
    const double usual = view().data().timeline->cyclesPerTile;
    varies().setValue(3000);
    QTRY_COMPARE(view().data().varies, 3000);
    QVERIFY(view().data().timeline->cyclesPerTile > usual);
    QVERIFY2(timelineFigure(view().data()).contains("on average over"),
             qPrintable(timelineFigure(view().data())));
    QVERIFY(timelineSentence(view().data()).contains("memory takes 0 to 3,000 cycles longer"));
    const Session kept = w_->window.session();
    QCOMPARE(kept.timeline.varies, 3000);
    QVERIFY(w_->window.commandLine().contains("--varies 3000"));
    const Stage& other = **stageNamed("consumers");
    explorer().pin(standardSubject(other));
    QTRY_VERIFY(baseline().data().ready() && baseline().data().varies == 3000);
    varies().setValue(0);
    QTRY_COMPARE(view().data().varies, 0);
    QCOMPARE(view().data().timeline->cyclesPerTile, usual);
    w_->window.restore(kept);
    QCOMPARE(varies().value(), 3000);
    QVERIFY(varies().toolTip().contains("assumption"));
  }

  // Sliders can be drawn at each width of the page.
  void slidersAreWide() {
    show("overlapped");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
      w_->window.resize(size);
      QTRY_COMPARE(w_->window.size(), size);
      QTRY_VERIFY2(slider().width() >= 90 && varies().width() >= 90,
                   qPrintable(QString("%1 %2").arg(slider().width()).arg(varies().width())));
    }
  }

  // Slider and zoom are kept, by file and by link.
  void sessions() {
    show("async");
    slider().setValue(640);
    view().setSpan(CycleSpan{1200, 5600});
    const Session kept = w_->window.session();
    QCOMPARE(kept.timeline.delay, 640);
    QCOMPARE(*kept.timeline.span, (CycleSpan{1200, 5600}));
    const QString link = w_->window.link();
    QVERIFY(w_->window.commandLine().contains("--delay 640"));
    QVERIFY(w_->window.commandLine().contains("--cycles 1200:5600"));
    Session plain = kept;
    plain.timeline = {};
    w_->window.restore(plain);
    QCOMPARE(slider().value(), 0);
    QVERIFY(!view().span());
    QCOMPARE(w_->window.sessions().open(link), QString());
    QCOMPARE(slider().value(), 640);
    QCOMPARE(*view().span(), (CycleSpan{1200, 5600}));
  }

  // The baseline above, over the same cycles.
  void aBaselineOverTheSameAxis() {
    show("doublebuffered");
    QVERIFY(baseline().isHidden());
    const Stage& other = **stageNamed("padded");
    explorer().pin(standardSubject(other));
    QTRY_VERIFY(baseline().data().ready() && !baseline().isHidden());
    QTRY_COMPARE(baseline().data().rung()->id, std::string_view("padded"));
    QCOMPARE(baseline().shown(), view().shown());
    view().setSpan(CycleSpan{100, 900});
    emit view().spanChanged();
    QCOMPARE(baseline().shown(), (CycleSpan{100, 900}));
    explorer().pin(std::nullopt);
    QTRY_VERIFY(baseline().isHidden());
  }

  TimelineView& measured() { return *w_->window.findChild<TimelineView*>("measuredTimeline"); }
  QToolButton& shown() { return *w_->window.findChild<QToolButton*>("measuredShown"); }
  QLabel& noStamps() { return *w_->window.findChild<QLabel*>("noStamps"); }

  // The shipped timestamps of the default tile, below and over the same cycles.
  void measuredBeneath() {
    show("overlapped");
    QVERIFY(!measured().isHidden() && noStamps().isHidden());
    QVERIFY(measured().data().measured && measured().data().rung()->id == "overlapped");
    QCOMPARE(measured().shown(), view().shown());
    view().setSpan(CycleSpan{100, 900});
    emit view().spanChanged();
    QCOMPARE(measured().shown(), (CycleSpan{100, 900}));
    measured().setSpan(CycleSpan{200, 800});
    emit measured().spanChanged();
    QCOMPARE(view().shown(), (CycleSpan{200, 800}));
    QVERIFY(!view().data().legend && measured().data().legend);
    // While something is compared, both are predicted.
    const Stage& other = **stageNamed("multistage");
    explorer().pin(standardSubject(other));
    QTRY_VERIFY(!baseline().isHidden());
    QVERIFY(measured().isHidden());
    const auto* both = w_->window.findChild<QLabel*>("bothPredicted");
    QVERIFY(!both->isHidden() && shown().isHidden());
    explorer().pin(std::nullopt);
    QTRY_VERIFY(!measured().isHidden());
    QVERIFY(both->isHidden() && !shown().isHidden());
  }

  void aTileWithoutStampsSaysSo() {
    show("overlapped");
    TileShape tile = explorer().tile();
    tile[Parameter::STAGES] = 3;
    explorer().setTile(tile);
    QTRY_VERIFY(view().data().tile == tile && !view().data().waiting);
    QVERIFY(measured().isHidden() && !noStamps().isHidden());
    QVERIFY2(noStamps().text().contains("tileloom timeline overlapped --measure FILE"),
             qPrintable(noStamps().text()));
    QVERIFY(view().data().legend);
    shown().click();
    QVERIFY(noStamps().isHidden());
  }

  void whetherItIsShownIsKept() {
    show("overlapped");
    QVERIFY(w_->window.session().timeline.measured);
    shown().click();
    QVERIFY(measured().isHidden() && view().data().legend);
    const Session kept = w_->window.session();
    QVERIFY(!kept.timeline.measured);
    QVERIFY(w_->window.commandLine().contains("--without measured"));
    Session plain = kept;
    plain.timeline = {};
    w_->window.restore(plain);
    QVERIFY(shown().isChecked() && !measured().isHidden());
    w_->window.restore(kept);
    QVERIFY(!shown().isChecked() && measured().isHidden());
  }

  // Timestamps of another tile, measured by the user.
  void openedStamps() {
    show("overlapped");
    TileShape tile = explorer().tile();
    tile[Parameter::STAGES] = 3;
    auto stamps = *timeline::shippedStamps(
        {explorer().scene().recording->trace.kernel(), explorer().tile(), Format::Bf16},
        {4096, 4096, 4096}, "sm_90");
    stamps.tile = tile;
    stamps.device = "NVIDIA H200";
    w_->window.services().timeline.setStamps(
        std::make_shared<const timeline::Measured>(std::move(stamps)));
    explorer().setTile(tile);
    QTRY_VERIFY(view().data().tile == tile && !view().data().waiting);
    QVERIFY(!measured().isHidden());
    QVERIFY(timelineFacts(measured().data()).contains("H200"));
    // Otherwise the shipped timestamps are shown.
    show("multistage");
    QVERIFY(timelineFacts(measured().data()).contains("H100"));
  }

  QToolButton& between() { return *w_->window.findChild<QToolButton*>("betweenTiles"); }

  // Only for persistent kernels; kept by session, link and command line.
  void betweenTwoTiles() {
    show("consumers");
    QVERIFY(between().isHidden());
    QCOMPARE(explorer().setProblem({4096, 4096, 4096}), QString());
    show("persistent");
    QVERIFY(!between().isHidden() && !view().data().seam);
    between().click();
    QTRY_VERIFY(view().data().seam.has_value());
    QCOMPARE(view().shown(), usualSpan(view().data()));
    QVERIFY(view().shown().from > 0);
    QVERIFY(!measured().isHidden() && measured().data().seam.has_value());
    const Session kept = w_->window.session();
    QVERIFY(kept.timeline.betweenTiles);
    QVERIFY(w_->window.commandLine().contains("--between-tiles"));
    const QString link = w_->window.link();
    // The strip under the loom and the other pages keep one tile.
    QVERIFY(w_->window.services().timeline.data().timeline == nullptr ||
            w_->window.services().timeline.data().timeline->tilesPerWalk == 0);
    slider().setValue(500);
    QTRY_COMPARE(view().data().delay, 500);
    QVERIFY(view().data().seam.has_value());
    slider().setValue(0);
    // For kernels that are not persistent the first K tiles are shown, and the choice is kept.
    show("consumers");
    QVERIFY(between().isHidden() && !view().data().seam);
    show("hopper");
    QTRY_VERIFY(view().data().seam.has_value());
    between().click();
    QTRY_VERIFY(!view().data().seam.has_value());
    QCOMPARE(w_->window.sessions().open(link), QString());
    QTRY_VERIFY(view().data().seam.has_value() && view().data().rung()->id == "persistent");
    // Two persistent rungs, over one axis.
    const Stage& other = **stageNamed("stored");
    explorer().pin(standardSubject(other));
    QTRY_VERIFY(!baseline().isHidden() && baseline().data().seam.has_value());
    QCOMPARE(baseline().shown(), view().shown());
  }

  // A size at which each block has one tile says so.
  void nothingBetweenTiles() {
    QCOMPARE(explorer().setProblem({1024, 1024, 1024}), QString());
    show("hopper");
    between().click();
    QTRY_VERIFY2(view().data().trouble.contains("larger M or N"),
                 qPrintable(view().data().trouble));
    QVERIFY(!view().data().ready() && measured().isHidden());
    // One click shows a size at which there is something to see.
    auto& larger = *w_->window.findChild<QPushButton*>("largerSize");
    QVERIFY(!larger.isHidden());
    QCOMPARE(larger.text(), QString("Show 4096³"));
    larger.click();
    QCOMPARE(explorer().problem().m, 4096);
    QTRY_VERIFY(view().data().seam.has_value());
    QVERIFY(larger.isHidden());
  }

  // The cursor between two tiles: the K tiles of the recording are those of the second tile, and
  // the rest follows those of the first.
  void theCursorBetweenTiles_data() {
    QTest::addColumn<QString>("stage");
    for (const char* id : {"persistent", "cluster", "stored", "hopper"})
      QTest::newRow(id) << QString(id);
  }
  void theCursorBetweenTiles() {
    QFETCH(QString, stage);
    QCOMPARE(explorer().setProblem({4096, 4096, 4096}), QString());
    show(stage.toUtf8().constData());
    between().click();
    QTRY_VERIFY(view().data().seam.has_value());
    const timeline::Timeline& t = *view().data().timeline;
    const auto& trace = explorer().scene().recording->trace;
    int inSight = 0;
    for (std::uint32_t warp = 0; warp < trace.warps; warp += 4) {
      explorer().setWarp(static_cast<int>(warp));
      for (std::uint32_t i = 0; i < trace.length(warp); i += 3) {
        explorer().setIndex(static_cast<int>(i));
        const auto& moment = explorer().scene().moment;
        if (moment.warp != warp) continue;
        const TimelineData& data = view().data();
        QVERIFY(data.now.has_value());
        QCOMPARE(data.warp, warp);
        const timeline::Span* span = t.spanOf(warp, data.instruction);
        if (span == nullptr) continue;
        if (moment.instruction.kTile != emulator::kNoTile) {
          QCOMPARE(span->kTile, t.tilesPerWalk + moment.instruction.kTile);
          QCOMPARE(span->line, moment.instruction.line);
        }
        if (*data.now > view().shown().from && *data.now < view().shown().to) ++inSight;
      }
    }
    QVERIFY(inSight > 20);
  }

  // Rungs of both ladders, and tiles that were not compiled.
  void everyRung_data() {
    QTest::addColumn<QString>("stage");
    for (const Stage* stage : everyStage())
      QTest::newRow(std::string(stage->id).c_str())
          << QString::fromUtf8(stage->id.data(), qsizetype(stage->id.size()));
  }
  void everyRung() {
    QFETCH(QString, stage);
    show(stage.toUtf8().constData());
    QVERIFY(view().data().timeline->cyclesPerTile > 0);
    QVERIFY(!view().grab().isNull());
    QVERIFY(view().data().now.has_value());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTimelineTest, Window)
#include "window_timeline_test.moc"
