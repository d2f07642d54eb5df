// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/kept_runs.h"

#include <algorithm>

#include "kernels/base/backwards.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom {

QString KeptRuns::load() {
  if (m_file.empty()) return {};
  auto file = runs::readRuns(m_file);
  if (!file) return QString::fromStdString(file.error());
  m_runs = std::move(file->runs);
  return file->complaints.empty() ? QString() : QString::fromStdString(file->complaints.front());
}

QString KeptRuns::keep(const runs::RunRecord& run) {
  m_runs.push_back(run);
  if (m_file.empty()) return {};
  const auto kept = runs::appendRun(m_file, run);
  return kept ? QString() : QString::fromStdString(kept.error());
}

std::size_t KeptRuns::take(std::span<const runs::RunRecord> runs) {
  const std::size_t before = m_runs.size();
  for (const runs::RunRecord& run : runs) {
    const auto known = [&run](const runs::RunRecord& r) {
      return r.when == run.when && r.stage == run.stage && r.format == run.format &&
             r.tile == run.tile && r.problem == run.problem && r.gflops == run.gflops;
    };
    if (std::ranges::none_of(std::span(m_runs).first(before), known)) m_runs.push_back(run);
  }
  return m_runs.size() - before;
}

tl::expected<runs::Imported, QString> KeptRuns::import(const std::filesystem::path& from) {
  auto done = runs::importRuns(m_file, from);
  if (!done) return tl::unexpected(QString::fromStdString(done.error()));
  m_runs.insert(m_runs.end(), done->added.begin(), done->added.end());
  return std::move(*done);
}

QString KeptRuns::exportTo(const std::filesystem::path& to) const {
  const auto done = runs::writeRuns(to, m_runs);
  return done ? QString() : QString::fromStdString(done.error());
}

const runs::RunRecord* KeptRuns::latest(const Subject& subject, const Problem& problem,
                                        std::string_view device) const {
  const Stage& stage = *subject.rung();
  for (const runs::RunRecord& run : backwards(m_runs)) {
    if (run.stage == stage.id && run.tile == subject.tile && run.problem == problem &&
        run.format == subject.format && run.device == device &&
        run.fingerprint == fingerprintOf(stage))
      return &run;
  }
  return nullptr;
}

}  // namespace tileloom
