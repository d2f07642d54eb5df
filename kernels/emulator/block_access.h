// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Block that runs at each load and store. It is inline because nearly all the time of a
// trace is spent here. Included by block.h only.
#pragma once

#include <limits>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// Set in SharedWord::written while an asynchronous copy to the word is in flight.
inline constexpr std::uint32_t kUnderWay = 1u << 31;

// Whether two values of SharedWord::written or ::read are of different threads in one barrier
// interval.
inline bool clash(std::uint32_t earlier, std::uint32_t now) {
  const std::uint32_t difference = earlier ^ now;
  return difference != 0 && difference < (1u << kThreadBits);
}

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
[[gnu::always_inline]] inline void Block::loadShared(std::uint32_t array, std::int64_t index,
                                                     int line, RegisterSlot* out) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!valid<Width>(array, index, info.elements, line, false)) [[unlikely]] {
    for (std::uint32_t w = 0; w < Width; ++w)
      out[w] = {std::numeric_limits<float>::quiet_NaN(), {}};
    return;
  }
  const auto first = static_cast<std::uint32_t>(index);
  std::uint32_t* recorded = recorder_.memory<Width>(Kind::SharedLoad, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[info.base + first + w];
    if (word.written - 1 >= kUnderWay - 1) [[unlikely]] {  // never written, or in flight
      fault(word.written == 0 ? FaultKind::Unwritten : FaultKind::NotArrived, array, index + w,
            line, false);
    } else if (clash(word.written, stamp_)) [[unlikely]] {
      fault(FaultKind::Race, array, index + w, line, false,
            static_cast<int>(word.written & kManyThreads));
    }
    word.read = clash(word.read, stamp_) ? stamp_ | kManyThreads : stamp_;
    recorded[w] = word.provenance.bits();
    out[w] = {word.value, word.provenance};
  }
}

// A store is a race if another thread has accessed the word since the last barrier, or while an
// asynchronous copy to the word is in flight.
inline void Block::checkOverwrite(const Workspace::SharedWord& word, std::uint32_t array,
                                  std::int64_t index, int line) {
  if (clash(word.written, stamp_) || word.written >= kUnderWay) [[unlikely]] {
    fault(FaultKind::Race, array, index, line, true, static_cast<int>(word.written & kManyThreads));
  } else if (clash(word.read, stamp_)) [[unlikely]] {
    const std::uint32_t reader = word.read & kManyThreads;
    fault(FaultKind::Race, array, index, line, true,
          reader == kManyThreads ? -1 : static_cast<int>(reader));
  }
}

template <std::uint32_t Width>
void Block::storeShared(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const SharedArray& info = shared_[array - kFirstShared];
  if (!valid<Width>(array, index, info.elements, line, true)) [[unlikely]]
    return;
  const auto first = static_cast<std::uint32_t>(index);
  std::uint32_t* recorded = recorder_.memory<Width>(Kind::SharedStore, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[info.base + first + w];
    checkOverwrite(word, array, index + w, line);
    word.written = stamp_;
    word.value = values[w].value;
    word.provenance = values[w].provenance;
    recorded[w] = values[w].provenance.bits();
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
  std::uint32_t* recorded = recorder_.memory<Width>(Kind::GlobalLoad, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(array, first + w);
    out[w] = {value, Provenance::element(source, first + w)};
    recorded[w] = out[w].provenance.bits();
  }
}

template <std::uint32_t Width>
void Block::copy(std::uint32_t to, std::int64_t toIndex, std::uint32_t from, std::int64_t fromIndex,
                 int line) {
  const SharedArray& info = shared_[to - kFirstShared];
  if (!valid<Width>(from, fromIndex, arrays_[from].elements, line, false) ||
      !valid<Width>(to, toIndex, info.elements, line, true)) [[unlikely]] {
    return;
  }
  if (copies_.empty()) copies_.resize(threads_);
  const Matrix& matrix = setup_.matrices[from];
  const auto first = static_cast<std::uint32_t>(fromIndex);
  const auto at = static_cast<std::uint32_t>(toIndex);
  const auto source = static_cast<Provenance::Source>(from + 1);
  std::uint32_t* recorded = recorder_.memory<Width>(Kind::AsyncCopy, to, line, at);
  for (std::uint32_t w = 0; w < Width; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[info.base + at + w];
    checkOverwrite(word, to, toIndex + w, line);
    word.written = kUnderWay | thread_;
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(from, first + w);
    const RegisterSlot content{value, Provenance::element(source, first + w)};
    copies_[thread_].words.push_back({info.base + at + w, content});
    recorded[w] = content.provenance.bits();
  }
}

template <std::uint32_t Width>
void Block::storeGlobal(std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  if (!valid<Width>(array, index, arrays_[array].elements, line, true)) [[unlikely]]
    return;
  const Matrix& matrix = setup_.matrices[array];
  const auto first = static_cast<std::uint32_t>(index);
  std::uint32_t* recorded = recorder_.memory<Width>(Kind::GlobalStore, array, line, first);
  for (std::uint32_t w = 0; w < Width; ++w) {
    if (matrix.write != nullptr) matrix.write[first + w] = values[w].value;
    recorded[w] = values[w].provenance.bits();
  }
}

}  // namespace tileloom::emulator
