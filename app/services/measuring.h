// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements requested from the worker: those in progress, by tag, what is known of them so
// far, and the tiles tried in this session.
//
//   Measuring measuring(client);
//   measuring.ask(QStringLiteral("now"), request);
//   ... on WorkerClient::progress:  if (const auto now = measuring.progress(id, run)) show(*now);
//   ... on WorkerClient::measured:  if (const auto done = measuring.done(id)) keep(run);
//   ... on WorkerClient::failed:    if (measuring.failed(id, error)) tell(error);
//   if (const auto left = measuring.stop(QStringLiteral("now"))) keepWhatIsThere(left->latest);
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "app/services/lab_machine.h"
#include "app/services/worker_client.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class Measuring {
 public:
  struct Asked {
    QString tag;
    Subject place;
    Problem problem;
    std::optional<runs::RunRecord> latest;  // so far
    // What is worth keeping although the measurement was not finished; nullptr: nothing.
    const runs::RunRecord* unfinished() const;
  };
  static constexpr int kFewestRounds = 5;  // of a run worth keeping

  explicit Measuring(WorkerClient& client) : m_client(client) {}

  // A newer request replaces an older one with this tag.
  void ask(const QString& tag, const worker::MeasureRequest& request);
  // nullptr: no measurement with this tag is in progress.
  const Asked* underWay(const QString& tag) const;
  // Cancels it and returns what was known; std::nullopt if none was in progress.
  std::optional<Asked> stop(const QString& tag);

  // The worker's report on a request; std::nullopt if it was not requested here. After done() and
  // failed() it is no longer in progress, and the tile counts as tried, unless it was cancelled.
  std::optional<Asked> progress(quint64 id, const runs::RunRecord& run);
  std::optional<Asked> done(quint64 id);
  std::optional<Asked> failed(quint64 id, const Error& error);

  bool tried(const Subject& place, const Problem& problem) const;
  // Failed tiles may be tried again.
  void forgetFailures();

 private:
  struct Request {
    quint64 id = 0;
    Asked asked;
  };
  struct Tried {
    Subject place;
    Problem problem;
    bool failed = false;
  };
  using Requests = std::map<QString, Request>;
  Requests::iterator find(quint64 id);
  void remember(const Asked& what, bool failed);

  WorkerClient& m_client;
  Requests m_requests;
  std::vector<Tried> m_tried;
};

}  // namespace tileloom
