// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/choice/trace_service.h"

#include "app/services/choice/trace_memory.h"

namespace tileloom {

TraceService::TraceService(QObject* parent) : QObject(parent), m_thread([this] { work(); }) {}

TraceService::~TraceService() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
    m_waiting.reset();
  }
  m_wake.notify_one();
  m_thread.join();
}

quint64 TraceService::request(const emulator::TraceRequest& request) {
  const quint64 tag = ++m_asked;
  {
    const std::lock_guard lock(m_mutex);
    m_waiting = {request, tag};
  }
  m_wake.notify_one();
  return tag;
}

void TraceService::cancel() {
  const std::lock_guard lock(m_mutex);
  m_waiting.reset();
  m_answered = ++m_asked;
}

void TraceService::work() {
  TraceMemory memory;
  while (true) {
    std::unique_lock lock(m_mutex);
    memory.await(lock, m_wake, [this] { return m_stop || m_waiting.has_value(); });
    if (m_stop) return;
    const auto [request, tag] = *m_waiting;
    m_waiting.reset();
    lock.unlock();
    auto recording = analysis::record(memory.workspace(), request);
    m_answers.give([this, recording = std::move(recording), tag = tag] { answer(recording, tag); });
  }
}

void TraceService::answer(std::shared_ptr<const analysis::Recording> recording, quint64 tag) {
  if (tag != m_asked) return;
  m_answered = tag;
  emit recorded(std::move(recording), tag);
}

}  // namespace tileloom
