// SPDX-License-Identifier: GPL-3.0-or-later
// What is read from the assembler's report, the options of the compiler, and every way in which
// NVRTC can fail: without NVRTC.
#include "kernels/gpu/compile/build.h"

#include <fmt/format.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <set>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {
namespace fs = std::filesystem;

using test::Fake;

class BuildTest : public QObject {
  Q_OBJECT

 private slots:
  void reportsAreRead() {
    // The messages of NVRTC 13.0.
    const Resources r = resourcesOf(
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'warptiled' for 'sm_90'\n"
        "ptxas info    : Function properties for warptiled\n"
        "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
        "ptxas info    : Used 167 registers, used 1 barriers, 16384 bytes smem\n"
        "ptxas info    : Compile time = 0.000 ms\n");
    QVERIFY((r == Resources{167, 12, 16, 8, 16384}));
    const Resources naive = resourcesOf("ptxas info    : Used 40 registers, used 0 barriers\n");
    QVERIFY((naive == Resources{40, 0, 0, 0, 0}));
    for (const char* nothing : {"", "Used ", "Used registers", "Used x registers",
                                "Used 99999999999 registers", " registers", "12 registers"}) {
      QVERIFY2((resourcesOf(nothing) == Resources{}), nothing);
    }
  }

  void hashesTellSourcesApart() {
    std::set<std::string> hashes;
    for (const Stage& stage : stages()) {
      const std::string hash = fingerprintOf(stage);
      QCOMPARE(hash.size(), std::size_t{16});
      QVERIFY(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
      QCOMPARE(fingerprintOf(stage), hash);
      hashes.insert(hash);
    }
    QCOMPARE(hashes.size(), stages().size());
  }

  void everyParameterIsADefinition() {
    for (const Stage& stage : stages()) {
      const TileShape tile = stage.standardTile();
      const auto options = compileOptions(usualSubject(stage, tile), "sm_86");
      QCOMPARE(std::ranges::count(options, "--gpu-architecture=sm_86"), 1);
      QCOMPARE(std::ranges::count(options, "-DDYNAMIC_SHARED"), 0);
      for (const ParameterSpec& spec : stage.parameters) {
        const std::string wanted =
            "-D" + std::string(name(spec.parameter)) + "=" + std::to_string(tile[spec.parameter]);
        QCOMPARE(std::ranges::count(options, wanted), 1);
      }
      const std::size_t told = assemblerOption(stage).empty() ? 0 : 1;
      QCOMPARE(options.size(), stage.parameters.size() + 3 + told);
    }
  }

  // Assembler options are part of the options, and of what distinguishes versions of a source.
  void theAssemblerIsTold() {
    Stage stage = test::stage("scheduled");
    const auto told = [&] { return compileOptions(standardSubject(stage), "sm_90"); };
    QCOMPARE(std::ranges::count(told(), "--ptxas-options=-O1"), 1);
    QCOMPARE(test::q(compilerText(stage, "13.0")), QString("NVRTC 13.0, ptxas -O1"));
    const std::string hash = fingerprintOf(stage);
    stage.assemblerLevel = kUsualAssemblerLevel;
    QCOMPARE(std::ranges::count_if(
                 told(), [](const std::string& o) { return o.starts_with("--ptxas-options=-O"); }),
             0);
    QCOMPARE(test::q(compilerText(stage, "13.0")), QString("NVRTC 13.0"));
    QVERIFY(fingerprintOf(stage) != hash);
  }

  void dynamicMemoryIsAskedForAboveTheStaticLimitOnly() {
    const Stage& stage = test::stage("autotuned");
    const auto wants = [&](int bk) {
      const TileShape tile = stage.standardTile()
                                 .with(Parameter::BM, 128)
                                 .with(Parameter::BN, 128)
                                 .with(Parameter::BK, bk);
      return std::ranges::count(compileOptions(usualSubject(stage, tile), "sm_90"),
                                "-DDYNAMIC_SHARED");
    };
    QCOMPARE(wants(48), 0);  // 256 x 48 x 4 = 49152: still static
    QCOMPARE(wants(49), 1);
  }

  // One array holds boxes and mbarriers; the launch gives its size.
  void boxesAreInDynamicMemory() {
    Fake::use();
    const auto nvrtc = *Nvrtc::load();
    const Stage& stage = test::stage("wgmma");
    const TileShape small = stage.standardTile().with(Parameter::BM, 64).with(Parameter::BN, 64);
    const auto build =
        buildStage(*nvrtc, nullptr, usualSubject(stage, small), defaultArchitecture());
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QCOMPARE(build->dynamicShared, (64 + 64) * 64 * 2 + 8);
    QCOMPARE(build->arch, "sm_90");  // the name used everywhere
    const auto options = compileOptions(usualSubject(stage, small), "sm_90");
    QCOMPARE(std::ranges::count(options, "--gpu-architecture=sm_90a"), 1);
  }

  void hopperIsForHopper() {
    Fake::use();
    const auto nvrtc = *Nvrtc::load();
    for (const char* id : {"tma", "wgmma", "multistage", "overlapped"}) {
      const Stage& stage = test::stage(id);
      for (const Architecture& arch : architectures()) {
        const auto build = buildStage(*nvrtc, nullptr, standardSubject(stage), arch);
        // T4 multiplies by mma.sync; TMA and mbarriers exist from 9.0 on.
        if (arch.name == "sm_90" || (stage.id == "tma" && arch.major >= 9)) {
          QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
          continue;
        }
        QVERIFY(!build);
        QCOMPARE(build.error().trouble, Trouble::Unsupported);
        QCOMPARE(test::sentenceFlaw(build.error().text), QString());
      }
    }
    // Older ones have no sm_90a.
    Fake::use("nvrtc=11.8");
    const auto build = buildStage(**Nvrtc::load(), nullptr, standardSubject(test::stage("wgmma")),
                                  defaultArchitecture());
    QVERIFY(!build && build.error().trouble == Trouble::Unsupported);
    QCOMPARE(test::sentenceFlaw(build.error().text), QString());
  }

  void nvrtcMayFailAnywhere_data() {
    QTest::addColumn<QByteArray>("function");
    QTest::addColumn<int>("trouble");
    const auto add = [](const char* function, Trouble trouble) {
      QTest::newRow(function) << QByteArray(function) << static_cast<int>(trouble);
    };
    add("nvrtcCreateProgram", Trouble::Failed);
    add("nvrtcCompileProgram", Trouble::Compilation);
    add("nvrtcGetCUBINSize", Trouble::Unsupported);
    add("nvrtcGetCUBIN", Trouble::Failed);
  }
  void nvrtcMayFailAnywhere() {
    QFETCH(QByteArray, function);
    QFETCH(int, trouble);
    Fake::use("fail=" + function.toStdString() + ":6");
    const auto nvrtc = Nvrtc::load();
    QVERIFY(nvrtc);
    const Stage& stage = test::stage("naive");
    const auto build = buildStage(**nvrtc, nullptr, standardSubject(stage), defaultArchitecture());
    QVERIFY(!build);
    QCOMPARE(static_cast<int>(build.error().trouble), trouble);
    if (build.error().trouble == Trouble::Compilation) {
      QVERIFY2(build.error().text.find("fake.cu(1): error: as told") != std::string::npos,
               build.error().text.c_str());
    } else {
      QCOMPARE(test::sentenceFlaw(build.error().text), QString());
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  void aCompilerThatDoesNotAnswer() {
    Fake::use("fail=nvrtcVersion:6");
    const auto nvrtc = Nvrtc::load();
    QVERIFY(!nvrtc);
    QCOMPARE(test::sentenceFlaw(nvrtc.error().text), QString());
  }

  // Without the list any architecture is tried; without the log the registers are unknown.
  void whatIsNotSaidIsNotNeeded() {
    for (const char* function : {"nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs",
                                 "nvrtcGetProgramLogSize", "nvrtcGetProgramLog"}) {
      Fake::use(std::string("fail=") + function + ":6");
      const auto nvrtc = Nvrtc::load();
      QVERIFY(nvrtc);
      const Stage& stage = test::stage("naive");
      const auto build =
          buildStage(**nvrtc, nullptr, standardSubject(stage), defaultArchitecture());
      QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
      const bool archs = std::string_view(function).ends_with("Archs");
      QCOMPARE((*nvrtc)->architectures().empty(), archs);
      QCOMPARE(build->resources.registers, archs ? 64 : -1);
      QCOMPARE(Fake::leaks(), std::string());
    }
  }

  void figuresComeFromTheReport() {
    Fake::use("registers=77,spill=8,static=4096");
    const Stage& stage = test::stage("shared");
    const auto build =
        buildStage(**Nvrtc::load(), nullptr, standardSubject(stage), defaultArchitecture());
    QVERIFY(build);
    QVERIFY((build->resources == Resources{77, 8, 8, 8, 4096}));
  }

  void asCompiledUndoesTheRewriting() {
    Build build;
    build.subject() = usualSubject(test::stage("rewritten"), {});
    build.cubin = {'n', 'e', 'w'};
    build.resources.registers = 235;
    build.loop = {1102, 1024};
    build.rewriting = Rewriting{{'o', 'l', 'd', '!'}, {}, {3, 1}, 240, {1160, 1024}};
    const Build old = asCompiled(build);
    QCOMPARE(old.cubin.size(), std::size_t{4});
    QCOMPARE(old.resources.registers, 240);
    QCOMPARE(old.loop.instructions, 1160);
    QVERIFY(!old.rewriting && !old.leftAsCompiled() && !build.leftAsCompiled());
    // What was not rewritten stays, with the reason.
    build.rewriting = Rewriting{{}, "its loop jumps", {}, -1, {}};
    QVERIFY(asCompiled(build).cubin == build.cubin && asCompiled(build).rewriting);
    QVERIFY(build.leftAsCompiled());
  }

  // Version 13 would answer from its own cache, without a report, if allowed (as the fake does);
  // version 12 does not know the option.
  void nvrtcsOwnCacheIsNotUsed() {
    for (const char* version : {"nvrtc=13.0", "nvrtc=12.4"}) {
      Fake::use(version);
      const Stage& stage = test::stage("shared");
      const auto build =
          buildStage(**Nvrtc::load(), nullptr, standardSubject(stage), defaultArchitecture());
      QVERIFY2(build, version);
      QVERIFY(build->resources.registers > 0);
    }
  }

  // Such an answer, stored by an earlier version, is compiled again.
  void entriesWithoutAReportAreNoEntries() {
    Fake::use("registers=77");
    const QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const auto nvrtc = *Nvrtc::load();
    const Stage& stage = test::stage("shared");
    const auto build = [&] {
      return *buildStage(*nvrtc, &cache, standardSubject(stage), defaultArchitecture());
    };
    const Build first = build();
    QVERIFY(!first.cached && build().cached);
    const std::string key =
        fmt::format("{} {} nvrtc {} {}", stage.id, first.fingerprint, nvrtc->identity(),
                    fmt::join(compileOptions(standardSubject(stage), first.arch), " "));
    QVERIFY(cache.read(key).has_value());
    cache.write(key, {"", first.cubin});
    const Build again = build();
    QVERIFY(!again.cached && again.resources.registers == 77);
    QVERIFY(build().cached);
    // An intact entry without valid machine code only costs time.
    for (std::vector<char> code : {std::vector<char>(), std::vector<char>(5000, 'x'),
                                   std::vector<char>(first.cubin.begin(), first.cubin.end() - 1)}) {
      QVERIFY(cache.write(key, {cache.read(key)->log, std::move(code)}));
      const Build mended = build();
      QVERIFY(!mended.cached && mended.cubin == first.cubin && mended.resources.registers == 77);
      QVERIFY(build().cached);
    }
  }

  // Two libraries that report the same version: one must not use what the other has compiled.
  void everyLibraryHasEntriesOfItsOwn() {
    Fake::use("registers=77");
    const QTemporaryDir folder;
    const BuildCache cache(fs::path(folder.path().toStdString()) / "kernels");
    const QString other = folder.filePath("libother.so");
    QVERIFY(QFile::copy(TILELOOM_FAKE_CUDA, other));
    {
      QFile file(other);
      QVERIFY(file.open(QIODevice::Append) && file.write("x") == 1);
    }
    const Stage& stage = test::stage("shared");
    const auto build = [&] {
      return *buildStage(**Nvrtc::load(), &cache, standardSubject(stage), defaultArchitecture());
    };
    const std::string first = (*Nvrtc::load())->identity();
    QVERIFY(!build().cached && build().cached);
    qputenv("TILELOOM_NVRTC", other.toLocal8Bit());
    const auto loaded = Nvrtc::load();
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text.c_str());
    QCOMPARE((*loaded)->version(), std::string("13.0"));
    QVERIFY((*loaded)->identity() != first);
    QVERIFY(!build().cached && build().cached);
    qputenv("TILELOOM_NVRTC", TILELOOM_FAKE_CUDA);
    QCOMPARE((*Nvrtc::load())->identity(), first);
    QVERIFY(build().cached);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::BuildTest, EventLoop)
#include "build_test.moc"
