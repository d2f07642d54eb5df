// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/lecture/lecture_reader.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/user_folders.h"
#include "kernels/tile/placement.h"

namespace tileloom::lecture {
namespace {

namespace fs = std::filesystem;

// The recommended order; others follow by name.
constexpr std::array<std::string_view, 6> kOrder = {
    kShowMeAround, "ladder", "bank-conflicts", "warp-tiling", "past-the-library", "warp-roles"};

std::size_t placeOf(const Entry& entry) {
  return static_cast<std::size_t>(std::ranges::find(kOrder, entry.id) - kOrder.begin());
}

constexpr std::size_t kMostOwn = 200;

}  // namespace

fs::path ownLectureFolder() {
  return userDataFile("lectures");
}

std::vector<Entry> allLectures() {
  std::vector<Entry> all;
  for (const EmbeddedFile& file : lectureFiles()) {
    Entry entry;
    entry.id = fs::path(file.name).stem().string();
    auto lecture = parseLecture(file.text, entry.id);
    if (lecture) {
      entry.lecture = std::move(*lecture);
    } else {
      entry.lecture = tl::unexpected(sentenceOf(lecture.error(), file.name));
    }
    all.push_back(std::move(entry));
  }
  std::ranges::stable_sort(all, {}, placeOf);
  std::error_code unreadable;
  std::vector<fs::path> own;
  for (fs::directory_iterator at(ownLectureFolder(), unreadable), end; !unreadable && at != end;
       at.increment(unreadable)) {
    if (at->path().extension() == ".json") own.push_back(at->path());
  }
  std::ranges::sort(own);
  if (own.size() > kMostOwn) own.resize(kMostOwn);
  for (const fs::path& file : own) {
    Entry entry{file.stem().string(), false, file};
    entry.lecture = readLecture(file);
    all.push_back(std::move(entry));
  }
  return all;
}

tl::expected<Lecture, std::string> lectureNamed(std::string_view name) {
  const fs::path file(name);
  std::error_code unreadable;
  if (file.extension() == ".json" || fs::is_regular_file(file, unreadable))
    return readLecture(file);
  std::string known;
  for (Entry& entry : allLectures()) {
    if (entry.id == name) return std::move(entry.lecture);
    known += (known.empty() ? "" : ", ") + entry.id;
  }
  return tl::unexpected(
      fmt::format("there is no lecture \"{}\": choose a file or one of {}", quotable(name), known));
}

}  // namespace tileloom::lecture
