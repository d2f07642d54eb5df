// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped timestamps: every file is valid, has the right name, and can be compared with the
// predicted timeline; after a change of a kernel the remark says to take new ones.
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>

#include <QFile>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "tests/gpu/sentence.h"
#include "tests/support/kinds.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::timeline {

using test::q;

class ShippedStampsTest : public QObject {
  Q_OBJECT

  static bool ships(const Stage& stage) {
    return stage.features().warpMma || stage.features().tma || test::fetchesAhead(stage);
  }
  static std::optional<Measured> shippedOf(const Stage& stage) {
    return shippedStamps(standardSubject(stage), {4096, 4096, 4096}, "sm_90");
  }
  static void everyStageThatShips() {
    QTest::addColumn<QByteArray>("id");
    for (const Stage* stage : everyStage()) {
      if (ships(*stage))
        QTest::addRow("%s", q(stage->id).toUtf8().constData()) << q(stage->id).toUtf8();
    }
  }

 private slots:
  void everyFileIsWhatItsNameSays() {
    for (const EmbeddedFile& file : stampFiles()) {
      const auto m = measuredFrom(file.text);
      QVERIFY2(m, m ? "" : m.error().c_str());
      QVERIFY2(file.name == std::string("h100-") + std::string(m->rung()->id) + ".json",
               std::string(file.name).c_str());
      QVERIFY(m->tile == m->rung()->standardTile());
      QVERIFY(m->device.find("H100") != std::string::npos);
      QVERIFY(ships(*m->rung()));
      // It is as compact as the program writes it.
      QCOMPARE(q(std::string(file.text)), q(toJson(*m).dump() + "\n"));
    }
  }

  void eachRungHasSome_data() { everyStageThatShips(); }
  void eachRungHasSome() {
    QFETCH(QByteArray, id);
    const Stage& stage = test::stage(id.constData());
    const auto m = shippedOf(stage);
    if (!m && !test::mustBeRecorded(stage)) QSKIP("NOT TESTED: no stamps of this rung ship yet");
    QVERIFY2(m, "none ship: record them with \"tileloom timeline STAGE --measure FILE\"");
    QVERIFY(m->rung() == &stage && m->tile == stage.standardTile());
    QVERIFY((m->problem == Problem{4096, 4096, 4096}));
    QVERIFY(!m->full);
    QCOMPARE(m->arch, std::string("sm_90"));
    // Timestamps must not have changed the launch.
    QVERIFY(m->cost() > -0.2 && m->cost() < 0.5);
    QCOMPARE(m->blocksPerSm, m->stampedBlocksPerSm);
    // Of the present kernel, or marked as stale.
    const std::string stale = whyStale(*m);
    QCOMPARE(stale.empty(), m->fingerprint == fingerprintOf(stage));
    if (!stale.empty()) qWarning("%s", stale.c_str());
  }

  void eachIsLaidBesideThePredicted_data() { everyStageThatShips(); }
  void eachIsLaidBesideThePredicted() {
    QFETCH(QByteArray, id);
    const Stage& stage = test::stage(id.constData());
    auto m = shippedOf(stage);
    if (!m && !test::mustBeRecorded(stage)) QSKIP("NOT TESTED: no stamps of this rung ship yet");
    QVERIFY(m);
    emulator::Workspace workspace;
    emulator::TraceRequest request;
    request.subject() = {&stage, stage.standardTile(), m->format};
    request.problem = m->problem;
    request.kTiles = tilesWanted(stage, request.tile);
    request.operands = false;
    const auto trace = emulator::traceBlock(workspace, request);
    const BlockProgram program = programOf(trace);
    const auto rates = *model::ratesFor("sm_90");
    const auto loop = analysis::traceLoop(workspace, usualSubject(stage, request.tile), m->problem);
    const auto kernel =
        model::shapeFrom(runs::recordings(), usualSubject(stage, request.tile), "sm_90")
            .value_or(model::KernelShape{m->blocksPerSm, std::nullopt});
    const auto work = model::workloadOf(stage, request.tile, m->problem, loop.totals, loop.kTiles,
                                        kernel, rates.chip.machine);
    const auto predicted =
        simulate(program, costsOf(stage, work, program, rates, model::ceilingsOf({}, {})));
    QVERIFY(predicted);
    const int blocksPerSm = m->blocksPerSm;
    auto laid = beside(std::move(*m), program, *predicted);
    QVERIFY2(laid, laid ? "" : laid.error().c_str());
    QVERIFY(laid->whole.steady() && laid->comparison);
    QCOMPARE(laid->whole.blocks, blocksPerSm);
    // The wait for a K tile ends where it is multiplied, or up to two K tiles before that.
    QVERIFY(std::abs(laid->aligned.tileStarts[laid->tile] - predicted->tileStarts[laid->under]) <
            2 * predicted->cyclesPerTile);
    // A GPU and the clock differ by less than a factor of 4.
    const double ratio = laid->comparison->stampedCycles / laid->comparison->predictedCycles;
    QVERIFY2(ratio > 0.5 && ratio < 4, qPrintable(QString::number(ratio)));
    // docs/design/05-timeline.md says so.
    QFile file(TILELOOM_SOURCE_DIR "/docs/design/05-timeline.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    addSamples(*laid->comparison, laid->measured, waitPlaces(trace));
    const auto whole = [](double v) { return grouped(std::uint64_t(v + 0.5)); };
    const std::string row = fmt::format("| {} `{}` | {} | {} |", rungLabel(stage), stage.id,
                                        whole(laid->comparison->predictedCycles),
                                        whole(laid->comparison->stampedCycles));
    QVERIFY2(text.contains(q(row)), row.c_str());
    // Its shares: predicted, timed and sampled of the same warps.
    const QString line = text.mid(text.indexOf(q(row))).section('\n', 0, 0);
    const auto percent = [](const std::optional<double>& share) {
      return share ? QStringLiteral("%1 %").arg(qRound(100 * *share)) : QStringLiteral("–");
    };
    for (const ComparedWait& wait : laid->comparison->waits) {
      if (wait.who != Who::Multiply || wait.on == On::Boxes) continue;
      const QString shares =
          QStringLiteral("| %1 · %2 · %3 |")
              .arg(percent(wait.predicted), percent(wait.timed), percent(wait.sampled));
      QVERIFY2(line.contains(shares), qPrintable(QStringLiteral("%1 in %2").arg(shares, line)));
    }
    double shares = 0;
    for (const ComparedWait& wait : laid->comparison->waits) {
      if (wait.who != Who::Multiply) continue;
      shares += wait.stamped.value_or(0);
      QVERIFY(wait.timed);
      // Timed and sampled waits without timestamps are the same (hardware.md, rule 72).
      if (wait.sampled) QVERIFY(std::abs(*wait.timed - *wait.sampled) < 0.12);
    }
    QVERIFY(shares >= 0 && shares <= 1);
  }

  void onlyExactlyThisTile() {
    const Stage& stage = test::stage("overlapped");
    const TileShape tile = stage.standardTile();
    TileShape other = tile;
    other[Parameter::STAGES] = tile[Parameter::STAGES] == 3 ? 4 : 3;
    const Problem problem{4096, 4096, 4096};
    QVERIFY(shippedStamps({&stage, tile, Format::Bf16}, problem, "sm_90"));
    QVERIFY(!shippedStamps({&stage, other, Format::Bf16}, problem, "sm_90"));
    QVERIFY(!shippedStamps({&stage, tile, Format::Fp16}, problem, "sm_90"));
    QVERIFY(!shippedStamps({&stage, tile, Format::Bf16}, problem, "sm_80"));
    QVERIFY(
        !shippedStamps({&test::stage("naive"), test::stage("naive").standardTile(), Format::Fp32},
                       problem, "sm_90"));
    // Of another problem if there are none of this one.
    const auto near = shippedStamps({&stage, tile, Format::Bf16}, {2048, 2048, 2048}, "sm_90");
    QVERIFY(near && near->problem == problem);
  }

  void thatOfTheProblemIsTaken() {
    const Stage& stage = test::stage("overlapped");
    auto m = shippedOf(stage);
    QVERIFY(m);
    const std::string there = toJson(*m).dump();
    m->problem = {2048, 2048, 2048};
    const std::string here = toJson(*m).dump();
    const EmbeddedFile files[] = {{"h100-overlapped.json", there},
                                  {"h200-overlapped.json", here},
                                  {"h100-broken-overlapped.json", "{"},
                                  {"h100-tma.json", here}};
    for (const int size : {2048, 4096}) {
      const auto found = findStamps(files, {&stage, stage.standardTile(), Format::Bf16},
                                    {size, size, size}, "sm_90");
      QVERIFY(found);
      QCOMPARE(found->problem.m, size);
    }
  }

  void aChangedKernelIsSaid() {
    auto m = shippedOf(test::stage("overlapped"));
    QVERIFY(m);
    m->fingerprint = "0123456789abcdef";
    const std::string stale = whyStale(*m);
    QVERIFY2(q(stale).contains(QStringLiteral("overlapped")), stale.c_str());
    QCOMPARE(test::sentenceFlaw(stale), QString());
    QCOMPARE(remarkOn(*m), stale);
  }

  // Timestamps are inside the main loop, which is then not rewritten.
  void aLoopThatIsNotRewrittenIsSaid() {
    auto m = shippedOf(test::stage("overlapped"));
    QVERIFY(m && remarkOn(*m).empty());
    m->subject() = usualSubject(test::stage("rewritten"), m->tile);
    m->fingerprint = fingerprintOf(*m->rung());
    QVERIFY(whyStale(*m).empty());
    QVERIFY(q(remarkOn(*m)).contains(QStringLiteral("as it was compiled")));
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::ShippedStampsTest, Nothing)
#include "shipped_stamps_test.moc"
