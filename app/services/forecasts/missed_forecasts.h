// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts for points of the history that the user left before their recordings came, so that the
// charts of a move do not depend on the speed of the machine.
//
//   connect(&missed, &MissedForecasts::foretold, [&](int point, const auto& forecast) { ... });
//   missed.add(point, request, kernel);
#pragma once

#include <QObject>
#include <deque>
#include <memory>
#include <optional>

#include "app/services/choice/trace_service.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

class MissedForecasts : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // The request must be traceable; the kernel is that of its tile.
  void add(int point, const emulator::TraceRequest& request, const KernelFacts& kernel);
  bool busy() const { return !m_missed.empty(); }

 signals:
  void foretold(int point, const std::optional<tileloom::Forecast>& forecast);

 private:
  struct Missed {
    int point;
    emulator::TraceRequest request;
    KernelFacts kernel;
  };

  void take(const analysis::Recording& recording);

  std::deque<Missed> m_missed;  // the first one is being recorded
  std::unique_ptr<TraceService> m_service;
};

}  // namespace tileloom
