// SPDX-License-Identifier: GPL-3.0-or-later
// What a workspace keeps for the blocks that use it, one after the other.
#pragma once

#include <vector>

#include "kernels/emulator/fiber.h"
#include "kernels/emulator/judges/shadow.h"
#include "kernels/emulator/recorder.h"
#include "kernels/emulator/register_slot.h"
#include "kernels/emulator/workspace.h"

namespace tileloom::emulator {

struct Workspace::Buffers {
  StackPool stacks;
  Recorder recorder;
  std::vector<judges::ShadowWord> shared;  // by word
  // The further elements of each word of an array of small elements, word by word; empty before the
  // block's first such array.
  std::vector<RegisterSlot> upper;
  std::vector<RegisterSlot> registers;
};

}  // namespace tileloom::emulator
