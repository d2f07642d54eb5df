// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of the tensor rungs whose warps multiply alone, executed here, computes the same
// bits as their source under the emulator. The elements are small integers: every order of the
// sums gives the same.
#include <QtTest>
#include <cstring>
#include <random>

#include "kernels/emulator/run.h"
#include "kernels/executor/block.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/tile/format.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class TensorRungsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::vector<std::uint16_t> integers(Format format, std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<std::uint16_t> made(count);
    for (auto& each : made) each = halfBits(format, static_cast<float>(engine() % 5) - 2.0f);
    return made;
  }
  static Buffer buffer(const char* name, const std::vector<std::uint16_t>& values) {
    Buffer made{name, std::vector<std::uint8_t>(values.size() * 2), 0};
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
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
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("arch");
    for (const Stage& stage : tensorStages()) {
      const auto* kind = std::get_if<WarpMma>(&stage.kind);
      if (kind == nullptr || kind->fill == WarpMma::Fill::Tma) continue;
      for (const Format format : {Format::Bf16, Format::Fp16}) {
        for (const char* arch : {"sm_80", "sm_90"}) {
          if (test::briefly() && (format == Format::Fp16) != (std::strcmp(arch, "sm_80") == 0))
            continue;
          QTest::newRow(qPrintable(q(stage.id) + " " + arch + " " +
                                   (format == Format::Bf16 ? "bf16" : "fp16")))
              << &stage << static_cast<int>(format) << QString(arch);
        }
      }
    }
  }
  void sameBits() {
    QFETCH(const Stage*, stage);
    QFETCH(int, format);
    QFETCH(QString, arch);
    Subject subject = standardSubject(*stage);
    subject.format = static_cast<Format>(format);
    const auto build =
        gpu::buildStage(*nvrtc_, nullptr, subject, *architectureNamed(arch.toStdString()));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    const auto module = sass::readModule(build->cubin);
    QVERIFY2(module.has_value(), module ? "" : module.error().c_str());
    const sass::KernelImage& kernel = module->kernels.front();

    const Problem problem = paddedProblem(*stage, subject.tile, {130, 96, 200});
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

    std::vector<Buffer> buffers = {buffer("A", a), buffer("B", b),
                                   buffer("C", std::vector<std::uint16_t>(m * n))};
    placeBuffers(buffers);
    const tileloom::Launch its = launchOf(*stage, subject.tile, problem);
    Launch launch{
        &*module,
        &kernel,
        {static_cast<std::uint32_t>(its.grid.x), static_cast<std::uint32_t>(its.grid.y), 1},
        {static_cast<std::uint32_t>(its.block.x), static_cast<std::uint32_t>(its.block.y), 1},
        static_cast<std::uint32_t>(build->dynamicShared),
        std::vector<std::uint8_t>(static_cast<std::size_t>(kernel.info.parameterBytes))};
    std::size_t number = 0;
    const auto put = [&](const auto& value) {
      std::memcpy(launch.parameters.data() + kernel.info.parameters[number++].at, &value,
                  sizeof value);
    };
    put(static_cast<std::uint32_t>(m));
    put(static_cast<std::uint32_t>(n));
    put(static_cast<std::uint32_t>(k));
    for (const Buffer& each : buffers) put(each.address);
    const auto ended = execute(launch, buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    std::vector<std::uint16_t> got(m * n);
    std::memcpy(got.data(), buffers[2].bytes.data(), got.size() * 2);
    std::size_t different = 0;
    for (std::size_t i = 0; i < got.size(); ++i) different += got[i] != wanted[i];
    QCOMPARE(different, std::size_t{0});
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::TensorRungsTest, Nothing)
#include "tensor_rungs_test.moc"
