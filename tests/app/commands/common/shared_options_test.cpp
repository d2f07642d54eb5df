// SPDX-License-Identifier: GPL-3.0-or-later
// Every command that prints JSON has the same options for it, and so have commands about one
// launch.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>
#include <utility>

#include "tests/app/commands/help_text.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

QStringList commandsOf(const QStringList& words) {
  return commandsInHelp(runTileloom(words + QStringList{"--help"}).out);
}

// "trace", "model judge", …: commands whose help names --json, and what it says.
QMap<QString, QByteArray> printersOfJson() {
  QMap<QString, QByteArray> found;
  const auto look = [&](const QStringList& words) {
    const QByteArray help = runTileloom(words + QStringList{"--help"}).out;
    if (help.contains("--json")) found[words.join(' ')] = help;
  };
  for (const QString& name : commandsOf({})) {
    look({name});
    for (const QString& inner : commandsOf({name})) look({name, inner});
  }
  return found;
}

}  // namespace

class SharedOptionsTest : public QObject {
  Q_OBJECT

  // Two calls may come in different seconds.
  static QString withoutTime(const QByteArray& json) {
    return QString::fromUtf8(json).remove(QRegularExpression("\"when\": \"[^\"]*\""));
  }

 private slots:
  void initTestCase() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu();  // which devices lists
  }
  void cleanupTestCase() { m_around.reset(); }

  // Fast commands print; for slow ones the only error is a later one.
  void everyPrinterOfJson() {
    const QMap<QString, QString> quick = {
        {"stages", ""},
        {"explain", "naive"},
        {"trace", "naive --size 8"},
        {"occupancy", "--threads 128 --registers 64"},
        {"devices", ""},
        {"sass", "naive --recorded"},
        {"stalls", "naive --recorded"},
        {"ceilings", "--shipped"},
        {"tune", "naive --dry-run --no-prediction"},
        {"glossary", "TMA"},
        {"access", "lane"},
    };
    const QMap<QString, QString> mistaken = {
        {"predict", "naive --size 0"},
        {"why", "naive --size 0"},
        {"roofline", "--size 0"},
        {"layout", "naive --size 0"},
        {"run", "naive --size 0"},
        {"ladder", "--size 0"},
        {"compile", "naive --arch sm_1"},
        {"loop", "naive --device x"},
        {"microcases", "--shipped --only nothing"},
        {"fidelity", "--from nothing.jsonl"},
        {"kernel", "nothing.cubin"},
        {"runs list", "--stage nothing"},
        {"model judge", "--arch sm_1"},
        {"model causes", "--arch sm_1"},
        {"model fit", "--arch sm_1"},
        {"tune show", "nothing.jsonl"},
        {"tune merge", "nothing.jsonl"},
    };
    const QTemporaryDir folder;
    const QString file = folder.filePath("answer.json"), old = folder.filePath("old.json");
    const QMap<QString, QByteArray> printers = printersOfJson();
    QVERIFY(printers.size() >= 20);
    for (const auto& [name, help] : printers.asKeyValueRange()) {
      QVERIFY2(help.contains("--json                      ") && help.contains("--out FILE"),
               qPrintable(name));
      const QStringList words = name.split(' ');
      const auto call = [&](const QString& rest, const QStringList& json) {
        return runTileloom(words + rest.split(' ', Qt::SkipEmptyParts) + json);
      };
      if (mistaken.contains(name)) {
        const Said said = call(mistaken[name], {"--json", "--out", file});
        QVERIFY2(said.status != 0 && isOneSentence(said.err) && !said.err.contains("--json") &&
                     !said.err.contains("--out") && said.out.isEmpty(),
                 qPrintable(name + ": " + said.err));
        continue;
      }
      QVERIFY2(quick.contains(name), qPrintable(name + " prints JSON and is not tried here"));
      const Said printed = call(quick[name], {"--json"});
      QVERIFY2(printed.status == 0 && printed.err.isEmpty(), qPrintable(name + printed.err));
      QVERIFY2(QJsonDocument::fromJson(printed.out).isObject(), qPrintable(name));
      const Said kept = call(quick[name], {"--json", "--out", file});
      QVERIFY2(kept.status == 0 && kept.out.isEmpty() && kept.err.isEmpty(),
               qPrintable(name + kept.err));
      QCOMPARE(withoutTime(Surroundings::read(file)), withoutTime(printed.out));
      // A pattern of access behind --json may look like a file.
      if (name != "access") {
        const Said former = call(quick[name], {"--json", old});
        QVERIFY2(former.status == 0 && isOneSentence(former.err) &&
                     former.err.contains("write --json --out FILE"),
                 qPrintable(name + ": " + former.err));
        QCOMPARE(withoutTime(Surroundings::read(old)), withoutTime(printed.out));
      }
      for (const QStringList& nonsense :
           {QStringList{"--json", "--jsn"}, QStringList{"--json=perhaps"},
            QStringList{"--json", "--out"}, QStringList{"--json", "--out", "/proc/no/such"}}) {
        const Said said = call(quick[name], nonsense);
        QVERIFY2(said.status == 2 && isOneSentence(said.err) && said.out.isEmpty(),
                 qPrintable(name + ": " + said.err));
      }
    }
  }

  // Commands about one launch take the same options.
  void oneLaunch() {
    for (const char* name : {"explain", "why", "trace", "predict", "roofline"}) {
      const QByteArray help = runTileloom({name, "--help"}).out;
      for (const char* option :
           {"STAGE", "--tile PARAMETER=N,...", "--size M[xNxK]", "--arithmetic NAME",
            "--arch sm_NN", "--on,--device NAME", "--json", "--out FILE"})
        QVERIFY2(help.contains(option), qPrintable(QString("%1 %2").arg(name, option)));
      const std::pair<const char*, const char*> mistakes[] = {
          {"--size 0", "1 to 32768"},      {"--tile BM=1x", "\"1x\""},
          {"--arithmetic int4", "int4"},   {"--arch sm_1", "\"sm_1\""},
          {"--on nothing", "\"nothing\""}, {"--device 3", "--device 3"}};
      for (const auto& [wrong, named] : mistakes) {
        const Said said = runTileloom(QStringList{name, "warptiled"} + QString(wrong).split(' '));
        QVERIFY2(said.status == 2 && isOneSentence(said.err) && said.err.contains(named),
                 qPrintable(QString(name) + ": " + said.err));
      }
    }
  }

  void explainAtASize() {
    const Said said = runTileloom({"explain", "t4", "--size", "64x64x4", "--on", "H200"});
    QCOMPARE(said.status, 0);
    QVERIFY2(
        said.out.contains("Padded to 64 x 64 x 8: rows rounded up to a multiple of 16 bytes") &&
            said.out.contains("Multiplied as 128 x 128 x 64: whole tiles of 128 x 128 x 64"),
        said.out.constData());
    // 17 rows are in one row of tiles, though clusters of two reach below it.
    const auto at = QJsonDocument::fromJson(
                        runTileloom({"explain", "t13", "--size", "17x4096x4096", "--json"}).out)
                        .object()["at"]
                        .toObject();
    QCOMPARE(at["tile_rows"].toInt(), 1);
    QCOMPARE(at["tile_columns"].toInt(), 16);
    QCOMPARE(at["padded"].toObject()["m"].toInt(), 17);
    QCOMPARE(at["multiplied"].toObject()["m"].toInt(), 256);  // these blocks also multiply
    QCOMPARE(at["useful_fraction"].toDouble(), 17.0 / 256);
  }

  void scriptsAnswerAtOnce() {
    for (const char* script : {"run", "test", "fuzz", "soak", "pictures", "check-times", "tidy",
                               "includes", "slurm/tune-array"}) {
      for (const char* word : {"--help", "-h"}) {
        QProcess process;
        process.start("bash",
                      {QStringLiteral(TILELOOM_SOURCE_DIR "/scripts/%1.sh").arg(script), word});
        const Said said = collect(process);
        // Commands that install or build report it on standard error.
        QVERIFY2(said.status == 0 && said.err.isEmpty(), script);
        QVERIFY2(said.out.contains("usage: "), script);
        QVERIFY2(!said.out.contains("SPDX"), script);
      }
    }
  }

 private:
  std::unique_ptr<Surroundings> m_around;
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SharedOptionsTest, EventLoop)
#include "shared_options_test.moc"
