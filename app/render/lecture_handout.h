// SPDX-License-Identifier: GPL-3.0-or-later
// A handout on A4: the views of each step with its text, notes and question below, and the answers
// on pages of their own at the end.
#pragma once

#include "app/render/lecture_steps.h"

namespace tileloom::lecture {

// Empty, or one sentence without a full stop on why the PDF was not written.
QString writeHandout(const ExportSteps& all, bool notes, const QString& file);

}  // namespace tileloom::lecture
