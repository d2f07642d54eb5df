// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/text.h"

#include <fmt/format.h>

#include <QtTest>
#include <stdexcept>

#include "kernels/tile/parameters.h"

namespace tileloom::test {

std::string toString(const Stage& stage, const TileShape& tile) {
  std::string text(stage.id);
  for (const ParameterSpec& spec : stage.parameters) {
    text += fmt::format(" {}={}", name(spec.parameter), tile[spec.parameter]);
  }
  return text;
}

namespace {

void addRow(const Stage& stage) {
  QTest::newRow(std::string(stage.id).c_str()) << q(stage.id);
}

}  // namespace

void addStageRows() {
  QTest::addColumn<QString>("stage");
  for (const Stage* stage : everyStage()) addRow(*stage);
}

void addFp32StageRows() {
  QTest::addColumn<QString>("stage");
  for (const Stage& stage : stages()) addRow(stage);
}

const Stage& stageOfRow() {
  QFETCH(QString, stage);
  return test::stage(stage.toStdString());
}

const Stage& stage(std::string_view id) {
  for (const Stage* candidate : everyStage()) {
    if (candidate->id == id) return *candidate;
  }
  throw std::out_of_range("no stage of the ladder has this id");
}

}  // namespace tileloom::test
