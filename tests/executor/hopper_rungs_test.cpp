// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of the rungs with TMA, mbarriers, wgmma and clusters, executed here, computes
// the same bits as their source under the emulator. The elements are small integers: every order of
// the sums gives the same.
#include <QtTest>
#include <cstring>
#include <random>

#include "kernels/emulator/run.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/runs/fidelity.h"
#include "kernels/tile/format.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class HopperRungsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::vector<std::uint16_t> integers(Format format, std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<std::uint16_t> made(count);
    for (auto& each : made) each = halfBits(format, static_cast<float>(engine() % 5) - 2.0f);
    return made;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void sameBits_data() {
    QTest::addColumn<const Stage*>("stage");
    QTest::addColumn<int>("tile");  // 0: the default one
    QTest::addColumn<int>("format");
    for (const Stage& stage : tensorStages()) {
      if (stage.boxes == nullptr) continue;
      for (const int tile : {0, 1}) {
        if (test::briefly() && (stage.rung % 2 == 0) != (tile == 0)) continue;
        const Format format = tile == 0 ? Format::Bf16 : Format::Fp16;
        QTest::newRow(qPrintable(q(stage.id) + (tile == 0 ? " default" : " other")))
            << &stage << tile << static_cast<int>(format);
      }
    }
  }
  void sameBits() {
    QFETCH(const Stage*, stage);
    QFETCH(int, tile);
    QFETCH(int, format);
    const Architecture arch = *architectureNamed("sm_90");
    Subject subject = standardSubject(*stage);
    subject.format = static_cast<Format>(format);
    subject.tile = runs::fidelityTiles(*stage, 1, arch)[static_cast<std::size_t>(tile)];
    const auto build = gpu::buildStage(*nvrtc_, nullptr, subject, arch);
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    for (const Problem& asked : runs::fidelityProblems(*stage, subject.tile)) {
      const Problem problem = paddedProblem(*stage, subject.tile, asked);
      const auto m = static_cast<std::size_t>(problem.m), n = static_cast<std::size_t>(problem.n),
                 k = static_cast<std::size_t>(problem.k);
      const auto a = integers(subject.format, m * k, 1), b = integers(subject.format, k * n, 2);
      std::vector<std::uint16_t> wanted(m * n);
      emulator::Workspace workspace;
      emulator::HalfGemm gemm;
      gemm.subject() = subject;
      gemm.problem = problem;
      gemm.a = a, gemm.b = b, gemm.c = wanted;
      QVERIFY(emulator::runGemm(workspace, gemm, [](const auto&) {}).empty());

      auto launch = gpu::RungLaunch::of(*build, problem);
      QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
      for (const auto& [values, bytes] : {std::pair(&a, &launch->a()), {&b, &launch->b()}})
        std::memcpy(bytes->data(), values->data(), bytes->size());
      const auto ended = launch->execute();
      QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
      std::vector<std::uint16_t> got(m * n);
      std::memcpy(got.data(), launch->c().data(), got.size() * 2);
      std::size_t different = 0;
      for (std::size_t i = 0; i < got.size(); ++i) different += got[i] != wanted[i];
      QCOMPARE(different, std::size_t{0});
      if (test::briefly()) break;
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::HopperRungsTest, Nothing)
#include "hopper_rungs_test.moc"
