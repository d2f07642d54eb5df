// SPDX-License-Identifier: GPL-3.0-or-later
// Exports a lecture: each step as the window shows it, as one of the kinds of files.
#pragma once

#include <QString>

#include "app/lecture/lecture.h"
#include "app/render/export_setup.h"

namespace tileloom::lecture {

// Empty, or one sentence without a full stop on why it was not written; then no partial file is
// left. A signal ends it, and sets `interrupted`. Needs an Application.
QString exportLecture(const Lecture& lecture, const ExportSetup& setup,
                      bool* interrupted = nullptr);

}  // namespace tileloom::lecture
