// SPDX-License-Identifier: GPL-3.0-or-later
// The hot half of Block: what happens at each load and store. Included by block.h only.
#pragma once

#include <limits>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

inline constexpr std::uint16_t kManyReaders = 0xFFFF;

template <std::uint32_t Width>
bool Block::valid(std::uint32_t array, std::int64_t index, std::uint32_t elements, int line,
                  bool store) {
  if (index < 0 || index + Width > elements) [[unlikely]] {
    fault(FaultKind::OutOfBounds, array, index, line, store);
    return false;
  }
  if constexpr (Width > 1) {
    if (index % Width != 0) [[unlikely]]
      fault(FaultKind::Misaligned, array, index, line, store);
  }
  return true;
}

template <std::uint32_t Width>
void Block::loadShared(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!valid<Width>(array, index, info.elements, line, false)) [[unlikely]] {
    for (std::uint32_t w = 0; w < Width; ++w)
      out[w] = {std::numeric_limits<float>::quiet_NaN(), {}};
    return;
  }
  const auto first = static_cast<std::uint32_t>(index);
  recorder_.memory(Kind::SharedLoad, Width, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[info.base + first + w];
    if (word.writeEpoch == 0) [[unlikely]] {
      fault(FaultKind::Unwritten, array, index + w, line, false);
    } else if (word.writeEpoch == epoch_ && word.writer != thread_) [[unlikely]] {
      fault(FaultKind::Race, array, index + w, line, false, word.writer);
    }
    word.reader = word.readEpoch == epoch_ && word.reader != thread_
                      ? kManyReaders
                      : static_cast<std::uint16_t>(thread_);
    word.readEpoch = epoch_;
    recorder_.word(word.provenance);
    out[w] = {word.value, word.provenance};
  }
}

template <std::uint32_t Width>
void Block::storeShared(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!valid<Width>(array, index, info.elements, line, true)) [[unlikely]]
    return;
  const auto first = static_cast<std::uint32_t>(index);
  recorder_.memory(Kind::SharedStore, Width, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[info.base + first + w];
    if (word.writeEpoch == epoch_ && word.writer != thread_) [[unlikely]] {
      fault(FaultKind::Race, array, index + w, line, true, word.writer);
    } else if (word.readEpoch == epoch_ && word.reader != thread_) [[unlikely]] {
      fault(FaultKind::Race, array, index + w, line, true,
            word.reader == kManyReaders ? -1 : word.reader);
    }
    word.writer = static_cast<std::uint16_t>(thread_);
    word.writeEpoch = epoch_;
    word.value = values[w].value;
    word.provenance = values[w].provenance;
    recorder_.word(values[w].provenance);
  }
}

template <std::uint32_t Width>
void Block::loadGlobal(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out) {
  if (!valid<Width>(array, index, arrays_[array].elements, line, false)) [[unlikely]] {
    for (std::uint32_t w = 0; w < Width; ++w)
      out[w] = {std::numeric_limits<float>::quiet_NaN(), {}};
    return;
  }
  const Matrix& matrix = setup_.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  const auto source = static_cast<Provenance::Source>(array + 1);
  recorder_.memory(Kind::GlobalLoad, Width, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(array, first + w);
    out[w] = {value, Provenance::element(source, first + w)};
    recorder_.word(out[w].provenance);
  }
}

template <std::uint32_t Width>
void Block::storeGlobal(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  if (!valid<Width>(array, index, arrays_[array].elements, line, true)) [[unlikely]]
    return;
  const Matrix& matrix = setup_.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  recorder_.memory(Kind::GlobalStore, Width, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    if (matrix.write != nullptr) matrix.write[first + w] = values[w].value;
    recorder_.word(values[w].provenance);
  }
}

}  // namespace tileloom::emulator
