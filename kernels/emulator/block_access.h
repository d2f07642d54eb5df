// SPDX-License-Identifier: GPL-3.0-or-later
// The accesses of a thread to whole words: what runs at each load and store. It is inline because
// nearly all the time of a trace is spent here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/emulator/block_state.h"

namespace tileloom::emulator {

// What a load gives that is not allowed.
inline constexpr RegisterSlot kNothing{std::numeric_limits<float>::quiet_NaN(), {}};

template <std::uint32_t Width>
[[gnu::always_inline]] inline void loadShared(BlockState& block, std::uint32_t array,
                                              std::int64_t index, int line, RegisterSlot* out) {
  const BlockState::SharedArray& info = block.sharedArrays[array - kFirstShared];
  if (!block.judges.allows(event::Attempt{block.here(line), array, index, Width, info.elements, 1,
                                          false})) [[unlikely]] {
    std::fill_n(out, Width, kNothing);
    return;
  }
  const std::uint32_t first = info.base + static_cast<std::uint32_t>(index);
  for (std::uint32_t w = 0; w < Width; ++w) out[w] = block.shared[first + w].held;
  block.report(event::SharedLoad{{block.here(line), array, index, Width, 1, first}, out});
}

template <std::uint32_t Width>
void storeShared(BlockState& block, std::uint32_t array, std::int64_t index, int line,
                 const RegisterSlot* values) {
  const BlockState::SharedArray& info = block.sharedArrays[array - kFirstShared];
  if (!block.judges.allows(event::Attempt{block.here(line), array, index, Width, info.elements, 1,
                                          true})) [[unlikely]]
    return;
  const std::uint32_t first = info.base + static_cast<std::uint32_t>(index);
  for (std::uint32_t w = 0; w < Width; ++w) block.shared[first + w].held = values[w];
  block.report(event::SharedStore{{block.here(line), array, index, Width, 1, first}, values});
}

template <std::uint32_t Width>
void loadGlobal(BlockState& block, std::uint32_t array, std::int64_t index, int line,
                RegisterSlot* out) {
  if (!block.judges.allows(event::Attempt{block.here(line), array, index, Width,
                                          block.arrays[array].elements, 1, false})) [[unlikely]] {
    std::fill_n(out, Width, kNothing);
    return;
  }
  const Matrix& matrix = block.setup.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  const auto source = static_cast<Provenance::Source>(array + 1);
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(array, first + w);
    out[w] = {value, Provenance::element(source, first + w)};
  }
  block.report(event::GlobalLoad{{block.here(line), array, index, Width, 1, 0}, out});
}

template <std::uint32_t Width>
void storeGlobal(BlockState& block, std::uint32_t array, std::int64_t index, int line,
                 const RegisterSlot* values) {
  if (!block.judges.allows(event::Attempt{block.here(line), array, index, Width,
                                          block.arrays[array].elements, 1, true})) [[unlikely]]
    return;
  const Matrix& matrix = block.setup.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  if (matrix.write != nullptr) {
    for (std::uint32_t w = 0; w < Width; ++w) matrix.write[first + w] = values[w].value;
  }
  block.report(event::GlobalStore{{block.here(line), array, index, Width, 1, 0}, values});
}

}  // namespace tileloom::emulator
