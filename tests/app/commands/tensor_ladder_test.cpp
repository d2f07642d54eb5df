// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of the tensor ladder on the command line: some commands support them, and every other
// one says that it does not, instead of showing their figures beside those of FP32.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <cmath>

#include "kernels/runs/recordings.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

class TensorLadderTest : public QObject {
  Q_OBJECT

  static QJsonObject json(const QStringList& arguments, int status = 0) {
    const Said said = runTileloom(arguments);
    if (said.status != status || !said.err.isEmpty()) qWarning() << arguments << said.err;
    return QJsonDocument::fromJson(said.out).object();
  }

 private slots:
  void traceCounts() {
    const QJsonObject trace = json({"trace", "t1", "--size", "128", "--json"});
    QCOMPARE(trace["stage"].toString(), "mma");
    QCOMPARE(trace["ladder"].toString(), "tensor");
    QCOMPARE(trace["rung"].toInt(), 1);
    QCOMPARE(trace["arithmetic"].toString(), "bf16");
    const QJsonObject totals = trace["totals"].toObject();
    // 128³ in mma instructions of 16 x 8 x 16.
    QCOMPARE(totals["tensor_instructions"].toInt(), 8 * 16 * 8);
    QCOMPARE(totals["ffma_thread_instructions"].toInt(), 0);
    // 4 warps, 8 steps along K, each 4 loads of A and 4 of B. Rows of As are 64 bytes apart, so
    // that four of eight meet in a bank: 4 · 4 wavefronts; those of Bs 256, and all eight do.
    QCOMPARE(totals["matrix_load_instructions"].toInt(), 4 * 8 * 8);
    QCOMPARE(totals["matrix_load_wavefronts"].toInt(), 4 * 8 * (4 * 16 + 4 * 32));
    QCOMPARE(totals["matrix_load_conflicts"].toInt(), 4 * 8 * (4 * 12 + 4 * 28));
    // A and B are read once, 32 bytes of each sector used; so is C written.
    QCOMPARE(totals["global_load_sectors"].toInt(), 2 * 128 * 128 * 2 / 32);
    QCOMPARE(totals["global_store_sectors"].toInt(), 2 * 128 * 128 * 2 / 32);
    QCOMPARE(totals["global_store_requests"].toInt(), 128 * 128 / 64);
    QVERIFY(trace["faults"].toArray().isEmpty());
    for (const auto& line : trace["lines"].toArray()) {
      QVERIFY(!line.toObject()["kind"].toString().isEmpty());
      QVERIFY(!line.toObject()["text"].toString().isEmpty());
    }
  }

  void traceText() {
    const Said said = runTileloom({"trace", "mma", "--size", "128", "--arithmetic", "fp16"});
    QCOMPARE(said.status, 0);
    for (const char* text :
         {"mma, rung T1: tensor cores", "fp16 with fp32 accumulation", "matrix loads",
          "1,024  mma instructions, 2,048 multiply-adds each",
          "elements read from global memory per element of C", "load_matrices_turned(b + n * 2"}) {
      QVERIFY2(said.out.contains(text), text);
    }
    QVERIFY(!said.out.contains("FFMA"));
    QVERIFY(!said.out.contains("floats"));
  }

  // C passes through shared memory: loads there, which feed no multiply-adds of a thread.
  void aRingsText() {
    const Said said = runTileloom({"trace", "t3", "--size", "512"});
    QCOMPARE(said.status, 0);
    for (const char* text : {"mmaring, rung T3", "async copies", "matrix loads",
                             "17.50  elements read from shared memory per element of C"}) {
      QVERIFY2(said.out.contains(text), text);
    }
    for (const char* text : {"floats", "multiply-adds of a thread"})
      QVERIFY2(!said.out.contains(text), text);
  }

  // A tile is multiplied whole, but the results are those of the problem's 17 rows, or of its one
  // element: 64 K tiles of 128 x 64 and 64 x 128 elements for 17 x 128 of them.
  void readsOfATileThatIsMostlyPadding_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<double>("global");
    const double rowsOfC = 17, tile = 64.0 * 64;
    QTest::newRow("t3, launch") << QStringList{"t3", "--size", "17x4096x4096"}
                                << tile * (128 + 128) / (rowsOfC * 128);
    QTest::newRow("t3, block") << QStringList{"t3", "--size", "17x256x4096", "--block", "1,0"}
                               << tile * (128 + 128) / (rowsOfC * 128);
    // TMA loads move the part inside of A, and half of B: the cluster's other block loads the rest.
    QTest::newRow("t13, block") << QStringList{"t13", "--size", "17x256x4096", "--block", "0,0"}
                                << tile * (17 + 128) / (rowsOfC * 256);
  }
  void readsOfATileThatIsMostlyPadding() {
    QFETCH(QStringList, arguments);
    QFETCH(double, global);
    QStringList all{"trace"};
    all << arguments << "--json";
    const QJsonObject reuse = json(all)["reuse"].toObject();
    QCOMPARE(reuse["global_floats_per_result"].toDouble(), global);
  }
  void readsForOneElement() {
    const QJsonObject reuse = json({"trace", "t13", "--size", "1", "--json"})["reuse"].toObject();
    QCOMPARE(reuse["shared_floats_per_result"].toDouble(), 327680.0);
    QCOMPARE(reuse["global_floats_per_result"].toDouble(), 72.0);
  }

  void formatsCountTheSame() {
    const auto totals = [](const char* format) {
      return json({"trace", "T1", "--size", "100x200x300", "--arithmetic", format,
                   "--json"})["totals"]
          .toObject();
    };
    QVERIFY(!totals("bf16").isEmpty());
    QCOMPARE(totals("bf16"), totals("fp16"));
  }

  void explain() {
    const QJsonObject answer = json({"explain", "T1", "--json"});
    QVERIFY(answer["legal"].toBool());
    QCOMPARE(answer["ladder"].toString(), "tensor");
    QCOMPARE(answer["parameters"].toArray().size(), 5);
    const QJsonObject illegal = json({"explain", "mma", "--tile", "BK=24", "--json"}, 1);
    QCOMPARE(illegal["rule"].toString(), "mma-shape");
    QVERIFY(illegal["reason"].toString().endsWith("; choose BK = 16 or 32"));
    QCOMPARE(json({"explain", "warptiled", "--json"})["ladder"].toString(), "fp32");
  }

  void compile() {
    const Surroundings around;
    Surroundings::compilerOnly();
    const QJsonObject devices =
        QJsonDocument::fromJson(runTileloom({"devices", "--json"}).out).object();
    if (devices["libraries"].toObject()["nvrtc"].isNull()) QSKIP("NOT TESTED: no NVRTC here");
    for (const char* format : {"bf16", "fp16"}) {
      const QJsonObject build =
          json({"compile", "t1", "--arithmetic", format, "--no-cache", "--json"});
      QCOMPARE(build["arithmetic"].toString(), format);
      QVERIFY(build["registers"].toInt() > 128);
      QCOMPARE(build["spill_store_bytes"].toInt(), 0);
    }
  }

  void aWrongFormat_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("text");
    QTest::newRow("fp32 on the tensor ladder") << QStringList{"trace", "t1", "--arithmetic", "fp32"}
                                               << "mma does not support fp32: choose bf16 or fp16";
    QTest::newRow("bf16 on the other one")
        << QStringList{"trace", "warptiled", "--arithmetic", "bf16"}
        << "warptiled does not support bf16: choose fp32";
    QTest::newRow("unknown") << QStringList{"compile", "t1", "--arithmetic", "tf32"}
                             << "there is no arithmetic \"tf32\": choose one of fp32, bf16, fp16";
    QTest::newRow("no such rung")
        << QStringList{"trace", "t99"}
        << "there is no rung \"t99\" on the tensor ladder, which has T1 (mma), T2 "
           "(swizzled), T3 (mmaring), T4 (tma), T5 (wgmma), T6 (multistage), T7 (overlapped), "
           "T8 (specialised), T9 (consumers), T10 (persistent), T11 (cluster), T12 (stored), T13 "
           "(hopper)";
  }
  void aWrongFormat() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, text);
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 2);
    QVERIFY(said.out.isEmpty());
    QCOMPARE(QString::fromUtf8(said.err), "tileloom: " + text + "\n");
  }

  // Constants of FP32 rungs do not apply to these.
  void nothingIsPredicted() {
    const Surroundings around;
    const Said said = runTileloom({"predict", "t3"});
    QCOMPARE(said.status, 2);
    QVERIFY(said.out.isEmpty());
    QCOMPARE(QString::fromUtf8(said.err),
             QStringLiteral("tileloom: no prediction: it is fitted to the FP32 rungs only, and "
                            "mmaring is rung T3: tileloom why mmaring shows what bounds it\n"));
  }

  void whyTellsFloors() {
    const Surroundings around;
    const Said said = runTileloom({"why", "t1", "--size", "2048"});
    QCOMPARE(said.status, 0);
    for (const char* text :
         {"No prediction: it is fitted to the FP32 rungs only.", "at least 1,856",
          "wavefronts: 1,536 of ldmatrix, 128 of stores, 192 of loads from global memory",
          "13.8 % of their documented rate.", "about 276",
          "Recorded on NVIDIA H100 80GB HBM3: ", "% of the tensor cores' peak at that clock"}) {
      QVERIFY2(said.out.contains(text), said.out.constData());
    }
    for (const char* text : {"speed x", "times the speed", "GFLOP/s predicted"})
      QVERIFY2(!said.out.contains(text), text);

    // Of the same tile there are runs in both formats.
    const auto measured = [](const char* format) {
      const QJsonObject all =
          json({"why", "t3", "--size", "4096", "--arithmetic", format, "--json"});
      return all["measured"].toObject()["gflops"].toDouble();
    };
    const Stage& ring = test::stage("mmaring");
    for (const auto& [name, format] :
         {std::pair("bf16", Format::Bf16), std::pair("fp16", Format::Fp16)}) {
      const auto* run = tileloom::runs::recordedRun({&ring, ring.standardTile(), format},
                                                    {4096, 4096, 4096}, kReferenceDevice);
      QVERIFY(run != nullptr);
      QCOMPARE(measured(name), run->gflops.median);
    }
    QVERIFY(measured("bf16") != measured("fp16"));

    const QJsonObject why =
        json({"why", "t3", "--size", "2048", "--json", "--against", "SWIZZLE=64"});
    QVERIFY(why["predicted_gflops"].isNull() && why["costs"].toArray().isEmpty());
    QCOMPARE(why["rung"].toString(), "T3");
    QCOMPARE(why["largest_lower_bound"].toString(), "shared");
    const QJsonArray floors = why["lower_bounds"].toArray();
    QCOMPARE(floors[0].toObject()["unit"].toString(), "tensor");
    QCOMPARE(floors[0].toObject()["cycles"].toDouble(), 512.0);
    QVERIFY(why["measured"].toObject()["cycles_per_k_tile"].toDouble() > 768);
    QVERIFY(why["measured"].toObject()["peak_percent"].toDouble() > 30);
    QCOMPARE(why["against"].toObject()["tile"].toObject()["SWIZZLE"].toInt(), 64);
    QVERIFY(!why["against"].toObject()["lower_bounds"].toArray().isEmpty());
    QCOMPARE(runTileloom({"why", "t3", "--against", "SWIZZLE=48"}).status, 2);
  }

  // The roofs of the other pipes, bytes of 2 per element, and no rung of the other ladder.
  void rooflineOfTheTensorLadder() {
    const Surroundings around;
    const QJsonObject all = json({"roofline", "--arithmetic", "bf16", "--json"});
    const QJsonArray rungs = all["rungs"].toArray();
    QCOMPARE(rungs.size(), qsizetype(tensorStages().size()));
    QCOMPARE(all["arithmetic"].toString(), "bf16");
    QVERIFY(std::abs(all["tensor_gflops"].toDouble() / (2.0 * 2048 * 132 * 1.98) - 1) < 1e-6);
    QVERIFY(all["least_ms"].toObject().contains("tensor"));
    for (const auto& each : rungs) {
      const QJsonObject rung = each.toObject();
      QCOMPARE(rung["traffic"].toObject()["least_bytes"].toDouble(), 3.0 * 2 * 4096 * 4096);
      if (!test::mustBeRecorded(test::stage(rung["stage"].toString().toStdString()))) continue;
      QVERIFY(rung["gflops"].toDouble() > 1e5);
      QVERIFY(rung["gflops"].toDouble() <= 1.001 * rung["roof_gflops"].toDouble());
      QVERIFY(rung["roof"].toString() != "FMA pipes");
    }
    const Said text = runTileloom({"roofline", "t3"});
    QCOMPARE(text.status, 0);
    for (const char* words :
         {"bf16 with fp32 accumulation", "(computed for 1980 MHz, not measured)", "T3"})
      QVERIFY2(text.out.contains(words), text.out.constData());
    QVERIFY(!text.out.contains("FMA"));
    QCOMPARE(runTileloom({"roofline", "8", "--arithmetic", "bf16"}).status, 2);
    QCOMPARE(json({"roofline", "--json"})["rungs"].toArray().size(), qsizetype(stages().size()));
  }

  void runsOfARung() {
    const QJsonObject all = json({"runs", "list", "--recorded", "--stage", "t1", "--json"});
    const QJsonArray runs = all["runs"].toArray();
    QVERIFY(!runs.isEmpty());
    for (const auto& run : runs) {
      QCOMPARE(run.toObject()["stage"].toString(), "mma");
      QVERIFY(run.toObject()["arithmetic"].toString().endsWith("16"));
    }
  }

  void aDryTune() {
    const Surroundings around;
    for (const char* format : {"bf16", "fp16"}) {
      const Said said = runTileloom({"tune", "t2", "--dry-run", "--arithmetic", format, "--json"});
      QCOMPARE(said.status, 0);
      QCOMPARE(QString::fromUtf8(said.err),
               "tileloom: the search uses no predictions: the prediction is fitted to the "
               "FP32 rungs only\n");
      const QJsonObject plan = QJsonDocument::fromJson(said.out).object();
      QCOMPARE(plan["run"].toObject()["arithmetic"].toString(), format);
      QVERIFY(!plan["run"].toObject()["predict"].toBool());
      QVERIFY(plan["run"].toObject()["legal"].toInt() > 100);
      for (const auto& first : plan["first"].toArray())
        QVERIFY(first.toObject()["predicted_gflops"].isNull());
    }
    QVERIFY(runTileloom({"tune", "t2", "--dry-run", "--no-prediction"}).err.isEmpty());
  }

  // Two runs over one rung: each continues in its own journal and has its own best tile.
  void aTuneOfEachFormat() {
    const Surroundings around;
    Surroundings::fakeGpu("rate=swizzled:300,rate=cublas:700,landscape=0.5");
    const auto tuned = [](const char* format) {
      return json({"tune", "t2", "--arithmetic", format, "--size", "128", "--budget", "12",
                   "--parameter", "BM=64,128", "--parameter", "BN=64,128", "--parameter", "BK=64",
                   "--parameter", "WM=32,64", "--parameter", "WN=32,64", "--json"});
    };
    for (const char* format : {"bf16", "fp16"}) {
      const QJsonObject result = tuned(format);
      QCOMPARE(result["run"].toObject()["arithmetic"].toString(), format);
      QVERIFY(result["standings"].toArray().size() >= 3);
    }
    // The journal names its format, and another format does not continue in it.
    const QString file = around.path("t2.jsonl");
    const QStringList line = {"tune", "t2", "--size", "128", "--budget", "3", "--out", file};
    QCOMPARE(runTileloom(line + QStringList{"--arithmetic", "fp16"}).status, 0);
    const Said other = runTileloom(line);
    QCOMPARE(other.status, 2);
    QVERIFY2(other.err.contains("is of arithmetic fp16 and not of bf16"), other.err.constData());
    // The tile that was found is the default of its own format only.
    const QJsonArray runs = json({"runs", "list", "--stage", "t2", "--json"})["runs"].toArray();
    int halves = 0;
    for (const auto& run : runs) halves += run.toObject()["arithmetic"].toString() == "fp16";
    QVERIFY(halves > 0 && halves < runs.size());
  }

  // A missing feature of a machine or a library is reported in one sentence.
  void whatIsMissing_data() {
    QTest::addColumn<QByteArray>("behaviours");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* behaviours, QStringList arguments,
                        const char* text) {
      QTest::newRow(name) << QByteArray(behaviours) << std::move(arguments) << text;
    };
    const char* tooOld = "this device has no tensor cores for bf16: they begin with sm_80";
    row("a device before bf16", "arch=75", {"run", "t3", "--size", "128"}, tooOld);
    row("tuning on it", "arch=75", {"tune", "t3", "--size", "128", "--budget", "2"}, tooOld);
    row("its ladder", "arch=75", {"ladder", "--arithmetic", "bf16", "--size", "128"}, tooOld);
    const char* notHopper = "T5 (wgmma) uses wgmma, which Hopper has and ";
    row("a device that is not Hopper", "arch=80", {"run", "t5", "--size", "128"}, notHopper);
    row("a newer one", "arch=100", {"run", "wgmma", "--size", "128"}, notHopper);
    row("tuning on it", "arch=80", {"tune", "t5", "--size", "128", "--budget", "2"}, notHopper);
  }
  void whatIsMissing() {
    QFETCH(QByteArray, behaviours);
    QFETCH(QStringList, arguments);
    QFETCH(QString, text);
    const Surroundings around;
    Surroundings::fakeGpu(behaviours);
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 3);
    QVERIFY2(QString::fromUtf8(said.err).contains(text), said.err.constData());
    QVERIFY2(!said.out.contains("GFLOP/s  ("), said.out.constData());
  }

  // A ladder continues without the rungs that this device does not support.
  void aLadderWithoutHopper() {
    const Surroundings around;
    Surroundings::fakeGpu("arch=80");
    const Said said = runTileloom({"ladder", "--arithmetic", "bf16", "--size", "128"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.contains("T4 (tma) needs TMA, which") &&
                 said.err.contains("choose sm_90, or T3 (mmaring)"),
             said.err.constData());
    QVERIFY2(said.out.contains("mmaring") && said.out.contains("GFLOP/s"), said.out.constData());
  }

  // Remarks of the assembler are printed with the spills.
  void remarksAreShown() {
    const Surroundings around;
    Surroundings::fakeGpu("remark=C7511");
    const char* remark =
        "the assembler serialises wgmma, so that each one waits for the previous one, because "
        "there are too few registers for their accumulators (C7511)";
    const Said compiled = runTileloom({"compile", "t5"});
    QCOMPARE(compiled.status, 0);
    QVERIFY2(compiled.out.contains(QByteArray("  SLOW: ") + remark), compiled.out.constData());
    const Said asJson = runTileloom({"compile", "t5", "--json"});
    QVERIFY2(asJson.out.contains(remark), asJson.out.constData());
    const Said run = runTileloom({"run", "t5", "--size", "128"});
    QCOMPARE(run.status, 0);
    QVERIFY2(run.err.contains(remark), run.err.constData());
    const Said refused = runTileloom({"compile", "t5", "--arch", "sm_89"});
    QVERIFY(refused.status != 0);
    QVERIFY2(refused.err.contains("choose sm_90, or T3 (mmaring)"), refused.err.constData());
    const Said searched = runTileloom({"tune", "t5", "--dry-run", "--arch", "sm_80"});
    QVERIFY(searched.status != 0);
    QVERIFY2(searched.err.contains("T5 (wgmma) uses wgmma, which Hopper has and sm_80 does not"),
             searched.err.constData());
    QCOMPARE(json({"explain", "t5", "--arch", "sm_80", "--json"}, 1)["rule"].toString(),
             "architecture");
  }

  void aCublasWithoutHalves() {
    const Surroundings around;
    for (const char* command : {"run", "ladder"}) {
      Surroundings::fakeGpu();
      // Beside the other library that is too old.
      const QString old =
          QFileInfo(QStringLiteral(TILELOOM_STUB)).dir().filePath("libtileloom_old_cublas.so");
      QVERIFY(QFile::exists(old));
      qputenv("TILELOOM_CUBLAS", old.toUtf8());
      const Said said = runTileloom(
          {command, QLatin1String(command) == "run" ? "t3" : "--arithmetic=bf16", "--size", "128"});
      QCOMPARE(said.status, 3);
      QVERIFY2(said.err.contains("this cuBLAS has no cublasGemmEx, which multiplies bf16 numbers: "
                                 "install cuBLAS of CUDA 12 or later"),
               said.err.constData());
    }
  }

  // XORed chunks never meet in a bank; in plain rows, eight do.
  void swizzlesMendConflicts() {
    const auto totals = [](const char* tile) {
      return json({"trace", "t2", "--size", "128", "--tile", tile, "--json"})["totals"].toObject();
    };
    const QJsonObject rows = totals("SWIZZLE=0");
    QVERIFY(rows["matrix_load_conflicts"].toInt() > 0);
    for (const char* tile : {"SWIZZLE=32", "SWIZZLE=64", "SWIZZLE=128"}) {
      const QJsonObject panels = totals(tile);
      QCOMPARE(panels["matrix_load_instructions"], rows["matrix_load_instructions"]);
      QCOMPARE(panels["matrix_load_wavefronts"].toInt(),
               4 * panels["matrix_load_instructions"].toInt());
      QCOMPARE(panels["matrix_load_conflicts"].toInt(), 0);
      QCOMPARE(panels["shared_store_conflicts"].toInt(), 0);
      QCOMPARE(panels["global_load_sectors"], rows["global_load_sectors"]);
    }
  }

  void brokenRules_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("tile");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* stage, const char* tile, const char* rule) {
      QTest::newRow(rule) << stage << tile << rule;
    };
    row("t2", "SWIZZLE=48", "swizzle");
    row("t2", "BK=48", "swizzle-row-a");
    row("t2", "BN=32,WN=32", "swizzle-row-b");
    row("t3", "BK=48,SWIZZLE=32", "steps-ahead");
    row("t3", "BM=64,BN=64", "passes-a");
    row("t3", "BK=96,SWIZZLE=32", "passes-b");
    row("t3", "BM=256,WM=32,BN=64,BK=32,SWIZZLE=64,STAGES=2", "staged-c");
    row("t3", "STAGES=8", "shared-memory");
  }
  void brokenRules() {
    QFETCH(QString, stage);
    QFETCH(QString, tile);
    QFETCH(QString, rule);
    const QJsonObject illegal = json({"explain", stage, "--tile", tile, "--json"}, 1);
    QCOMPARE(illegal["rule"].toString(), rule);
    QVERIFY2(illegal["reason"].toString().contains("; choose "),
             qPrintable(illegal["reason"].toString()));
  }

  void runs() {
    const Surroundings around;
    around.fakeGpu("rate=mmaring:500000,rate=cublas:800000,jitter=0");
    for (const char* format : {"bf16", "fp16"}) {
      const QJsonObject run = json(
          {"run", "t3", "--size", "128x256x128", "--arithmetic", format, "--no-save", "--json"});
      QCOMPARE(run["stage"].toString(), "mmaring");
      QCOMPARE(run["arithmetic"].toString(), format);
      QVERIFY(std::abs(run["ratio"].toArray()[0].toDouble() - 0.625) < 1e-3);
    }
    const Said said = runTileloom({"run", "t3", "--size", "128x256x128", "--no-save"});
    QCOMPARE(said.status, 0);
    for (const char* text : {"62.5 % of cuBLAS (cublasGemmEx) in bf16 with fp32 accumulation",
                             "of the tensor cores' peak", "equal bit for bit"}) {
      QVERIFY2(said.out.contains(text), said.out.constData());
    }
    const Said ladder =
        runTileloom({"ladder", "--arithmetic", "bf16", "--size", "128x256x128", "--no-save"});
    QCOMPARE(ladder.status, 0);
    for (const char* text : {"T1  mma", "T2  swizzled", "T3  mmaring", "cublasGemmEx"})
      QVERIFY2(ladder.out.contains(text), ladder.out.constData());
    for (const char* text : {"warptiled", "pedantic", "A6000:"})
      QVERIFY2(!ladder.out.contains(text), ladder.out.constData());
  }

  // A rung of 16 bits is measured on a device that has the format, against a cuBLAS that has it.
  void whatIsMissingIsSaid() {
    const Surroundings around;
    around.fakeGpu("fail=cublasGemmEx:15");
    Said said = runTileloom({"run", "t3", "--size", "128x256x128", "--no-save"});
    QCOMPARE(said.status, 3);
    QVERIFY2(said.err.contains("cuBLAS said CUBLAS_STATUS_NOT_SUPPORTED while multiplying"),
             said.err.constData());
    around.fakeGpu("arch=75");
    said = runTileloom({"run", "t3", "--size", "128x256x128", "--no-save"});
    QCOMPARE(said.status, 3);
    QVERIFY2(said.err.contains("has no tensor cores for bf16: they begin with sm_80"),
             said.err.constData());
    QCOMPARE(said.err.count('\n'), 1);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TensorLadderTest, Nothing)
#include "tensor_ladder_test.moc"
