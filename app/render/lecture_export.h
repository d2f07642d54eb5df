// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture to take home: each step as the window shows it, with its text, notes and answers.
#pragma once

#include <QSize>
#include <QString>

#include "app/lecture/lecture.h"
#include "viz/base/theme.h"

namespace tileloom::lecture {

struct ExportSetup {
  QSize size{1920, 1080};  // of the window in the pictures, pixels
  Look look = Look::Light;
  QString out;  // ends in .pdf, .html, .mp4 or .gif; else a folder, for a PNG per step
  std::vector<std::size_t> steps;  // from 0; empty: all
};

// Empty, or one sentence without a full stop on why it was not written; nothing is left half
// written then. `interrupted` becomes whether a signal has ended a film. Needs an Application.
QString exportLecture(const Lecture& lecture, const ExportSetup& setup,
                      bool* interrupted = nullptr);

}  // namespace tileloom::lecture
