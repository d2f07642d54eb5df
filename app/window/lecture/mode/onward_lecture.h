// SPDX-License-Identifier: GPL-3.0-or-later
// The lecture to begin with that the tour offers at its end.
#pragma once

#include <QString>
#include <cstddef>
#include <string_view>

#include "app/lecture/lecture.h"

namespace tileloom {

// The lecture offered after this step; empty: none.
std::string_view lectureAfter(const lecture::Lecture& lecture, std::size_t step);
// Empty: there is no such lecture.
QString titleOf(std::string_view lecture);

}  // namespace tileloom
