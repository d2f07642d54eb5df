// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the hardware are beside the prediction.
#include "app/window/why_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>
#include <memory>

#include "kernels/emulator/run.h"
#include "kernels/model/limits/floors.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/wait_places.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/cost_bars.h"

namespace tileloom {

class WhyPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void countedWaitingIsSaid() {
    const auto runs = runs::readRuns(TILELOOM_SOURCE_DIR "/tests/fixtures/stalls/h100.jsonl");
    QVERIFY(runs.has_value());
    const auto run =
        std::ranges::find(runs->runs, std::string("warptiled"), &runs::RunRecord::stage);
    QVERIFY(run != runs->runs.end());
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    auto* stalls = costs->findChild<QLabel*>(QStringLiteral("stalls"));
    QVERIFY(stalls != nullptr && stalls->isHidden());

    WhyService::Question question;
    question.stage = &test::stage("warptiled");
    question.problem = run->problem;
    question.tile.shape = run->tile;
    question.tile.kernel.arch = QString::fromStdString(run->arch);
    question.tile.kernel.registers = run->registers;
    question.tile.kernel.blocks = run->blocksPerSm;
    panel.ask(question);  // there are no counts
    QTRY_VERIFY(!panel.pending() && !costs->isHidden());
    QVERIFY(stalls->isHidden());
    const auto* work = costs->findChild<QLabel*>(QStringLiteral("work"));
    QVERIFY2(work->text().startsWith("The multiply-adds take ") &&
                 work->text().contains("predicted for H"),
             qPrintable(work->text()));
    QVERIFY2(work->toolTip().startsWith("Instruction issue is busy with them for "),
             qPrintable(work->toolTip()));

    question.tile.run = *run;
    panel.ask(question);
    QTRY_VERIFY(!stalls->isHidden());
    QVERIFY2(stalls->text().startsWith("Counted: warps waited "), qPrintable(stalls->text()));
    QVERIFY2(stalls->text().contains(" % for data from shared memory"), qPrintable(stalls->text()));
    QVERIFY(!stalls->text().contains("not at all"));
    QVERIFY(stalls->toolTip().contains("not at all"));
    QVERIFY(!stalls->text().contains("another warp"));  // it was ready, and did not wait
  }

  // Of a rung without a prediction: lower bounds, the time of a run, and no figure of FP32
  // constants.
  void floorsStandInPlaceOfAPrediction() {
    const Stage& stage = tensorStages().front();
    const TileShape tile = stage.standardTile();
    const Problem size{2048, 2048, 2048};
    const auto* run = runs::recordedRun(usualSubject(stage, tile), size);
    QVERIFY(run != nullptr);
    emulator::Workspace workspace;
    const auto loop = analysis::traceLoop(workspace, usualSubject(stage, tile), size);
    const auto floors = model::floorsOf(stage, tile, loop.totals, loop.kTiles,
                                        *architectureNamed("sm_90"), model::ceilingsOf({}, {}));
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    WhyService::Question question;
    question.stage = &stage;
    question.problem = size;
    question.tile = {tile, {}, *run};
    panel.showFloors(question, floors, model::measuredCycles(stage, *run, kReferenceSms));
    QVERIFY(!panel.pending() && !costs->isHidden() && turns->isHidden());
    const auto* title = costs->findChild<QWidget*>(QStringLiteral("whyTitle"));
    QVERIFY(title != nullptr);
    const auto* work = costs->findChild<QLabel*>(QStringLiteral("work"));
    QVERIFY2(work->text().startsWith("No prediction: it is fitted to the FP32 rungs only. The "
                                     "lower bound of shared memory"),
             qPrintable(work->text()));
    const auto* bars = costs->findChild<CostBars*>(QStringLiteral("costs"));
    QCOMPARE(bars->bars().size(), std::size_t{6});
    QCOMPARE(bars->bars()[0].figure, "≥ 256");
    QCOMPARE(bars->bars()[1].figure, "≥ 1,856");
    QVERIFY(bars->bars()[3].name.startsWith("mma.sync"));
    QVERIFY(bars->bars()[4].name.startsWith("L2, at its measured rate"));
    for (const std::size_t at : {3, 4})
      QVERIFY(!bars->bars()[at].counted && bars->bars()[at].figure.startsWith("≈ "));
    QCOMPARE(bars->bars()[5].name, "recorded on H100");
    QCOMPARE(bars->bars()[5].share, 1.0);
    for (const CostBar& bar : bars->bars()) {
      QVERIFY2(bar.tip.contains("K tile"), qPrintable(bar.tip));
      QVERIFY(!bar.tip.contains("%1") && !bar.tip.contains("%2") && !bar.tip.contains("%3"));
    }
    // An answer about an FP32 rung takes their place again.
    question.stage = &test::stage("warptiled");
    question.tile = {question.stage->standardTile(), {}, std::nullopt};
    question.tile.kernel.arch = "sm_90";
    question.tile.kernel.registers = 168;
    question.tile.kernel.blocks = 3;
    panel.ask(question);
    QTRY_VERIFY(!panel.pending() && !turns->isHidden());
    QVERIFY(bars->bars()[0].figure.isEmpty());
    QVERIFY(!work->text().contains("No prediction"));
  }

  // The service itself has no answer either.
  void theServiceHasNoAnswerForTensorRungs() {
    WhyService service;
    QSignalSpy explained(&service, &WhyService::explained);
    WhyService::Question question;
    question.stage = &tensorStages().back();
    question.problem = {1024, 1024, 1024};
    question.tile.shape = question.stage->standardTile();
    question.tile.kernel.arch = "sm_90";
    question.tile.kernel.registers = 240;
    question.tile.kernel.blocks = 2;
    service.ask(question);
    QVERIFY(service.pending());
    QTRY_VERIFY(!service.pending());
    QVERIFY(explained.isEmpty());
  }

  void sampledLinesLeadToTheSource() {
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    auto* bars = costs->findChild<CostBars*>(QStringLiteral("sampled"));
    QVERIFY(bars != nullptr && bars->isHidden());
    const Stage& s = test::stage("naive");
    const auto facts = SassFacts::of(*sass::recordedListing(standardSubject(s), "sm_90"));
    const auto samples = StallFacts::of(
        *runs::recordedSamples(standardSubject(s), {2048, 2048, 2048}, "sm_90"), *facts);
    panel.showSampled(samples, {}, std::nullopt);
    QVERIFY(!bars->isHidden());
    // The one line of the product has nearly all of it.
    const int line = test::lineOf(s, "sum += A");
    QCOMPARE(bars->bars().front().line, line);
    // Only of that reason, as the text says.
    QVERIFY(bars->bars().front().share > 0.7 && bars->bars().front().share < 0.8);
    QVERIFY2(bars->bars().front().name.contains(QStringLiteral("line %1, for ").arg(line)),
             qPrintable(bars->bars().front().name));
    // A speed of another device is labelled.
    const auto* title = costs->findChild<QLabel*>(QStringLiteral("sampledTitle"));
    QVERIFY2(title->text().contains("sampled on H100, 2048³)"), qPrintable(title->text()));
    HistoryPoint speed;
    speed.device = QStringLiteral("NVIDIA H200");
    speed.problem = {4096, 4096, 4096};
    panel.showSampled(samples, {}, speed);
    QVERIFY2(title->text().contains("H100, 2048³; the speed above is from H200, 4096³"),
             qPrintable(title->text()));
    panel.showSampled(nullptr, {}, std::nullopt);
    QVERIFY(bars->isHidden());
  }

  // A cluster kernel in which three of twelve warps have no work: the names are of working warps,
  // in the kernel's words.
  void idleWarpsAreNoCause() {
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    const Stage& s = test::stage("cluster");
    const Problem size{4096, 4096, 4096};
    const auto facts = SassFacts::of(*sass::recordedListing(standardSubject(s), "sm_90"));
    const auto samples =
        StallFacts::of(*runs::recordedSamples(standardSubject(s), size, "sm_90"), *facts);
    emulator::Workspace workspace;
    emulator::TraceRequest request;
    request.subject() = standardSubject(s);
    request.problem = size;
    request.kTiles = 4;
    const auto places = timeline::waitPlaces(emulator::traceBlock(workspace, request));
    panel.showSampled(samples, places, std::nullopt);
    const auto* bars = costs->findChild<CostBars*>(QStringLiteral("sampled"));
    QVERIFY2(bars->bars().front().name.endsWith(", for its wgmma"),
             qPrintable(bars->bars().front().name));
    QVERIFY(bars->bars().front().share > 0.6);
    // The rest of the line where the idle warps wait is of working warps.
    for (const CostBar& bar : bars->bars())
      QVERIFY(bar.line != places.idleLine || bar.share < 0.05);
    const auto* idle = costs->findChild<QLabel*>(QStringLiteral("sampledIdle"));
    QVERIFY2(!idle->isHidden() && idle->text().contains("producer warps 9 to 11") &&
                 idle->text().contains("25 % of all samples"),
             qPrintable(idle->text()));
    panel.showSampled(samples, {}, std::nullopt);
    QVERIFY(idle->isHidden());
  }

  // Rung 5's multiply-adds are the work of more than a third of the time, though most of it is
  // hidden behind shared memory: their share alone would be taken for all.
  void hiddenWorkIsSaid() {
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    WhyService::Question question;
    question.stage = &test::stage("blocktile2d");
    question.problem = {2048, 2048, 2048};
    question.tile.shape = question.stage->standardTile();
    question.tile.kernel.arch = QStringLiteral("sm_90");
    question.tile.kernel.registers = 94;
    question.tile.kernel.blocks = 2;
    panel.ask(question);
    const auto* work = costs->findChild<QLabel*>(QStringLiteral("work"));
    QTRY_VERIFY(!work->text().isEmpty());
    QVERIFY2(work->text().startsWith("Multiply-adds keep instruction issue busy 3") &&
                 work->text().contains("their share is "),
             qPrintable(work->text()));
  }

  // A faster tile that no single parameter change reaches is offered, and a click uses it.
  void theFastestTileIsOffered() {
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    const auto* words = costs->findChild<QLabel*>(QStringLiteral("fastest"));
    auto* take = costs->findChild<QPushButton*>(QStringLiteral("takeFastest"));
    HistoryPoint present;
    present.subject() = standardSubject(test::stage("warptiled"));
    present.problem = {2048, 2048, 2048};
    present.device = QStringLiteral("NVIDIA H100 80GB HBM3");
    present.gflops = {35000, 34900, 35100};
    const TileShape faster = present.tile.with(Parameter::BM, 64).with(Parameter::WN, 32);
    FastestTile fastest{faster, 38500, 299};
    panel.showFastest(fastest, present.device, present);
    QCOMPARE(words->text(), "Fastest recorded tile: speed × 1.10");
    for (const QWidget* each :
         {static_cast<const QWidget*>(words), static_cast<const QWidget*>(take)})
      QVERIFY2(each->toolTip().contains("BM 128 → 64, WN 64 → 32"), qPrintable(each->toolTip()));
    QVERIFY(words->toolTip().contains("299 tiles"));
    QVERIFY(!take->isHidden());
    QSignalSpy taken(&panel, &WhyPanel::tilePicked);
    take->click();
    QVERIFY(taken.takeFirst().front().value<TileShape>() == faster);
    // Speeds of two devices are not compared.
    panel.showFastest(fastest, QStringLiteral("NVIDIA H200"), present);
    QVERIFY2(words->text().contains("38,500 GFLOP/s"), qPrintable(words->text()));
    fastest.tile = present.tile;
    panel.showFastest(fastest, present.device, present);
    QCOMPARE(words->text(), "This is the fastest of 299 recorded tiles.");
    QVERIFY(take->isHidden());
    panel.showFastest(std::nullopt, present.device, present);
    QVERIFY(words->isHidden());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WhyPanelTest, Window)
#include "why_panel_test.moc"
