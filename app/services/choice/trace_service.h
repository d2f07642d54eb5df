// SPDX-License-Identifier: GPL-3.0-or-later
// Records traces away from the GUI thread. A newer request replaces one that is still waiting, and
// the answer to an outdated request is dropped before any view can see it.
#pragma once

#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/services/answers.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"

namespace tileloom {

class TraceService : public QObject {
  Q_OBJECT
 public:
  explicit TraceService(QObject* parent = nullptr);
  ~TraceService() override;

  // The request must be traceable. Returns its tag; recorded() follows with the same tag, unless a
  // newer request overtakes it.
  quint64 request(const emulator::TraceRequest& request);
  // Forgets the waiting and the running request.
  void cancel();
  bool busy() const { return m_answered != m_asked; }

 signals:
  void recorded(std::shared_ptr<const tileloom::analysis::Recording> recording, quint64 tag);

 private:
  void work();
  void answer(std::shared_ptr<const analysis::Recording> recording, quint64 tag);

  quint64 m_asked = 0;     // GUI thread only
  quint64 m_answered = 0;  // GUI thread only
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::optional<std::pair<emulator::TraceRequest, quint64>> m_waiting;
  bool m_stop = false;
  Answers m_answers;
  std::thread m_thread;  // last: it uses all of the above
};

}  // namespace tileloom
