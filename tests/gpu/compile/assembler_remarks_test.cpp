// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks of the assembler become sentences, and no rung causes one.
#include "kernels/gpu/compile/assembler_remarks.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;
using test::q;

class AssemblerRemarksTest : public QObject {
  Q_OBJECT

  static std::string one(const std::string& text) {
    const auto all = assemblerRemarks("ptxas info    : 0 bytes gmem\nptxas info    : " + text +
                                      "\nptxas info    : Used 163 registers\n");
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " remarks";
  }

  static std::shared_ptr<const Nvrtc> realNvrtc() {
    qunsetenv("TILELOOM_NVRTC");
    const auto loaded = Nvrtc::load();
    return loaded ? *loaded : nullptr;
  }

  // With `from` replaced by `to` everywhere; it must occur.
  static std::string edited(const Stage& stage, std::string_view from, std::string_view to) {
    std::string text(sourceText(stage));
    std::size_t times = 0;
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
      ++times;
    }
    return times > 0 ? text : std::string();
  }

 private slots:
  // The messages of NVRTC 13.0.
  void remarksAreSentences() {
    QCOMPARE(one("(C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized "
                 "due to insufficient register resources for the wgmma pipeline in the function "
                 "'wgmma'"),
             "the assembler serialises wgmma, so that each one waits for the previous one, because "
             "there are too few registers for their accumulators (C7511)");
    QCOMPARE(one("(C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized "
                 "due to non wgmma instructions defining accumulator registers of a wgmma between "
                 "start and end of the pipeline stage in the function 'wgmma'"),
             "the assembler serialises wgmma, so that each one waits for the previous one, because "
             "other instructions write their accumulators in between (C7514)");
    QCOMPARE(
        one("(C7517) warpgroup.wait is injected in around line 481 by compiler to allow use "
            "of registers defined by GMMA in function 'overlapped'"),
        "the assembler adds a wait for wgmma, because accumulators are used before one (C7517)");
    QCOMPARE(one("(C7519) warpgroup.arrive is injected in around line 440 by compiler to allow "
                 "use of registers in GMMA in function 'overlapped'"),
             "the assembler adds a fence before wgmma, because other instructions have written the "
             "accumulators (C7519)");
    QCOMPARE(one("(C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine "
                 "register count at entry."),
             "the assembler ignores setmaxnreg, because the register count at the kernel's entry "
             "is unknown (C7508)");
    // Unknown remarks are quoted.
    QCOMPARE(one("(C7599) something new"), "the assembler says \"something new\" (C7599)");
    QVERIFY(q(one("(C7510) Potential Performance Loss: wgmma.mma_async instructions are "
                  "serialized due to the moon"))
                .contains("are serialized due to"));
  }

  void whatElseTheLogSaysIsNoRemark() {
    for (const char* line : {"Used 163 registers, used 1 barriers", "(C7510)", "(C75x0) text",
                             "(C751) text", "(C7410) text", "(C75", "C7510 text", "(C7510 text"}) {
      QVERIFY2(assemblerRemarks(line).empty(), line);
    }
    QVERIFY(assemblerRemarks("").empty());
  }

  void twoOfAKindAreOne() {
    const std::string line =
        "ptxas info    : (C7517) warpgroup.wait is injected in around line 4 by compiler\n";
    QCOMPARE(assemblerRemarks(line + line).size(), std::size_t{1});
    QCOMPARE(assemblerRemarks(line + "ptxas info    : (C7519) warpgroup.arrive is injected").size(),
             std::size_t{2});
  }

  void cachedBuildsKeepThem() {
    Fake::use("remark=C7511");
    const QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const Stage& stage = test::stage("wgmma");
    const auto nvrtc = *Nvrtc::load();
    const auto build = [&] {
      return *buildStage(*nvrtc, &cache, standardSubject(stage), defaultArchitecture());
    };
    const Build first = build(), again = build();
    QVERIFY(!first.cached && again.cached);
    QCOMPARE(first.remarks.size(), std::size_t{1});
    QVERIFY(again.remarks == first.remarks);
  }

  // BM, BN, CONSUMERS, SWIZZLE, or the standard tile.
  static TileShape tileOf(const Stage& stage, const QByteArray& parameters) {
    TileShape tile = stage.standardTile();
    const QList<QByteArray> values = parameters.split(',');
    if (values.size() != 4) return tile;
    tile = tile.with(Parameter::BM, values[0].toInt()).with(Parameter::BN, values[1].toInt());
    if (stage.spec(Parameter::CONSUMERS) != nullptr)
      tile = tile.with(Parameter::CONSUMERS, values[2].toInt());
    tile = tile.with(Parameter::SWIZZLE, values[3].toInt());
    return stage.spec(Parameter::STAGES) != nullptr ? tile.with(Parameter::STAGES, 3) : tile;
  }

  // Hopper's rungs as intended: wgmma in parallel, and all values in registers.
  void rungsGiveNoReason_data() {
    QTest::addColumn<QByteArray>("stage");
    QTest::addColumn<int>("format");
    QTest::addColumn<QByteArray>("parameters");
    const auto add = [](const Stage& stage, Format format, const char* parameters) {
      QTest::addRow("%s %s %s", stage.id.data(), rowOf(format).name.data(), parameters)
          << QByteArray(stage.id.data()) << static_cast<int>(format) << QByteArray(parameters);
    };
    for (const Stage& stage : tensorStages()) {
      if (!stage.features().tma) continue;
      for (const Format format : stage.formats) add(stage, format, "");
      if (test::briefly()) continue;
      // BM, BN, CONSUMERS, SWIZZLE: each width of the instruction, and one with 192 accumulators.
      const bool groups = stage.features().warpgroupMma;
      bool turn = false;  // alternates between the arithmetics, which differ in one word
      for (const char* parameters : {"256,192,2,128", "128,128,1,128", "64,64,1,32", "64,96,1,64",
                                     "128,160,2,64", "128,224,2,64", "192,192,3,64"}) {
        if (!groups && std::string_view(parameters) != "128,128,1,128") continue;
        if (!isLegal(stage, tileOf(stage, parameters))) continue;  // its registers do not suffice
        add(stage, stage.formats[turn ? 1 : 0], parameters);
        turn = !turn;
      }
    }
  }
  void rungsGiveNoReason() {
    const auto nvrtc = realNvrtc();
    if (!nvrtc) QSKIP("NOT TESTED: there is no NVRTC");
    QFETCH(QByteArray, stage);
    QFETCH(int, format);
    QFETCH(QByteArray, parameters);
    const Stage& its = test::stage(stage.data());
    const TileShape tile = tileOf(its, parameters);
    QVERIFY2(isLegal(its, tile), explainTile(its, tile).c_str());
    const auto build = buildStage(*nvrtc, nullptr, {&its, tile, static_cast<Format>(format)},
                                  defaultArchitecture(), SourceLines::Left);
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QVERIFY2(build->remarks.empty(), build->remarks.empty() ? "" : build->remarks[0].c_str());
    const Resources& r = build->resources;
    QVERIFY(r.registers > 0 && r.spillStores == 0 && r.spillLoads == 0 && r.stackBytes == 0);
    QCOMPARE(r.staticShared, 0);
    QCOMPARE(build->dynamicShared, derive(its, tile).sharedBytes);
    QVERIFY(build->loop.instructions > 0);
    qInfo("%d registers, a loop of %d instructions", r.registers, build->loop.instructions);
  }

  // The check must be able to fail: sources that are bad on purpose.
  void badSourcesGiveReason_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("says");
    QTest::addRow("sums read before the wait")
        << QByteArray("commit_products();") << QByteArray("commit_products(); acc[0] += 1.0f;")
        << QByteArray("adds a wait for wgmma");
    QTest::addRow("no fence") << QByteArray("fence_products();") << QByteArray()
                              << QByteArray("adds a fence before wgmma");
    QTest::addRow("too many sums")  // 256 of each thread
        << QByteArray("* 128)") << QByteArray("* 128) ")
        << QByteArray("because there are too few registers for their accumulators");
  }
  void badSourcesGiveReason() {
    const auto nvrtc = realNvrtc();
    if (!nvrtc) QSKIP("NOT TESTED: there is no NVRTC");
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, says);
    const Stage& stage = test::stage("wgmma");
    const bool many = std::string_view(QTest::currentDataTag()) == "too many sums";
    const TileShape tile = stage.standardTile().with(Parameter::BN, many ? 256 : 128);
    const std::string text = edited(stage, from.toStdString(), to.toStdString());
    QVERIFY(!text.empty());
    const auto output = nvrtc->compile(text, "bad.cuh", deviceFiles(),
                                       compileOptions(usualSubject(stage, tile), "sm_90"));
    QVERIFY2(output.has_value(), output ? "" : output.error().text.c_str());
    const auto remarks = assemblerRemarks(output->log);
    QVERIFY2(std::ranges::any_of(remarks,
                                 [&](const std::string& each) { return q(each).contains(says); }),
             output->log.c_str());
  }

  // A source that does not even assemble.
  void failuresHaveTheirReason() {
    const auto nvrtc = realNvrtc();
    if (!nvrtc) QSKIP("NOT TESTED: there is no NVRTC");
    const Stage& stage = test::stage("wgmma");
    const std::string text = edited(stage, "CONSUMERS * 128", "CONSUMERS * 512");
    const auto output = nvrtc->compile(
        text, "bad.cuh", deviceFiles(),
        compileOptions(usualSubject(stage, stage.standardTile().with(Parameter::BN, 256)),
                       "sm_90"));
    QVERIFY(!output);
    QVERIFY2(q(output.error().text).contains("Insufficient registers"),
             output.error().text.c_str());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::AssemblerRemarksTest, EventLoop)
#include "assembler_remarks_test.moc"
