// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/energy.h"

#include <QtTest>
#include <cmath>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::EnergyCall;
using model::Loads;

class EnergyTest : public QObject {
  Q_OBJECT

  static bool near(double a, double b, double within) { return std::abs(a - b) <= within; }
  static QByteArray lineWithWhatIfs() {
    return QByteArray::fromStdString(std::string(model::shippedEnergyFiles().front().text))
        .split('\n')
        .first();
  }

 private slots:
  // Power times time, for the figures that the search reported.
  void joulesAreWattsTimesSeconds() {
    const Problem cube{8192, 8192, 8192};
    QVERIFY(near(model::joules(700, cube, 691.3), 1.1133, 1e-4));
    QVERIFY(near(model::joules(700, cube, 797.6), 0.9650, 1e-4));
    // 2 * 1000^3 operations at 2 TFLOP/s take a millisecond.
    QVERIFY(near(model::joules(500, {1000, 1000, 1000}, 2), 0.5, 1e-12));
    QVERIFY(near(model::picojoulesPerFlop(700, 700), 1, 1e-12));
    QVERIFY(near(model::picojoulesPerFlop(500, 2) * 2e9 / 1e12, 0.5, 1e-12));
    QVERIFY(near(model::energyPercent({"hopper", 125, 0}), 80, 1e-12));
  }

  void shippedFilesAreWhole() {
    std::size_t calls = 0;
    for (const auto& file : model::shippedEnergyFiles()) {
      const auto read = model::energyCallsFrom(file.text, file.name);
      QVERIFY2(read, read ? "" : read.error().c_str());
      calls += read->size();
    }
    QCOMPARE(model::shippedEnergyCalls().size(), calls);
    QVERIFY(calls >= 3);
    const EnergyCall& first = model::shippedEnergyCalls().front();
    QCOMPARE(first.whatIfs.size(), model::kLoads.size());
    QCOMPARE(q(first.device), QString("NVIDIA H100 80GB HBM3"));
    QCOMPARE(first.limitWatts, 700.0);
    // The limit held down the clock of every what-if: otherwise the power would be below the limit.
    for (const auto& at : first.whatIfs) {
      QVERIFY(at.clockMHz > 0 && at.clockMHz < first.fullClockMHz);
    }
    QVERIFY(*first.whatIf(Loads::FromL2).dramGB < 0.05 * *first.whatIf(Loads::All).dramGB);
    // Every rung of the last family is there.
    for (const char* who :
         {"specialised", "consumers", "persistent", "cluster", "stored", "hopper", "cublaslt"}) {
      const auto has = [who](const EnergyCall& c) {
        return std::ranges::find(c.rungs, who, &model::RungAtLimit::who) != c.rungs.end();
      };
      QVERIFY2(std::ranges::any_of(model::shippedEnergyCalls(), has), who);
    }
  }

  void sharesAddUp() {
    const EnergyCall& call = model::shippedEnergyCalls().front();
    const auto s = sharesOf(call);
    QVERIFY(near(s.noLoads + s.fromL2 + s.fromDram, s.whole, 1e-12));
    QVERIFY(near(s.noLoads + s.onlyA, call.joules(call.whatIf(Loads::OnlyA).tflops.median), 1e-12));
    QVERIFY(s.fromL2 > 0 && s.fromDram > 0 && s.onlyA > 0 && s.onlyB > 0);
    QVERIFY(near(s.loads() / s.whole, 0.133, 1e-3));
    // By matrix the sum differs: nothing in the file makes them equal.
    QVERIFY(!near(s.onlyA + s.onlyB, s.loads(), 1e-3));
  }

  void brokenLines_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* from, const char* to, const char* says) {
      QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(says);
    };
    row("no object", "{\"schema\"", "[\"schema\"", "this is not a JSON object");
    row("schema", "energy/1", "energy/9", "\"schema\" is not tileloom.energy/1");
    row("no limit", "\"limit_watts\"", "\"limit\"", "\"limit_watts\" is missing");
    row("limit", "\"limit_watts\":700", "\"limit_watts\":0",
        "\"limit_watts\" is not a number from 1 to 100000");
    row("arithmetic", "\"bf16\"", "\"bf61\"", "\"arithmetic\": ");
    row("size", "\"m\":8192", "\"m\":0", "\"m\" is not a whole number from 1 to 1048576");
    row("which loads", "\"loads\":\"l2\"", "\"loads\":\"l3\"",
        "\"loads\" of row 4 of \"what_ifs\" is not one of none, a, b, l2, all");
    row("twice", "\"loads\":\"b\"", "\"loads\":\"a\"",
        "\"what_ifs\" has 2 rows that load \"a\": one of each of none, a, b, l2, all is needed");
    row("median outside", "[797.6,788.4,806.6]", "[797.6,798.4,806.6]",
        "\"tflops\" of row 1 of \"what_ifs\" is not a median, the lowest and the highest");
    row("two numbers", "[797.6,788.4,806.6]", "[797.6,788.4]", "\"tflops\" of row 1");
    row("no row", "{\"loads\":\"none\",\"tflops\":[797.6,788.4,806.6],\"clock_mhz\":1547}", "7",
        "row 1 of \"what_ifs\" is not an object");
    // A negative difference is not an energy.
    row("order", "[691.3,666.2,692.2]", "[891.3,666.2,892.2]",
        "\"what_ifs\" has \"l2\" slower than \"all\", which loads more");
    row("neither", "\"what_ifs\"", "\"whatever\"", "neither \"what_ifs\" nor \"rungs\"");
  }
  void brokenLines() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, says);
    QByteArray line = lineWithWhatIfs();
    QVERIFY(line.contains(from));
    line.replace(from, to);
    const auto call = model::energyCallFromLine(line.toStdString());
    QVERIFY(!call);
    QVERIFY2(q(call.error()).contains(says), call.error().c_str());
    QVERIFY2(!q(call.error()).contains('\n'), call.error().c_str());
  }

  // The error has the file and the line, and empty lines are skipped.
  void whereItIsBroken() {
    const std::string good = lineWithWhatIfs().toStdString();
    QCOMPARE(model::energyCallsFrom(good + "\n\n" + good, "x.jsonl")->size(), std::size_t(2));
    const auto broken = model::energyCallsFrom(good + "\n\n{}", "x.jsonl");
    QVERIFY(!broken);
    QVERIFY2(q(broken.error()).startsWith("x.jsonl, line 3: \"schema\""), broken.error().c_str());
    QVERIFY(model::energyCallsFrom("", "x.jsonl")->empty());
  }

  void whoIsARung() {
    const std::string line =
        R"({"schema":"tileloom.energy/1","when":"2026-11-25","device":"a card","limit_watts":700,)"
        R"("arithmetic":"bf16","m":64,"n":64,"k":64,"kernel":"k","method":"m",)"
        R"("rungs":[{"who":"WHO","percent":PERCENT}]})";
    const auto read = [&line](const char* who, const char* percent) {
      return model::energyCallFromLine(
          q(line).replace("WHO", who).replace("PERCENT", percent).toStdString());
    };
    const auto good = read("hopper", "100.5");
    QVERIFY2(good, good ? "" : good.error().c_str());
    QVERIFY(good->rungs == std::vector<model::RungAtLimit>({{"hopper", 100.5, 0}}));
    QVERIFY(!good->libraryTflops.known() && good->whatIfs.empty());
    QVERIFY(read("cublaslt", "100"));
    QCOMPARE(q(read("hoper", "100").error()),
             QString("\"who\" of row 1 of \"rungs\" is not the id of a rung or cublaslt"));
    QVERIFY(q(read("hopper", "0").error()).contains("\"percent\" of row 1 of \"rungs\""));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::EnergyTest, EventLoop)
#include "energy_test.moc"
