// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/worker_jobs.h"

#include <algorithm>
#include <utility>

namespace tileloom {
namespace {

constexpr std::size_t kCompilesAtOnce = 2;  // background ones only while nothing else compiles

}  // namespace

quint64 WorkerJobs::add(WorkerJob job) {
  const quint64 id = spareId();
  m_jobs.emplace(id, std::move(job));
  return id;
}

WorkerJob* WorkerJobs::find(quint64 id) {
  const auto found = m_jobs.find(id);
  return found == m_jobs.end() ? nullptr : &found->second;
}

std::optional<WorkerJob> WorkerJobs::take(quint64 id) {
  auto node = m_jobs.extract(id);
  return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
}

std::vector<quint64> WorkerJobs::cancel(const QString& tag) {
  std::vector<quint64> sent;
  for (auto it = m_jobs.begin(); it != m_jobs.end();) {
    WorkerJob& job = it->second;
    if (job.tag != tag || job.tag.isEmpty() || job.dropped) {
      ++it;
    } else if (!job.sent) {
      it = m_jobs.erase(it);
    } else {
      job.dropped = true;
      sent.push_back(it->first);
      ++it;
    }
  }
  return sent;
}

std::vector<quint64> WorkerJobs::due() {
  std::erase_if(m_jobs, [](const auto& each) { return !each.second.sent && !each.second.asker; });
  const auto sent = [this](WorkerLane lane) {
    return static_cast<std::size_t>(std::ranges::count_if(
        m_jobs, [lane](const auto& each) { return each.second.sent && each.second.lane == lane; }));
  };
  std::vector<quint64> now;
  // As many waiting ones of a lane as have room beside those that are sent.
  const auto fill = [&](WorkerLane lane, std::size_t& busy, std::size_t most, bool urgent) {
    for (const auto& [id, job] : m_jobs) {
      if (job.sent || job.lane != lane || job.urgent != urgent || busy >= most) continue;
      now.push_back(id);
      ++busy;
    }
  };
  std::size_t compiling = sent(WorkerLane::Compile);
  fill(WorkerLane::Compile, compiling, kCompilesAtOnce, true);
  fill(WorkerLane::Compile, compiling, 1, false);
  for (const WorkerLane lane : {WorkerLane::Gpu, WorkerLane::Disassemble}) {
    std::size_t busy = sent(lane);
    fill(lane, busy, 1, false);
  }
  return now;
}

const WorkerJob* WorkerJobs::late(qint64 now) const {
  const auto found = std::ranges::find_if(
      m_jobs, [now](const auto& each) { return each.second.sent && now >= each.second.deadline; });
  return found == m_jobs.end() ? nullptr : &found->second;
}

bool WorkerJobs::anySent() const {
  return std::ranges::any_of(m_jobs, [](const auto& each) { return each.second.sent; });
}

std::optional<quint64> WorkerJobs::unsend() {
  std::optional<quint64> culprit;
  for (const WorkerLane lane : {WorkerLane::Gpu, WorkerLane::Compile, WorkerLane::Disassemble}) {
    for (const auto& [id, job] : m_jobs) {
      if (!culprit && job.sent && job.lane == lane) culprit = id;
    }
  }
  std::erase_if(m_jobs, [](const auto& each) {
    const WorkerJob& job = each.second;
    return job.lane == WorkerLane::Hello || job.lane == WorkerLane::Ahead || job.dropped;
  });
  for (auto& [id, job] : m_jobs) job.sent = false;
  return culprit;
}

std::optional<quint64> WorkerJobs::oldest(quint64 last) const {
  const bool any = !m_jobs.empty() && m_jobs.begin()->first <= last;
  return any ? std::optional(m_jobs.begin()->first) : std::nullopt;
}

}  // namespace tileloom
