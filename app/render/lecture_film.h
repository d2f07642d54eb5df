// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture as a film: each step stays for the time that its words take to read, the window moves
// to the next one as for an audience, and playback in a step plays.
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <vector>

#include "app/export/animation.h"
#include "app/export/interruptions.h"
#include "app/lecture/lecture.h"

namespace tileloom::lecture {

class LectureStage;

// Frames of a film that are made in the same way.
struct Shot {
  enum class Kind {
    Pass,   // from what is shown to the step
    Still,  // one picture
    Play,   // the loom plays
  };
  Kind kind = Kind::Still;
  std::size_t step = 0;
  int frames = 1;

  bool operator==(const Shot&) const = default;
};

// The film of these steps, in their order, at `fps` frames per second.
std::vector<Shot> shotsOf(const Lecture& lecture, const std::vector<std::size_t>& steps, int fps);

// Writes it; empty, or one sentence without a full stop on why not. `progress` is called for each
// painted frame, and may be empty.
QString writeFilm(LectureStage& stage, const std::vector<Shot>& shots, int fps,
                  const AnimationTarget& target, const Interruptions& interruptions,
                  const std::function<void(std::size_t done, std::size_t all)>& progress = {});

// Frames per second of such a file.
int filmFps(AnimationFormat format);

// Empty, or one sentence without a full stop on why such a film cannot be made: ffmpeg holds all
// frames of a GIF until it has chosen the colours.
QString whyNotFilmed(AnimationFormat format, const std::vector<Shot>& shots, const QSize& size);

}  // namespace tileloom::lecture
