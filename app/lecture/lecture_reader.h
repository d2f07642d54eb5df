// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a lecture. Unknown names are complaints; nothing is ignored silently.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "app/lecture/lecture.h"
#include "kernels/base/json_reader.h"

namespace tileloom::lecture {

inline constexpr JsonBounds kLectureBounds{.bytes = 1024 * 1024, .depth = 12, .values = 32 * 1024};

// Members of a session that a step may not have: theme and text size depend on the room, and the
// lecture has its own schema.
inline constexpr std::array<std::string_view, 3> kNotOfALecture = {"schema", "theme", "text"};

// The state before the first step: a new window, without panels and strips.
Session openingSession();

// The place of an error in a lecture, and the expected value.
struct Complaint {
  int line = 0;          // of the text, from 1; 0: without a text
  std::string sentence;  // without a full stop
  std::string pointer;   // to the value, as RFC 6901 has it: "/steps/3/question/answer"
};

// Reads the members of a session that `object` has into `into`. Pointers of errors begin at
// `object`.
std::optional<Complaint> readSessionMembers(const nlohmann::json& object, Session& into);

tl::expected<Lecture, Complaint> parseLecture(std::string_view text, std::string_view id);

// A lecture during editing: its valid part, and all errors. A step with an error in one part has
// the other parts. The session of the first step may name no stage: then the list of steps is
// empty.
struct Attempt {
  Lecture lecture;
  std::vector<Complaint> complaints;  // in the order of the file
};
Attempt attemptLecture(const nlohmann::json& whole, std::string_view id);

// The same from a file. The error is one sentence without a full stop with file and line:
// "warps.json, line 12: the step's "minutes" must be a number from 0.1 to 60".
tl::expected<Lecture, std::string> readLecture(const std::filesystem::path& file);
std::string sentenceOf(const Complaint& complaint, std::string_view file);

}  // namespace tileloom::lecture
