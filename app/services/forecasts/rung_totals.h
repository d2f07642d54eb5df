// SPDX-License-Identifier: GPL-3.0-or-later
// What whole launches move, traced away from the GUI thread and remembered. A call returns what is
// known at once; the rest follows with changed().
#pragma once

#include <QObject>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/services/answers.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom {

namespace analysis {
struct Totals;
}

class RungTotals : public QObject {
  Q_OBJECT
 public:
  explicit RungTotals(QObject* parent = nullptr);
  ~RungTotals() override;

  enum class Urgency { Now, Later };
  // Totals of the grid; std::nullopt: not traceable, or not traced yet. A request with Now
  // overtakes those in the queue, and replaces an earlier one with Now that has not begun.
  std::optional<analysis::Totals> of(const Launched& launch, Urgency urgency = Urgency::Later);
  // Whether a requested total has not arrived yet.
  bool busy() const { return !m_pending.empty(); }
  // Waits, with the event loop running but without input, until all have arrived.
  void finish();
  // Forgets the queue, not what is known.
  void cancel();

 signals:
  void changed();

 private:
  using Key = Launched;
  struct Job {
    Key key;
    bool now = false;
  };
  void work();
  void take(const Key& key, const analysis::Totals& totals);

  static constexpr std::size_t kKept = 512;
  std::vector<std::pair<Key, analysis::Totals>> m_known;  // GUI thread only, the latest last
  std::vector<Key> m_pending;                             // GUI thread only
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Job> m_waiting;
  bool m_stop = false;
  Answers m_answers;
  std::thread m_thread;  // last: it uses all of the above
};

}  // namespace tileloom
