// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of elements of tensor cores, one to eight in each word. Threads access whole
// words of them, so a word is written and read as a whole, like one that holds a float.
#include <algorithm>

#include "kernels/emulator/block.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::emulator {
void Block::readWord(std::uint32_t word, RegisterSlot* out) const {
  const std::size_t further = state_.parts - 1;
  out[0] = state_.shared[word].held;
  for (std::size_t i = 0; i < further; ++i) out[1 + i] = state_.upper[word * further + i];
}

void Block::writeWord(std::uint32_t word, const RegisterSlot* elements) {
  const std::size_t further = state_.parts - 1;
  state_.shared[word].held = elements[0];
  for (std::size_t i = 0; i < further; ++i) state_.upper[word * further + i] = elements[1 + i];
}

void Block::loadElements(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                         RegisterSlot* out) {
  const std::uint32_t count = state_.parts * words;
  if (!validElements(array, index, count, line, false)) {
    std::fill_n(out, count, kNothing);
    return;
  }
  const auto first = static_cast<std::uint32_t>(index);
  if (array < kFirstShared) {
    for (std::uint32_t i = 0; i < count; ++i) out[i] = state_.elementOf(array, first + i);
    return report(event::GlobalLoad{{here(line), array, index, words, state_.parts, 0}, out});
  }
  const event::Access access = sharedAccess(array, index, words, line);
  for (std::uint32_t w = 0; w < words; ++w) readWord(access.word + w, out + state_.parts * w);
  report(event::SharedLoad{access, out});
}

Provenance Block::named(Provenance p) const {
  return p.isAccumulator() ? Provenance::accumulatorOf(p.owner(state_.thread), p.slot()) : p;
}

void Block::storeElements(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                          const RegisterSlot* values) {
  const std::uint32_t count = state_.parts * words;
  if (!validElements(array, index, count, line, true)) return;
  if (array < kFirstShared) {
    const auto first = static_cast<std::uint32_t>(index);
    if (std::byte* write = state_.setup.matrices[array].writable; write != nullptr) {
      for (std::uint32_t i = 0; i < count; ++i)
        setElementBits(write, first + i, state_.format->bits,
                       state_.format->bitsOf(values[i].value));
    }
    return report(event::GlobalStore{{here(line), array, index, words, state_.parts, 0}, values});
  }
  const event::Access access = sharedAccess(array, index, words, line);
  Room<RegisterSlot, kMostRowElements> stored;
  for (std::uint32_t i = 0; i < count; ++i)
    stored[i] = {values[i].value, named(values[i].provenance)};
  for (std::uint32_t w = 0; w < words; ++w) writeWord(access.word + w, &stored[state_.parts * w]);
  report(event::SharedStore{access, stored.data()});
}

void Block::copyElements(std::uint32_t words, std::uint32_t to, std::int64_t toIndex,
                         std::uint32_t from, std::int64_t fromIndex, int line) {
  const std::uint32_t count = state_.parts * words;
  if (!validElements(from, fromIndex, count, line, false) ||
      !validElements(to, toIndex, count, line, true)) {
    return;
  }
  if (copies_.empty()) copies_.resize(state_.threads);
  Copies& mine = copies_[state_.thread];
  const auto first = static_cast<std::uint32_t>(fromIndex);
  const event::Access access = sharedAccess(to, toIndex, words, line);
  Room<RegisterSlot, kMostRowElements> values;
  for (std::uint32_t i = 0; i < count; ++i) values[i] = state_.elementOf(from, first + i);
  for (std::uint32_t w = 0; w < words; ++w) {
    mine.words.push_back({access.word + w, values[state_.parts * w]});
    for (std::uint32_t i = 1; i < state_.parts; ++i)
      mine.upper.push_back(values[state_.parts * w + i]);
  }
  report(event::AsyncCopy{access, values.data()});
}

}  // namespace tileloom::emulator
