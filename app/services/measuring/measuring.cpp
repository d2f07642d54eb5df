// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/measuring.h"

#include <algorithm>

#include "kernels/tile/subject.h"

namespace tileloom {

const runs::RunRecord* Measuring::Asked::unfinished() const {
  return latest && latest->rounds >= kFewestRounds ? &*latest : nullptr;
}

void Measuring::ask(const QString& tag, const worker::MeasureRequest& request) {
  m_requests[tag] = {tag, request, request.problem, std::nullopt};
  m_client.measure(
      request, tag, this,
      [this, tag](const Result<WorkerClient::Measured>& measured) { take(tag, measured); },
      [this, tag](const runs::RunRecord& run) { takeProgress(tag, run); });
}

const Measuring::Asked* Measuring::underWay(const QString& tag) const {
  const auto found = m_requests.find(tag);
  return found == m_requests.end() ? nullptr : &found->second;
}

std::optional<Measuring::Asked> Measuring::stop(const QString& tag) {
  const auto found = m_requests.find(tag);
  if (found == m_requests.end()) return std::nullopt;
  m_client.cancel(tag);
  return m_requests.extract(found).mapped();
}

void Measuring::takeProgress(const QString& tag, const runs::RunRecord& run) {
  Asked& asked = m_requests.at(tag);
  asked.latest = run;
  emit progress(Asked(asked));  // a slot may stop it
}

void Measuring::take(const QString& tag, const Result<WorkerClient::Measured>& measured) {
  const Asked asked = m_requests.extract(tag).mapped();
  if (measured) {
    remember(asked, false);
    emit done(asked, *measured);
  } else {
    if (measured.error().trouble != Trouble::Cancelled) remember(asked, true);
    emit failed(asked, measured.error());
  }
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
