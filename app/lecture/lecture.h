// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture as plain values, as described in docs/lectures.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lecture/condition.h"
#include "app/session/session.h"
#include "viz/lecture/mark.h"

namespace tileloom::lecture {

inline constexpr std::string_view kLectureSchema = "tileloom.lecture/1";

struct Question {
  std::string asks, answer, hint;
  std::vector<std::string> choices;  // empty: no choices
  std::optional<std::size_t> right;  // of the choices
  std::optional<double> number;      // to be typed
  bool checked() const { return right.has_value() || number.has_value(); }
};

struct Task {
  std::string asks, answer, hint;
  std::vector<Condition> until;  // all must be met
  Session solution;              // a window that meets it
};

// The instant that a step shows.
struct Instant {
  std::string line;  // a part of one line of the rung's source
  std::uint32_t kTile = 0;
};

struct Step {
  std::string headline, text;
  std::vector<std::string> notes;
  double minutes = 1;
  Session session;           // complete: inherited members are filled in
  bool instruction = false;  // the session says which
  std::optional<Instant> at;
  bool plays = false;
  std::vector<Mark> marks;
  std::optional<Question> question;
  std::optional<Task> task;
  int line = 0;  // of the file, on which it begins
};

struct Lecture {
  std::string id;  // the file's name without its ending
  std::string title, about, level;
  std::vector<Step> steps;
  double minutes() const;
};

}  // namespace tileloom::lecture
