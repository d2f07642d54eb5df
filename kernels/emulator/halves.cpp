// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of 16-bit elements, two in each word. Threads access whole words of them, so a
// word is written and read as a whole, as one that holds a float is.
#include <algorithm>
#include <limits>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// `count` elements at once, which start at a multiple of their number.
bool Block::validHalves(std::uint32_t array, std::int64_t index, std::uint32_t count, int line,
                        bool store) {
  if (index < 0 || index + count > arrays_[array].elements) {
    fault(FaultKind::OutOfBounds, array, index, line, store);
    return false;
  }
  if (index % count != 0) {
    fault(FaultKind::Misaligned, array, index, line, store);
    return false;
  }
  return true;
}

// As loadShared() does it: `index` is the first element of the word.
void Block::readWord(Workspace::SharedWord& word, std::uint32_t array, std::int64_t index,
                     int line) {
  if (word.written - 1 >= kUnderWay - 1) {
    fault(word.written == 0 ? FaultKind::Unwritten : FaultKind::NotArrived, array, index, line,
          false);
  } else if (clash(word.written, stamp_)) {
    fault(FaultKind::Race, array, index, line, false,
          static_cast<int>(word.written & kManyThreads));
  }
  word.read = clash(word.read, stamp_) ? stamp_ | kManyThreads : stamp_;
}

void Block::loadHalves(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                       RegisterSlot* out) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(array, index, count, line, false)) {
    std::fill(out, out + count, RegisterSlot{std::numeric_limits<float>::quiet_NaN(), {}});
    return;
  }
  const auto first = static_cast<std::uint32_t>(index);
  if (array >= kFirstShared) {
    const std::uint32_t base = shared_[array - kFirstShared].base + first / 2;
    for (std::uint32_t w = 0; w < words; ++w) {
      Workspace::SharedWord& word = workspace_.shared_[base + w];
      readWord(word, array, index + 2 * w, line);
      out[2 * w] = {word.value, word.provenance};
      out[2 * w + 1] = workspace_.upper_[base + w];
    }
  } else {
    const Matrix& matrix = setup_.matrices[array];
    const auto source = static_cast<Provenance::Source>(array + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint16_t bits = matrix.readHalves != nullptr
                                     ? matrix.readHalves[first + i]
                                     : halfBits(setup_.arithmetic, virtualValue(array, first + i));
      out[i] = {halfValue(setup_.arithmetic, bits), Provenance::element(source, first + i)};
    }
  }
  std::uint32_t* recorded = recorder_.halves(
      array >= kFirstShared ? Kind::SharedLoad : Kind::GlobalLoad, words, array, line, first);
  for (std::uint32_t i = 0; i < count; ++i) recorded[i] = out[i].provenance.bits();
}

void Block::storeHalves(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(array, index, count, line, true)) return;
  const auto first = static_cast<std::uint32_t>(index);
  std::uint32_t* recorded = recorder_.halves(
      array >= kFirstShared ? Kind::SharedStore : Kind::GlobalStore, words, array, line, first);
  for (std::uint32_t i = 0; i < count; ++i) recorded[i] = values[i].provenance.bits();
  if (array >= kFirstShared) {
    const std::uint32_t base = shared_[array - kFirstShared].base + first / 2;
    for (std::uint32_t w = 0; w < words; ++w) {
      Workspace::SharedWord& word = workspace_.shared_[base + w];
      checkOverwrite(word, array, index + 2 * w, line);
      word.written = stamp_;
      word.value = values[2 * w].value;
      word.provenance = values[2 * w].provenance;
      workspace_.upper_[base + w] = values[2 * w + 1];
    }
  } else if (std::uint16_t* write = setup_.matrices[array].writeHalves; write != nullptr) {
    for (std::uint32_t i = 0; i < count; ++i)
      write[first + i] = halfBits(setup_.arithmetic, values[i].value);
  }
}

}  // namespace tileloom::emulator
