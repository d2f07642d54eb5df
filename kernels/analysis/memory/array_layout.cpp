// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/array_layout.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <span>

#include "kernels/base/plain_text.h"

namespace tileloom::analysis {
namespace {

constexpr std::string_view kRecorded = "recorded", kPlain = "plain",
                           kPad = "pad:", kSwizzle = "swizzle:", kWords = "words",
                           kElements = "elements";

// The numbers of `into`, with commas between them.
bool readNumbers(std::string_view text, std::span<std::uint32_t> into) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return false;
    const auto [next, error] = std::from_chars(at, end, into[i]);
    if (error != std::errc()) return false;
    at = next;
  }
  return at == end;
}

std::uint32_t pitchOf(const ArrayLayout& layout, const ArrayShape& shape) {
  switch (layout.form) {
    case LayoutForm::Recorded:
      return shape.pitch;
    case LayoutForm::Padded:
      return shape.length + layout.pad;
    case LayoutForm::Plain:
    case LayoutForm::Swizzled:
      break;
  }
  return shape.length;
}

// A map of the words of one K tile, which applies to all of them.
std::uint32_t within(const std::vector<std::uint32_t>& tile, std::uint32_t word) {
  const auto words = static_cast<std::uint32_t>(tile.size());
  return word / words * words + tile[word % words];
}

std::uint32_t logTwo(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::countr_zero(value));
}

}  // namespace

bool ArrayLayout::operator==(const ArrayLayout& other) const {
  return form == other.form && (form != LayoutForm::Padded || pad == other.pad) &&
         (form != LayoutForm::Swizzled || swizzle == other.swizzle);
}

std::string layoutText(const ArrayLayout& layout) {
  switch (layout.form) {
    case LayoutForm::Recorded:
      break;
    case LayoutForm::Plain:
      return std::string(kPlain);
    case LayoutForm::Padded:
      return fmt::format("{}{}", kPad, layout.pad);
    case LayoutForm::Swizzled:
      return fmt::format("{}{},{},{}", kSwizzle, layout.swizzle.bits, layout.swizzle.base,
                         layout.swizzle.shift);
  }
  return std::string(kRecorded);
}

tl::expected<ArrayLayout, std::string> parseLayout(std::string_view text) {
  if (text == kRecorded) return ArrayLayout{};
  if (text == kPlain) return ArrayLayout::plain();
  if (text.starts_with(kPad)) {
    ArrayLayout layout = ArrayLayout::padded(0);
    if (readNumbers(text.substr(kPad.size()), std::span(&layout.pad, 1)) && layout.pad <= kMostPad)
      return layout;
    return tl::unexpected(
        fmt::format("\"{}\" is not a padding: write {}P with P words per row, 0 to {}",
                    quotable(text), kPad, kMostPad));
  }
  if (text.starts_with(kSwizzle)) {
    std::array<std::uint32_t, 3> n{};
    if (readNumbers(text.substr(kSwizzle.size()), n) && n[0] >= 1 && n[0] <= kMostSwizzleBits &&
        n[1] <= kMostSwizzleBase && n[2] >= n[0] && n[2] <= kMostSwizzleShift)
      return ArrayLayout::swizzled({n[0], n[1], n[2]});
    return tl::unexpected(fmt::format(
        "\"{}\" is not a swizzle: write {}B,M,S with B of 1 to {} bits, M of 0 to {} and S from B "
        "to {}, such as swizzle:3,2,5",
        quotable(text), kSwizzle, kMostSwizzleBits, kMostSwizzleBase, kMostSwizzleShift));
  }
  return tl::unexpected(fmt::format(
      "there is no layout \"{}\": write recorded, plain, pad:4 or swizzle:3,2,5", quotable(text)));
}

tl::expected<LayoutInUnits, std::string> parseLayoutInUnits(std::string_view text,
                                                            std::uint32_t perWord) {
  const std::size_t colon = text.rfind(':');
  const bool unitGiven = text.starts_with(kSwizzle) && colon >= kSwizzle.size();
  const std::string_view unit = unitGiven ? text.substr(colon + 1) : kWords;
  auto layout = parseLayout(unitGiven ? text.substr(0, colon) : text);
  if (!layout) return tl::unexpected(layout.error());
  if (unit != kWords && unit != kElements) {
    return tl::unexpected(fmt::format("\"{}\" is not a unit of a swizzle: write {} or {}",
                                      quotable(unit), kElements, kWords));
  }
  if (unit == kElements) {
    if (layout->swizzle.base < logTwo(perWord)) {
      return tl::unexpected(fmt::format(
          "{} would move single elements within a word of {}: choose an M of at least {}",
          quotable(text), perWord, logTwo(perWord)));
    }
    layout->swizzle.base -= logTwo(perWord);
  }
  return LayoutInUnits{*layout, unitGiven};
}

std::string cuteText(const Swizzle& swizzle, std::uint32_t perWord) {
  return fmt::format("Swizzle<{},{},{}>", swizzle.bits, swizzle.base + logTwo(perWord),
                     swizzle.shift);
}

std::string whyNoLayout(const ArrayLayout& layout, const ArrayShape& shape) {
  if (layout.form != LayoutForm::Swizzled) return {};
  const Swizzle& s = layout.swizzle;
  if (s.shift < s.bits) {
    return fmt::format("{} would map two words to one: its shift must be at least its bits",
                       layoutText(layout));
  }
  if (shape.words() % s.group() != 0) {
    return fmt::format(
        "{} would move words out of the array: it exchanges {} words at a time, and the array has "
        "{}",
        layoutText(layout), s.group(), shape.words());
  }
  return {};
}

std::uint32_t wordsTaken(const ArrayLayout& layout, const ArrayShape& shape) {
  return shape.rows * pitchOf(layout, shape);
}

std::uint32_t wordOf(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t row,
                     std::uint32_t column) {
  const std::uint32_t word = row * pitchOf(layout, shape) + column;
  if (layout.form == LayoutForm::Recorded && !shape.inRows()) return within(shape.standing, word);
  return layout.form == LayoutForm::Swizzled ? layout.swizzle(word) : word;
}

std::uint32_t standsAt(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t word) {
  if (word >= wordsTaken(layout, shape)) return kSpare;
  if (layout.form == LayoutForm::Recorded && !shape.inRows()) return within(shape.holding, word);
  // Its source bits do not change: the swizzle is its own inverse.
  if (layout.form == LayoutForm::Swizzled) return layout.swizzle(word);
  const std::uint32_t pitch = pitchOf(layout, shape);
  const std::uint32_t column = word % pitch;
  return column < shape.length ? word / pitch * shape.length + column : kSpare;
}

std::string swizzleSource(const Swizzle& s, const ArrayShape& shape) {
  const std::uint32_t from = s.base + s.shift, values = 1u << s.bits;
  if (std::has_single_bit(shape.length) && from >= logTwo(shape.length)) {
    const std::uint32_t step = 1u << (from - logTwo(shape.length));
    return step == 1 ? fmt::format("row % {}", values) : fmt::format("row / {} % {}", step, values);
  }
  return fmt::format("word / {} % {}", 1u << from, values);
}

Swizzle usualSwizzle(const ArrayShape& shape) {
  Swizzle s;
  const std::uint32_t length = std::bit_ceil(std::max(1u, shape.length));
  // Short rows have fewer chunks to exchange, but always two.
  while (s.base > 0 && s.base + 1 > logTwo(length)) --s.base;
  while (s.bits > 1 && shape.words() % s.group() != 0) --s.bits;
  const std::uint32_t row = logTwo(length);
  s.shift = std::max(s.bits, row > s.base ? row - s.base : s.bits);
  return s;
}

}  // namespace tileloom::analysis
