// SPDX-License-Identifier: GPL-3.0-or-later
// What the study of a loop needs beside its machine code.
#include "kernels/analysis/stage_study.h"

#include <QtTest>

#include "kernels/runs/loop_times.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace rewrite;
using namespace runs;
using namespace analysis;

class StageStudyTest : public QObject {
  Q_OBJECT

  static Architecture h100() { return architectureNamed("sm_90").value(); }
  // A tile of rung 16 whose blocks are as large as those of the fixture, 4 warps, and take so much
  // shared memory that few of them share an SM.
  static TileShape smallTile() {
    TileShape tile = stage("rewritten").standardTile();
    tile[Parameter::BM] = tile[Parameter::BN] = 128;
    tile[Parameter::BK] = 32;
    tile[Parameter::WM] = tile[Parameter::WN] = 64;
    return tile;
  }

 private slots:
  // 128 x 256 sums in tiles of 8 x 16 per thread: 256 threads, which have up to 255 registers.
  void theResidencyOfTheStandardTile() {
    const Stage& its = stage("rewritten");
    const Residency residency = residencyOf(its, its.standardTile(), h100(), 208);
    QCOMPARE(residency.warpsPerBlock, 8);
    QCOMPARE(residency.warps, 8);
    QVERIFY(!residency.pairedLoads);
  }
  void whatLimitsTheWarps() {
    const Stage& its = stage("rewritten");
    const TileShape tile = smallTile();
    QCOMPARE(q(explainTile(its, tile, std::nullopt, h100())), QString());
    QCOMPARE(derive(its, tile).threads, 128);
    // Two K tiles of 32 x (128 + 128) floats and their padding: three blocks have room.
    QCOMPARE(residencyOf(its, tile, h100(), 128).warps, 4 * 3);
    // 65,536 registers for blocks of 128 threads.
    QCOMPARE(residencyOf(its, tile, h100(), 168).warps, 4 * 3);
    QCOMPARE(residencyOf(its, tile, h100(), 169).warps, 4 * 2);
    QCOMPARE(residencyOf(its, tile, h100(), 255).warps, 4 * 2);
    QCOMPARE(residencyOf(its, tile, h100(), 255).warpsPerBlock, 4);
    // A block that does not fit has no warps.
    QCOMPARE(residencyOf(its, tile, h100(), 256).warps, 0);
  }
  // Rungs up to 14 deal their lanes so that wide loads are served in pairs.
  void pairedLoadsAreSeen() {
    const Stage& its = stage("tuned");
    const Residency residency = residencyOf(its, its.standardTile(), h100(), 128);
    QVERIFY(residency.pairedLoads);
    QVERIFY(residency.warps > 0 && residency.warps % residency.warpsPerBlock == 0);
  }

  void aStageIsStudied() {
    const auto file = cubinFixture("small");
    const auto study = studyStage(usualSubject(stage("rewritten"), smallTile()), h100(), file);
    QVERIFY2(study, study ? "" : study.error().c_str());
    const Residency residency =
        residencyOf(stage("rewritten"), smallTile(), h100(), sass::readCubin(file)->registers);
    QCOMPARE(study->warps, residency.warps);
    QVERIFY(!study->rewritten().version.pairedLoads);
    QVERIFY(study->rewritten().facts.time.cycles < study->untouched.time.cycles);
  }
  // The kernel that ships.
  void theRecordedKernel() {
    const Stage& its = stage("rewritten");
    const auto code = sass::recordedListing(standardSubject(its), "sm_90");
    QVERIFY(code && !code->untouched.empty());
    const auto study = studyStage(standardSubject(its), h100(), code->untouched);
    QVERIFY2(study, study ? "" : study.error().c_str());
    QCOMPARE(study->untouched.multiplyAdds, 1024);
    QVERIFY(study->rewritten().facts.time.cycles < study->untouched.time.cycles);
  }
  // nvdisasm's listing of the kernel that ran equals this program's listing of the shipped file.
  void theRecordedListingIsThatOfTheRewrittenFile() {
    const Stage& its = stage("rewritten");
    const auto code = sass::recordedListing(standardSubject(its), "sm_90");
    QVERIFY(code && code->rewritten);
    Request request;
    request.registerLimit = code->registers;
    const auto rewritten = rewriteMainLoop(code->untouched, request);
    QVERIFY2(rewritten, rewritten ? "" : rewritten.error().c_str());
    QCOMPARE(rewritten->registers, code->registers);
    const auto listing = sass::listingOf(*sass::readCubin(rewritten->cubin));
    QVERIFY(listing);
    QCOMPARE(listing->instructions.size(), code->listing.instructions.size());
    for (std::size_t i = 0; i < listing->instructions.size(); ++i)
      QCOMPARE(listing->instructions[i].text(), code->listing.instructions[i].text());
  }
  // The error of the model of an iteration compared with an H100: see docs/log/performance.md.
  void theModelIsCloseToWhatWasMeasured() {
    const Stage& its = stage("rewritten");
    const auto code = sass::recordedListing(standardSubject(its), "sm_90");
    const auto times = recordedLoopTimes(standardSubject(its));
    QVERIFY(code && times);
    const auto study = studyStage(standardSubject(its), h100(), code->untouched);
    QVERIFY(study);
    QCOMPARE(std::ranges::count(times->times, false, &LoopTime::pairedLoads), 9);
    double sum = 0;
    for (const LoopTime& time : times->times) {
      // With other lanes the compiler makes other code than the model takes.
      if (time.pairedLoads) continue;
      const TurnFacts& facts =
          time.changes ? study->of({*time.changes, false}).facts : study->untouched;
      const double off = facts.time.cycles / time.cycles.median - 1;
      QVERIFY2(std::abs(off) < 0.055, std::to_string(off).c_str());
      sum += std::abs(off) / 9;
    }
    QVERIFY2(sum < 0.025, std::to_string(sum).c_str());
  }
  // 32 lanes that copy eight floats of each of four rows, whose words are in the same banks.
  void copiesAreSeen() {
    const Stage& its = stage("async");
    const Residency residency = residencyOf(its, its.standardTile(), h100(), 245);
    QCOMPARE(residency.copyLines, 4.0);
    QCOMPARE(residency.copyWavefronts, 4);
    QVERIFY(residency.pairedLoads);
    // No copies of 4 bytes: the defaults remain.
    QCOMPARE(residencyOf(stage("rewritten"), smallTile(), h100(), 128).copyLines,
             Residency().copyLines);
  }
  void bankConflictsAreSeen() {
    const auto of = [](std::string_view id) {
      return residencyOf(stage(id), stage(id).standardTile(), h100(), 128);
    };
    QVERIFY(of("vectorized").loadConflicts > 1.2);
    QCOMPARE(of("fragments").loadConflicts, 1.0);
    QVERIFY(of("warptiled").storeConflicts > of("padded").storeConflicts);
    QCOMPARE(of("padded").storeConflicts, 1.0);
  }
  // A loop that runs as it is compiled. Any stage will do whose K tile has as many multiply-adds.
  void aLoopThatIsNotRewritten() {
    TileShape tile = stage("scheduled").standardTile();
    tile[Parameter::BM] = tile[Parameter::BN] = 64;
    tile[Parameter::WM] = tile[Parameter::WN] = 32;
    const auto file = cubinFixture("small");
    const auto study = studyUntouched(usualSubject(stage("scheduled"), tile), h100(), file);
    QVERIFY2(study, study ? "" : study.error().c_str());
    QVERIFY(study->versions.empty() && study->warps > 0);
    QCOMPARE(study->untouched.multiplyAdds, 256);
    QVERIFY(study->untouched.time.cycles > 256 && !study->untouched.uses.empty());
    // Its lines are not known: all wide loads are as the trace says of some.
    QCOMPARE(study->untouched.lostToLoads, 0);
    tile[Parameter::BK] = 16;
    const auto other = studyUntouched(usualSubject(stage("scheduled"), tile), h100(), file);
    QVERIFY(!other);
    QVERIFY2(q(other.error()).contains("256 multiply-adds per iteration, and a K tile 512"),
             other.error().c_str());
    QVERIFY(!studyUntouched(usualSubject(stage("scheduled"), tile), h100(), {}));
  }
  void whatIsNoCubin() {
    const std::string_view text = "no ELF file at all, but long enough to have a header of 64 …";
    const auto study = studyStage(usualSubject(stage("rewritten"), smallTile()), h100(), text);
    QVERIFY(!study && study.error() == "the file is not a 64-bit ELF file");
    QVERIFY(!studyStage(usualSubject(stage("rewritten"), smallTile()), h100(), {}));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::StageStudyTest, Nothing)
#include "stage_study_test.moc"
