// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that this user has made or imported: in memory, and in one file on disk if there is one.
// An error is a sentence; an empty text means success.
//
//   KeptRuns kept(runs::defaultRunFile());
//   if (const QString trouble = kept.load(); !trouble.isEmpty()) tell(trouble);
//   kept.keep(run);
//   if (const auto* run = kept.latest(stage, tile, problem, Arithmetic::Fp32, "NVIDIA H100 80GB
//   HBM3")) draw(*run);
#pragma once

#include <QString>
#include <filesystem>
#include <span>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_exchange.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class KeptRuns {
 public:
  // An empty name: nothing is read or written.
  explicit KeptRuns(std::filesystem::path file) : m_file(std::move(file)) {}

  const std::filesystem::path& file() const { return m_file; }
  const std::vector<runs::RunRecord>& all() const { return m_runs; }  // the latest last

  // Reads the file and returns what is wrong with it, if anything; good lines are taken in any
  // case.
  QString load();
  // Also adds it to the file. It stays in memory even if it cannot be written.
  QString keep(const runs::RunRecord& run);
  // Takes runs that another writer has put on disk. Returns how many are new.
  std::size_t take(std::span<const runs::RunRecord> runs);
  // Adds another file's runs to this one's.
  tl::expected<runs::Imported, QString> import(const std::filesystem::path& from);
  QString exportTo(const std::filesystem::path& to) const;

  // The latest run of this subject with the stage's present source on this device;
  // nullptr: none.
  const runs::RunRecord* latest(const Subject& subject, const Problem& problem,
                                std::string_view device) const;

 private:
  std::filesystem::path m_file;
  std::vector<runs::RunRecord> m_runs;
};

}  // namespace tileloom
