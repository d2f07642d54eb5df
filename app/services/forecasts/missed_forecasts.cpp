// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/missed_forecasts.h"

#include <utility>

#include "app/services/forecasts/forecaster.h"

namespace tileloom {

void MissedForecasts::add(int point, const emulator::TraceRequest& request,
                          const KernelFacts& kernel) {
  m_missed.push_back({point, request, kernel});
  if (m_missed.size() > 1) return;
  if (m_service == nullptr) {
    m_service = std::make_unique<TraceService>();
    connect(m_service.get(), &TraceService::recorded, this,
            [this](const std::shared_ptr<const analysis::Recording>& recording, quint64) {
              take(*recording);
            });
  }
  m_service->request(request);
}

void MissedForecasts::take(const analysis::Recording& recording) {
  const Missed done = std::move(m_missed.front());
  m_missed.pop_front();
  if (!m_missed.empty()) m_service->request(m_missed.front().request);
  emit foretold(done.point, forecastOf(recording, done.kernel));
}

}  // namespace tileloom
