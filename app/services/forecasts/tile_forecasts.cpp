// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/tile_forecasts.h"

#include <utility>

#include "kernels/model/prediction/foretell.h"
#include "kernels/tile/subject.h"

namespace tileloom {

TileForecasts::TileForecasts(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_pool.setThreadPriority(QThread::LowPriority);
}

TileForecasts::~TileForecasts() {
  m_pool.waitForDone();  // a map's worth of tiles: a fraction of a second
}

void TileForecasts::ask(Question question) {
  m_next = std::move(question);
  begin();
}

void TileForecasts::begin() {
  if (!m_next || m_busy) return;
  m_busy = true;
  m_pool.start([this, q = *std::exchange(m_next, std::nullopt)]() mutable {
    std::vector<double> gflops = model::foretell(
        subjectsOf(*q.stage, q.stage->usualFormat(), q.tiles), q.problem, q.arch, q.rates);
    m_answers.give([this, q = std::move(q), gflops = std::move(gflops)] {
      m_busy = false;
      emit answered(q, gflops);
      begin();
    });
  });
}

}  // namespace tileloom
