// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements that the worker was asked for: which are under way, by tag, what is known of
// them so far, and which tiles have been tried in this session.
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

namespace tileloom {

class Measuring {
 public:
  struct Asked {
    QString tag;
    Place place;
    Problem problem;
    std::optional<runs::RunRecord> latest;  // so far
    // What it is worth keeping although it was not finished; nullptr: nothing.
    const runs::RunRecord* unfinished() const;
  };
  static constexpr int kFewestRounds = 5;  // of a run that is worth keeping

  explicit Measuring(WorkerClient& client) : m_client(client) {}

  // A newer request takes the place of an older one with this tag.
  void ask(const QString& tag, const worker::MeasureRequest& request);
  // nullptr: nothing with this tag is under way.
  const Asked* underWay(const QString& tag) const;
  // Cancels it and gives what was known; std::nullopt if nothing was under way.
  std::optional<Asked> stop(const QString& tag);

  // What the worker says of a request; std::nullopt if it was not asked for here. After done() and
  // failed() it is no longer under way, and the tile counts as tried, unless it was cancelled.
  std::optional<Asked> progress(quint64 id, const runs::RunRecord& run);
  std::optional<Asked> done(quint64 id);
  std::optional<Asked> failed(quint64 id, const Error& error);

  bool tried(const Place& place, const Problem& problem) const;
  // What has failed may be tried again.
  void forgetFailures();

 private:
  struct Request {
    quint64 id = 0;
    Asked asked;
  };
  struct Tried {
    Place place;
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
