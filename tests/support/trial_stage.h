// SPDX-License-Identifier: GPL-3.0-or-later
// A rung that is not on the ladder: rung T1 for elements of 4, 8 or 32 bits.
#pragma once

#include <algorithm>

#include "kernels/tile/mma.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::test {

inline constexpr const char* kTrialFile = "tests/stages/trial/elements.cuh";

// `enter` runs its kernel under the emulator; nullptr: it is compiled only.
inline Stage trialStage(std::vector<Format> formats,
                        void (*enter)(emulator::Block&, unsigned) = nullptr) {
  const MmaRow& mma = warpMmaOf(rowOf(formats.front()).bits);
  Stage stage;
  stage.id = "trial";
  stage.ladder = Ladder::Tensor;
  stage.rung = 1;
  stage.title = "trial";
  stage.file = kTrialFile;
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

inline Stage tf32Stage(void (*enter)(emulator::Block&, unsigned) = nullptr) {
  return trialStage({Format::Tf32}, enter);
}
inline Stage fp4Stage(void (*enter)(emulator::Block&, unsigned) = nullptr) {
  return trialStage({Format::E2m1}, enter);
}
inline Stage fp8Stage(void (*enter)(emulator::Block&, unsigned) = nullptr) {
  return trialStage({Format::E4m3, Format::E5m2}, enter);
}

}  // namespace tileloom::test
