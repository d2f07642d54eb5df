// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements requested from the worker: those in progress, by tag, what is known of them so
// far, and the tiles tried in this session.
//
//   Measuring measuring(client);
//   connect(&measuring, &Measuring::done, this, &Lab::takeMeasured);
//   measuring.ask(QStringLiteral("now"), request);
//   if (const auto left = measuring.stop(QStringLiteral("now"))) keepWhatIsThere(left->latest);
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "app/services/measuring/lab_machine.h"
#include "app/services/measuring/worker_client.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class Measuring : public QObject {
  Q_OBJECT
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

  bool tried(const Subject& place, const Problem& problem) const;
  // Failed tiles may be tried again.
  void forgetFailures();

 signals:
  // There are newer results: Asked::latest.
  void progress(const tileloom::Measuring::Asked& what);
  // It is no longer in progress, and the tile counts as tried, unless the worker cancelled it.
  void done(const tileloom::Measuring::Asked& what,
            const tileloom::WorkerClient::Measured& measured);
  void failed(const tileloom::Measuring::Asked& what, const tileloom::Error& error);

 private:
  struct Tried {
    Subject place;
    Problem problem;
    bool failed = false;
  };
  void take(const QString& tag, const Result<WorkerClient::Measured>& measured);
  void takeProgress(const QString& tag, const runs::RunRecord& run);
  void remember(const Asked& what, bool failed);

  WorkerClient& m_client;
  std::map<QString, Asked> m_requests;
  std::vector<Tried> m_tried;
};

}  // namespace tileloom
