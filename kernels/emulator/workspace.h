// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of emulated blocks that is worth keeping from one trace to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/emulator/fiber.h"
#include "kernels/emulator/judges/shadow.h"
#include "kernels/emulator/recorder.h"
#include "kernels/emulator/register_slot.h"

namespace tileloom::emulator {

// Buffers that are kept from one trace to the next, so that the next trace need not allocate them
// again. Used by one thread at a time.
class Workspace {
 public:
  StackPool stacks;
  Recorder recorder;
  std::shared_ptr<WordPool> words = std::make_shared<WordPool>();
  // For the other blocks of a cluster, created on first use: `number` counts from 0.
  Workspace& other(std::size_t number) {
    while (others_.size() <= number) others_.push_back(std::make_unique<Workspace>());
    return *others_[number];
  }

 private:
  friend class Block;
  friend struct BlockState;
  std::vector<judges::ShadowWord> shared_;  // by word
  // The further elements of each word of an array of small elements, word by word; empty before the
  // block's first such array.
  std::vector<RegisterSlot> upper_;
  std::vector<RegisterSlot> registers_;
  std::vector<std::unique_ptr<Workspace>> others_;
};

}  // namespace tileloom::emulator
