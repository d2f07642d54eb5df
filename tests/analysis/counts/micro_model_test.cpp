// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the register file and of paired loads against what was measured on an H100, without
// a GPU: recorded micro-cases (docs/hardware.md, rules 30 and 75).
#include "kernels/analysis/counts/micro_model.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "kernels/sass/micro_cases.h"
#include "kernels/sass/micro_results.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace sass;

class MicroModelTest : public QObject {
  Q_OBJECT

  static constexpr double kClose = 0.03;

  // Cases that the rules have wrong, and by how much at most.
  struct Wrong {
    const char* names;
    double most;
    const char* why;
  };
  static const std::vector<std::pair<std::regex, Wrong>>& wrong() {
    static const auto all = [] {
      const std::vector<Wrong> rows = {
          {"latch/.*-by-turns|banks/block-2x2-not-kept", 0.5,
           "two of a bank through other slots than before may end later"},
          {"lds\\.128/(one|pairs-[12])/each-([6-9]|1[012])/.*", 0.08, "many paired loads"},
          {"lds\\.128/pairs-1/[34]-at-once-each-(28|32|40)/.*", 0.21, "four at once, often"},
          {"lds\\..*/[2346]-at-.*", 0.09, "loads close together, and which meet the next group"},
          {"lds\\.128/pairs-1/.*off-lds-each-8/.*", 0.13, "loads that are never executed"},
          {"lds\\..*/(each|1-at-once-each)-(28|32)/.*", 0.06, "an idle slot just before the end"},
          {"lds\\..*/pairs-1/each-64\\+(1-idle-at-3[45]|2-idle-at-.*|idle-at-20-and-22)/.*", 0.05,
           "idle slots at the edges"},
          {"used\\.128/pairs-1/6-before-.*", 0.05, "paired loads of which some wait longer"},
          {"lds\\..*/(own|xor|pairs-1)/each-(16|64)/one-read-even", 0.21,
           "loads that are not paired, while one bank is written in every cycle"},
          {"lds\\..*\\+(ffma-kept-lost|three-even)-each-.*", 0.09, "three reads at once"},
          {"lds\\..*\\+ffma-stall-2-each-4/.*", 0.11, "stall cycles"},
      };
      std::vector<std::pair<std::regex, Wrong>> made;
      for (const Wrong& row : rows) made.emplace_back(std::regex(row.names), row);
      return made;
    }();
    return all;
  }
  // By how much the rules are off, for each case.
  static const std::vector<std::pair<std::string, double>>& errors() {
    static const auto all = [] {
      std::vector<std::pair<std::string, double>> made;
      for (const MicroCase& each : microCases()) {
        const MicroResult* recorded = recordedMicroResults().of(each.name);
        if (recorded == nullptr) continue;
        const double measured = analysis::comparableCycles(*recorded);
        made.emplace_back(each.name, std::abs(analysis::predictedCycles(each) / measured - 1));
      }
      return made;
    }();
    return all;
  }
  static double allowed(const std::string& name) {
    for (const auto& [names, row] : wrong())
      if (std::regex_match(name, names)) return row.most;
    return kClose;
  }

 private slots:
  void everyCaseIsRecorded() {
    std::set<std::string> names;
    for (const MicroCase& each : microCases()) {
      QCOMPARE(each.code.size(), MicroCase::kSlots);
      QVERIFY2(names.insert(each.name).second, each.name.c_str());
      QVERIFY2(recordedMicroResults().of(each.name) != nullptr, each.name.c_str());
    }
    QCOMPARE(recordedMicroResults().results.size(), names.size());
  }

  void casesAreAsMeasured() {
    for (const auto& [name, error] : errors())
      QVERIFY2(error < allowed(name),
               qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(name)).arg(error)));
    const auto close =
        std::ranges::count_if(errors(), [](const auto& each) { return each.second < kClose; });
    QVERIFY2(double(close) >= 0.88 * double(errors().size()), qPrintable(QString::number(close)));
  }

  // Every allowed error occurs somewhere: a rule that improves fails here.
  void noExceptionIsForNothing() {
    std::map<std::string, double> worst;
    for (const auto& [name, error] : errors()) {
      for (const auto& [names, row] : wrong()) {
        if (!std::regex_match(name, names)) continue;
        worst[row.names] = std::max(worst[row.names], error);
        break;
      }
    }
    for (const auto& [names, row] : wrong()) QVERIFY2(worst[row.names] > kClose, row.names);
  }

  // Loads that are not paired cost their issue slot alone, paired ones cycles of multiply-adds.
  void pairsCostWhatOthersDoNot() {
    const auto measured = [](const char* name) {
      return recordedMicroResults().of(name)->cycles[1];
    };
    QVERIFY(measured("lds.128/pairs-1/each-16/one-read") >
            measured("lds.128/xor/each-16/one-read") + 0.1);
    QVERIFY(measured("lds.128/pairs-2/each-16/one-read") > 1.1);
    QVERIFY(measured("lds.128/pairs-4/each-16/one-read") < 1.02);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MicroModelTest, Nothing)
#include "micro_model_test.moc"
