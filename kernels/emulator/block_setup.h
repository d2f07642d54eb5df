// SPDX-License-Identifier: GPL-3.0-or-later
// What an emulated block is started with: which block of which launch, and the memory of its GPU.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/emulator/fault.h"
#include "kernels/emulator/memory.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::emulator {

// The sums that blocks leave in global memory for other blocks.
struct LeftSums {
  LastWave wave;              // of a stage with SplitK::Parts: which block computes what
  std::vector<float> values;  // by the index that a kernel gives them; grows as it is written
  // The flags that are set, each with the fault to report if no block clears it.
  std::map<std::int64_t, Fault> told;
  // For a stage with SplitK::Parts: how many parts of a tile have left their sums, by its flag.
  std::map<std::int64_t, std::uint32_t> counts;
};

// On a padded problem.
struct BlockSetup : Launched {
  Extent block{0, 0};
  float alpha = 1;
  float beta = 0;
  std::array<Matrix, 3> matrices;  // A, B, C
  std::uint32_t kLimit = 0;        // execute only this number of elements of K; 0: all
  bool kEndsThere = false;         // and load no elements beyond them
  bool operands = true;            // record the factors of each multiply-add
  std::uint32_t walks = 1;         // block tiles of a persistent block, from `block` on
  int sms = kUsualSms;             // of the GPU: the number of persistent blocks
  // For a stage that splits tiles along K (see SplitK). nullptr: each tile is computed
  // as a whole.
  LeftSums* left = nullptr;
};

}  // namespace tileloom::emulator
