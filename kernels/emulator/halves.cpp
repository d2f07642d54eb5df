// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of 16-bit elements, two in each word. Threads access whole words of them, so a
// word is written and read as a whole, like one that holds a float.
#include <algorithm>
#include <array>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {
namespace {

// Of one access: 16 bytes.
constexpr std::uint32_t kMostWords = 4;

}  // namespace

// The element of a matrix in global memory, as a thread reads it.
RegisterSlot Block::halfOf(std::uint32_t array, std::uint32_t index) const {
  const Matrix& matrix = setup_.matrices[array];
  const std::uint16_t bits = matrix.readHalves != nullptr
                                 ? matrix.readHalves[index]
                                 : halfBits(setup_.format, virtualValue(array, index));
  return {halfValue(setup_.format, bits),
          Provenance::element(static_cast<Provenance::Source>(array + 1), index)};
}

void Block::loadHalves(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                       RegisterSlot* out) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(array, index, count, line, false)) {
    std::fill_n(out, count, kNothing);
    return;
  }
  const auto first = static_cast<std::uint32_t>(index);
  if (array < kFirstShared) {
    for (std::uint32_t i = 0; i < count; ++i) out[i] = halfOf(array, first + i);
    return report(event::GlobalLoad{{here(line), array, index, words, 2, 0}, out});
  }
  const event::Access access = sharedHalves(array, index, words, line);
  for (std::uint32_t w = 0; w < words; ++w) {
    out[2 * w] = workspace_.shared_[access.word + w].held;
    out[2 * w + 1] = workspace_.upper_[access.word + w];
  }
  report(event::SharedLoad{access, out});
}

Provenance Block::named(Provenance p) const {
  return p.isAccumulator() ? Provenance::accumulatorOf(p.owner(thread_), p.slot()) : p;
}

void Block::storeHalves(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                        const RegisterSlot* values) {
  const std::uint32_t count = 2 * words;
  if (!validHalves(array, index, count, line, true)) return;
  if (array < kFirstShared) {
    const auto first = static_cast<std::uint32_t>(index);
    if (std::uint16_t* write = setup_.matrices[array].writeHalves; write != nullptr) {
      for (std::uint32_t i = 0; i < count; ++i)
        write[first + i] = halfBits(setup_.format, values[i].value);
    }
    return report(event::GlobalStore{{here(line), array, index, words, 2, 0}, values});
  }
  const event::Access access = sharedHalves(array, index, words, line);
  std::array<RegisterSlot, 2 * kMostWords> stored;
  for (std::uint32_t i = 0; i < count; ++i)
    stored[i] = {values[i].value, named(values[i].provenance)};
  for (std::uint32_t w = 0; w < words; ++w) {
    workspace_.shared_[access.word + w].held = stored[2 * w];
    workspace_.upper_[access.word + w] = stored[2 * w + 1];
  }
  report(event::SharedStore{access, stored.data()});
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
  const event::Access access = sharedHalves(to, toIndex, words, line);
  std::array<RegisterSlot, 2 * kMostWords> values;
  for (std::uint32_t w = 0; w < words; ++w) {
    values[2 * w] = halfOf(from, first + 2 * w);
    values[2 * w + 1] = halfOf(from, first + 2 * w + 1);
    mine.words.push_back({access.word + w, values[2 * w]});
    mine.upper.push_back(values[2 * w + 1]);
  }
  report(event::AsyncCopy{access, values.data()});
}

}  // namespace tileloom::emulator
