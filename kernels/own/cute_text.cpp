// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/cute_text.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "kernels/base/plain_text.h"

namespace tileloom::own {
namespace {

constexpr std::size_t kLongestCute = 400;  // characters
constexpr int kDeepestCute = 8;            // modes in modes
constexpr std::int64_t kMostCute = std::int64_t{1} << 40;
constexpr std::int64_t kMostBits = analysis::kMostSwizzleBits;
constexpr std::int64_t kMostBase = 10;  // units may be bytes
constexpr std::int64_t kMostShift = analysis::kMostSwizzleShift;

class CuteParser {
 public:
  explicit CuteParser(std::string_view text) : text_(text) {
    if (text.size() > kLongestCute)
      why_ = fmt::format("a layout has at most {} characters", kLongestCute);
  }

  CuteText composition() {
    CuteText made;
    skip();
    if (text_.substr(at_).starts_with("Sw")) {
      made.swizzle = swizzle();
      expect('o', "an o between the swizzle and the offset is missing");
      made.offset = number(0, kMostCute);
      expect('o', "an o between the offset and the layout is missing");
    }
    std::string modes, strideModes;
    tuple(made.layout.shape, modes, 1, 0);
    expect(':', "the colon between shape and stride is missing");
    tuple(made.layout.stride, strideModes, -kMostCute, 0);
    if (modes != strideModes) complain("shape and stride have different modes");
    std::int64_t size = 1;
    for (const std::int64_t extent : made.layout.shape) {
      if (extent > kMostCute / size) {
        complain("the layout is too large");
        break;
      }
      size *= extent;
    }
    return made;
  }

  analysis::Swizzle swizzle() {
    const bool named = take("Swizzle") || take("Sw");
    if (named) expect('<', "a swizzle is written Swizzle<3,3,3>");
    const std::size_t first = at_;
    const std::int64_t bits = number(0, kMostBits);
    expect(',', "a swizzle has three numbers, as in Swizzle<3,3,3>");
    const std::int64_t base = number(0, kMostBase);
    expect(',', "a swizzle has three numbers, as in Swizzle<3,3,3>");
    const std::int64_t shift = number(0, kMostShift);
    if (named) expect('>', "the > of the swizzle is missing");
    if (shift < bits) {
      at_ = first;
      complain("the last number of a swizzle is at least its first one");
    }
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(base),
            static_cast<std::uint32_t>(shift)};
  }

  // Empty if the whole text was read without a complaint.
  std::string end() {
    skip();
    if (why_.empty() && at_ != text_.size()) complain("nothing more is expected here");
    return std::move(why_);
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view what) {
    skip();
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  void expect(char c, std::string_view otherwise) {
    if (!take({&c, 1})) complain(otherwise);
  }
  void complain(std::string_view what) {
    if (!why_.empty()) return;
    why_ = fmt::format("\"{}\" at character {}: {}", quotable(text_), at_ + 1, what);
    at_ = text_.size();
  }
  std::int64_t number(std::int64_t least, std::int64_t most) {
    take("_");
    std::int64_t value = least;
    skip();
    const char* const last = text_.data() + text_.size();
    const auto [end, wrong] = std::from_chars(text_.data() + at_, last, value);
    if (wrong == std::errc::invalid_argument) {
      complain("a number is missing");
    } else if (wrong != std::errc() || value < least || value > most) {
      complain(fmt::format("the number must be from {} to {}", least, most));
    } else {
      at_ = static_cast<std::size_t>(end - text_.data());
      return value;
    }
    return least;
  }
  // `modes` gets a dot for each number and the parentheses around them.
  void tuple(std::vector<std::int64_t>& into, std::string& modes, std::int64_t least, int depth) {
    if (depth > kDeepestCute) return complain("the layout has too many parentheses");
    if (!take("(")) {
      modes += '.';
      into.push_back(number(least, kMostCute));
      return;
    }
    modes += '(';
    do {
      tuple(into, modes, least, depth + 1);
    } while (why_.empty() && take(","));
    modes += ')';
    expect(')', "a closing parenthesis is missing");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string why_;
};

}  // namespace

std::int64_t CuteLayout::size() const {
  std::int64_t all = 1;
  for (const std::int64_t extent : shape) all *= extent;
  return all;
}

std::int64_t CuteLayout::operator()(std::int64_t index) const {
  std::int64_t at = 0;
  for (std::size_t mode = 0; mode < shape.size(); ++mode) {
    at += index % shape[mode] * stride[mode];
    index /= shape[mode];
  }
  return at;
}

bool looksLikeCute(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  if (text.substr(first).starts_with("Sw")) return true;
  return text.find(':') != std::string_view::npos && text.find('?') == std::string_view::npos;
}

tl::expected<CuteText, std::string> parseCute(std::string_view text) {
  CuteParser parser(text);
  CuteText made = parser.composition();
  std::string why = parser.end();
  if (!why.empty()) return tl::unexpected(std::move(why));
  return made;
}

tl::expected<analysis::Swizzle, std::string> parseSwizzle(std::string_view text) {
  CuteParser parser(text);
  const analysis::Swizzle made = parser.swizzle();
  std::string why = parser.end();
  if (!why.empty()) return tl::unexpected(std::move(why));
  return made;
}

std::string swizzleText(const analysis::Swizzle& swizzle) {
  return fmt::format("Swizzle<{},{},{}>", swizzle.bits, swizzle.base, swizzle.shift);
}

}  // namespace tileloom::own
