// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Block that runs at each load and store. It is inline because nearly all the time of a
// trace is spent here. Included by block.h only.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// What a load gives that is not allowed.
inline constexpr RegisterSlot kNothing{std::numeric_limits<float>::quiet_NaN(), {}};

template <std::uint32_t Width>
[[gnu::always_inline]] inline void Block::loadShared(std::uint32_t array, std::int64_t index,
                                                     int line, RegisterSlot* out) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!judges_.allows(event::Attempt{here(line), array, index, Width, info.elements, 1, false}))
      [[unlikely]] {
    std::fill_n(out, Width, kNothing);
    return;
  }
  const std::uint32_t first = info.base + static_cast<std::uint32_t>(index);
  for (std::uint32_t w = 0; w < Width; ++w) out[w] = workspace_.shared_[first + w].held;
  report(event::SharedLoad{{here(line), array, index, Width, 1, first}, out});
}

template <std::uint32_t Width>
void Block::storeShared(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!judges_.allows(event::Attempt{here(line), array, index, Width, info.elements, 1, true}))
      [[unlikely]]
    return;
  const std::uint32_t first = info.base + static_cast<std::uint32_t>(index);
  for (std::uint32_t w = 0; w < Width; ++w) workspace_.shared_[first + w].held = values[w];
  report(event::SharedStore{{here(line), array, index, Width, 1, first}, values});
}

template <std::uint32_t Width>
void Block::loadGlobal(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out) {
  if (!judges_.allows(event::Attempt{here(line), array, index, Width, arrays_[array].elements, 1,
                                     false})) [[unlikely]] {
    std::fill_n(out, Width, kNothing);
    return;
  }
  const Matrix& matrix = setup_.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  const auto source = static_cast<Provenance::Source>(array + 1);
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(array, first + w);
    out[w] = {value, Provenance::element(source, first + w)};
  }
  report(event::GlobalLoad{{here(line), array, index, Width, 1, 0}, out});
}

template <std::uint32_t Width>
void Block::copy(std::uint32_t to, std::int64_t toIndex, std::uint32_t from, std::int64_t fromIndex,
                 int line) {
  const SharedArray& info = shared_[to - kFirstShared];
  if (!judges_.allows(
          event::Attempt{here(line), from, fromIndex, Width, arrays_[from].elements, 1, false}) ||
      !judges_.allows(event::Attempt{here(line), to, toIndex, Width, info.elements, 1, true}))
      [[unlikely]] {
    return;
  }
  if (copies_.empty()) copies_.resize(threads_);
  const Matrix& matrix = setup_.matrices[from];
  const auto first = static_cast<std::uint32_t>(fromIndex);
  const std::uint32_t word = info.base + static_cast<std::uint32_t>(toIndex);
  const auto source = static_cast<Provenance::Source>(from + 1);
  RegisterSlot values[Width];
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(from, first + w);
    values[w] = {value, Provenance::element(source, first + w)};
    copies_[thread_].words.push_back({word + w, values[w]});
  }
  report(event::AsyncCopy{{here(line), to, toIndex, Width, 1, word}, values});
}

template <std::uint32_t Width>
void Block::storeGlobal(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  if (!judges_.allows(event::Attempt{here(line), array, index, Width, arrays_[array].elements, 1,
                                     true})) [[unlikely]]
    return;
  const Matrix& matrix = setup_.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  if (matrix.write != nullptr) {
    for (std::uint32_t w = 0; w < Width; ++w) matrix.write[first + w] = values[w].value;
  }
  report(event::GlobalStore{{here(line), array, index, Width, 1, 0}, values});
}

}  // namespace tileloom::emulator
