// SPDX-License-Identifier: GPL-3.0-or-later
// Slides: a page per step, the window as the audience sees it, drawn in lines and letters.
#pragma once

#include "app/render/lecture_steps.h"

namespace tileloom::lecture {

// Empty, or one sentence without a full stop on why the PDF was not written.
QString writeSlides(const ExportSteps& all, const QString& file);

}  // namespace tileloom::lecture
