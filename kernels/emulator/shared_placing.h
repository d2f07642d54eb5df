// SPDX-License-Identifier: GPL-3.0-or-later
// Where the shared arrays of a block begin: one after the other, each as __align__(16) on the
// device.
#pragma once

#include <cstddef>

namespace tileloom::emulator {

inline constexpr std::size_t kSharedAlignment = 4;  // words

// The first word at which an array may begin after `words` occupied words.
constexpr std::size_t nextSharedBase(std::size_t words) {
  return (words + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
}

}  // namespace tileloom::emulator
