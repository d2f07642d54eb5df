// SPDX-License-Identifier: GPL-3.0-or-later
// Exports a lecture: each step as the window shows it, as one of the kinds of files.
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "app/lecture/export_kinds.h"
#include "app/lecture/lecture.h"
#include "viz/base/theme.h"

namespace tileloom::lecture {

struct ExportSetup {
  QSize size{1920, 1080};  // of the window in the pictures, pixels
  Look look = Look::Light;
  QString out;                                    // the file, or the folder
  std::vector<std::size_t> steps;                 // from 0; empty: all
  std::optional<ExportKind> kind = std::nullopt;  // std::nullopt: given by the suffix of `out`
  std::optional<bool> notes = std::nullopt;       // std::nullopt: as usual for this kind
  // Called for each finished step, or frame of a film; may be empty.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

// Empty, or one sentence without a full stop on why it was not written; then no partial file is
// left. A signal ends it, and sets `interrupted`. Needs an Application.
QString exportLecture(const Lecture& lecture, const ExportSetup& setup,
                      bool* interrupted = nullptr);

}  // namespace tileloom::lecture
