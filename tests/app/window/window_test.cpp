// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: rungs, tiles, sizes, faults, layout and themes.
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QStatusBar>
#include <algorithm>

#include "app/window/tile_panel.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "tests/app/open_window.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"
#include "viz/code/source_strip.h"
#include "viz/panels/facts_panel.h"

namespace tileloom {

using test::OpenWindow;
using test::q;

class WindowTest : public QObject {
  Q_OBJECT

  static QLabel& label(OpenWindow& w, const char* name) {
    return *w.window.findChild<QLabel*>(name);
  }

  static void typeSize(OpenWindow& w, const QString& text) {
    auto* field = w.window.findChild<QLineEdit*>("size");
    field->setFocus();
    field->selectAll();
    if (text.isEmpty()) QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
  }

  // The visible part: scrolled content may be larger.
  static QRect placeOf(const OpenWindow& w, const QWidget* part) {
    QRect seen(part->mapTo(&w.window, QPoint(0, 0)), part->size());
    for (const QWidget* above = part; above != &w.window; above = above->parentWidget())
      seen &= QRect(above->mapTo(&w.window, QPoint(0, 0)), above->size());
    return seen;
  }

 private slots:
  // Persistent blocks: 132 are launched, 64 have a part of a tile. The block in view is one with
  // rows of C, not the one below it that completes a cluster.
  void aSkinnyGridOfPersistentBlocks() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto* advice = w.window.findChild<QLabel*>("advice");
    w.explorer().setStage(test::stage("hopper"));
    w.explorer().setBlockAt(200, 0);
    QVERIFY(w.settled());
    QVERIFY(w.explorer().setProblem({16, 4096, 4096}).isEmpty());
    QVERIFY(w.settled());
    QTRY_VERIFY2(advice->text().contains("64 of 132 SMs have work"), qPrintable(advice->text()));
    const auto& trace = w.recording().trace;
    const Extent grid =
        launchOf(*trace.rung(), trace.tile, paddedProblem(*trace.rung(), trace.tile, trace.asked))
            .grid;
    QCOMPARE(tileloom::placeOf(*trace.rung(), trace.tile, grid, trace.block).row, 0);
  }

  // Room for one more block does not help a grid that does not fill the present places.
  void aSmallGridIsSaid() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto* advice = w.window.findChild<QLabel*>("advice");
    // 16 x 16 blocks, 132 SMs with room for three each.
    QTRY_VERIFY2(advice->text().contains("the grid has 256 blocks for 396 places: 1.9 per SM"),
                 qPrintable(advice->text()));
    QVERIFY(w.explorer().setProblem({4096, 4096, 4096}).isEmpty());
    QVERIFY(w.settled());
    QTRY_VERIFY2(!advice->text().contains("places"), qPrintable(advice->text()));
    QVERIFY(advice->text().contains("a fourth block would fit"));
  }

  // The rung's description and its first limit are visible without scrolling.
  void whatARungDoesIsSeenWithoutScrolling() {
    OpenWindow w({1920, 1080});
    QVERIFY(w.ready());
    const auto* panel = w.window.findChild<TilePanel*>();
    const auto placeInPanel = [panel](const QWidget& part) {
      return QRect(part.mapTo(panel->viewport(), QPoint(0, 0)), part.size());
    };
    const auto* title = w.window.findChild<QWidget*>("whyTitle");
    // The fewest tile parameters, the opening rung, the most tile parameters, and the longest
    // paragraph.
    for (const char* id : {"naive", "warptiled", "rasterised", "tuned"}) {
      const Stage& stage = test::stage(id);
      QVERIFY2(w.pick(stage), stage.id.data());
      QTRY_VERIFY2(panel->viewport()->rect().contains(placeInPanel(label(w, "about"))),
                   stage.id.data());
      // It is visible as soon as its question is answered.
      const auto titleIsBelow = [&] {
        return title->isVisible() &&
               placeInPanel(*title).top() > placeInPanel(label(w, "about")).bottom();
      };
      QVERIFY2(QTest::qWaitFor(titleIsBelow, test::kPatience), stage.id.data());
      QVERIFY2(placeInPanel(*title).bottom() < panel->viewport()->height(), stage.id.data());
    }
    // In a lower window, figures that change with the tile parameters are above those that do not.
    w.window.resize(1280, 720);
    QTRY_VERIFY(placeInPanel(*title).bottom() < placeInPanel(label(w, "about")).top());
  }

  void opensOnTheDefaultRung() {
    OpenWindow w;
    QVERIFY(w.ready());
    const Stage& stage = test::stage("warptiled");
    QVERIFY(&w.explorer().stage() == &stage);
    QVERIFY(w.recording().trace.tile == stage.standardTile());
    QCOMPARE(w.scene().moment.index, openingIndex(w.recording()));
    QVERIFY(w.recording().trace.faults.empty());
    QCOMPARE(w.window.view<LadderList>()->currentRow(), stage.rung - 1);
    QCOMPARE(w.window.statusText(), describeMoment(w.scene().moment));
    QVERIFY(!w.window.view<FactsPanel>()->facts().empty());
    QVERIFY(label(w, "derived").text().contains("16 × 16 blocks of 128 threads"));
    QVERIFY(label(w, "about").text().size() > 100);
    QVERIFY(!w.window.grab().isNull());
  }

  // A split-K tile has several blocks, and the recording shows the whole tile.
  void tilesThatAreCut() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("rewritten")));
    QVERIFY(w.explorer().setProblem({64, 64, 4096}).isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(
        label(w, "derived").text().startsWith("1 × 1 tiles in 4 blocks of 256 threads"),
        test::kPatience);
    w.explorer().setTile(w.explorer().tile().with(Parameter::SPLIT, 1));
    QTRY_VERIFY_WITH_TIMEOUT(label(w, "derived").text().startsWith("1 × 1 blocks of 256 threads"),
                             test::kPatience);
    // The source's text is about the default tile.
    QVERIFY(label(w, "about").text().endsWith("of its default tile."));
    w.explorer().setTile(test::stage("rewritten").standardTile());
    QTRY_VERIFY_WITH_TIMEOUT(!label(w, "about").text().contains("of its default tile."),
                             test::kPatience);
  }

  void everyRungCanBePicked() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const Stage& stage : stages()) {
      QVERIFY2(w.pick(stage), stage.id.data());
      QVERIFY(w.recording().trace.tile == stage.standardTile());
      QVERIFY(w.window.view<ParameterPanel>()->tile() == stage.standardTile());
      QCOMPARE(w.scene().moment.warp, 0u);
      QCOMPARE(w.scene().moment.index, openingIndex(w.recording()));
      QCOMPARE(w.window.statusText(), describeMoment(w.scene().moment));
      QVERIFY(label(w, "about").text().startsWith(openingParagraph(stage)));
      QVERIFY(w.window.view<BankView>()->geometry().shownRows() > 0);  // there is something to see
      QVERIFY(w.window.view<LoomView>()->geometry().block().width() > 50);
      QVERIFY(!w.window.grab().isNull());
    }
  }

  void slidersMoveTheTile() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TileShape standard = w.explorer().tile();
    for (const Parameter parameter :
         {Parameter::WNITER, Parameter::BK, Parameter::TM, Parameter::BM}) {
      ParameterSlider* slider = w.window.view<ParameterPanel>()->slider(parameter);
      int target = 0;
      for (const auto& mark : slider->marks()) {
        if (mark.legal && mark.value != slider->value()) target = mark.value;
      }
      QVERIFY2(target != 0, "a tile parameter with only one legal value is not a test");
      const auto at = [slider](int v) { return QPoint(qRound(slider->positionOf(v)), 8); };
      QTest::mousePress(slider, Qt::LeftButton, {}, at(slider->value()));
      QTest::mouseMove(slider, at(target));
      QTest::mouseRelease(slider, Qt::LeftButton, {}, at(target));
      QCOMPARE(w.explorer().tile()[parameter], target);
      QVERIFY(w.settled());
      QCOMPARE(w.recording().trace.tile[parameter], target);
      QVERIFY(w.recording().trace.faults.empty());
    }
    QVERIFY(!(w.explorer().tile() == standard));
  }

  // While a slider is dragged quickly, no answer to an older question is shown after the last one.
  void aBurstEndsWithTheLastTile() {
    OpenWindow w;
    QVERIFY(w.ready());
    ParameterSlider* slider = w.window.view<ParameterPanel>()->slider(Parameter::WNITER);
    std::vector<int> legal;
    for (const auto& mark : slider->marks()) {
      if (mark.legal) legal.push_back(mark.value);
    }
    QVERIFY(legal.size() >= 3);
    std::vector<TileShape> shown;
    connect(&w.explorer(), &Explorer::recordingChanged, this,
            [&shown](const Scene& scene) { shown.push_back(scene.recording->trace.tile); });
    const auto at = [slider](int v) { return QPoint(qRound(slider->positionOf(v)), 8); };
    QTest::mousePress(slider, Qt::LeftButton, {}, at(slider->value()));
    constexpr int kMoves = 200;
    for (int i = 0; i < kMoves; ++i) {
      QTest::mouseMove(slider, at(legal[static_cast<std::size_t>(i) % legal.size()]));
      if (i % 7 == 0) QCoreApplication::processEvents();
    }
    const TileShape last = w.explorer().tile();
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(slider->value()));
    QCOMPARE(last[Parameter::WNITER], legal[(kMoves - 1) % legal.size()]);
    shown.clear();
    QVERIFY(w.settled());
    QTest::qWait(50);  // all requests still in flight
    QCOMPARE(shown.size(), std::size_t{1});
    QVERIFY(shown[0] == last);
    QVERIFY(w.recording().trace.tile == last);
  }

  void anIllegalTileKeepsTheLastRecording() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto before = w.scene().recording;
    ParameterPanel& parameters = *w.window.view<ParameterPanel>();
    OpenWindow::type(*parameters.spinBox(Parameter::BM), 96);
    QCOMPARE(w.explorer().tile()[Parameter::BM], 96);
    QVERIFY(w.scene().stale);
    QVERIFY(w.scene().recording == before);
    QVERIFY2(parameters.verdict().startsWith("BM = 96 is not a multiple of WM = 64"),
             qPrintable(parameters.verdict()));
    // It can still be played.
    const auto index = w.scene().moment.index;
    w.explorer().step(1);
    QCOMPARE(w.scene().moment.index, index + 1);
    QVERIFY(w.scene().stale);
    QVERIFY(!w.window.grab().isNull());
    OpenWindow::type(*parameters.spinBox(Parameter::BM), 64);
    QVERIFY(w.settled());
    QCOMPARE(w.recording().trace.tile[Parameter::BM], 64);
    QCOMPARE(parameters.verdict(), QString());
  }

  // Back to just the tile that is shown: nothing new is recorded perhaps, but nothing is stale.
  void backToTheShownTile() {
    OpenWindow w;
    QVERIFY(w.ready());
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::TN), 5);
    QVERIFY(w.scene().stale);
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::TN), 4);
    QVERIFY(w.settled());
    QVERIFY(!w.scene().stale);
  }

  // An illegal tile is chosen while a legal one is still being recorded.
  void illegalWhileRecording() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto before = w.scene().recording;
    const TileShape standard = w.explorer().tile();
    w.explorer().setTile(standard.with(Parameter::WNITER, 2));
    w.explorer().setTile(standard.with(Parameter::WNITER, 7));
    QTest::qWait(100);
    QVERIFY(w.scene().stale);
    // The last chosen legal tile is shown, whenever its recording arrives.
    QTRY_VERIFY(w.scene().recording != before);
    QVERIFY(w.scene().stale);
    QVERIFY(w.scene().recording->trace.tile == standard.with(Parameter::WNITER, 2));
  }

  void pickingARungWhileTheTileIsIllegal() {
    OpenWindow w;
    QVERIFY(w.ready());
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::BM), -99999);
    QVERIFY(w.scene().stale);
    QVERIFY(w.pick(test::stage("shared")));
    QVERIFY(!w.scene().stale);
    QCOMPARE(w.window.view<ParameterPanel>()->verdict(), QString());
  }

  void goodSizes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("size");
    QTest::newRow("three") << "300x200x100"
                           << "300x200x100";
    QTest::newRow("cube") << "512"
                          << "512x512x512";
    QTest::newRow("one") << "1"
                         << "1x1x1";
    QTest::newRow("spaces") << " 64 X 48 x 32 "
                            << "64x48x32";
  }
  void goodSizes() {
    QFETCH(QString, text);
    QFETCH(QString, size);
    OpenWindow w;
    QVERIFY(w.ready());
    typeSize(w, text);
    QCOMPARE(q(toString(w.explorer().problem())), size);
    QVERIFY(w.settled());
    QCOMPARE(q(toString(w.recording().trace.asked)), size);
    QVERIFY(label(w, "sizeMessage").isHidden());
    QVERIFY(!w.window.grab().isNull());
  }

  void badSizesAreExplained() {
    OpenWindow w;
    QVERIFY(w.ready());
    const Problem before = w.explorer().problem();
    const auto recording = w.scene().recording;
    for (const char* text : {"", "wide", "0", "-5", "64x64", "1x2x3x4", "99999999999999999999",
                             "1e3", "32769", "12.5", "64x64x", "x"}) {
      typeSize(w, text);
      const QLabel& message = label(w, "sizeMessage");
      QVERIFY2(message.isVisible(), text);
      QVERIFY2(message.text().size() > 15, text);
      QVERIFY2(!message.text().contains('\n') && !message.text().contains(". "), text);
      QVERIFY2(w.explorer().problem() == before, text);
    }
    QVERIFY(w.scene().recording == recording);
    typeSize(w, "256");
    QVERIFY(label(w, "sizeMessage").isHidden());
    QVERIFY(w.settled());
  }

  // A size that only the tile's padding makes too large is not recorded.
  void whatIsRecordedCanBeRecorded() {
    OpenWindow w;
    QVERIFY(w.ready());
    typeSize(w, "32768");
    QVERIFY(w.settled());
    const Stage& stage = w.explorer().stage();
    const auto why = [&stage](const TileShape& tile) {
      return emulator::whyNotTraceable(
          {{usualSubject(stage, tile), {32768, 32768, 32768}}, {0, 0}, 1});
    };
    test::Random random(test::seed());
    const auto tiles = test::legalTiles(stage, 200, random);
    const auto odd = std::ranges::find_if(tiles, [&](const auto& t) { return !why(t).empty(); });
    QVERIFY(odd != tiles.end());
    w.explorer().setTile(*odd);
    QTest::qWait(200);
    const auto& trace = w.recording().trace;
    QVERIFY2(why(trace.tile).empty(), why(trace.tile).c_str());
    QVERIFY(w.scene().stale);
  }

  void faultsAreShownAndGo() {
    OpenWindow w;
    QVERIFY(w.ready());
    QLabel& banner = label(w, "faults");
    QVERIFY(!banner.isVisible());
    emulator::FaultLog log;
    emulator::Fault fault;
    fault.stage = "planted";
    fault.thread = 7;
    fault.file = "kernels/stages/planted.cuh";
    fault.line = 42;
    fault.array = "As";
    fault.index = 2048;
    fault.size = 2048;
    log.add(fault);
    fault.line = 43;
    log.add(fault);
    w.window.middle().showFaults(log);
    QVERIFY(banner.isVisible());
    QVERIFY2(banner.text().contains("kernels/stages/planted.cuh:42"), qPrintable(banner.text()));
    QVERIFY(banner.text().contains("As[2048]") || banner.text().contains("2048"));
    QVERIFY2(banner.text().contains("1 more"), qPrintable(banner.text()));
    QVERIFY(!w.window.grab().isNull());
    w.window.middle().showFaults({});
    QVERIFY(!banner.isVisible());
    // The next clean recording hides it too.
    w.window.middle().showFaults(log);
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 2));
    QVERIFY(w.settled());
    QVERIFY(!banner.isVisible());
  }

  void layout_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x720") << QSize(1280, 720);
    QTest::newRow("1600x1000") << QSize(1600, 1000);
    QTest::newRow("3840x2160") << QSize(3840, 2160);
  }
  void layout() {
    QFETCH(QSize, size);
    OpenWindow w(size);
    QVERIFY(w.ready());
    QCOMPARE(w.window.size(), size);  // no part needs more room than there is
    const QRect inside(QPoint(0, 0), size);
    QScrollArea* parameters = nullptr;
    for (QWidget* above = w.window.view<ParameterPanel>();
         above != nullptr && parameters == nullptr; above = above->parentWidget())
      parameters = qobject_cast<QScrollArea*>(above);
    QVERIFY(parameters != nullptr);
    const std::vector<std::pair<const char*, const QWidget*>> parts = {
        {"ladder", w.window.view<LadderList>()},
        {"loom", w.window.view<LoomView>()},
        {"banks", w.window.view<BankView>()},
        {"source", w.window.findChild<SourceStrip*>()},
        {"parameters", parameters},
        {"transport", w.window.view<TransportBar>()},
        {"status bar", w.window.statusBar()}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const QRect place = placeOf(w, parts[i].second);
      QVERIFY2(place.width() > 40 && place.height() > 10, parts[i].first);
      QVERIFY2(inside.contains(place), parts[i].first);
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        QVERIFY2(!place.intersects(placeOf(w, parts[j].second)),
                 qPrintable(QString("%1 over %2").arg(parts[i].first, parts[j].first)));
      }
    }
    // The loom is the main view.
    QVERIFY(w.window.view<LoomView>()->width() > w.window.width() / 3);
    QVERIFY(w.window.view<LoomView>()->height() > w.window.height() / 4);
    // There is no horizontal scroll bar, so nothing may be cut off on the right.
    QVERIFY(parameters->widget()->width() <= parameters->viewport()->width());
    for (const ParameterSpec& spec : w.explorer().stage().parameters) {
      const QWidget* box = w.window.view<ParameterPanel>()->spinBox(spec.parameter);
      const int right = box->mapTo(parameters->widget(), QPoint(box->width(), 0)).x();
      QVERIFY(right <= parameters->viewport()->width());
    }
    // All buttons and boxes of the transport bar are within it.
    for (const QWidget* child : w.window.view<TransportBar>()->findChildren<QWidget*>()) {
      if (child->isVisible() && child->parentWidget() == w.window.view<TransportBar>())
        QVERIFY(w.window.view<TransportBar>()->rect().contains(child->geometry()));
    }
  }

  void themesRepaint() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto darkness = [](const QImage& image) {
      return Theme::of(QApplication::palette()).dark ? image.pixelColor(5, 5).lightness() < 128
                                                     : image.pixelColor(5, 5).lightness() > 128;
    };
    for (const bool dark : {false, true, false, true}) {
      QApplication::setPalette(Theme::make(dark).palette());
      QCoreApplication::processEvents();
      for (QWidget* part : {static_cast<QWidget*>(w.window.view<LoomView>()),
                            static_cast<QWidget*>(w.window.view<BankView>()),
                            static_cast<QWidget*>(w.window.view<TransportBar>())}) {
        QVERIFY2(darkness(part->grab().toImage()), dark ? "dark" : "light");
      }
      w.explorer().step(1);
      QVERIFY(!w.window.grab().isNull());
    }
  }

  void statusSaysWhatIsExecuted() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const int index : {0, 1, 30, 31, 100, 500, 1000, 100000}) {
      for (const int warp : {0, 3}) {
        w.explorer().setWarp(warp);
        w.explorer().setIndex(index);
        QCOMPARE(w.window.statusText(), describeMoment(w.scene().moment));
        QVERIFY(w.window.statusText().startsWith(QString("warp %1, line ").arg(warp)));
      }
    }
  }

  // A new tile keeps the present K tile and k.
  void placeIsKept() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().goTo(1, 5);
    QCOMPARE(w.scene().moment.instruction.dot, std::uint16_t{5});
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 2));
    QVERIFY(w.settled());
    QCOMPARE(w.scene().moment.instruction.kTile, 1u);
    QCOMPARE(w.scene().moment.instruction.dot, std::uint16_t{5});
  }

  // The same access, not that of the same number: with a narrower subtile the loads of Bs come
  // where those of As were.
  void theAccessIsKept() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto isLoadOf = [&](const char* array) {
      const auto& now = w.scene().moment;
      return now.instruction.kind == emulator::Kind::SharedLoad && now.array == array;
    };
    for (const char* array : {"As", "Bs"}) {
      w.explorer().setTile(w.explorer().stage().standardTile());
      QVERIFY(w.settled());
      w.explorer().goTo(1, 5);
      for (int wniter : {2, 1, 4}) {
        // The last load of the array at this k.
        const auto k = w.scene().moment.instruction.dot;
        int last = -1;
        for (const auto dot = k; w.scene().moment.instruction.dot == dot; w.explorer().step(1)) {
          if (isLoadOf(array)) last = static_cast<int>(w.scene().moment.index);
        }
        QVERIFY(last >= 0);
        w.explorer().setIndex(last);
        const auto line = w.scene().moment.instruction.line;
        w.explorer().setTile(w.explorer().stage().standardTile().with(Parameter::WNITER, wniter));
        QVERIFY(w.settled());
        QVERIFY2(isLoadOf(array), qPrintable(w.window.statusText()));
        QCOMPARE(w.scene().moment.instruction.line, line);
        QCOMPARE(w.scene().moment.instruction.dot, k);
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTest, Window)
#include "window_test.moc"
