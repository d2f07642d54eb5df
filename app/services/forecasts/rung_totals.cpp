// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/rung_totals.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <algorithm>

#include "app/services/choice/trace_memory.h"
#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/base/backwards.h"

namespace tileloom {
namespace {

emulator::TraceRequest requestOf(const Launched& launch) {
  emulator::TraceRequest request{launch};
  request.operands = false;
  return request;
}

}  // namespace

RungTotals::RungTotals(QObject* parent) : QObject(parent), m_thread([this] { work(); }) {}

RungTotals::~RungTotals() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
    m_waiting.clear();
  }
  m_wake.notify_one();
  m_thread.join();
}

std::optional<analysis::Totals> RungTotals::of(const Launched& key, Urgency urgency) {
  for (const auto& [known, totals] : backwards(m_known)) {
    if (known == key) return totals;
  }
  if (!emulator::whyNotTraceable(requestOf(key)).empty()) return std::nullopt;
  if (std::ranges::find(m_pending, key) != m_pending.end()) return std::nullopt;
  {
    const std::lock_guard lock(m_mutex);
    if (urgency == Urgency::Now) {
      for (const Job& job : m_waiting) {
        if (job.now) std::erase(m_pending, job.key);
      }
      std::erase_if(m_waiting, [](const Job& job) { return job.now; });
      m_waiting.push_front({key, true});
    } else {
      m_waiting.push_back({key, false});
    }
  }
  m_pending.push_back(key);
  m_wake.notify_one();
  return std::nullopt;
}

void RungTotals::cancel() {
  const std::lock_guard lock(m_mutex);
  for (const Job& job : m_waiting) std::erase(m_pending, job.key);
  m_waiting.clear();
}

void RungTotals::work() {
  TraceMemory memory;
  while (true) {
    std::unique_lock lock(m_mutex);
    memory.await(lock, m_wake, [this] { return m_stop || !m_waiting.empty(); });
    if (m_stop) return;
    const Key key = m_waiting.front().key;
    m_waiting.pop_front();
    lock.unlock();
    const analysis::Totals totals = analysis::gridTotals(memory.workspace(), requestOf(key));
    m_answers.give([this, key, totals] { take(key, totals); });
  }
}

void RungTotals::take(const Key& key, const analysis::Totals& totals) {
  std::erase(m_pending, key);
  if (m_known.size() >= kKept) m_known.erase(m_known.begin(), m_known.begin() + kKept / 4);
  m_known.emplace_back(key, totals);
  emit changed();
}

void RungTotals::finish() {
  if (!busy()) return;
  QEventLoop loop;
  while (busy())
    loop.processEvents(QEventLoop::ExcludeUserInputEvents | QEventLoop::WaitForMoreEvents);
  QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);  // what is drawn later
}

}  // namespace tileloom
