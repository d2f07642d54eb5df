// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/neighbours.h"

#include <QtTest>
#include <deque>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using runs::Neighbours;

class NeighboursTest : public QObject {
  Q_OBJECT

  std::deque<runs::RunRecord> m_runs;

  std::size_t add(Parameter parameter, int value, int size = 1024, const char* device = "card") {
    runs::RunRecord run;
    run.device = device;
    run.stage = "warptiled";
    run.tile = stage("warptiled").standardTile().with(parameter, value);
    run.problem = {size, size, size};
    m_runs.push_back(run);
    return m_runs.size() - 1;
  }
  std::vector<Neighbours> found() const {
    std::vector<const runs::RunRecord*> all;
    for (const auto& run : m_runs) all.push_back(&run);
    return runs::neighbours(all);
  }

 private slots:
  void init() { m_runs.clear(); }

  void valuesThatFollowEachOther() {
    const auto large = add(Parameter::BK, 32);
    const auto small = add(Parameter::BK, 8);
    const auto middle = add(Parameter::BK, 16);  // the default, to which BM=64 is next, too
    const auto other = add(Parameter::BM, 64);
    const std::vector<Neighbours> wanted = {{other, middle, Parameter::BM},
                                            {small, middle, Parameter::BK},
                                            {middle, large, Parameter::BK}};
    QVERIFY(found() == wanted);
  }

  void onlyOneLaunchAndOneDevice() {
    add(Parameter::BK, 8);
    add(Parameter::BK, 16, 2048);
    add(Parameter::BK, 16, 1024, "another card");
    QVERIFY(found().empty());
    m_runs.push_back(m_runs[0]);
    m_runs.back().stage = "padded";
    QVERIFY(found().empty());
    QVERIFY(runs::neighbours({}).empty());
  }

  void theLastRunOfATileCounts() {
    add(Parameter::BK, 8);
    const auto again = add(Parameter::BK, 8);
    const auto next = add(Parameter::BK, 16);
    const std::vector<Neighbours> wanted = {{again, next, Parameter::BK}};
    QVERIFY(found() == wanted);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::NeighboursTest, EventLoop)
#include "neighbours_test.moc"
