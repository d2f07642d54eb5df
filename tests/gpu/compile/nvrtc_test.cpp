// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of the one-source rule: every stage compiles for every architecture, at its
// standard tile, without spills. NVRTC needs no GPU for that, but must be installed.
#include "kernels/gpu/compile/nvrtc.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/sentence.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class NvrtcTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Nvrtc> nvrtc_;

 private slots:
  void initTestCase() {
    auto loaded = Nvrtc::load();
    if (!loaded) QSKIP(qPrintable("NOT TESTED: " + q(loaded.error().text)));
    nvrtc_ = *loaded;
    qInfo("NVRTC %s, %s", nvrtc_->version().c_str(), nvrtc_->path().c_str());
    QVERIFY(nvrtc_->major() >= 12);
    QVERIFY(std::ranges::find(nvrtc_->architectures(), 90) != nvrtc_->architectures().end());
  }

  void everyStageCompilesWithoutSpills_data() {
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("architecture");
    for (int a = 0; a < int(architectures().size()); ++a) {
      const auto all = everyStage();
      for (int s = 0; s < int(all.size()); ++s) {
        if (!canBeBuiltFor(*all[std::size_t(s)], architectures()[std::size_t(a)])) continue;
        // NVIDIA's compiler takes nearly all of the time, and sanitizers do not look into it.
        if (test::briefly() && architectures()[std::size_t(a)].name != defaultArchitecture().name)
          continue;
        QTest::addRow("%s %s", qPrintable(q(all[std::size_t(s)]->id)),
                      qPrintable(q(architectures()[std::size_t(a)].name)))
            << s << a;
      }
    }
  }
  void everyStageCompilesWithoutSpills() {
    QFETCH(int, stage);
    QFETCH(int, architecture);
    for (const Format format : everyStage()[std::size_t(stage)]->formats) {
      compiles(*everyStage()[std::size_t(stage)], format,
               architectures()[std::size_t(architecture)]);
    }
  }

  // A GPU older than tensor cores of the format, which the table does not have.
  void anArchitectureWithoutTheFormatIsRefused() {
    const Stage& mma = test::stage("mma");
    Architecture turing = defaultArchitecture();
    turing.name = "sm_75";
    turing.major = 7;
    turing.minor = 5;
    const auto build = buildStage(*nvrtc_, nullptr, standardSubject(mma), turing);
    QVERIFY(!build);
    QCOMPARE(static_cast<int>(build.error().trouble), static_cast<int>(Trouble::Unsupported));
    QCOMPARE(q(build.error().text),
             QString("sm_75 has no tensor cores for bf16: they begin with sm_80"));
  }

 private:
  void compiles(const Stage& stage, Format format, const Architecture& arch) {
    const auto& known = nvrtc_->architectures();
    if (std::ranges::find(known, arch.major * 10 + arch.minor) == known.end())
      QSKIP("NOT TESTED: this NVRTC does not know the architecture");
    const TileShape tile = stage.standardTile();
    const auto build =
        buildStage(*nvrtc_, nullptr, {&stage, tile, format}, arch, SourceLines::Left);
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QCOMPARE(build->rung(), &stage);
    QVERIFY(build->format == format);
    QVERIFY(build->tile == tile);
    QCOMPARE(q(build->arch), q(arch.name));
    QCOMPARE(build->nvrtc, nvrtc_->version());
    QCOMPARE(build->fingerprint, fingerprintOf(stage));
    QVERIFY(!build->cached);
    QVERIFY(build->milliseconds > 0);
    QVERIFY(QByteArray(build->cubin.data(), 4) == "\177ELF");
    const Resources& r = build->resources;
    QVERIFY(r.registers > 0 && r.registers <= Architecture::kRegistersPerThread);
    QCOMPARE(r.spillStores, 0);
    QCOMPARE(r.spillLoads, 0);
    // ptxas 13.0 gives T4 two words of stack on sm_120, and spills nothing.
    const bool twoWords = stage.features().tma && arch.name == "sm_120";
    QCOMPARE(r.stackBytes, twoWords ? 8 : 0);
    const Derived d = derive(stage, tile);
    qInfo("%d registers, estimated %d", r.registers, d.estimatedRegisters);
    if (stage.features().tma || d.sharedBytes > Architecture::kStaticShared) {
      QCOMPARE(build->dynamicShared, d.sharedBytes);
      QVERIFY(r.staticShared <= Architecture::kSharedReserved);
      return;
    }
    if (r.staticShared != d.sharedBytes) {
      // From 9.0 on the assembler may count the kilobyte that the driver reserves.
      QCOMPARE(r.staticShared, d.sharedBytes + Architecture::kSharedReserved);
    }
    QCOMPARE(build->dynamicShared, 0);
  }

 private slots:

  // Three blocks per SM at this tile: a warp's registers come in units of 256, which is 8 per
  // thread.
  void warptiledIsAllocated168Registers() {
    if (nvrtc_->version() != "13.0") QSKIP("NOT TESTED: the number is that of NVRTC 13.0");
    const Stage& stage = test::stage("warptiled");
    const auto build =
        buildStage(*nvrtc_, nullptr, standardSubject(stage), *architectureNamed("sm_90"));
    QVERIFY(build);
    QCOMPARE((build->resources.registers + 7) / 8 * 8, 168);
  }

  // More than 48 KiB: one dynamic array.
  void aLargeTileTakesDynamicMemory() {
    const Stage& stage = test::stage("autotuned");
    const TileShape tile = {{Parameter::BM, 128},
                            {Parameter::BN, 128},
                            {Parameter::BK, 64},
                            {Parameter::TM, 8},
                            {Parameter::TN, 8}};
    const auto build =
        buildStage(*nvrtc_, nullptr, usualSubject(stage, tile), *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QCOMPARE(build->dynamicShared, (128 + 128) * 64 * 4);
    QVERIFY(build->resources.staticShared <= Architecture::kSharedReserved);
  }

  void theKernelThatChecksCompiles() {
    const auto files = deviceFiles();
    const auto source = std::ranges::find(files, "kernels/gpu/measure/check.cu", &SourceFile::name);
    QVERIFY(source != files.end());
    const std::vector<std::string> options = {"--gpu-architecture=sm_80", "--std=c++17"};
    const auto output =
        nvrtc_->compile(std::string(source->text), std::string(source->name), {}, options);
    QVERIFY2(output.has_value(), output ? "" : output.error().text.c_str());
    QCOMPARE(q(output->log), QString());  // no warnings
  }

  void anArchitectureThatItDoesNotKnow() {
    const Stage& stage = test::stage("naive");
    Architecture arch = defaultArchitecture();
    arch.name = "sm_30";
    arch.major = 3;
    const auto build = buildStage(*nvrtc_, nullptr, standardSubject(stage), arch);
    QVERIFY(!build);
    QCOMPARE(build.error().trouble, Trouble::Unsupported);
    QVERIFY(build.error().text.find("sm_30") != std::string::npos);
    QCOMPARE(test::sentenceFlaw(build.error().text), QString());
  }

  void anIllegalTileIsNotCompiled() {
    const Stage& stage = test::stage("warptiled");
    const auto build = buildStage(*nvrtc_, nullptr,
                                  usualSubject(stage, stage.standardTile().with(Parameter::BK, 7)),
                                  defaultArchitecture());
    QVERIFY(!build);
    QCOMPARE(build.error().trouble, Trouble::BadRequest);
    QVERIFY(build.error().text.find("BK") != std::string::npos);
  }

  void aBrokenSourceIsReported() {
    const std::vector<std::string> options = {"--gpu-architecture=sm_90"};
    const auto output = nvrtc_->compile("\n\nthis is no CUDA;\n", "broken.cu", {}, options);
    QVERIFY(!output);
    QCOMPARE(output.error().trouble, Trouble::Compilation);
    QVERIFY2(output.error().text.find("broken.cu(3): error") != std::string::npos,
             output.error().text.c_str());
    QVERIFY(output.error().text.find('\n') == std::string::npos);
  }

  void anUnknownOptionIsReported() {
    const std::vector<std::string> options = {"--no-such-option"};
    const auto output = nvrtc_->compile("", "empty.cu", {}, options);
    QVERIFY(!output);
    QCOMPARE(output.error().trouble, Trouble::Compilation);
    QVERIFY2(output.error().text.find("no-such-option") != std::string::npos,
             output.error().text.c_str());
  }

  // A cache returns what was stored, and the key has everything that matters.
  void theCacheSavesTheSecondCompilation() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const Stage& stage = test::stage("naive");
    const Architecture arch = *architectureNamed("sm_80");
    const auto first = buildStage(*nvrtc_, &cache, standardSubject(stage), arch);
    const auto second = buildStage(*nvrtc_, &cache, standardSubject(stage), arch);
    QVERIFY(first && second);
    QVERIFY(!first->cached && second->cached);
    QVERIFY(first->cubin == second->cubin);
    QVERIFY(first->resources == second->resources);
    QCOMPARE(second->fingerprint, first->fingerprint);
    const auto tile = stage.standardTile().with(Parameter::BLOCKSIZE, 16);
    QVERIFY(!buildStage(*nvrtc_, &cache, usualSubject(stage, tile), arch)->cached);
    QVERIFY(!buildStage(*nvrtc_, &cache, usualSubject(stage, tile), *architectureNamed("sm_90"))
                 ->cached);
    QVERIFY(buildStage(*nvrtc_, &cache, usualSubject(stage, tile), arch)->cached);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::NvrtcTest, EventLoop)
#include "nvrtc_test.moc"
