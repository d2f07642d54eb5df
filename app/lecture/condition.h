// SPDX-License-Identifier: GPL-3.0-or-later
// A condition of a task in a lecture: "subtiles = 2", "legal", "blocks per SM = before - 1", "store
// conflicts = 0".
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

  // `before` is the beginning of the step. A condition on an unknown quantity is false.
  bool holds(const TileFacts& now, const TileFacts& before) const;
  // The state of a condition that is not met: "subtiles is 1 and must be 2".
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
