// SPDX-License-Identifier: GPL-3.0-or-later
// An animation from its first frame to its file, for commands.
#pragma once

#include "app/export/animation.h"
#include "app/export/interruptions.h"

namespace tileloom {

// Runs the writer to its end; empty, or one sentence without a full stop on why there is no
// animation. An interruption ends it, and no files are left.
QString writeAnimation(AnimationSetup setup, const Interruptions& interruptions);

}  // namespace tileloom
