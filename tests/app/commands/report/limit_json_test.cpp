// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a launch, as `predict`, `why`, `roofline` and `timeline` say it: one name, one
// sentence.
#include "app/commands/report/limit_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include "kernels/runs/recordings.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/words.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class AppLimitTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  // The command's sentence on the limit; empty: none.
  static QString sentenceOf(const QString& command, const QStringList& launch) {
    const Said said = runTileloom(QStringList{command} + launch);
    if (said.status != 0) qFatal("%s: %s", qPrintable(command), said.err.constData());
    const auto found = QRegularExpression("The limit is [^\n]*").match(QString::fromUtf8(said.out));
    if (said.out.count("The limit is ") > 1) qFatal("%s names it twice", qPrintable(command));
    // The rest of the line is about an SM.
    return found.captured(0).section(" According to ", 0, 0);
  }
  static QJsonObject limitOf(const QString& command, const QStringList& launch) {
    const Said said = runTileloom(QStringList{command} + launch + QStringList{"--json"});
    const QJsonObject all = QJsonDocument::fromJson(said.out).object();
    return (command == "roofline" ? all["rungs"].toArray().at(0).toObject() : all)["limit"]
        .toObject();
  }
  static void compare(const Stage& stage, const TileShape& tile, const Problem& problem) {
    const QStringList launch = {q(stage.id), "--tile", q(tileText(stage, tile)), "--size",
                                q(tileloom::toString(problem))};
    const QString why = sentenceOf("why", launch);
    QVERIFY2(!why.isEmpty(), qPrintable(launch.join(' ')));
    QStringList others = {"roofline", "timeline"};
    if (stage.ladder == Ladder::Fp32) others += "predict";
    for (const QString& command : others) {
      const QString says = sentenceOf(command, launch);
      QVERIFY2(says == why,
               qPrintable(QString("%1 %2\n%3\nwhy: %4").arg(command, launch.join(' '), says, why)));
    }
  }

 private slots:
  // DRAM bytes within a factor of two only suggest a roof, and the limit names another one.
  void roofsOfBytesThatArePredicted() {
    const Said t4 = runTileloom({"roofline", "t4", "--size", "8192"});
    QVERIFY2(t4.out.contains("another roof is the lowest: mma.sync for T4.\n"), t4.out.constData());
    QVERIFY(!runTileloom({"roofline", "t6", "--size", "8192"})
                 .out.contains("another roof is the lowest"));
  }

  void init() { m_around = std::make_unique<Surroundings>(); }

  void wrongBefore() {
    const QString tail = sentenceOf("predict", {"tuned", "--size", "64x64x4096"});
    QVERIFY2(tail.startsWith("The limit is the tail wave, 99.") &&
                 tail.contains(": 1 of 132 SMs has work."),
             qPrintable(tail));
    QVERIFY(!runTileloom({"predict", "tuned", "--size", "64x64x4096"}).out.contains("bottleneck"));
    const QString skinny = sentenceOf("predict", {"tuned", "--size", "17x4096x4096"});
    QVERIFY2(skinny.contains("the tail wave") && skinny.contains("32 of 132 SMs have work"),
             qPrintable(skinny));
    const Said why = runTileloom({"why", "t13", "--size", "17x4096x4096"});
    QVERIFY2(!why.out.contains("100.0 %") && why.out.contains("The limit is the tail wave, 51") &&
                 why.out.contains("64 of 132 SMs have work"),
             why.out.constData());
  }

  void theSameInJson() {
    for (const QStringList& launch : {QStringList{"t13", "--size", "17x4096x4096"},
                                      QStringList{"t10", "--size", "16x4096x4096"},
                                      QStringList{"tuned", "--size", "64x64x4096"}}) {
      if (briefly() && launch[0] == "t10") continue;
      const QJsonObject why = limitOf("why", launch);
      QVERIFY(!why.isEmpty() && why["share"].toDouble() > 0.3);
      QCOMPARE(limitOf("roofline", launch), why);
      if (launch[0] == "tuned") QCOMPARE(limitOf("predict", launch), why);
      QVERIFY(why["sentence"].toString().startsWith("The limit is "));
    }
    const auto predict = QJsonDocument::fromJson(
        runTileloom({"predict", "tuned", "--size", "64x64x4096", "--json"}).out);
    QCOMPARE(predict["bottleneck"].toString(), "tail_wave");
  }

  // Square, skinny, tiny, below a wave, large: random tiles of both ladders.
  void randomLaunches() {
    Random random(seed());
    const auto all = runs::recordings();
    const int launches = briefly() ? 1 : 14;
    for (int i = 0; i < launches; ++i) {
      const auto side = [&](int most) { return random.integer(1, 1 << random.integer(2, most)); };
      Problem problem{};
      switch (i % 5) {
        case 0:
          problem.m = problem.n = problem.k = 256 * random.integer(1, 24);
          break;
        case 1:
          problem = {random.integer(1, 64), 64 * random.integer(8, 128),
                     64 * random.integer(8, 128)};
          break;
        case 2:
          problem = {side(7), side(7), side(7)};
          break;
        case 3:
          problem = {side(9), side(9), 4096};
          break;
        default:
          problem = {side(14), side(14), side(14)};
      }
      if (i % 2 == 0) {
        const auto stages = tensorStages();
        const Stage& stage = stages[static_cast<std::size_t>(
            random.integer(0, static_cast<int>(stages.size()) - 1))];
        compare(stage, legalTiles(stage, 2, random).back(), problem);
        continue;
      }
      // Without a compiler the registers of recorded tiles alone are known.
      const Stage* stage = nullptr;
      const runs::RunRecord* run = nullptr;
      while (stage == nullptr) {
        run = &all[static_cast<std::size_t>(random.integer(0, static_cast<int>(all.size()) - 1))];
        for (const Stage& each : stages()) {
          if (each.id == run->stage && run->arch == "sm_90" && run->blocksPerSm > 0 &&
              run->fingerprint == fingerprintOf(each))
            stage = &each;
        }
      }
      compare(*stage, run->tile, problem);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::AppLimitTest, EventLoop)
#include "limit_json_test.moc"
