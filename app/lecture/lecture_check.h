// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a lecture without a window: traces every step, looks up every figure, places every mark,
// and checks every task before and after its solution.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/lecture/lecture_reader.h"
#include "kernels/analysis/recording.h"

namespace tileloom::lecture {

// The recording that the window would make for this session; nullptr where its tile cannot be
// traced.
std::shared_ptr<const analysis::Recording> recordingOf(const Session& session);
TileFacts factsOf(const Session& session, const analysis::Recording* recording,
                  std::optional<int> registers = std::nullopt);

// What the window shows when the step begins: an illegal tile cannot be recorded and is shown over
// the recording of its rung's standard tile.
TileShape recordedTile(const ViewState& state);
// The instant that a step begins at; std::nullopt: at the instruction of its session.
std::optional<Goal> goalOf(const Step& step);

// The first condition that is not met; nullptr: the task is met.
const Condition* firstUnmet(const Task& task, const TileFacts& now, const TileFacts& before);

// All errors, in the order of the steps; the lines are those of the file.
std::vector<Complaint> check(const Lecture& lecture);
// The same of one step; the pointers begin at it: "/marks/2".
std::vector<Complaint> check(const Step& step);

}  // namespace tileloom::lecture
