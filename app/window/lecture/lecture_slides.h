// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a step for the lecture panel and the speaker's window, with figures filled in.
#pragma once

#include "app/lecture/lecture.h"
#include "app/window/lecture/lecture_answers.h"
#include "app/window/lecture/speaker_window.h"
#include "viz/lecture/lecture_slide.h"

namespace tileloom {

// `facts` are those of the step's own tile; `answer`, its progress.
LectureSlide slideOf(const lecture::Lecture& lecture, std::size_t step,
                     const lecture::TileFacts& facts, const LectureAnswer& answer);
SpeakerPage speakerPageOf(const lecture::Lecture& lecture, std::size_t step,
                          const lecture::TileFacts& facts);

}  // namespace tileloom
