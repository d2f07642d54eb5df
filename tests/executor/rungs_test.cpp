// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of the FP32 rungs, executed here, computes the same bits as their source under
// the emulator: the order of the sums is that of the source. On three architectures.
#include <QtTest>
#include <bit>
#include <cstring>
#include <random>

#include "kernels/emulator/run.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class RungsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::vector<float> random(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> spread(-1, 1);
    std::vector<float> made(count);
    for (float& each : made) each = spread(engine);
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
    QTest::addColumn<QString>("arch");
    for (const Stage& stage : stages()) {
      if (test::briefly() && stage.rung % 3 != 2) continue;
      const char* const all[] = {"sm_80", "sm_86", "sm_90"};
      // One architecture a rung in turn, and all of rung 8.
      for (std::size_t i = 0; i < 3; ++i) {
        if (stage.rung != 8 && static_cast<std::size_t>(stage.rung) % 3 != i) continue;
        QTest::newRow(qPrintable(q(stage.id) + " " + all[i])) << &stage << QString(all[i]);
      }
    }
  }
  void sameBits() {
    QFETCH(const Stage*, stage);
    QFETCH(QString, arch);
    const Subject subject = standardSubject(*stage);
    const auto build =
        gpu::buildStage(*nvrtc_, nullptr, subject, *architectureNamed(arch.toStdString()));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    // One block tile and a part of a second one, as whole tiles.
    const Problem problem = paddedProblem(*stage, subject.tile, {130, 96, 40});
    const auto m = static_cast<std::size_t>(problem.m), n = static_cast<std::size_t>(problem.n),
               k = static_cast<std::size_t>(problem.k);
    const auto a = random(m * k, 1), b = random(k * n, 2), c = random(m * n, 3);
    std::vector<float> wanted = c;
    emulator::Workspace workspace;
    emulator::Gemm gemm{{subject, problem}, 1, 0, a, b, wanted};
    const auto faults = emulator::runGemm(workspace, gemm, [](const auto&) {});
    QVERIFY(faults.empty());

    auto launch = gpu::RungLaunch::of(*build, problem);
    QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
    for (const auto& [values, bytes] :
         {std::pair(&a, &launch->a()), {&b, &launch->b()}, {&c, &launch->c()}})
      std::memcpy(bytes->data(), values->data(), bytes->size());
    const auto ended = launch->execute();
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    std::vector<float> got(m * n);
    std::memcpy(got.data(), launch->c().data(), got.size() * 4);
    std::size_t different = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      different += std::bit_cast<std::uint32_t>(got[i]) != std::bit_cast<std::uint32_t>(wanted[i]);
    QCOMPARE(different, std::size_t{0});
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::RungsTest, Nothing)
#include "rungs_test.moc"
