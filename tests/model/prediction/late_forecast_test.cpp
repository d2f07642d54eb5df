// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions during a search: which tiles should be compiled, and the effect of the results.
#include "kernels/model/prediction/late_forecast.h"

#include <QDir>
#include <QtTest>

#include "kernels/model/prediction/foretell.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/space.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::LateForecast;

class LateForecastTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{4096, 4096, 4096};

  static std::vector<Subject> tiles() {
    return subjectsOf(stage("warptiled"), Format::Fp32,
                      tuning::spaceOf(stage("warptiled"), {.threes = false,
                                                           .listed = {{Parameter::BM, {64, 128}},
                                                                      {Parameter::BN, {64, 128}},
                                                                      {Parameter::BK, {8, 16}},
                                                                      {Parameter::WNITER, {1, 2}}}})
                          ->legal);
  }

  // Of this process.
  static qsizetype threads() {
    return QDir(QStringLiteral("/proc/self/task"))
        .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
        .size();
  }

 private slots:
  void toldWhenAllWasGiven() {
    const auto all = tiles();
    const auto rates = *model::ratesFor("sm_90", {});
    QVERIFY(all.size() > model::worthCompiling(all.size()));
    LateForecast forecast(kProblem, all, defaultArchitecture(), rates);
    QTRY_VERIFY(!forecast.wanted().empty());
    const auto guessed = model::foretell(all, kProblem, defaultArchitecture(), rates);
    auto expected = guessed;
    const auto which = model::fastest(guessed, model::worthCompiling(all.size()));
    QCOMPARE(forecast.wanted().size(), which.size());
    QVERIFY(forecast.wanted().front() == all[which.front()]);

    // Backwards, as other processes may be done; one cannot be compiled, one fits no SM.
    std::vector<std::size_t> given;
    std::vector<model::KernelShape> shapes;
    forecast.give(all[which.front()].with(all[which.front()].tile.with(Parameter::BM, 4)),
                  std::nullopt);  // it was not requested
    for (std::size_t i = which.size(); i-- > 0;) {
      QVERIFY(forecast.predicted().empty());
      std::optional<model::KernelShape> shape;
      if (i != 3) shape = model::KernelShape{i == 5 ? 0 : 2, sass::LoopSize{1200, 1024}};
      if (shape) given.push_back(which[i]), shapes.push_back(*shape);
      forecast.give(all[which[i]], shape);
      forecast.give(all[which[i]], shape);  // the second time is ignored
    }
    QTRY_VERIFY(!forecast.predicted().empty());
    model::refine(all, expected, kProblem, rates, given, shapes);
    QCOMPARE(forecast.predicted(), expected);
    QCOMPARE(expected[which[3]], guessed[which[3]]);
    QCOMPARE(expected[which[5]], 0.0);
    QVERIFY(forecast.wanted().empty());
  }

  // Destruction in the middle of a forecast leaves no thread behind.
  void leavingStopsTheThread() {
    const auto all = tiles();
    const auto rates = *model::ratesFor("sm_90", {});
    const auto before = threads();
    for (const int ms : {0, 1, 20}) {
      {
        LateForecast forecast(kProblem, all, defaultArchitecture(), rates);
        QVERIFY(threads() > before);
        QTest::qWait(ms);
        QVERIFY(forecast.predicted().empty());  // abandoned in the middle
      }
      QTRY_COMPARE(threads(), before);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LateForecastTest, EventLoop)
#include "late_forecast_test.moc"
