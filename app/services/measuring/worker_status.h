// SPDX-License-Identifier: GPL-3.0-or-later
// Where the figures in the window come from, in words for the status bar.
#pragma once

#include <QString>
#include <optional>

#include "kernels/worker/protocol.h"

namespace tileloom {

struct WorkerStatus {
  const std::optional<worker::WorkerInfo>& info;  // std::nullopt: it has not said hello
  bool expected = false;                          // it was started, and is not given up
  bool lent = false;                              // the tuner has the GPU
  // The worker's reason; empty: they can be read, or no attempt was made.
  QString countersMissing = {};
};

QString workerStatusText(const WorkerStatus& status);

}  // namespace tileloom
