// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel is launched with.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/sass/cubin/module.h"

namespace tileloom::executor {

using Extent3 = std::array<std::uint32_t, 3>;

// Memory that the kernel's pointers may refer to. Every access outside of all buffers is refused.
struct Buffer {
  std::string name;
  std::vector<std::uint8_t> bytes;
  std::uint64_t address = 0;  // where the kernel sees it; set by placeBuffers()
  bool operator==(const Buffer&) const = default;
};

// Gives each buffer an address, with room between them: an access a little outside of one is in
// none.
void placeBuffers(std::vector<Buffer>& buffers);

struct Launch {
  const sass::Module* module = nullptr;
  const sass::KernelImage* kernel = nullptr;
  Extent3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamicShared = 0;       // bytes
  std::vector<std::uint8_t> parameters;  // as many bytes as the kernel's parameters have
};

}  // namespace tileloom::executor
