// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a lecture in a menu: finished ones have a tick, and the present one is bold.
#pragma once

#include <QMenu>
#include <functional>

#include "app/lecture/figures.h"
#include "app/lecture/lecture.h"
#include "app/window/lecture/lecture_answers.h"

namespace tileloom {

// A name for a menu, without mnemonics.
QString plainEntry(QString name);

// A child of `parent` that is deleted when it closes. `pick` gets the chosen step.
QMenu* contentsMenu(QWidget& parent, const lecture::Lecture& lecture, std::size_t present,
                    const lecture::TileFacts& facts, const LectureAnswers& answers,
                    const std::function<void(std::size_t)>& pick);

}  // namespace tileloom
