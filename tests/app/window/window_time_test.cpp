// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of the timeline under the loom: it follows tile and instant, seeks, comes and goes.
#include <QAction>
#include <QSlider>
#include <cmath>

#include "kernels/tile/derived.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "tests/viz/painted_texts.h"
#include "viz/timeline/timeline_strip.h"
#include "viz/timeline/timeline_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowTimeTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;

  TimelineStrip& strip() { return *w_->window.findChild<TimelineStrip*>("timeStrip"); }
  Explorer& explorer() { return w_->window.explorer(); }
  bool shown() { return !strip().isHidden(); }
  void show(const char* stage) {
    explorer().setStage(**stageNamed(stage));
    QTRY_VERIFY(explorer().scene().ready() &&
                explorer().scene().recording->trace.rung()->id == stage);
    QTRY_VERIFY(strip().data().ready() && !strip().data().waiting &&
                strip().data().rung()->id == stage);
  }

 private slots:
  void init() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
  }
  void cleanup() { w_.reset(); }

  // Under the looms of both sides it says of which it is.
  void itNamesItsSide() {
    show("warptiled");
    const auto says = [this](const QString& words) {
      test::TextRecorder recorder(strip().size());
      recorder.record(strip());
      return std::ranges::any_of(recorder.texts(), [&words](const test::PaintedText& text) {
        return text.text.contains(words);
      });
    };
    QVERIFY(says("predicted") && !says("Now:"));
    explorer().pinThis();
    QTRY_VERIFY(explorer().baseline().ready());
    QVERIFY(says("Now: predicted"));
    explorer().pin(std::nullopt);
    QVERIFY(!says("Now:"));
  }

  void everyRung_data() {
    QTest::addColumn<QString>("stage");
    for (const Stage* stage : everyStage())
      QTest::newRow(std::string(stage->id).c_str())
          << QString::fromUtf8(stage->id.data(), qsizetype(stage->id.size()));
  }
  void everyRung() {
    QFETCH(QString, stage);
    show(stage.toUtf8().constData());
    QVERIFY(shown() && strip().data().now.has_value());
    QVERIFY(!strip().grab().isNull());
    explorer().setIndex(0);
    const double start = *strip().data().now;
    const auto length = explorer().scene().recording->trace.length(0);
    explorer().setIndex(static_cast<int>(length) - 1);
    QVERIFY(*strip().data().now > start);
  }

  // The pipeline wraps around within the recording: the stage of the first K tile is waited for
  // again.
  void aRingComesRound() {
    for (const char* stage : {"async", "multistage", "overlapped"}) {
      show(stage);
      const auto& trace = explorer().scene().recording->trace;
      const auto ring = static_cast<std::uint32_t>(derive(*trace.rung(), trace.tile).buffers);
      QVERIFY(ring > 2);
      QCOMPARE(trace.kTilesTraced, ring + 1);
      QCOMPARE(explorer().scene().moment.instruction.kTile, 1u);
    }
    QVERIFY(explorer().scene().moment.instruction.kind == emulator::Kind::Product);
    show("doublebuffered");
    QCOMPARE(explorer().scene().recording->trace.kTilesTraced, 2u);
    // Not while a slider would have to wait for it.
    const Stage& ring = **stageNamed("async");
    const TileShape large = ring.standardTile().with(Parameter::BK, 32).with(Parameter::STAGES, 4);
    QCOMPARE(Explorer::tilesRecorded(ring, ring.standardTile()), 4u);
    QVERIFY(Explorer::tilesRecorded(ring, large) <= 2u);
  }

  // Playback moves the instant forward only, also where K tiles are skipped.
  void playingMovesOnInTime() {
    show("overlapped");
    explorer().setIndex(0);
    const auto length = static_cast<int>(explorer().scene().recording->trace.length(0));
    double before = -1;
    for (int index = 0; index < length; ++index) {
      for (const double passed : {0.0, 0.3, 0.9}) {
        explorer().setInstant(index, passed);
        QCOMPARE(int(explorer().scene().moment.index), index);
        QVERIFY(strip().data().now.has_value());
        QVERIFY2(*strip().data().now >= before - 1e-6, qPrintable(QString::number(index)));
        before = *strip().data().now;
      }
    }
    QVERIFY(before > strip().data().timeline->loopEnd);
  }

  // A click goes to the instruction issued there, and the instant is there.
  void aClickSeeks() {
    show("overlapped");
    int tried = 0;
    for (const double share : {0.1, 0.35, 0.5, 0.62, 0.8}) {
      const TimelineGeometry g = strip().picture();
      const auto x = static_cast<int>(g.plot.left() + share * g.plot.width());
      const double cycle = g.cycleAt(x);
      // Later K tiles lead to the recorded K tile like them.
      const auto& starts = strip().data().timeline->tileStarts;
      if (cycle > starts[explorer().scene().recording->trace.kTilesTraced - 1]) continue;
      QTest::mouseClick(&strip(), Qt::LeftButton, {}, {x, strip().height() / 2});
      QVERIFY2(std::abs(*strip().data().now - cycle) < 3,
               qPrintable(QString("%1, not %2").arg(*strip().data().now).arg(cycle)));
      ++tried;
    }
    QVERIFY(tried >= 3);
  }

  void oneDelayForPageAndStrip() {
    show("padded");
    w_->window.findChild<QSlider*>("timelineDelay")->setValue(700);
    QTRY_COMPARE(strip().data().delay, 700);
    w_->window.showPage("timeline");
    QVERIFY(!shown());  // the page says it already
    auto& view = *w_->window.findChild<TimelineView*>("timeline");
    QVERIFY(view.data().timeline == strip().data().timeline);
    w_->window.middle().setLower(0);
    QVERIFY(shown());
  }

  void aDoubleClickOpensThePage() {
    show("async");
    QTest::mouseDClick(&strip(), Qt::LeftButton, {}, {400, 30});
    QCOMPARE(w_->window.currentPage(), std::string_view("timeline"));
  }

  // The loom comes first.
  void inALowWindow() {
    auto& loom = *w_->window.view<LoomView>();
    QVERIFY(shown() && strip().rows() == TimelineRows::Condensed);
    w_->window.resize(1280, 720);
    QTRY_VERIFY(shown() && strip().rows() == TimelineRows::Fewest);
    QVERIFY(loom.height() >= 250);
    w_->window.middle().setLower(60);
    QTRY_VERIFY(!shown());
    w_->window.middle().setLower(0);
    QTRY_VERIFY(shown() && strip().rows() == TimelineRows::Condensed);
  }

  void itCanBeHidden() {
    show("padded");
    const int loom = w_->window.view<LoomView>()->height();
    w_->key(Qt::Key_F7);
    QVERIFY(!shown() && !w_->window.session().timeStrip);
    QVERIFY(w_->window.view<LoomView>()->height() > loom);
    QVERIFY(w_->window.commandLine().contains("--without time"));
    const QString link = w_->window.link();
    w_->key(Qt::Key_F7);
    QVERIFY(shown() && w_->window.session().timeStrip);
    QVERIFY(!w_->window.commandLine().contains("--without"));
    QCOMPARE(w_->window.sessions().open(link), QString());
    QVERIFY(!shown());
    // Also of a tile that arrived in between.
    itCatchesUp();
  }

  // In full screen the loom keeps its strip of time, unless it was hidden.
  void alone() {
    w_->window.layouts().setAlone(true);
    QVERIFY(shown());
    w_->key(Qt::Key_F7);
    QVERIFY(!shown());
    w_->window.layouts().setAlone(false);
    QVERIFY(!shown());
    w_->window.layouts().showTime(true);
    QVERIFY(shown());
  }

 private:
  void itCatchesUp() {
    explorer().setStage(**stageNamed("async"));
    QTRY_COMPARE(explorer().scene().recording->trace.rung()->id, std::string_view("async"));
    w_->key(Qt::Key_F7);
    QTRY_VERIFY(strip().data().ready() && strip().data().rung()->id == "async");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTimeTest, Window)
#include "window_time_test.moc"
