// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/costliest_access.h"

#include <QtTest>

#include "kernels/model/prediction/rates.h"
#include "kernels/tile/subject.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using emulator::Kind;
using model::Cost;
using model::TileCosts;

class CostliestAccessTest : public QObject {
  Q_OBJECT

  const model::Rates m_rates = *model::ratesFor("sm_90", {});
  emulator::Workspace m_workspace;

  TileCosts costsOf(const Stage& s) {
    return model::costsOf(m_workspace, usualSubject(s, s.standardTile()), {1024, 1024, 1024},
                          model::guessedFacts(s, s.standardTile(), defaultArchitecture()), m_rates);
  }

 private slots:
  void everyRungHasOne_data() { addFp32StageRows(); }
  void everyRungHasOne() {
    const Stage& s = stageOfRow();
    const auto r = recorded({.stage = s.id});
    const TileCosts costs = costsOf(s);
    const auto found = model::costliestAccess(*r, 0, costs);
    QVERIFY(found.has_value());
    QVERIFY(costs.cycles[found->cost] > 0);
    // At most the cost of all accesses together.
    double all = 0;
    for (const Cost cost : {Cost::Wavefronts, Cost::BankConflicts, Cost::SharedLatency,
                            Cost::Sectors, Cost::L2, Cost::Dram, Cost::GlobalLatency})
      all += costs.share(cost);
    QVERIFY(found->share > 0 && found->share <= all + 1e-9);
    const analysis::Moment m = r->moment(0, found->index);
    QVERIFY(emulator::isMemory(m.instruction.kind));
    QCOMPARE(m.instruction.kTile, r->trace.kTilesTraced - 1);
  }

  // The cause of the cycles decides, not the number of passes of an access.
  void theCyclesDecide() {
    const Stage& s = stage("warptiled");
    const auto r = recorded({.stage = s.id});
    TileCosts costs = costsOf(s);
    const auto only = [&](Cost cost) {
      costs.cycles = {};
      costs.cycles[Cost::MultiplyAdds] = 300;
      costs.cycles[cost] = 100;
      const auto found = model::costliestAccess(*r, 0, costs);
      if (!found || found->cost != cost || found->share > 0.25) throw std::logic_error("share");
      return r->moment(0, found->index);
    };
    QVERIFY(only(Cost::Wavefronts).instruction.kind == Kind::SharedLoad);
    QVERIFY(only(Cost::SharedLatency).instruction.kind == Kind::SharedLoad);
    const analysis::Moment store = only(Cost::BankConflicts);
    QVERIFY(store.instruction.kind == Kind::SharedStore && store.cost.conflicts() > 0);
    for (const Cost cost : {Cost::Sectors, Cost::L2, Cost::Dram, Cost::GlobalLatency})
      QVERIFY(only(cost).instruction.kind == Kind::GlobalLoad);
    costs.cycles = {};
    QVERIFY(!model::costliestAccess(*r, 0, costs).has_value());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CostliestAccessTest, Nothing)
#include "costliest_access_test.moc"
