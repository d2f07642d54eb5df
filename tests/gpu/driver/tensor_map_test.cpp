// SPDX-License-Identifier: GPL-3.0-or-later
// The driver gets the description of each matrix, and its refusal becomes a sentence.
#include "kernels/gpu/driver/tensor_map.h"

#include <QDir>
#include <QFileInfo>
#include <QtTest>

#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/gpu/measure/speed.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;
using test::q;

class TensorMapTest : public QObject {
  Q_OBJECT

  static std::shared_ptr<const Driver> driver() {
    auto loaded = Driver::load();
    if (!loaded) qFatal("%s", loaded.error().text.c_str());
    return *loaded;
  }

  static constexpr MappedMatrix kMatrix{0x10000, 300, 136, Format::Bf16};

 private slots:
  void boxAndMatrixAreTold_data() {
    QTest::addColumn<int>("swizzle");
    QTest::addColumn<int>("fp16");
    QTest::addColumn<QByteArray>("told");
    QTest::addRow("128") << 128 << 0 << QByteArray("map 300x136 box 128x64 swizzle 3 type 9");
    QTest::addRow("64") << 64 << 0 << QByteArray("map 300x136 box 128x32 swizzle 2 type 9");
    QTest::addRow("32 fp16") << 32 << 1 << QByteArray("map 300x136 box 128x16 swizzle 1 type 6");
  }
  void boxAndMatrixAreTold() {
    QFETCH(int, swizzle);
    QFETCH(int, fp16);
    QFETCH(QByteArray, told);
    Fake::use();
    MappedMatrix matrix = kMatrix;
    if (fp16 == 1) matrix.format = Format::Fp16;
    const auto map = tensorMapOf(*driver(), matrix, {0, swizzle / 2, 128, swizzle});
    QVERIFY2(map.has_value(), map ? "" : map.error().text.c_str());
    QVERIFY2(q(Fake::log()).contains(told), Fake::log().c_str());
  }

  // Maps that the driver rejects: a row that is not a multiple of 16 bytes, a box that is too
  // large.
  void refusalsAreSentences() {
    Fake::use();
    MappedMatrix ragged = kMatrix;
    ragged.columns = 77;
    for (const auto& [matrix, box] :
         {std::pair{ragged, Box{0, 64, 128, 128}}, std::pair{kMatrix, Box{0, 64, 320, 128}},
          std::pair{kMatrix, Box{0, 128, 128, 128}}}) {
      const auto map = tensorMapOf(*driver(), matrix, box);
      QVERIFY(!map);
      QCOMPARE(map.error().trouble, Trouble::Unsupported);
      QCOMPARE(test::sentenceFlaw(map.error().text), QString());
    }
    Fake::use("fail=cuTensorMapEncodeTiled:801");
    const auto map = tensorMapOf(*driver(), kMatrix, {0, 64, 128, 128});
    QVERIFY(!map);
    QCOMPARE(test::sentenceFlaw(map.error().text), QString());
  }

  // Without the function the driver can run everything else.
  void anOldDriverSaysSo() {
    Fake::use();
    const QString old = QFileInfo(QStringLiteral(TILELOOM_STUB))
                            .dir()
                            .filePath(QStringLiteral("libtileloom_old_driver.so"));
    qputenv("TILELOOM_LIBCUDA", old.toUtf8());
    const auto loaded = driver();
    QVERIFY(loaded->api().cuTensorMapEncodeTiled == nullptr);
    const auto map = tensorMapOf(*loaded, kMatrix, {0, 64, 128, 128});
    QVERIFY(!map);
    QCOMPARE(map.error().trouble, Trouble::Unsupported);
    QCOMPARE(test::sentenceFlaw(map.error().text), QString());
    QVERIFY2(q(map.error().text).contains("for CUDA 13.0"), map.error().text.c_str());

    const auto nvrtc = *Nvrtc::load();
    const auto bench = Bench::open(loaded, 0, nvrtc, nullptr);
    QVERIFY2(bench.has_value(), bench ? "" : bench.error().text.c_str());
    MeasureOptions quick;
    quick.maxRounds = quick.minRounds = 1;
    const auto measured = [&](std::string_view id) {
      const Stage& stage = test::stage(id);
      const auto build = buildStage(*nvrtc, nullptr, standardSubject(stage), defaultArchitecture());
      return measureSpeed(**bench, *build, {128, 128, 64}, quick);
    };
    const auto refused = measured("wgmma");
    QVERIFY(!refused && refused.error().text == map.error().text);
    const auto runs = measured("swizzled");
    QVERIFY2(runs.has_value(), runs ? "" : runs.error().text.c_str());
  }

  // The maps that a kernel gets are aligned wherever the arguments are copied to.
  void argumentsMayBeCopied() {
    Fake::use();
    const auto loaded = driver();
    const auto context = *Context::open(loaded, 0);
    const Stage& stage = test::stage("overlapped");
    Operands o;
    QVERIFY(fillOperands(*context, o, {40, 24, 16}, Format::Bf16, Values::Signs).has_value());
    QVERIFY(padOperands(*context, o, {40, 24, 16}).has_value());
    const auto made = KernelArguments::of(*loaded, stage, stage.standardTile(), o);
    QVERIFY2(made.has_value(), made ? "" : made.error().text.c_str());
    std::vector<KernelArguments> copies(3, *made);
    for (KernelArguments& copy : copies) {
      const auto pointers = copy.pointers();
      QCOMPARE(pointers.size(), std::size_t{6});
      for (const std::size_t map : {3u, 4u})
        QCOMPARE(reinterpret_cast<std::uintptr_t>(pointers[map]) % 64, std::uintptr_t{0});
    }
    const auto plain =
        KernelArguments::of(*loaded, test::stage("mma"), test::stage("mma").standardTile(), o);
    QCOMPARE(KernelArguments(*plain).pointers().size(), std::size_t{6});
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::TensorMapTest, EventLoop)
#include "tensor_map_test.moc"
