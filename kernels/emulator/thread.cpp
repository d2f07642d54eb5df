// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/on_host.h"

namespace tileloom::emulator {
namespace {

uint knob(const Block& block, Knob k) { return static_cast<uint>(block.setup().tile[k]); }
Dim dim(const Extent& e) { return {static_cast<uint>(e.x), static_cast<uint>(e.y), 1}; }

}  // namespace

Thread::Thread(Block& block, uint linear)
    : BLOCKSIZE(knob(block, Knob::BLOCKSIZE)),
      BM(knob(block, Knob::BM)),
      BN(knob(block, Knob::BN)),
      BK(knob(block, Knob::BK)),
      WM(knob(block, Knob::WM)),
      WN(knob(block, Knob::WN)),
      WNITER(knob(block, Knob::WNITER)),
      TM(knob(block, Knob::TM)),
      TN(knob(block, Knob::TN)),
      blockDim(dim(block.launch().block)),
      gridDim(dim(block.launch().grid)),
      block_(&block) {
  threadIdx = {linear % blockDim.x, linear / blockDim.x, 0};
  blockIdx = {static_cast<uint>(block.setup().block.x), static_cast<uint>(block.setup().block.y), 0};
}

void Thread::load_run(const Registers& r, const Pointer& p, uint count, int line) const {
  RegisterSlot s[4];
  const uint width = count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
  for (uint i = 0; i < count; i += width) {
    const Pointer at = p + i;
    if (width == 4) {
      at.load<4>(s, line);
    } else if (width == 2) {
      at.load<2>(s, line);
    } else {
      at.load<1>(s, line);
    }
    for (uint w = 0; w < width; ++w) r[Index(i + w, line)] = Value{s[w], block_};
  }
}

}  // namespace tileloom::emulator
