// SPDX-License-Identifier: GPL-3.0-or-later
// Rungs that are not on the ladder, for formats and instructions that no rung of it has.
#pragma once

#include <QtTest>
#include <algorithm>
#include <iterator>
#include <vector>

#include "kernels/tile/mma.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::test {

using Enter = void (*)(emulator::Block&, unsigned);

// Rung T1 for elements of 4, 8 or 32 bits. `enter` runs its kernel under the emulator; nullptr: it
// is compiled only.
inline Stage trialStage(std::vector<Format> formats, Enter enter) {
  const MmaRow& mma = warpMmaOf(rowOf(formats.front()).bits);
  Stage stage;
  stage.id = "trial";
  stage.ladder = Ladder::Tensor;
  stage.rung = 1;
  stage.title = "trial";
  stage.file = "tests/stages/trial/elements.cuh";
  stage.parameters = {{Parameter::BM, 128, 16, 256},
                      {Parameter::BN, 128, 16, 256},
                      {Parameter::BK, std::max(32, static_cast<int>(mma.depth)), 8, 128},
                      {Parameter::WM, 32, 16, 256},
                      {Parameter::WN, 64, 16, 256}};
  stage.kind = WarpMma{.mma = mma.mma};
  stage.formats = std::move(formats);
  stage.enter = enter;
  return stage;
}

inline Stage tf32Stage(Enter enter = nullptr) {
  return trialStage({Format::Tf32}, enter);
}
inline Stage fp4Stage(Enter enter = nullptr) {
  return trialStage({Format::E2m1}, enter);
}
inline Stage fp8Stage(Enter enter = nullptr) {
  return trialStage({Format::E4m3, Format::E5m2}, enter);
}

// A rung in one of its formats. The tests of trial rungs run and compile each.
struct Trial {
  const char* name;
  Format format;
  Stage (*stage)(Enter);
};
inline constexpr Trial kTrials[] = {{"tf32", Format::Tf32, tf32Stage},
                                    {"e4m3", Format::E4m3, fp8Stage},
                                    {"e5m2", Format::E5m2, fp8Stage},
                                    {"e2m1", Format::E2m1, fp4Stage}};

// A row for each of them in a data-driven test; trialOfRow() is its trial.
inline void addTrialRows() {
  QTest::addColumn<int>("trial");
  for (int i = 0; i < static_cast<int>(std::size(kTrials)); ++i)
    QTest::newRow(kTrials[i].name) << i;
}
inline const Trial& trialOfRow() {
  QFETCH(int, trial);
  return kTrials[trial];
}

}  // namespace tileloom::test
