// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a rung can be set to fits the fields of a recording.
#include "kernels/emulator/recorded_counts.h"

#include <QtTest>
#include <algorithm>

#include "kernels/analysis/block_map.h"
#include "kernels/emulator/clock.h"
#include "kernels/emulator/trace.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class RecordedCountsTest : public QObject {
  Q_OBJECT

  static int most(const Stage& stage, Parameter parameter) {
    const ParameterSpec* spec = stage.spec(parameter);
    return spec != nullptr ? spec->max : 0;
  }

 private slots:
  void everyRungFits() {
    constexpr int kMostThreads = 1024;
    static_assert(kMostThreads <= kFirstAgent && kMostThreads < analysis::BlockMap::kNobody);
    for (const Stage* stage : everyStage()) {
      const QByteArray id(stage->id.data(), qsizetype(stage->id.size()));
      QVERIFY2(most(*stage, Parameter::BK) < kNoDot, id.constData());
      QVERIFY2(most(*stage, Parameter::STAGES) <= static_cast<int>(kMostGroupsLeft),
               id.constData());
      QVERIFY2(most(*stage, Parameter::BN) / 8 < static_cast<int>(kMostArrays), id.constData());
      QVERIFY2(
          most(*stage, Parameter::CLUSTER) * 4 * 32 * (most(*stage, Parameter::CONSUMERS) + 1) <
              (1 << kThreadBits),
          id.constData());
      QVERIFY2(std::ranges::count(sourceText(*stage), '\n') <= std::ptrdiff_t{kMostLines},
               id.constData());
    }
  }

  void aSentenceNamesBothNumbers() {
    QVERIFY(tooManyGroups(kMostGroupsLeft).empty());
    QCOMPARE(test::q(tooManyGroups(40)),
             QStringLiteral("waits until at most 40 groups are in flight, but a trace has room for "
                            "15: wait for more of them"));
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::RecordedCountsTest, Nothing)
#include "recorded_counts_test.moc"
