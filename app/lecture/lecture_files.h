// SPDX-License-Identifier: GPL-3.0-or-later
// The lectures that there are: those that ship inside the executable, and the person's own.
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

// The one that the program's first start offers.
inline constexpr std::string_view kShowMeAround = "show-me-around";

struct Entry {
  std::string id;  // "bank-conflicts"
  bool shipped = true;
  std::filesystem::path file;                              // of the person's own
  tl::expected<Lecture, std::string> lecture = Lecture{};  // or what is wrong with it
};

// In the order in which they are to be taken: the shipped ones first.
std::vector<Entry> allLectures();

// One of these by its id, or any file by its name. The error is one sentence without a full stop.
tl::expected<Lecture, std::string> lectureNamed(std::string_view name);

// Where a person's own lectures are; empty: nowhere.
std::filesystem::path ownLectureFolder();

}  // namespace tileloom::lecture
