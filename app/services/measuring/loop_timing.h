// SPDX-License-Identifier: GPL-3.0-or-later
// How long one iteration of a rewritten main loop takes in all versions: measured by the worker in
// this session, or recorded.
//
//   LoopTiming timing(lab.client());
//   timing.measure(subject);  // changed() follows
//   if (const auto times = timing.of(subject)) show(*times);
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "app/services/measuring/worker_client.h"
#include "kernels/runs/loop_times.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class LoopTiming : public QObject {
  Q_OBJECT
 public:
  explicit LoopTiming(WorkerClient& client, QObject* parent = nullptr);

  // Takes about ten seconds; does nothing while another measurement is in progress.
  void measure(const Subject& subject);
  bool measuring() const { return m_measuring; }
  // Of this rung and tile; std::nullopt: they are not known.
  std::optional<runs::LoopTimes> of(const Subject& subject) const;
  // Why the latest attempt has no result: one sentence, or nothing.
  const QString& trouble() const { return m_trouble; }

 signals:
  void changed();

 private:
  QString take(const Subject& asked, const Result<runs::LoopTimes>& times);

  WorkerClient& m_client;
  bool m_measuring = false;
  QString m_trouble;
  std::vector<runs::LoopTimes> m_measured;  // in this session, one per kernel
};

}  // namespace tileloom
