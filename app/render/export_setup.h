// SPDX-License-Identifier: GPL-3.0-or-later
// What of a lecture is exported, and how.
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "app/lecture/export_kinds.h"
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

}  // namespace tileloom::lecture
