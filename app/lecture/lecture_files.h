// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the lectures: those that ship inside the executable, and the user's own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "app/lecture/lecture.h"
#include "kernels/base/embedded_file.h"

namespace tileloom::lecture {

// Of resources/lectures, by name.
std::span<const EmbeddedFile> lectureFiles();

// The one offered at the first start.
inline constexpr std::string_view kShowMeAround = "show-me-around";

struct Entry {
  std::string id;  // "bank-conflicts"
  bool shipped = true;
  std::filesystem::path file;                              // of the user's own
  tl::expected<Lecture, std::string> lecture = Lecture{};  // or its error
};

// In the recommended order: the shipped ones first.
std::vector<Entry> allLectures();

// One of these by its id, or any file by its name. The error is one sentence without a full stop.
tl::expected<Lecture, std::string> lectureNamed(std::string_view name);

// The folder of the user's own lectures; empty: there is none.
std::filesystem::path ownLectureFolder();

}  // namespace tileloom::lecture
