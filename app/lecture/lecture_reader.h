// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a lecture. Nothing of it is skipped in silence: a name that nobody knows is a complaint.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/lecture/lecture.h"
#include "kernels/base/json_reader.h"

namespace tileloom::lecture {

inline constexpr JsonBounds kLectureBounds{.bytes = 1024 * 1024, .depth = 12, .values = 32 * 1024};

// Members of a session that a step may not have: the room and the eyes decide on these, and the
// file says its own schema.
inline constexpr std::array<std::string_view, 3> kNotOfALecture = {"schema", "theme", "text"};

// What the first step begins from: a window that was just opened, without panels and strips beside
// its pictures.
Session openingSession();

// Where a lecture is wrong, and what was expected there.
struct Complaint {
  int line = 0;          // of the text, from 1
  std::string sentence;  // without a full stop
};

tl::expected<Lecture, Complaint> parseLecture(std::string_view text, std::string_view id);

// The same from a file. The error is one sentence without a full stop with file and line:
// "warps.json, line 12: the step's "minutes" must be a number from 0.1 to 60".
tl::expected<Lecture, std::string> readLecture(const std::filesystem::path& file);
std::string sentenceOf(const Complaint& complaint, std::string_view file);

}  // namespace tileloom::lecture
