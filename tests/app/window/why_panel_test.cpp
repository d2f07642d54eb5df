// SPDX-License-Identifier: GPL-3.0-or-later
// What the hardware counted stands beside what is predicted.
#include "app/window/why_panel.h"

#include <QLabel>
#include <QtTest>
#include <memory>

#include "kernels/runs/run_store.h"
#include "kernels/sass/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/cost_bars.h"

namespace tileloom {

class WhyPanelTest : public QObject {
  Q_OBJECT

  static constexpr int kPatience = 60000;

 private slots:
  void countedWaitingIsSaid() {
    const auto runs = runs::readRuns(TILELOOM_SOURCE_DIR "/resources/stalls/h200.jsonl");
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
    panel.ask(question);  // nobody has counted anything
    QTRY_VERIFY_WITH_TIMEOUT(!panel.pending() && !costs->isHidden(), kPatience);
    QVERIFY(stalls->isHidden());
    const auto* work = costs->findChild<QLabel*>(QStringLiteral("work"));
    QVERIFY2(work->text().startsWith("The multiply-adds themselves take ") &&
                 work->text().contains("predicted for NVIDIA H"),
             qPrintable(work->text()));

    question.tile.run = *run;
    panel.ask(question);
    QTRY_VERIFY_WITH_TIMEOUT(!stalls->isHidden(), kPatience);
    QVERIFY2(stalls->text().startsWith("Counted: warps waited "), qPrintable(stalls->text()));
    QVERIFY2(stalls->text().contains(" % for data from shared memory"), qPrintable(stalls->text()));
    QVERIFY(!stalls->text().contains("not at all"));
    QVERIFY(stalls->toolTip().contains("not at all"));
    QVERIFY(!stalls->text().contains("another warp"));  // it was ready, and did not wait
  }

  void sampledLinesLeadToTheSource() {
    WhyPanel panel;
    const std::unique_ptr<QWidget> costs(panel.costs()), turns(panel.turns());
    auto* bars = costs->findChild<CostBars*>(QStringLiteral("sampled"));
    QVERIFY(bars != nullptr && bars->isHidden());
    const Stage& s = test::stage("naive");
    const auto facts = SassFacts::of(*sass::recordedListing(s, s.standardTile(), "sm_90"));
    panel.showSampled(StallFacts::of(*runs::recordedSamples(s, s.standardTile(), "sm_90"), *facts));
    QVERIFY(!bars->isHidden());
    // The one line of the product has nearly all of it.
    QCOMPARE(bars->bars().front().line, 18);
    // Of that reason alone, as its words say.
    QVERIFY(bars->bars().front().share > 0.7 && bars->bars().front().share < 0.8);
    QVERIFY2(bars->bars().front().name.contains("line 18, for "),
             qPrintable(bars->bars().front().name));
    panel.showSampled(nullptr);
    QVERIFY(bars->isHidden());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WhyPanelTest, Window)
#include "why_panel_test.moc"
