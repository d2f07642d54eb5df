// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/tile_forecasts.h"

#include <QThread>
#include <memory>

#include "kernels/model/foretell.h"

namespace tileloom {

TileForecasts::~TileForecasts() {
  if (m_thread == nullptr) return;
  m_thread->disconnect(this);
  m_thread->wait();  // a map's worth of tiles: a fraction of a second
  delete m_thread;
}

void TileForecasts::ask(Question question) {
  if (m_thread != nullptr) {
    m_waiting = std::move(question);
  } else {
    begin(std::move(question));
  }
}

void TileForecasts::begin(Question question) {
  struct Work {
    Question question;
    std::vector<double> gflops;
  };
  const auto work = std::make_shared<Work>(Work{std::move(question), {}});
  m_thread = QThread::create([work] {
    const Question& q = work->question;
    work->gflops = model::foretell(stageTiles(*q.stage, q.tiles), q.problem, q.arch, q.rates);
  });
  connect(m_thread, &QThread::finished, this, [this, work] {
    m_thread->deleteLater();
    m_thread = nullptr;
    emit answered(work->question, work->gflops);
    if (!m_waiting || m_thread != nullptr) return;
    Question next = std::move(*m_waiting);
    m_waiting.reset();
    begin(std::move(next));
  });
  m_thread->start(QThread::LowPriority);
}

}  // namespace tileloom
