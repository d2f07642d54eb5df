// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of the one-source rule: every stage compiles for a GPU, at its standard tile,
// without spills. NVRTC needs no GPU for that.
#include <fmt/format.h>
#include <nvrtc.h>

#include <QtTest>

#include "kernels/tile/derived.h"
#include "tests/support/text.h"

namespace tileloom {

class NvrtcTest : public QObject {
  Q_OBJECT

  struct Compiled {
    nvrtcResult result = NVRTC_SUCCESS;
    QString log;

    // The number before or after `words` in the assembler's report, or -1.
    int number(const char* pattern) const {
      const QRegularExpressionMatch match = QRegularExpression(pattern).match(log);
      return match.hasMatch() ? match.captured(1).toInt() : -1;
    }
    int registers() const { return number("Used (\\d+) registers"); }
    int spillStores() const { return number("(\\d+) bytes spill stores"); }
    int spillLoads() const { return number("(\\d+) bytes spill loads"); }
    int sharedBytes() const { return number("(\\d+) bytes smem"); }
  };

  static Compiled compile(const Stage& stage, const TileShape& tile, const std::string& source) {
    std::vector<std::string> options = {"--gpu-architecture=sm_90", "--std=c++17",
                                        "--ptxas-options=-v", "-I" TILELOOM_SOURCE_DIR};
    for (const KnobSpec& spec : stage.knobs) {
      options.push_back(fmt::format("-D{}={}", name(spec.knob), tile[spec.knob]));
    }
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    Compiled compiled;
    nvrtcProgram program = nullptr;
    const std::string file(stage.file);
    compiled.result =
        nvrtcCreateProgram(&program, source.c_str(), file.c_str(), 0, nullptr, nullptr);
    if (compiled.result != NVRTC_SUCCESS) return compiled;
    compiled.result =
        nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
    std::size_t size = 0;
    if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 0) {
      std::string text(size, '\0');
      if (nvrtcGetProgramLog(program, text.data()) == NVRTC_SUCCESS) {
        compiled.log = QString::fromUtf8(text.c_str());
      }
    }
    nvrtcDestroyProgram(&program);
    return compiled;
  }

 private slots:
  void initTestCase() {
    int major = 0, minor = 0;
    if (nvrtcVersion(&major, &minor) != NVRTC_SUCCESS) QSKIP("NVRTC does not answer");
    qInfo("NVRTC %d.%d", major, minor);
  }

  void everyStageCompilesWithoutSpills_data() { test::addStageRows(); }
  void everyStageCompilesWithoutSpills() {
    const Stage& stage = test::stageOfRow();
    const TileShape tile = stage.standardTile();
    const Compiled compiled = compile(stage, tile, std::string(sourceText(stage)));
    QVERIFY2(compiled.result == NVRTC_SUCCESS, qPrintable(compiled.log));
    QVERIFY2(compiled.registers() > 0, qPrintable(compiled.log));
    QCOMPARE(compiled.spillStores(), 0);
    QCOMPARE(compiled.spillLoads(), 0);
    const Derived d = derive(stage, tile);
    QCOMPARE(std::max(compiled.sharedBytes(), 0), d.sharedBytes);
    // What the constraint table reckons with is a lower estimate.
    QVERIFY2(compiled.registers() <= 255, qPrintable(compiled.log));
    qInfo("%d registers, estimated %d", compiled.registers(), d.estimatedRegisters);
  }

  // Three blocks an SM at this tile: a warp's registers come in units of 256, which is 8 a thread.
  void warptiledIsAllocated168Registers() {
    int major = 0, minor = 0;
    QCOMPARE(nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
    if (major != 13 || minor != 0) QSKIP("the number is that of NVRTC 13.0");
    const Stage& stage = test::stage("warptiled");
    const Compiled compiled = compile(stage, stage.standardTile(), std::string(sourceText(stage)));
    QCOMPARE((compiled.registers() + 7) / 8 * 8, 168);
  }

  void aBrokenSourceIsReported() {
    const Stage& stage = test::stage("naive");
    const Compiled compiled = compile(stage, stage.standardTile(),
                                      std::string(sourceText(stage)) + "\nthis is no CUDA;\n");
    QCOMPARE(compiled.result, NVRTC_ERROR_COMPILATION);
    QVERIFY2(compiled.log.contains("naive.cuh"), qPrintable(compiled.log));
  }
};

}  // namespace tileloom

QTEST_APPLESS_MAIN(tileloom::NvrtcTest)
#include "nvrtc_test.moc"
