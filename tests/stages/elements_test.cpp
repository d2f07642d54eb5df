// SPDX-License-Identifier: GPL-3.0-or-later
// Formats and instructions are rows of tables: a rung for tf32 (m16n8k8), for both 8-bit formats
// (m16n8k32) and for e2m1 (m16n8k64) is one source, and derivation, rules, emulator, recording,
// counts and floors follow.
#include <QtTest>
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/warp_operands.h"
#include "kernels/device/elements.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/emulator/run.h"
#include "kernels/model/limits/floors.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/subject.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/trial_stage.h"

namespace tileloom {
namespace trial_rung {
#include "tests/stages/trial/elements.cuh"
}  // namespace trial_rung

// Each thread loads a word of elements that does not begin with a word of memory.
namespace odd_rung {
ELEMENT_KERNEL(odd, 32)
(uint, uint, uint, emem<const element> A, emem<const element>, emem<element>) {
  FRAGMENTS(r, 1);
  load_parts(r, A + 1);
}
}  // namespace odd_rung

using test::q;

class ElementsTest : public QObject {
  Q_OBJECT

  // What no element of a matrix is in stays as it is.
  static constexpr std::byte kUnused{0xA5};

  emulator::Workspace workspace_;

  // The kernel of a trial rung, by its file.
  static test::Enter enterOf(std::string_view file) {
    if (file == "tests/stages/trial/elements.cuh")
      return emulator::enterTensorKernel<trial_rung::trial>;
    return nullptr;
  }
  static const Stage& stageOf(const test::Trial& trial) {
    static std::map<const char*, Stage> stages;
    const auto found = stages.find(trial.name);
    if (found != stages.end()) return found->second;
    return stages.emplace(trial.name, trial.stage(enterOf(trial.stage(nullptr).file)))
        .first->second;
  }
  static const Stage& stageOf(Format format) {
    return stageOf(*std::ranges::find(test::kTrials, format, &test::Trial::format));
  }
  // Small tiles, so that a problem has several.
  static Subject subjectOf(const test::Trial& trial) {
    const Stage& stage = stageOf(trial);
    TileShape tile = stage.standardTile();
    for (const Parameter parameter : {Parameter::BM, Parameter::BN}) tile[parameter] = 64;
    for (const Parameter parameter : {Parameter::WM, Parameter::WN}) tile[parameter] = 32;
    return {&stage, tile, trial.format};
  }
  // Of a matrix with rows of `columns` elements, each of which begins with a byte.
  static std::vector<std::byte> bytesOf(const std::vector<float>& values, int columnsOf,
                                        Format format) {
    const auto columns = static_cast<std::size_t>(columnsOf);
    const FormatRow& row = rowOf(format);
    const auto line = static_cast<std::size_t>(row.bytesOf(columns));
    std::vector<std::byte> bytes(values.size() / columns * line, kUnused);
    for (std::size_t i = 0; i < values.size(); ++i) {
      emulator::setElementBits(bytes.data() + i / columns * line,
                               static_cast<std::uint32_t>(i % columns), row.bits,
                               row.bitsOf(values[i]));
    }
    return bytes;
  }

 private slots:
  void theProductIsRight_data() { test::addTrialRows(); }
  // Of -1, 0, 1 and 2, whose sums are exact; the result is rounded once. Where the largest number
  // is small, few factors of B are not 0: most sums are then within it.
  void theProductIsRight() {
    const test::Trial& trial = test::trialOfRow();
    const Format format = trial.format;
    test::Random random(test::seed());
    for (const Problem& p : {Problem{128, 128, 128}, Problem{70, 100, 90}, Problem{33, 45, 67}}) {
      const auto count = [](int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
      };
      std::vector<float> a(count(p.m, p.k)), b(count(p.k, p.n)), c(count(p.m, p.n));
      const bool few = rowOf(format).rounded(1e30f) < 10;
      for (auto* matrix : {&a, &b}) {
        for (float& value : *matrix) {
          value = rowOf(format).rounded(static_cast<float>(random.integer(-1, 2)));
          if (few && matrix == &b && random.integer(0, 15) != 0) value = 0;
        }
      }
      for (int row = 0; row < p.m; ++row) {
        for (int column = 0; column < p.n; ++column) {
          float& sum = c[count(row, p.n) + static_cast<std::size_t>(column)];
          for (int k = 0; k < p.k; ++k)
            sum += a[count(row, p.k) + static_cast<std::size_t>(k)] *
                   b[count(k, p.n) + static_cast<std::size_t>(column)];
        }
      }
      const std::vector<std::byte> ofA = bytesOf(a, p.k, format), ofB = bytesOf(b, p.n, format),
                                   ofC = bytesOf(c, p.n, format);
      std::vector<std::byte> result(ofC.size(), kUnused);
      emulator::ElementGemm gemm;
      gemm.subject() = subjectOf(trial);
      gemm.problem = p;
      gemm.a = ofA;
      gemm.b = ofB;
      gemm.c = result;
      const emulator::FaultLog faults =
          emulator::runGemm(workspace_, gemm, [](const emulator::WarpInterval&) {});
      QVERIFY2(faults.total == 0, faults.kept.empty() ? "" : describe(faults.kept[0]).c_str());
      QVERIFY(result == ofC);
      std::set<std::uint32_t> different;
      for (int column = 0; column < p.n; ++column)
        different.insert(emulator::elementBits(result.data(), static_cast<std::uint32_t>(column),
                                               rowOf(format).bits));
      QVERIFY(different.size() > 4);
    }
  }

  // An element of 4 bits has no address of its own: a load at an odd one is a fault.
  void oddPlacesAreNoWords_data() { test::addTrialRows(); }
  void oddPlacesAreNoWords() {
    const test::Trial& trial = test::trialOfRow();
    const Format format = trial.format;
    Stage stage = stageOf(trial);
    stage.enter = emulator::enterTensorKernel<odd_rung::odd>;
    emulator::TraceRequest request;
    request.subject() = {&stage, stage.standardTile(), format};
    request.problem = {128, 128, 128};
    const emulator::FaultLog faults = emulator::traceBlock(workspace_, request).faults;
    QCOMPARE(faults.total > 0, rowOf(format).elementsPerWord() > 1);
    if (faults.total > 0) QCOMPARE(faults.kept[0].kind, emulator::FaultKind::Misaligned);
  }

  void rulesReadTheInstruction() {
    const Stage wide = test::tf32Stage(), narrow = test::fp8Stage();
    const TileShape tf32 = wide.standardTile(), fp8 = narrow.standardTile();
    QVERIFY(isLegal(wide, tf32) && isLegal(narrow, fp8));
    QVERIFY(isLegal(wide, tf32.with(Parameter::BK, 8)));
    QCOMPARE(q(firstViolation(narrow, fp8.with(Parameter::BK, 48))->reason),
             QString("BK = 48 is not a multiple of 32: these rungs multiply 32 elements of K at a "
                     "time, by mma.m16n8k32"));
  }

  void valuesFollowFromTheWidth() {
    const Stage tf32 = test::tf32Stage(), fp8 = test::fp8Stage();
    const Derived wide = derive(tf32, tf32.standardTile()),
                  narrow = derive(fp8, fp8.standardTile());
    QCOMPARE(wide.sharedBytes, 2 * 128 * 32 * 4);
    QCOMPARE(narrow.sharedBytes, 2 * 128 * 32);
    // Rows of a K tile have 128 and 32 bytes: 1,024 and 256 chunks of 16 bytes over 256 threads.
    QCOMPARE(wide.loadsA, 4);
    QCOMPARE(narrow.loadsA, 1);
    QCOMPARE(wide.loadWidthA, 16);
    QCOMPARE(narrow.loadWidthA, 16);
    // Registers of fragments do not depend on the width: 4 for 16 rows of A, 2 for 8 columns of B.
    QCOMPARE(wide.fragments, 24);
    QCOMPARE(narrow.fragments, 24);
    const Stage& fp4 = stageOf(Format::E2m1);
    const Derived half = derive(fp4, fp4.standardTile());
    QCOMPARE(half.sharedBytes, 2 * 128 * 64 / 2);
    QCOMPARE(half.loadsA, 1);
    QCOMPARE(half.loadWidthA, 16);
    QCOMPARE(half.fragments, 24);
  }

  // Nothing computes without the factors of a format that has them.
  void sharedFactorsAreRefused() {
    Stage stage = stageOf(Format::E2m1);
    stage.formats = {Format::Mxfp4};
    const TileShape tile = stage.standardTile();
    const std::string why = whyNotMultiplied(rowOf(Format::Mxfp4));
    QCOMPARE(q(firstViolation(stage, tile)->reason), q(why));
    emulator::TraceRequest request;
    request.subject() = {&stage, tile, Format::Mxfp4};
    request.problem = {128, 128, 128};
    QCOMPARE(q(emulator::whyNotTraceable(request)), q(why));
    emulator::ElementGemm gemm;
    gemm.subject() = request.subject();
    gemm.problem = request.problem;
    std::vector<std::byte> bytes(128 * 128 / 2);
    gemm.a = gemm.b = bytes;
    gemm.c = bytes;
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                             emulator::runGemm(workspace_, gemm, [](const auto&) {}));
  }

  void boxesAreOf16Bits() {
    Stage stage = stageOf(Format::E4m3);
    stage.kind = WarpMma{.mma = stage.mma()->mma, .fill = WarpMma::Fill::Tma};
    QCOMPARE(
        q(firstViolation(stage, stage.standardTile())->reason),
        QString("e4m3 has elements of 8 bits, and boxes of TMA and operands of wgmma are of 16 "
                "bits here"));
  }

  // A panel of a tile's rows is a number of bytes, whatever the width of an element.
  void panelsAreOfBytes() {
    for (const auto& [format, row] : {std::pair{Format::Tf32, "BK·4 = 256"},
                                      {Format::E4m3, "BK·1 = 64"},
                                      {Format::E2m1, "BK/2 = 32"}}) {
      Stage stage = stageOf(format);
      stage.parameters.push_back({Parameter::SWIZZLE, 128, 0, 512});
      const TileShape tile =
          stage.standardTile().with(Parameter::BK, 64).with(Parameter::SWIZZLE, 128);
      const auto violation = firstViolation(stage, tile);
      QCOMPARE(violation.has_value(), format != Format::Tf32);
      if (!violation) continue;
      QCOMPARE(q(violation->reason), QString("a row of the tile of A has %1 bytes, not a multiple "
                                             "of SWIZZLE = 128")
                                         .arg(row));
    }
  }

  void theRecordingNamesTheInstruction_data() { test::addTrialRows(); }
  void theRecordingNamesTheInstruction() {
    const test::Trial& trial = test::trialOfRow();
    const Format format = trial.format;
    const Stage& stage = stageOf(trial);
    const MmaRow& mma = *stage.mma();
    emulator::TraceRequest request;
    request.subject() = subjectOf(trial);
    request.problem = {128, 128, 256};
    QCOMPARE(q(emulator::whyNotTraceable(request)), QString());
    const auto recording = analysis::record(workspace_, request);
    QCOMPARE(recording->trace.faults.total, std::uint64_t{0});
    QVERIFY(recording->trace.features() == stage.features());
    const analysis::LoopTotals loop = analysis::loopTotals(*recording);
    const std::uint64_t perTile = std::uint64_t{64} * 64 * recording->trace.stepK;
    QCOMPARE(loop.totals.tensorMultiplyAdds(), perTile * loop.kTiles);
    QCOMPARE(loop.totals.tensorInstructions * mma.products(), perTile * loop.kTiles);
    // ldmatrix reads whole words of 32 bits, whatever is in them.
    QCOMPARE(loop.totals.matrixLoadElements,
             loop.totals.matrixLoadInstructions * 32 * 4 * mma.elementsPerRegister());
    // Each warp's operands are the elements of one part of A and one of B.
    const auto index = analysis::nearestProduct(*recording, 0, 0);
    QVERIFY(index.has_value());
    const analysis::WarpOperands operands = analysis::warpOperands(*recording, 0, *index);
    QCOMPARE(operands.mma, &mma);
    QCOMPARE(operands.values.size(),
             std::size_t{mma.rows * mma.depth + mma.depth * mma.columns + mma.rows * mma.columns});
    for (const auto& value : operands.values) {
      QVERIFY(value.element.has_value());
      if (value.operand != analysis::Operand::C) QCOMPARE(value.parts, mma.elementsPerRegister());
    }
    for (const auto& [arch, of16Bits] :
         {std::pair{"sm_89", 512.0}, {"sm_90", 2048.0}, {"sm_120", 512.0}}) {
      if (!whyNotFor(stage, format, *architectureNamed(arch)).empty()) continue;
      const model::Floors floors = model::floorsOf(stage, request.tile, loop.totals, loop.kTiles,
                                                   *architectureNamed(arch), nullptr);
      const model::Floor& tensor = floors.all.front();
      // The assembler has no mma.sync of 8-bit elements for sm_90: it converts them.
      const bool converted = mma.elementBits == 8 && arch == std::string_view("sm_90");
      QCOMPARE(tensor.perCycle, of16Bits * (converted ? 1 : 16.0 / mma.elementBits));
      QVERIFY(tensor.parts.find(sizeText(mma)) != std::string::npos);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ElementsTest, Nothing)
#include "elements_test.moc"
