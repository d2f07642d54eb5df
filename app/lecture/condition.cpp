// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/condition.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "kernels/base/plain_text.h"
#include "kernels/base/trimmed.h"

namespace tileloom::lecture {
namespace {

std::optional<double> numberIn(std::string_view text) {
  constexpr double kMost = 1e15;  // far above any count of a tile, and its digits can be shown
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= kMost))
    return std::nullopt;
  return value;
}

// Quotients of counts are compared as they are printed.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

struct Condition::SignRow {
  std::string_view text;
  Sign sign;
  std::string_view words;  // "must be …"
};

// Those of two characters first: "<" begins "<=".
const Condition::SignRow Condition::kSigns[] = {
    {"!=", Sign::NotEqual, "other than "}, {"<=", Sign::AtMost, "at most "},
    {">=", Sign::AtLeast, "at least "},    {"=", Sign::Equal, ""},
    {"<", Sign::Less, "less than "},       {">", Sign::More, "more than "}};

tl::expected<Condition, std::string> Condition::parse(std::string_view text) {
  const SignRow* sign = nullptr;
  std::size_t at = text.npos;
  for (const SignRow& row : kSigns) {
    at = text.find(row.text);
    if (at == text.npos) continue;
    sign = &row;
    break;
  }
  const auto left = Named::find(trimmed(text.substr(0, at)));
  if (!left) return tl::unexpected(left.error());
  Condition condition(*left);
  condition.text_ = std::string(trimmed(text));
  if (sign == nullptr) {
    if (left->name() == "legal") return condition;
    return tl::unexpected(
        fmt::format("the condition \"{}\" has no sign: write for example \"{} = 2\"",
                    quotable(text), left->name()));
  }
  condition.sign_ = sign->sign;
  const std::string_view right = trimmed(text.substr(at + sign->text.size()));
  constexpr std::string_view kBefore = "before";
  if (const auto number = numberIn(right)) {
    condition.right_ = *number;
  } else if (right.starts_with(kBefore)) {
    const std::string_view more = trimmed(right.substr(kBefore.size()));
    Before before;
    if (!more.empty()) {
      const auto step = numberIn(trimmed(more.substr(1)));
      if ((more.front() != '+' && more.front() != '-') || !step) {
        return tl::unexpected(
            fmt::format("\"{}\" is not a value: write for example \"before\" or \"before - 1\"",
                        quotable(right)));
      }
      before.more = more.front() == '-' ? -*step : *step;
    }
    condition.right_ = before;
  } else if (const auto other = Named::find(right)) {
    condition.right_ = *other;
  } else {
    return tl::unexpected(fmt::format(
        "\"{}\" is not a value: write a number, a quantity, or \"before\"", quotable(right)));
  }
  return condition;
}

std::optional<double> Condition::wanted(const TileFacts& now, const TileFacts& before) const {
  if (const auto* number = std::get_if<double>(&right_)) return *number;
  if (const auto* other = std::get_if<Named>(&right_)) return other->value(now);
  const auto then = left_.value(before);
  return then ? std::optional(*then + std::get<Before>(right_).more) : std::nullopt;
}

bool Condition::holds(const TileFacts& now, const TileFacts& before) const {
  const auto is = left_.value(now), should = wanted(now, before);
  if (!is || !should) return false;
  switch (sign_) {
    case Sign::Equal:
      return same(*is, *should);
    case Sign::NotEqual:
      return !same(*is, *should);
    case Sign::Less:
      return *is < *should && !same(*is, *should);
    case Sign::AtMost:
      return *is <= *should || same(*is, *should);
    case Sign::More:
      return *is > *should && !same(*is, *should);
    case Sign::AtLeast:
      return *is >= *should || same(*is, *should);
  }
  return false;
}

std::string Condition::state(const TileFacts& now, const TileFacts& before) const {
  const auto is = left_.value(now), should = wanted(now, before);
  if (left_.name() == "legal") {
    return now.legal ? "this tile breaks no rule"
                     : "this tile breaks a rule, which the tile panel names";
  }
  if (!is) return fmt::format("\"{}\" is not known for this tile", left_.name());
  if (!should) return fmt::format("\"{}\" cannot be judged for this tile", text_);
  std::string_view words;
  for (const SignRow& row : kSigns) {
    if (row.sign == sign_) words = row.words;
  }
  return fmt::format("{} is {} and must be {}{}", left_.name(), left_.text(*is), words,
                     left_.text(*should));
}

}  // namespace tileloom::lecture
