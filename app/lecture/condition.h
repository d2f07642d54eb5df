// SPDX-License-Identifier: GPL-3.0-or-later
// What a task of a lecture asks for, as the program can check it: "stamps = 2", "legal",
// "blocks per SM = before - 1", "store conflicts = 0".
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "app/lecture/quantities.h"

namespace tileloom::lecture {

class Condition {
 public:
  // Or one sentence without a full stop.
  static tl::expected<Condition, std::string> parse(std::string_view text);

  // `before` is how the step began. What is not known holds nowhere.
  bool holds(const TileFacts& now, const TileFacts& before) const;
  // What is the case, for somebody who has not met it: "stamps is 1 and has to be 2".
  std::string state(const TileFacts& now, const TileFacts& before) const;
  const std::string& text() const { return text_; }

 private:
  enum class Sign { Equal, NotEqual, Less, AtMost, More, AtLeast };
  struct SignRow;
  static const SignRow kSigns[];
  struct Before {
    double more = 0;
  };

  explicit Condition(Named left) : left_(left) {}
  std::optional<double> wanted(const TileFacts& now, const TileFacts& before) const;

  std::string text_;
  Named left_;
  Sign sign_ = Sign::Equal;
  std::variant<double, Named, Before> right_ = 1.0;
};

}  // namespace tileloom::lecture
