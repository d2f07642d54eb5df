// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/tune_engine.h"

#include <utility>

namespace tileloom {
namespace {

constexpr std::size_t kAhead = 64;  // tiles; enough to keep a worker busy

TuneReport broken(std::string why) {
  TuneReport report;
  report.error = std::move(why);
  return report;
}

}  // namespace

TuneReport TuneEngine::open(const tuning::TuneRequest& request, const tuning::TuneDevice& device,
                            const Architecture& arch, bool anew) {
  m_session.reset();
  auto plan = planTuning(request, device, arch);
  if (!plan) return broken(plan.error());
  const auto file = tuning::journalIn(m_files.folder, plan->header);
  if (anew) {
    if (const auto done = tuning::putAside(file); !done) return broken(done.error());
  }
  auto session = tuning::TuneSession::open(std::move(*plan), file);
  if (!session) return broken(session.error());
  m_session.emplace(std::move(*session));
  TuneReport r = report();
  r.wantsPredictions = m_session->wantsPredictions();
  const auto& candidates = m_session->search().candidates();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (r.wantsPredictions) r.candidates.push_back(candidates[i].subject());
    if (auto record = m_session->recordOf(i)) r.measured.push_back(std::move(*record));
  }
  return r;
}

TuneReport TuneEngine::compiled(int registers, int spillBytes) {
  return m_session ? report(m_session->compiled(registers, spillBytes)) : TuneReport{};
}

TuneReport TuneEngine::timed(const runs::RunRecord& record, double seconds,
                             std::span<const double> predicted) {
  if (!m_session) return {};
  const auto step = m_session->next();
  TuneReport r = report(m_session->timed(record, seconds), predicted);
  if (!step || !r.error.empty()) return r;
  if (auto known = m_session->recordOf(step->candidate)) r.measured.push_back(std::move(*known));
  return r;
}

TuneReport TuneEngine::failed(const std::string& why, double seconds,
                              std::span<const double> predicted) {
  return m_session ? report(m_session->failed(why, seconds), predicted) : TuneReport{};
}

TuneReport TuneEngine::report(tuning::TuneSession::Done done, std::span<const double> predicted) {
  if (done && !predicted.empty()) done = m_session->predicted(predicted);
  if (!done) return broken(done.error());
  TuneReport r;
  r.step = m_session->next();
  r.funnel = m_session->funnel();
  r.progress = m_session->search().progress();
  r.resumedFrom = m_session->resumedFrom();
  if (r.progress.best) r.best = m_session->search().candidates()[*r.progress.best].subject();
  if (r.step) {
    r.ahead = m_session->ahead(m_session->wantsPredictions() ? kAhead / 4 : kAhead);
  } else {
    r.outcome = outcome();
  }
  return r;
}

TuneOutcome TuneEngine::outcome() {
  TuneOutcome o;
  const tuning::Verdict verdict = m_session->search().verdict();
  for (const tuning::Standing& s : verdict.tied)
    o.tied.push_back(m_session->search().candidates()[s.candidate].subject());
  o.won = verdict.winner.has_value();
  if (!verdict.tied.empty()) o.gflops = verdict.tied.front().gflops;
  for (const tuning::Standing& s : verdict.standings) {
    if (auto record = m_session->recordOf(s.candidate)) o.records.push_back(std::move(*record));
  }
  if (!m_files.history.empty()) {
    if (const auto kept = m_session->keep(m_files.history, m_files.best); !kept)
      o.notKept = kept.error();
  }
  return o;
}

}  // namespace tileloom
