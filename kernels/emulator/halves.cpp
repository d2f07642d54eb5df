// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of 16-bit elements, two in each word. Threads access whole words of them, so a
// word is written and read as a whole, like one that holds a float.
#include <algorithm>
#include <limits>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// The element of a matrix in global memory, as a thread reads it.
RegisterSlot Block::halfOf(std::uint32_t array, std::uint32_t index) const {
  const Matrix& matrix = setup_.matrices[array];
  const std::uint16_t bits = matrix.readHalves != nullptr
                                 ? matrix.readHalves[index]
                                 : halfBits(setup_.format, virtualValue(array, index));
  return {halfValue(setup_.format, bits),
          Provenance::element(static_cast<Provenance::Source>(array + 1), index)};
}

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

// As in loadShared(): `index` is the first element of the word.
void Block::readWord(Workspace::SharedWord& word, std::uint32_t array, std::int64_t index,
                     int line) {
  if (agents_ != nullptr) {
    agents_->checkRead(word.written, array, index, line);
    word.read = agents_->withReader(word.read);
    return;
  }
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
    for (std::uint32_t i = 0; i < count; ++i) out[i] = halfOf(array, first + i);
  }
  std::uint32_t* recorded = recorder_.halves(
      array >= kFirstShared ? Kind::SharedLoad : Kind::GlobalLoad, words, array, line, first);
  for (std::uint32_t i = 0; i < count; ++i) recorded[i] = out[i].provenance.bits();
}

Provenance Block::named(Provenance p) const {
  return p.isAccumulator() ? Provenance::accumulatorOf(p.owner(thread_), p.slot()) : p;
}

void Block::writeWord(std::size_t at, std::uint32_t array, std::int64_t index, int line,
                      const RegisterSlot* pair) {
  Workspace::SharedWord& word = workspace_.shared_[at];
  if (agents_ != nullptr) {
    agents_->checkOverwrite(word.written, word.read, array, index, line);
    word.read = 0;
  } else {
    checkOverwrite(word, array, index, line);
  }
  word.written = stamp_;
  word.value = pair[0].value;
  word.provenance = pair[0].provenance;
  workspace_.upper_[at] = pair[1];
}

void Block::storeHalves(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(array, index, count, line, true)) return;
  const auto first = static_cast<std::uint32_t>(index);
  std::uint32_t* recorded = recorder_.halves(
      array >= kFirstShared ? Kind::SharedStore : Kind::GlobalStore, words, array, line, first);
  const bool shared = array >= kFirstShared;
  for (std::uint32_t i = 0; i < count; ++i)
    recorded[i] = (shared ? named(values[i].provenance) : values[i].provenance).bits();
  if (shared) {
    const std::uint32_t base = shared_[array - kFirstShared].base + first / 2;
    for (std::uint32_t w = 0; w < words; ++w) {
      const RegisterSlot pair[] = {{values[2 * w].value, named(values[2 * w].provenance)},
                                   {values[2 * w + 1].value, named(values[2 * w + 1].provenance)}};
      writeWord(base + w, array, index + 2 * w, line, pair);
    }
  } else if (std::uint16_t* write = setup_.matrices[array].writeHalves; write != nullptr) {
    for (std::uint32_t i = 0; i < count; ++i)
      write[first + i] = halfBits(setup_.format, values[i].value);
  }
}

void Block::copyHalves(std::uint32_t words, std::uint32_t to, std::int64_t toIndex,
                       std::uint32_t from, std::int64_t fromIndex, int line) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(from, fromIndex, count, line, false) ||
      !validHalves(to, toIndex, count, line, true)) {
    return;
  }
  if (copies_.empty()) copies_.resize(threads_);
  Copies& mine = copies_[thread_];
  const auto first = static_cast<std::uint32_t>(fromIndex);
  const auto at = static_cast<std::uint32_t>(toIndex);
  const std::uint32_t base = shared_[to - kFirstShared].base + at / 2;
  std::uint32_t* recorded = recorder_.halves(Kind::AsyncCopy, words, to, line, at);
  for (std::uint32_t w = 0; w < words; ++w) {
    Workspace::SharedWord& word = workspace_.shared_[base + w];
    checkOverwrite(word, to, toIndex + 2 * w, line);
    word.written = kUnderWay | thread_;
    const RegisterSlot lower = halfOf(from, first + 2 * w), upper = halfOf(from, first + 2 * w + 1);
    mine.words.push_back({base + w, lower});
    mine.upper.push_back(upper);
    recorded[2 * w] = lower.provenance.bits();
    recorded[2 * w + 1] = upper.provenance.bits();
  }
}

}  // namespace tileloom::emulator
