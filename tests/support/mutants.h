// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of a stage: every word of its source is removed or changed in turn, and each mutant must
// end in a fault, a deadlock or a wrong result. Survivors are listed with the reason, which
// docs/design/01-emulator.md repeats.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tile/residency.h"
#include "tests/support/mutant_thread.h"

namespace tileloom::test {

struct MutantCase {
  TileShape tile;
  Problem problem;
  int sms = kUsualSms;  // of the GPU: persistent blocks are one per SM
  // More than 1: a recording of the first block with this many tiles, and no multiplication.
  std::uint32_t walks = 1;
};
struct MutantSubject {
  const char* stage;
  void (*enter)(emulator::Block& block, unsigned thread);
  std::vector<MutantCase> cases;  // a mutant has to be found in one of them
};

// A mutant that is equivalent to the stage. `nth`: number among the lines that have this word.
struct Survivor {
  const char* stage;
  const char* word;
  int nth;
  const char* change;
  const char* why;
};

// Tests all possible mutants, at least `atLeast`. Fails the running test for each that survives and
// is not listed, or is listed and does not survive. The proof by provenance must also find a wrong
// result, except for the words of `numbersAlone`: a recording has whole tiles.
void judgeMutants(const MutantSubject& subject, std::span<const Survivor> survivors,
                  std::size_t atLeast, std::span<const std::string_view> numbersAlone = {});

}  // namespace tileloom::test
