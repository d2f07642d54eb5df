// SPDX-License-Identifier: GPL-3.0-or-later
// Formats and instructions are rows of tables: a rung for tf32 (m16n8k8) and for both 8-bit formats
// (m16n8k32) is one source, and derivation, rules, emulator, recording, counts and floors follow.
#include <QtTest>
#include <map>
#include <string_view>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/warp_operands.h"
#include "kernels/device/elements.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/emulator/run.h"
#include "kernels/model/limits/floors.h"
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

using test::q;

class ElementsTest : public QObject {
  Q_OBJECT

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
  // Small tiles, so that a problem has several.
  static Subject subjectOf(const test::Trial& trial) {
    const Stage& stage = stageOf(trial);
    TileShape tile = stage.standardTile();
    for (const Parameter parameter : {Parameter::BM, Parameter::BN}) tile[parameter] = 64;
    for (const Parameter parameter : {Parameter::WM, Parameter::WN}) tile[parameter] = 32;
    return {&stage, tile, trial.format};
  }
  static std::vector<std::byte> bytesOf(const std::vector<float>& values, Format format) {
    const FormatRow& row = rowOf(format);
    const auto width = static_cast<std::size_t>(row.bytes);
    std::vector<std::byte> bytes(values.size() * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t bits = row.bitsOf(values[i]);
      std::memcpy(bytes.data() + i * width, &bits, width);
    }
    return bytes;
  }

 private slots:
  void theProductIsRight_data() { test::addTrialRows(); }
  // Of -1, 0, 1 and 2, whose sums are exact; the result is rounded once.
  void theProductIsRight() {
    const test::Trial& trial = test::trialOfRow();
    const Format format = trial.format;
    test::Random random(test::seed());
    for (const Problem& p : {Problem{128, 128, 128}, Problem{70, 100, 90}}) {
      const auto count = [](int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
      };
      std::vector<float> a(count(p.m, p.k)), b(count(p.k, p.n)), c(count(p.m, p.n));
      for (auto* matrix : {&a, &b}) {
        for (float& value : *matrix) value = static_cast<float>(random.integer(-1, 2));
      }
      for (int row = 0; row < p.m; ++row) {
        for (int column = 0; column < p.n; ++column) {
          float& sum = c[count(row, p.n) + static_cast<std::size_t>(column)];
          for (int k = 0; k < p.k; ++k)
            sum += a[count(row, p.k) + static_cast<std::size_t>(k)] *
                   b[count(k, p.n) + static_cast<std::size_t>(column)];
        }
      }
      const std::vector<std::byte> ofA = bytesOf(a, format), ofB = bytesOf(b, format);
      std::vector<std::byte> result(bytesOf(c, format).size());
      emulator::ElementGemm gemm;
      gemm.subject() = subjectOf(trial);
      gemm.problem = p;
      gemm.a = ofA;
      gemm.b = ofB;
      gemm.c = result;
      const emulator::FaultLog faults =
          emulator::runGemm(workspace_, gemm, [](const emulator::WarpInterval&) {});
      QVERIFY2(faults.total == 0, faults.kept.empty() ? "" : describe(faults.kept[0]).c_str());
      QVERIFY(result == bytesOf(c, format));
    }
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
  }

  void theRecordingNamesTheInstruction_data() { test::addTrialRows(); }
  void theRecordingNamesTheInstruction() {
    const test::Trial& trial = test::trialOfRow();
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
    for (const auto& [arch, of16Bits] : {std::pair{"sm_89", 512.0}, {"sm_90", 2048.0}}) {
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
