// SPDX-License-Identifier: GPL-3.0-or-later
// The last step seen of a lecture, in the settings.
#pragma once

#include <cstddef>

#include "app/lecture/lecture.h"

namespace tileloom {

void keepStep(const lecture::Lecture& lecture, std::size_t step);
// The last step seen; the first one after the lecture was seen to its end.
std::size_t stepToContinueAt(const lecture::Lecture& lecture);

}  // namespace tileloom
