// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "kernels/base/plain_text.h"

namespace tileloom::own {
namespace {

constexpr std::size_t kLongest = 400;
constexpr int kDeepest = 40;
constexpr std::string_view kTooDeep = "it has too many parentheses";

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool begins(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
  Parser(std::string_view text, const Names& names) : text_(text), names_(names) {}

  tl::expected<std::int64_t, std::string> run() {
    if (text_.size() > kLongest)
      return tl::unexpected(fmt::format("an expression has at most {} characters", kLongest));
    const std::int64_t value = choice();
    skip();
    if (why_.empty() && at_ != text_.size()) complain("an operator is missing");
    if (why_.empty()) return value;
    return tl::unexpected(std::move(why_));
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // A binary operator, but not the beginning of a longer one: "<" of "<<" or "<=", "&" of "&&".
  bool takeOperator(std::string_view what, std::string_view notBefore = {}) {
    skip();
    if (!text_.substr(at_).starts_with(what)) return false;
    const std::size_t next = at_ + what.size();
    if (next < text_.size() && notBefore.find(text_[next]) != std::string_view::npos) return false;
    at_ = next;
    return true;
  }
  // The first complaint is kept.
  void complain(std::string_view what) {
    if (!why_.empty()) return;
    why_ = fmt::format("\"{}\" at character {}: {}", quotable(text_), at_ + 1, what);
    at_ = text_.size();
  }
  template <class Operation>
  std::int64_t checked(std::int64_t a, std::int64_t b, Operation&& operation) {
    std::int64_t result = 0;
    if (operation(a, b, &result)) {
      if (unused_ > 0) return 0;
      complain("the number is larger than 2^63");
    }
    return result;
  }
  std::int64_t divided(std::int64_t a, std::int64_t b, bool rest) {
    if (b == 0) {
      if (unused_ == 0) complain("it divides by 0");
      return 0;
    }
    if (b == -1) return rest ? 0 : checked(0, a, subtract);
    return rest ? a % b : a / b;
  }
  static bool add(std::int64_t a, std::int64_t b, std::int64_t* to) {
    return __builtin_add_overflow(a, b, to);
  }
  static bool subtract(std::int64_t a, std::int64_t b, std::int64_t* to) {
    return __builtin_sub_overflow(a, b, to);
  }
  static bool multiply(std::int64_t a, std::int64_t b, std::int64_t* to) {
    return __builtin_mul_overflow(a, b, to);
  }

  std::int64_t shifted(std::int64_t a, std::int64_t by, bool left) {
    if (by < 0 || by > 62) {
      if (unused_ == 0) complain("a shift is by 0 to 62 bits");
      return 0;
    }
    return left ? checked(a, std::int64_t{1} << by, multiply) : a >> by;
  }

  // What is not chosen is read, but its divisions and overflows do not count.
  template <class Read>
  std::int64_t readIf(bool used, Read&& read) {
    unused_ += used ? 0 : 1;
    const std::int64_t value = read();
    unused_ -= used ? 0 : 1;
    return value;
  }

  std::int64_t choice() {
    if (++depth_ > kDeepest) complain(kTooDeep);
    std::int64_t value = why_.empty() ? either() : 0;
    if (takeOperator("?")) {
      const bool first = value != 0;
      const std::int64_t a = readIf(first, [this] { return choice(); });
      if (!take(':')) complain("the : of a choice a ? b : c is missing");
      const std::int64_t b = readIf(!first, [this] { return choice(); });
      value = first ? a : b;
    }
    --depth_;
    return value;
  }
  std::int64_t either() {
    std::int64_t value = both();
    while (takeOperator("||")) {
      const bool known = value != 0;
      const std::int64_t other = readIf(!known, [this] { return both(); });
      value = known || other != 0 ? 1 : 0;
    }
    return value;
  }
  std::int64_t both() {
    std::int64_t value = bitOr();
    while (takeOperator("&&")) {
      const bool open = value != 0;
      const std::int64_t other = readIf(open, [this] { return bitOr(); });
      value = open && other != 0 ? 1 : 0;
    }
    return value;
  }
  std::int64_t bitOr() {
    std::int64_t value = bitXor();
    while (takeOperator("|", "|")) value |= bitXor();
    return value;
  }
  std::int64_t bitXor() {
    std::int64_t value = bitAnd();
    while (takeOperator("^")) value ^= bitAnd();
    return value;
  }
  std::int64_t bitAnd() {
    std::int64_t value = equality();
    while (takeOperator("&", "&")) value &= equality();
    return value;
  }
  std::int64_t equality() {
    std::int64_t value = order();
    for (;;) {
      if (takeOperator("=="))
        value = value == order() ? 1 : 0;
      else if (takeOperator("!="))
        value = value != order() ? 1 : 0;
      else
        return value;
    }
  }
  std::int64_t order() {
    std::int64_t value = shift();
    for (;;) {
      if (takeOperator("<="))
        value = value <= shift() ? 1 : 0;
      else if (takeOperator(">="))
        value = value >= shift() ? 1 : 0;
      else if (takeOperator("<", "<"))
        value = value < shift() ? 1 : 0;
      else if (takeOperator(">", ">"))
        value = value > shift() ? 1 : 0;
      else
        return value;
    }
  }
  std::int64_t shift() {
    std::int64_t value = sum();
    for (;;) {
      if (takeOperator("<<"))
        value = shifted(value, sum(), true);
      else if (takeOperator(">>"))
        value = shifted(value, sum(), false);
      else
        return value;
    }
  }
  std::int64_t sum() {
    std::int64_t value = product();
    for (;;) {
      if (take('+'))
        value = checked(value, product(), add);
      else if (take('-'))
        value = checked(value, product(), subtract);
      else
        return value;
    }
  }
  std::int64_t product() {
    std::int64_t value = factor();
    for (;;) {
      if (take('*'))
        value = checked(value, factor(), multiply);
      else if (take('/'))
        value = divided(value, factor(), false);
      else if (take('%'))
        value = divided(value, factor(), true);
      else
        return value;
    }
  }
  std::int64_t factor() {
    if (++depth_ > kDeepest) complain(kTooDeep);
    const std::int64_t value = why_.empty() ? primary() : 0;
    --depth_;
    return value;
  }
  std::int64_t primary() {
    if (take('-')) return checked(0, factor(), subtract);
    if (take('~')) return ~factor();
    if (takeOperator("!", "=")) return factor() == 0 ? 1 : 0;
    if (take('(')) {
      const std::int64_t value = choice();
      if (!take(')')) complain("a closing parenthesis is missing");
      return value;
    }
    skip();
    if (at_ >= text_.size()) {
      complain("a number or a name is missing");
      return 0;
    }
    if (isDigit(text_[at_])) return number();
    if (begins(text_[at_])) return named();
    complain("this is neither a number nor a name");
    return 0;
  }
  std::int64_t number() {
    std::int64_t value = 0;
    const bool hexadecimal =
        at_ + 1 < text_.size() && text_[at_] == '0' && (text_[at_ + 1] | 0x20) == 'x';
    if (hexadecimal) at_ += 2;
    const char* const last = text_.data() + text_.size();
    const auto [end, wrong] =
        std::from_chars(text_.data() + at_, last, value, hexadecimal ? 16 : 10);
    if (wrong == std::errc::invalid_argument) {
      complain("a digit is missing behind 0x");
      return 0;
    }
    if (wrong != std::errc()) {
      complain("the number is larger than 2^63");
      return 0;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  std::int64_t named() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (begins(text_[at_]) || isDigit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(first, at_ - first);
    if (take('(')) return called(name, first);
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    std::string known;
    for (const auto& [each, value] : names_) known += (known.empty() ? "" : ", ") + each;
    at_ = first;
    complain(known.empty() ? fmt::format("{} has no value", quotable(name))
                           : fmt::format("{} has no value: names are {}", quotable(name), known));
    return 0;
  }
  std::int64_t called(std::string_view name, std::size_t first) {
    static constexpr std::array<std::string_view, 3> kFunctions = {"cdiv", "min", "max"};
    if (std::ranges::find(kFunctions, name) == kFunctions.end()) {
      at_ = first;
      complain(fmt::format("{} is not a function: choose cdiv, min or max", quotable(name)));
      return 0;
    }
    const std::int64_t a = choice();
    if (!take(',')) complain(fmt::format("{} has two arguments with a comma between", name));
    const std::int64_t b = choice();
    if (!take(')')) complain("a closing parenthesis is missing");
    if (!why_.empty()) return 0;
    if (name == "min") return std::min(a, b);
    if (name == "max") return std::max(a, b);
    const std::int64_t whole = divided(a, b, false);
    const bool more = b != 0 && a % (b == -1 ? 1 : b) != 0 && (a < 0) == (b < 0);
    return more ? whole + 1 : whole;
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int unused_ = 0;  // above 0: the value of what is read is not used
  std::string why_;
};

}  // namespace

tl::expected<std::int64_t, std::string> evaluate(std::string_view text, const Names& names) {
  return Parser(text, names).run();
}

bool isName(std::string_view text) {
  return !text.empty() && begins(text.front()) &&
         std::ranges::all_of(text, [](char c) { return begins(c) || isDigit(c); });
}

}  // namespace tileloom::own
