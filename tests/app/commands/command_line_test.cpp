// SPDX-License-Identifier: GPL-3.0-or-later
// Every command on good input: its JSON's keys and golden numbers, its text's facts.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "app/commands/common/parse.h"
#include "kernels/tile/constraints.h"
#include "tests/app/program.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

// The JSON that a call prints, which must be an object; the call's exit status must be this.
QJsonObject json(const QStringList& arguments, int status = 0) {
  const Said said = runTileloom(arguments);
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(said.out, &error);
  if (said.status != status || !said.err.isEmpty() || error.error != QJsonParseError::NoError) {
    qWarning() << arguments << said.status << said.err << error.errorString();
    return {};
  }
  return document.object();
}

QStringList sortedKeys(const QJsonObject& object) {
  QStringList keys = object.keys();
  keys.sort();
  return keys;
}

QJsonObject totals(const QStringList& arguments) {
  return json(arguments)["totals"].toObject();
}

}  // namespace

class CommandLineTest : public QObject {
  Q_OBJECT

 private slots:
  void version() {
    const Said said = runTileloom({"--version"});
    QCOMPARE(said.status, 0);
    QCOMPARE(said.out, "tileloom " TILELOOM_VERSION "\n");
    QVERIFY(said.err.isEmpty());
  }

  void help_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("names");
    QTest::newRow("program") << QStringList{"--help"} << "occupancy";
    QTest::newRow("short") << QStringList{"-h"} << "Usage: tileloom";
    QTest::newRow("stages") << QStringList{"stages", "--help"} << "--json";
    QTest::newRow("explain") << QStringList{"explain", "--help"} << "--arch";
    QTest::newRow("trace") << QStringList{"trace", "--help"} << "--ktiles";
    QTest::newRow("occupancy") << QStringList{"occupancy", "--help"} << "--registers";
    QTest::newRow("bench") << QStringList{"bench", "--help"} << "trace";
    QTest::newRow("bench trace") << QStringList{"bench", "trace", "--help"} << "--tiles";
  }
  void help() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, names);
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains(names.toUtf8()));
    QVERIFY(said.err.isEmpty());
  }

  void stagesJson() {
    QJsonArray list = json({"stages", "--json"})["stages"].toArray();
    QCOMPARE(list.size(), qsizetype(everyStage().size()));
    for (qsizetype i = qsizetype(stages().size()); i < list.size(); ++i) {
      const QJsonObject stage = list[i].toObject();
      const qsizetype rung = i - qsizetype(stages().size()) + 1;
      QCOMPARE(stage["ladder"].toString(), "tensor");
      QCOMPARE(stage["rung"].toInt(), rung);
      QCOMPARE(stage["label"].toString(), QStringLiteral("T%1").arg(rung));
      QCOMPARE(stage["arithmetics"].toArray(), (QJsonArray{"bf16", "fp16"}));
      QVERIFY(stage["tile"].toObject().contains("WM") !=
              stage["tile"].toObject().contains("CONSUMERS"));
    }
    QCOMPARE(list[0].toObject()["ladder"].toString(), "fp32");
    QCOMPARE(list[0].toObject()["arithmetics"].toArray(), QJsonArray{"fp32"});
    while (list.size() > qsizetype(stages().size())) list.removeLast();
    const QList<int> literature = {1, 2, 3, 4, 5, 6, 9, 10};  // rung 9 and up are ours
    for (int i = 0; i < list.size(); ++i) {
      const QJsonObject stage = list[i].toObject();
      QCOMPARE(stage["rung"].toInt(), i + 1);
      QCOMPARE(stage["literature"].toInt(), literature.value(i, 0));
      for (const char* key : {"id", "title", "idea", "source", "tile_text"}) {
        QVERIFY2(!stage[key].toString().isEmpty(), key);
      }
      QVERIFY(stage["threads"].toInt() >= 32);
      QCOMPARE(stage["parameters"].toArray().size(), stage["tile"].toObject().size());
      const QJsonObject parameter = stage["parameters"].toArray()[0].toObject();
      QCOMPARE(sortedKeys(parameter), (QStringList{"default", "max", "min", "name"}));
    }
    const QJsonObject warp = list[7].toObject();
    QCOMPARE(warp["threads"].toInt(), 128);
    QCOMPARE(warp["tile_text"].toString(), "BM=128,BN=128,BK=16,WM=64,WN=64,WNITER=4,TM=8,TN=4");
  }

  void stagesText() {
    const Said said = runTileloom({"stages"});
    QCOMPARE(said.status, 0);
    for (const Stage* each : everyStage()) {
      const Stage& stage = *each;
      QVERIFY(said.out.contains(QByteArray(stage.id.data(), qsizetype(stage.id.size()))));
      QVERIFY(said.out.contains(QByteArray(stage.idea.data(), qsizetype(stage.idea.size()))));
    }
  }

  void explainLegal() {
    const QJsonObject answer = json({"explain", "warptiled", "--json"});
    QVERIFY(answer["legal"].toBool());
    QVERIFY(answer["reason"].isNull());
    QCOMPARE(answer["arch"].toString(), "sm_90");
    QCOMPARE(answer["parameters"].toArray().size(), 8);
    QVERIFY(answer["derived"].toArray().size() >= 5);
    const Said said = runTileloom({"explain", "k10"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("Legal on sm_90"));
    QVERIFY(said.out.contains("WMITER"));
  }

  void explainIllegal() {
    const QJsonObject answer = json({"explain", "warptiled", "--tile", "BM=96", "--json"}, 1);
    QVERIFY(!answer["legal"].toBool());
    QVERIFY(answer["reason"].toString().contains("BM = 96"));
    QCOMPARE(answer["rule"].toString(), "warp-rows");
    QVERIFY(answer["derived"].isNull());
    const QJsonObject bm = answer["parameters"].toArray()[0].toObject();
    QCOMPARE(bm["legal_below"].toInt(), 64);
    QCOMPARE(bm["legal_above"].toInt(), 128);
    // The offered tile is accepted as input.
    const Stage& stage = **stageNamed("warptiled");
    const auto offered =
        app::parseTile(stage, answer["nearest_tile_text"].toString().toStdString());
    QVERIFY(offered.has_value());
    QVERIFY(isLegal(stage, *offered));

    const Said said = runTileloom({"explain", "warptiled", "--tile", "BM=96"});
    QCOMPARE(said.status, 1);  // the answer is no, and is printed
    QVERIFY(said.err.isEmpty());
    QVERIFY(said.out.contains("Not legal on sm_90"));
    QVERIFY(said.out.contains("--tile BM=128"));
  }

  void explainDependsOnTheArchitecture() {
    // Two tiles of 256 x 64 floats are 128 KiB: too much for a block on 8.6, while on 9.0 the
    // registers do not suffice.
    const QStringList question = {"explain", "autotuned", "--json", "--tile",
                                  "BM=256,BN=256,BK=64,TM=8,TN=8"};
    QCOMPARE(json(question + QStringList{"--arch", "sm_90"}, 1)["rule"].toString(), "registers");
    const QJsonObject smaller = json(question + QStringList{"--arch", "8.6"}, 1);
    QCOMPARE(smaller["arch"].toString(), "sm_86");
    QCOMPARE(smaller["rule"].toString(), "shared-memory");
  }

  void traceKeys() {
    const QJsonObject trace = json({"trace", "warptiled", "--size", "128", "--json"});
    QCOMPARE(trace["schema"].toString(), "tileloom.trace/1");
    for (const char* key : {"stage", "rung", "literature", "tile", "size", "padded", "grid",
                            "block", "scope", "totals", "reuse", "lines", "faults"}) {
      QVERIFY2(trace.contains(key), key);
    }
    QCOMPARE(sortedKeys(trace["totals"].toObject()),
             (QStringList{"async_copy_conflicts",
                          "async_copy_instructions",
                          "async_copy_instructions_predicated_off",
                          "async_copy_sector_pairs",
                          "async_copy_sectors",
                          "async_copy_wavefronts",
                          "box_bytes",
                          "box_instructions",
                          "box_store_bytes",
                          "box_store_instructions",
                          "ffma_thread_instructions",
                          "global_load_requests",
                          "global_load_sectors",
                          "global_load_wavefronts",
                          "global_store_requests",
                          "global_store_sectors",
                          "global_store_wavefronts",
                          "matrix_load_conflicts",
                          "matrix_load_instructions",
                          "matrix_load_wavefronts",
                          "matrix_store_conflicts",
                          "matrix_store_instructions",
                          "matrix_store_wavefronts",
                          "product_conflicts",
                          "product_instructions",
                          "product_wavefronts",
                          "shared_load_conflicts",
                          "shared_load_instructions",
                          "shared_load_wavefronts",
                          "shared_store_conflicts",
                          "shared_store_instructions",
                          "shared_store_instructions_predicated_off",
                          "shared_store_wavefronts",
                          "tensor_instructions",
                          "tma_load_bytes",
                          "tma_load_instructions",
                          "tma_store_bytes",
                          "tma_store_instructions",
                          "wgmma_conflicts",
                          "wgmma_instructions",
                          "wgmma_wavefronts"}));
    QCOMPARE(trace["totals"].toObject()["tensor_instructions"].toInt(), 0);
    QCOMPARE(trace["ladder"].toString(), "fp32");
    QCOMPARE(trace["arithmetic"].toString(), "fp32");
    QCOMPARE(sortedKeys(trace["size"].toObject()), (QStringList{"k", "m", "n"}));
    QCOMPARE(trace["tile"].toObject()["WNITER"].toInt(), 4);
    QCOMPARE(trace["scope"].toString(), "grid");
    QVERIFY(trace["faults"].toArray().isEmpty());
    const QJsonArray lines = trace["lines"].toArray();
    QVERIFY(lines.size() > 5);
    for (const auto& line : lines) QVERIFY(!line.toObject()["text"].toString().isEmpty());
  }

  // HARDWARE.md: measured on an H100 with hardware counters.
  void traceGoldenWarptiled() {
    const QJsonObject t = totals({"trace", "warptiled", "--size", "128x128x128", "--json"});
    QCOMPARE(t["shared_load_instructions"].toInt(), 3072);
    QCOMPARE(t["shared_load_wavefronts"].toInt(), 10240);
    QCOMPARE(t["shared_load_conflicts"].toInt(), 0);
    QCOMPARE(t["shared_store_instructions"].toInt(), 640);
    QCOMPARE(t["shared_store_wavefronts"].toInt(), 2560);
    QCOMPARE(t["shared_store_conflicts"].toInt(), 1536);
  }

  void traceGoldenBlocktile2d() {
    const QJsonObject t = totals({"trace", "5", "--size", "128", "--json"});
    QCOMPARE(t["shared_load_instructions"].toInt(), 10240);
    QCOMPARE(t["shared_load_wavefronts"].toInt(), 32768);
    QCOMPARE(t["shared_load_conflicts"].toInt(), 16384);
  }

  void traceDefaultsToACubeOf1024() {
    const QJsonObject whole = json({"trace", "warptiled", "--json"});
    QCOMPARE(whole["size"].toObject()["k"].toInt(), 1024);
    QCOMPARE(whole["grid"].toObject()["x"].toInt(), 8);
    // 64 blocks of 8 times the K of the golden one.
    QCOMPARE(whole["totals"].toObject()["shared_load_wavefronts"].toInt(), 64 * 8 * 10240);
  }

  void traceOfOneBlock() {
    const QStringList words = {"trace", "warptiled", "--size", "256x256x128", "--json"};
    const QJsonObject block = json(words + QStringList{"--block", "1,0"});
    QCOMPARE(block["scope"].toString(), "block");
    QCOMPARE(block["block"].toObject()["x"].toInt(), 1);
    QCOMPARE(block["totals"].toObject()["shared_load_wavefronts"].toInt(), 10240);
    QCOMPARE(totals(words)["shared_load_wavefronts"].toInt(), 4 * 10240);
  }

  void traceOfATileInAnyCase() {
    const QJsonObject trace =
        json({"trace", "warptiled", "--tile", " bk = 8 ", "--size", "128", "--json"});
    QCOMPARE(trace["tile"].toObject()["BK"].toInt(), 8);
    QCOMPARE(trace["tile"].toObject()["BM"].toInt(), 128);
  }

  void tracePads() {
    const QJsonObject trace = json({"trace", "8", "--size", "100x200x300", "--json"});
    const QJsonObject padded = trace["padded"].toObject();
    QCOMPARE(padded["m"].toInt(), 128);
    QCOMPARE(padded["n"].toInt(), 256);
    QCOMPARE(padded["k"].toInt(), 304);
    QVERIFY(runTileloom({"trace", "8", "--size", "100x200x300"}).out.contains("128 x 256 x 304"));
    QVERIFY(!runTileloom({"trace", "8", "--size", "128"}).out.contains("padded"));
  }

  // 1 tile for 132 SMs: split-K makes 4 blocks of it, which write their partial sums.
  void traceCountsPartsOfTiles() {
    const QStringList words = {"trace", "rewritten", "--size", "64x64x4096"};
    const QJsonObject launch = json(words + QStringList{"--json"})["launch"].toObject();
    QCOMPARE(launch["blocks"].toInt(), 4);
    QCOMPARE(launch["tiles_cut_along_k"].toInt(), 1);
    QCOMPARE(launch["parts_of_these"].toInt(), 4);
    QCOMPARE(launch["sms"].toInt(), 132);
    const QByteArray text = runTileloom(words).out;
    QVERIFY2(text.contains("4 blocks on the 132 SMs of an H100 or H200: 1 tile of the last wave is "
                           "split along K into 4 parts"),
             text);
    QVERIFY2(text.contains("also issues 64 async copies"), text);
  }

  void traceShowsWhatTheTensorCoreReads() {
    const QByteArray text = runTileloom({"trace", "t13", "--size", "256"}).out;
    QVERIFY2(text.contains("operands") && text.contains("matrix stores"), text);
    QVERIFY2(text.contains("block tiles,"), text);
  }

  void traceText_data() {
    QTest::addColumn<QString>("stage");
    for (const Stage& stage : stages()) {
      if (briefly() && stage.rung % 3 != 1) continue;
      const QByteArray id(stage.id.data(), qsizetype(stage.id.size()));
      QTest::newRow(id.constData()) << QString(id);
    }
  }
  void traceText() {
    QFETCH(QString, stage);
    const Said said = runTileloom({"trace", stage});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    QVERIFY(said.out.startsWith(stage.toUtf8()));
    QVERIFY(said.out.contains("1,024 x 1,024 x 1,024"));
    QVERIFY(said.out.contains("/" + stage.toUtf8() + ".cuh"));
    for (const QByteArray& line : said.out.split('\n')) {
      QVERIFY(!line.endsWith(' '));
      QVERIFY2(line.size() <= 140, line.constData());
    }
    QCOMPARE(runTileloom({"trace", stage}).out, said.out);  // the same every time
  }

  void traceTextNamesNumbers() {
    const Said said = runTileloom({"trace", "warptiled", "--size", "128"});
    QVERIFY(said.out.contains("10,240"));
    QVERIFY(said.out.contains("1,536"));
    QVERIFY(said.out.contains("As[(colA + 0) * BM + pass + rowA] = a.x;"));
  }

  void traceCoversMoreKTilesOnRequest() {
    const QStringList words = {"trace", "warptiled", "--json"};
    const auto executions = [&](const QString& kTiles) {
      const QJsonObject trace = json(words + QStringList{"--ktiles", kTiles});
      return trace["lines"].toArray()[0].toObject()["executions"].toInt();
    };
    QCOMPARE(executions("4"), 2 * executions("2"));
    QCOMPARE(executions("64"), executions("1000"));
  }

  void occupancyGolden() {
    const QStringList words = {"occupancy", "--arch", "sm_90",  "--threads",  "128",
                               "--shared",  "16384",  "--json", "--registers"};
    const QJsonObject three = json(words + QStringList{"168"});
    QCOMPARE(sortedKeys(three),
             (QStringList{"arch", "blocks_per_sm", "limiting", "limits", "max_warps_per_sm",
                          "next_step", "occupancy", "occupancy_percent", "registers", "schema",
                          "shared_bytes", "threads", "warps_per_sm"}));
    QCOMPARE(sortedKeys(three["limits"].toObject()),
             (QStringList{"blocks", "registers", "shared_memory", "warps"}));
    QCOMPARE(three["blocks_per_sm"].toInt(), 3);
    QCOMPARE(three["warps_per_sm"].toInt(), 12);
    QCOMPARE(three["max_warps_per_sm"].toInt(), 64);
    QCOMPARE(three["occupancy_percent"].toDouble(), 18.75);
    QCOMPARE(three["occupancy"].toDouble(), 0.1875);
    QCOMPARE(three["limiting"].toArray(), (QJsonArray{"registers"}));
    QVERIFY(three["next_step"].toString().contains("128"));
    QCOMPARE(json(words + QStringList{"169"})["blocks_per_sm"].toInt(), 2);
  }

  void occupancyText() {
    const Said said = runTileloom({"occupancy", "--threads", "128", "--registers", "168"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("3 blocks per SM"));
    QVERIFY(said.out.contains("18.75 %"));
    QVERIFY(said.out.contains("<- limits"));
  }

  void benchTracePrintsItsThreeFigures() {
    const Said said = runTileloom({"bench", "trace", "--tiles", "1"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    QVERIFY(said.out.contains("first two K tiles of one block"));
    QVERIFY(said.out.contains("legal tiles"));
    QVERIFY(said.out.contains("MB"));
    QVERIFY(said.out.contains("The slowest tile: "));
  }

  void jsonIsTheSameEveryTime() {
    for (const QStringList& words : {QStringList{"stages", "--json"},
                                     {"explain", "autotuned", "--tile", "BK=24", "--json"},
                                     {"trace", "shared", "--size", "100x70x33", "--json"}}) {
      QCOMPARE(runTileloom(words).out, runTileloom(words).out);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CommandLineTest, EventLoop)
#include "command_line_test.moc"
