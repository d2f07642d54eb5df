// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and their 32-bit words: a word holds one float, or two 16-bit elements.
#pragma once

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// Words that an array takes.
constexpr std::uint32_t wordsOf(const emulator::Array& array) {
  return (array.elements + array.parts - 1) / array.parts;
}
// The word of the block's shared memory that holds element `index` of a shared array; for a matrix,
// the word counted from its start.
constexpr std::uint32_t wordOfElement(const emulator::Array& array, std::uint32_t index) {
  return array.base + index / array.parts;
}
constexpr bool holdsWord(const emulator::Array& array, std::uint32_t word) {
  return word >= array.base && word < array.base + wordsOf(array);
}
// The first element in a word of the array.
constexpr std::uint32_t elementAtWord(const emulator::Array& array, std::uint32_t word) {
  return (word - array.base) * array.parts;
}

}  // namespace tileloom::analysis
