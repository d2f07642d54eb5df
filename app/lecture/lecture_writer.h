// SPDX-License-Identifier: GPL-3.0-or-later
// Writes lectures from the window: adds its state as a step of a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/session/session.h"

namespace tileloom::lecture {

struct NewStep {
  Session session;
  std::string headline, text;
};

// The suffix of such a file, by which a desktop recognises it.
inline constexpr std::string_view kLectureEnding = ".lecture.json";

// The file's name without its ending, fit to be a title.
std::string titleOf(const std::filesystem::path& file);
// A lecture without steps.
std::string newLectureText(const std::string& title);
// Braces enclose figures: those of the user's text are escaped.
std::string escaped(std::string_view text);

// Adds a step after the last one of a lecture's file, which is made if it does not exist, and
// returns the new number of steps. The rest of the file stays. The error is one sentence without a
// full stop; the file is unchanged then.
tl::expected<std::size_t, std::string> addStep(const std::filesystem::path& file,
                                               const NewStep& step);

}  // namespace tileloom::lecture
