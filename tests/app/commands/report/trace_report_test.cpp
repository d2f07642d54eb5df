// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a kernel with a planted bug, which no stage of the ladder has.
#include "app/commands/report/trace_report.h"

#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/tile/parameters.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::app {
namespace {

KERNEL(good, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  C[threadIdx.x] = A[threadIdx.x];
}

KERNEL(store_past_the_end, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (threadIdx.x == 5) PLANTED(C[M * N + 2] = A[0]);
}

KERNEL(bad_in_the_last_block, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (blockIdx.x == 1 && blockIdx.y == 1) PLANTED(C[M * N] = A[0]);
}

TraceReport reportOn(const Stage& stage, std::optional<Extent> block = std::nullopt) {
  TraceQuery query;
  query.subject() = standardSubject(stage);
  query.size = {16, 16, 8};
  query.block = block;
  return *traceReport(query);
}

}  // namespace

class TraceReportTest : public QObject {
  Q_OBJECT

 private slots:
  void noFaults() {
    const Stage stage = test::planted<good>();
    const TraceReport report = reportOn(stage, Extent{0, 0});
    QVERIFY(report.faults.empty());
    QVERIFY(faultLines(report.faults).empty());
    QCOMPARE(traceJson(report)["faults"].size(), 0u);
    QVERIFY(!QString::fromStdString(traceText(report)).contains("fault"));
  }

  void faultIsToldInEveryForm() {
    const Stage stage = test::planted<store_past_the_end>();
    const TraceReport report = reportOn(stage, Extent{1, 0});
    const auto lines = faultLines(report.faults);
    QCOMPARE(lines.size(), 1u);
    QVERIFY(lines[0].find("C[258]") != std::string::npos);

    const Json faults = traceJson(report)["faults"];
    QCOMPARE(faults.size(), 1u);
    const Json& fault = faults[0];
    QCOMPARE(fault["kind"], "out_of_bounds");
    QCOMPARE(fault["stage"], "planted");
    QVERIFY((fault["block"] == Json{{"x", 1}, {"y", 0}}));
    QCOMPARE(fault["thread"], 5);
    QCOMPARE(fault["file"], test::kPlantedFile);
    QCOMPARE(fault["line"], test::plantedLine);
    QCOMPARE(fault["array"], "C");
    QCOMPARE(fault["index"], 258);
    QCOMPARE(fault["text"].get<std::string>(), lines[0]);
    QVERIFY(QString::fromStdString(traceText(report)).contains("1 fault found"));
  }

  void wholeGridLooksAtItsLastBlockToo() {
    const Stage stage = test::planted<bad_in_the_last_block>();
    const TraceReport report = reportOn(stage);
    QVERIFY(!report.faults.empty());
    QVERIFY((report.faults.kept.front().block == Extent{1, 1}));
    QVERIFY(reportOn(stage, Extent{0, 0}).faults.empty());
  }

  // A recording shows whole tiles: if the launch splits them, or is persistent, the words are about
  // tiles.
  void tilesThatAreNoBlocks() {
    TraceQuery query;
    query.subject() = standardSubject(**stageNamed("rewritten"));
    query.size = {64, 64, 4096};
    const auto has = [](const std::string& text, std::string_view part) {
      return text.find(part) != std::string::npos;
    };
    const std::string cut = traceText(*traceReport(query));
    for (const char* part : {"block tile 0,0: its first 2 of 512 K tiles and its epilogue",
                             "In this launch 4 blocks share it along K"})
      QVERIFY2(has(cut, part), cut.c_str());
    query.block = Extent{0, 0};
    const std::string alone = traceText(*traceReport(query));
    QVERIFY2(has(alone, "Totals of block tile 0,0 over all of K") &&
                 has(alone, "In this launch 4 blocks share it"),
             alone.c_str());
    query.block = Extent{3, 0};
    QVERIFY(has(traceReport(query).error(), "block tile 3,0 is outside the grid of 1 x 1 block t"));
    // Ten tiles on as many SMs are blocks.
    query.block = std::nullopt;
    query.tile = query.tile.with(Parameter::SPLIT, 1);
    const std::string whole = traceText(*traceReport(query));
    QVERIFY2(has(whole, ", block 0,0: its first 2") && !has(whole, "share it"), whole.c_str());
    query.arch = *architectureNamed("sm_86");
    query.tile = query.tile.with(Parameter::SPLIT, 4);
    QVERIFY(has(traceText(*traceReport(query)), "132 SMs, as an H100 has; GPUs of sm_86 may"));
  }

  // What the tensor cores read and what TMA moves belong to lines, too.
  void linesOfAsynchronousInstructions() {
    for (const char* id : {"specialised", "persistent", "hopper"}) {
      TraceQuery query;
      query.subject() = standardSubject(test::stage(id));
      query.size = {512, 512, 512};
      const TraceReport report = *traceReport(query);
      const QString text = QString::fromStdString(traceText(report));
      QVERIFY2(text.contains("wgmma operands") && text.contains("TMA load"), qPrintable(text));
      QVERIFY2(text.contains("TMA also writes shared memory"), qPrintable(text));
      std::uint64_t wavefronts = 0, sectors = 0;
      for (const auto& line : report.lines) {
        if (line.kind == emulator::Kind::Product) wavefronts += line.wavefronts;
        if (line.kind == emulator::Kind::BoxLoad) sectors += line.sectors;
      }
      // By hand: 16 + N / 4 wavefronts for each wgmma.
      const auto columns = static_cast<std::uint64_t>(query.tile[Parameter::BN]);
      const std::uint64_t each = query.tile[Parameter::BM] / 64 * 4 * (16 + columns / 4);
      QCOMPARE(wavefronts, each * report.kTilesTraced);
      QVERIFY(sectors > 0);
      const auto json = traceJson(report);
      const auto has = [&](std::string_view kind) {
        return std::ranges::any_of(json["lines"],
                                   [&](const auto& line) { return line["kind"] == kind; });
      };
      QVERIFY(has("wgmma") && has("tma_load"));
    }
  }

  void manyFaultsAreCounted() {
    emulator::FaultLog log;
    for (int i = 0; i < 100; ++i) log.add({});
    const auto lines = faultLines(log);
    QCOMPARE(lines.size(), emulator::FaultLog::kKept + 1);
    QVERIFY(lines.back().starts_with("68 more"));
  }

  void tooManyKTilesAreRefused() {
    TraceQuery query;
    query.subject() = standardSubject(**stageNamed("warptiled"));
    query.size = {128, 128, 32768};
    query.kTiles = 32768;
    const auto report = traceReport(query);
    QVERIFY(!report.has_value());
    QVERIFY(report.error().find("choose at most") != std::string::npos);
    // No more than the run has can be requested.
    query.size.k = 64;
    QCOMPARE(traceReport(query)->kTilesTraced, 4u);
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::TraceReportTest, Nothing)
#include "trace_report_test.moc"
