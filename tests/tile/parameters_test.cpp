// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/parameters.h"

#include <QtTest>

#include "kernels/tile/stage.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class ParametersTest : public QObject {
  Q_OBJECT

 private slots:
  void everyParameterIsFoundByItsName() {
    for (const Parameter parameter : kAllParameters) {
      QVERIFY(parameterNamed(name(parameter)) == parameter);
      QVERIFY(parameterNamed(q(name(parameter)).toLower().toStdString()) == parameter);
    }
  }

  void namesAreTheCudaSourcesConstants() {
    QCOMPARE(q(name(Parameter::BLOCKSIZE)), QString("BLOCKSIZE"));
    QCOMPARE(q(name(Parameter::WNITER)), QString("WNITER"));
    QCOMPARE(q(name(Parameter::TN)), QString("TN"));
  }

  void theSquareEdgeHasAliases() {
    for (const char* alias : {"EDGE", "edge", "Block", "blocksize"}) {
      QVERIFY2(parameterNamed(alias) == Parameter::BLOCKSIZE, alias);
    }
  }

  void unknownNamesAreNoParameter() {
    for (const char* text : {"", "B", "BMM", "B M", "wmiter", "128"}) {
      QVERIFY2(!parameterNamed(text), text);
    }
  }

  void lateParametersLeaveTheTilesOfTheThreadsAlone() {
    for (const Parameter parameter : {Parameter::PAD, Parameter::STAGES, Parameter::GROUP})
      QVERIFY(isLate(parameter));
    for (const Parameter parameter : {Parameter::BLOCKSIZE, Parameter::BM, Parameter::BK,
                                      Parameter::WN, Parameter::WNITER, Parameter::TM})
      QVERIFY2(!isLate(parameter), name(parameter).data());
  }

  void noNameIsLongerThanTheLongest() {
    QCOMPARE(q(kLongestParameterName), QString("BLOCKSIZE"));
    for (const Parameter parameter : kAllParameters)
      QVERIFY(name(parameter).size() <= kLongestParameterName.size());
  }

  // A row that no rung uses describes a tile parameter that cannot be changed.
  void everyRowIsUsed() {
    for (const ParameterRow& row : kParameters) {
      bool used = false, within = false;
      for (const Stage* stage : everyStage()) {
        const ParameterSpec* spec = stage->spec(row.parameter);
        used = used || spec != nullptr;
        within = within || (spec != nullptr && spec->min == row.min && spec->max == row.max);
      }
      QVERIFY2(used, qPrintable(q(row.name) + " is a tile parameter of no rung"));
      QVERIFY2(within, qPrintable(q(row.name) + " has the table's range in no rung"));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ParametersTest, Nothing)
#include "parameters_test.moc"
