// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/text.h"

#include <fmt/format.h>

#include <QtTest>
#include <stdexcept>

#include "kernels/tile/knobs.h"

namespace tileloom::test {

std::string toString(const Stage& stage, const TileShape& tile) {
  std::string text(stage.id);
  for (const KnobSpec& spec : stage.knobs) {
    text += fmt::format(" {}={}", name(spec.knob), tile[spec.knob]);
  }
  return text;
}

void addStageRows() {
  QTest::addColumn<int>("rung");
  for (const Stage& stage : stages()) {
    QTest::newRow(std::string(stage.id).c_str()) << stage.rung;
  }
}

const Stage& stageOfRow() {
  QFETCH(int, rung);
  return stages()[static_cast<std::size_t>(rung - 1)];
}

std::vector<const Stage*> allStages() {
  std::vector<const Stage*> all;
  for (const Stage& stage : stages()) all.push_back(&stage);
  for (const Stage& stage : tensorStages()) all.push_back(&stage);
  return all;
}

const Stage& stage(std::string_view id) {
  for (const Stage* candidate : allStages()) {
    if (candidate->id == id) return *candidate;
  }
  throw std::out_of_range("no stage of the ladder has this id");
}

}  // namespace tileloom::test
