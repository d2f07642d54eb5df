// SPDX-License-Identifier: GPL-3.0-or-later
// The window's end of a worker. It checks every message, and outlives the worker's process
// (WorkerProcess): every failure there becomes one sentence and a new process. Requests wait in
// WorkerJobs. The answer to a request goes to its asker alone:
//
//   client.compile(request, tag, Urgency::Soon, this,
//                  [this](const Result<worker::CompileFacts>& facts) { take(facts); });
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "app/services/measuring/worker_jobs.h"
#include "app/services/measuring/worker_process.h"
#include "kernels/model/limits/ceilings.h"
#include "kernels/runs/loop_times.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/worker/protocol.h"

namespace tileloom {

class WorkerClient : public QObject {
  Q_OBJECT
 public:
  // Called once, from the event loop. It is not called once the asker is deleted, or the request is
  // cancelled or replaced: the asker did that itself.
  template <class T>
  using Answer = std::function<void(const Result<T>&)>;
  using Progress = std::function<void(const runs::RunRecord& run)>;

  struct Measured {
    runs::RunRecord run;
    // Why there are no counters, or an empty text; std::nullopt: none were requested.
    std::optional<QString> countersMissing;
  };

  enum class Urgency : std::uint8_t { Background, Soon };

  // `command`: program and arguments; empty: this executable as `worker`.
  explicit WorkerClient(QStringList command = {}, QObject* parent = nullptr);

  void start();
  // The user requests another worker, or another attempt after it has given up.
  void restart();

  // std::nullopt until the worker has said hello.
  const std::optional<worker::WorkerInfo>& info() const { return m_info; }
  bool gaveUp() const { return m_gaveUp; }
  qint64 processId() const { return m_process ? m_process->id() : 0; }
  QString commandText() const { return m_command.join(QLatin1Char(' ')); }

  // Requests are kept here until there is a worker that can take them. A newer one with the same
  // tag replaces an older one. Urgent compilations overtake others; measurements are done one at a
  // time. A request that was in progress when the worker died fails; so do all requests once no
  // worker is started any more.
  void compile(const worker::CompileRequest& request, const QString& tag, Urgency urgency,
               const QObject* asker, Answer<worker::CompileFacts> answer);
  void disassemble(const worker::CompileRequest& request, const QString& tag, const QObject* asker,
                   Answer<sass::MachineCode> answer);
  // `progress` may be empty; it is called with the results so far.
  void measure(const worker::MeasureRequest& request, const QString& tag, const QObject* asker,
               Answer<Measured> answer, Progress progress = {});
  // Where the warps of a launch stall.
  void sample(const worker::SampleRequest& request, const QString& tag, const QObject* asker,
              Answer<runs::StallSamples> answer);
  // How long one iteration of a rewritten main loop takes in all versions; takes about ten seconds.
  void measureLoop(const worker::LoopRequest& request, const QString& tag, const QObject* asker,
                   Answer<runs::LoopTimes> answer);
  // The ceilings of its GPU; takes seconds.
  void ceilings(const worker::CeilingsRequest& request, const QString& tag, const QObject* asker,
                Answer<model::Ceilings> answer);
  // Lets the worker fill its cache with these, and asks which of them it has compiled since. Does
  // nothing if there is no worker at the moment, or an older one: then nothing is answered.
  void compileAhead(const worker::AheadRequest& request, const QObject* asker,
                    std::function<void(const worker::AheadAnswer&)> answer);
  void cancel(const QString& tag);
  bool busy() const { return !m_jobs.empty(); }

  // For tests: how long a worker may be silent beyond its allowed time.
  void setPatience(int helloMs, int compileMs, int graceMs);

 signals:
  void ready(const tileloom::worker::WorkerInfo& info);
  void died(const QString& sentence);

 private:
  void launch();
  bool tooManyStarts();
  void take(const QByteArray& line);
  void takeProgress(const QByteArray& line, const nlohmann::json& message);
  void answer(quint64 id, WorkerJob job, const nlohmann::json& message);
  void takeError(const WorkerJob& job, const nlohmann::json& error);
  // Replaces a request with the same tag. It is sent as soon as the worker can take it.
  void queue(const QString& tag, WorkerJob job);
  void pump();
  void send(quint64 id);
  void watch();
  void rubbish(const QString& what);
  void rubbishLine(const QByteArray& line);
  void ended(const QString& cause);
  void failJob(quint64 id, const std::string& why);
  qint64 now() const;

  QStringList m_command;
  std::unique_ptr<WorkerProcess> m_process;
  std::optional<worker::WorkerInfo> m_info;
  WorkerJobs m_jobs;
  QString m_lastWords;  // the error that ends the worker
  QTimer m_watch;
  std::deque<qint64> m_starts;
  bool m_gaveUp = false;
  int m_helloMs = 20000, m_compileMs = 60000, m_graceMs = 5000;
};

}  // namespace tileloom
