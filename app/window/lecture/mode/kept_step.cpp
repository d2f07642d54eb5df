// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/kept_step.h"

#include <algorithm>
#include <string>

#include "app/window/common/settings.h"

namespace tileloom {
namespace {

std::string stepKey(const lecture::Lecture& lecture) {
  return "lectures/" + lecture.id;
}

}  // namespace

void keepStep(const lecture::Lecture& lecture, std::size_t step) {
  Settings().set(stepKey(lecture), static_cast<int>(step));
}

std::size_t stepToContinueAt(const lecture::Lecture& lecture) {
  const int kept = Settings().number(stepKey(lecture)).value_or(0);
  const auto step = static_cast<std::size_t>(std::max(0, kept));
  return step + 1 < lecture.steps.size() ? step : 0;
}

}  // namespace tileloom
