// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of an export, one after the other: a signal can end it between two of them.
#pragma once

#include <QString>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "app/export/interruptions.h"
#include "app/render/lecture_stage.h"

namespace tileloom::lecture {

struct ExportSteps {
  LectureStage& stage;
  const Lecture& lecture;
  std::span<const std::size_t> steps;
  const Interruptions& interruptions;
  const std::function<void(std::size_t done, std::size_t all)>& progress;

  // Calls `write` with each step and its place among the written ones. Empty, or one sentence
  // without a full stop on why it did not reach the end.
  QString each(const std::function<void(std::size_t step, std::size_t place)>& write) const;
};

}  // namespace tileloom::lecture
