// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture as one page of HTML, with its pictures in it: nothing is loaded from elsewhere.
#pragma once

#include "app/render/lecture_steps.h"

namespace tileloom::lecture {

// Empty, or one sentence without a full stop on why it was not written.
QString writeHtml(const ExportSteps& all, bool notes, const QString& file);

}  // namespace tileloom::lecture
