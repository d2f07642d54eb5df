// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of emulated blocks that is worth keeping from one trace to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

// Buffers that are kept from one trace to the next, so that the next trace need not allocate them
// again. Used by one thread at a time.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::shared_ptr<WordPool> words = std::make_shared<WordPool>();
  // For the other blocks of a cluster, created on first use: `number` counts from 0.
  Workspace& other(std::size_t number);

  // For blocks: workspace_buffers.h, which the users of a workspace need not know.
  struct Buffers;
  Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
  std::vector<std::unique_ptr<Workspace>> others_;
};

}  // namespace tileloom::emulator
