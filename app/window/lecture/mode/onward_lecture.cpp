// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/onward_lecture.h"

#include "app/lecture/lecture_files.h"

namespace tileloom {
namespace {

constexpr std::string_view kAfterTheTour = "ladder";

}  // namespace

std::string_view lectureAfter(const lecture::Lecture& lecture, std::size_t step) {
  const bool atEnd = lecture.id == lecture::kShowMeAround && step + 1 == lecture.steps.size();
  return atEnd ? kAfterTheTour : std::string_view();
}

QString titleOf(std::string_view lecture) {
  if (lecture.empty()) return {};
  const auto read = lecture::lectureNamed(lecture);
  return read ? QString::fromStdString(read->title) : QString();
}

}  // namespace tileloom
