// SPDX-License-Identifier: GPL-3.0-or-later
// Lectures that are made in the window: what is shown becomes a step of a file.
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

// What the name of such a file ends in: a desktop knows it by this, and others by nothing.
inline constexpr std::string_view kLectureEnding = ".lecture.json";

// The file's name without its ending, fit to be a title.
std::string titleOf(const std::filesystem::path& file);
// A lecture without steps.
std::string newLectureText(const std::string& title);
// A figure stands between braces: those of a person's own text are no figures.
std::string escaped(std::string_view text);

// Adds a step behind the last one of a lecture's file, which is made if it is not there, and says
// how many steps it has now. The file keeps everything else that it has. The error is one sentence
// without a full stop, and the file is as it was.
tl::expected<std::size_t, std::string> addStep(const std::filesystem::path& file,
                                               const NewStep& step);

}  // namespace tileloom::lecture
