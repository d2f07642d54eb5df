// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring.h"
#include "kernels/tile/subject.h"

#include <algorithm>

namespace tileloom {

const runs::RunRecord* Measuring::Asked::unfinished() const {
  return latest && latest->rounds >= kFewestRounds ? &*latest : nullptr;
}

void Measuring::ask(const QString& tag, const worker::MeasureRequest& request) {
  const quint64 id = m_client.measure(request, tag);
  m_requests[tag] = {id, {tag, request, request.problem, std::nullopt}};
}

const Measuring::Asked* Measuring::underWay(const QString& tag) const {
  const auto found = m_requests.find(tag);
  return found == m_requests.end() ? nullptr : &found->second.asked;
}

std::optional<Measuring::Asked> Measuring::stop(const QString& tag) {
  const auto found = m_requests.find(tag);
  if (found == m_requests.end()) return std::nullopt;
  m_client.cancel(tag);
  return m_requests.extract(found).mapped().asked;
}

Measuring::Requests::iterator Measuring::find(quint64 id) {
  return std::ranges::find_if(m_requests, [id](const auto& r) { return r.second.id == id; });
}

std::optional<Measuring::Asked> Measuring::progress(quint64 id, const runs::RunRecord& run) {
  const auto found = find(id);
  if (found == m_requests.end()) return std::nullopt;
  found->second.asked.latest = run;
  return found->second.asked;
}

std::optional<Measuring::Asked> Measuring::done(quint64 id) {
  const auto found = find(id);
  if (found == m_requests.end()) return std::nullopt;
  Asked asked = m_requests.extract(found).mapped().asked;
  remember(asked, false);
  return asked;
}

std::optional<Measuring::Asked> Measuring::failed(quint64 id, const Error& error) {
  const auto found = find(id);
  if (found == m_requests.end()) return std::nullopt;
  Asked asked = m_requests.extract(found).mapped().asked;
  if (error.trouble != Trouble::Cancelled) remember(asked, true);
  return asked;
}

bool Measuring::tried(const Subject& place, const Problem& problem) const {
  return std::ranges::any_of(
      m_tried, [&](const Tried& t) { return t.place == place && t.problem == problem; });
}

void Measuring::forgetFailures() {
  std::erase_if(m_tried, [](const Tried& t) { return t.failed; });
}

void Measuring::remember(const Asked& what, bool failed) {
  std::erase_if(m_tried, [&what](const Tried& t) {
    return t.place == what.place && t.problem == what.problem;
  });
  m_tried.push_back({what.place, what.problem, failed});
}

}  // namespace tileloom
