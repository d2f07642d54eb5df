// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/workspace_buffers.h"

namespace tileloom::emulator {

Workspace::Workspace() : buffers_(std::make_unique<Buffers>()) {}
Workspace::~Workspace() = default;

Workspace& Workspace::other(std::size_t number) {
  while (others_.size() <= number) others_.push_back(std::make_unique<Workspace>());
  return *others_[number];
}

}  // namespace tileloom::emulator
