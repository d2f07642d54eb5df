// SPDX-License-Identifier: GPL-3.0-or-later
// The window's end of a worker process. It never blocks, checks every message, and outlives the
// worker: every failure there becomes one sentence and a new worker.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "kernels/model/ceilings.h"
#include "kernels/runs/loop_times.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/worker/protocol.h"

namespace tileloom {

class WorkerClient : public QObject {
  Q_OBJECT
 public:
  // `command`: program and arguments; empty: this executable as `worker`.
  explicit WorkerClient(QStringList command = {}, QObject* parent = nullptr);
  ~WorkerClient() override;

  void start();
  // The user requests another worker, or another attempt after it has given up.
  void restart();

  // std::nullopt until the worker has said hello.
  const std::optional<worker::WorkerInfo>& info() const { return m_info; }
  bool gaveUp() const { return m_gaveUp; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }
  QString commandText() const { return m_command.join(QLatin1Char(' ')); }

  // Requests are kept here until there is a worker that can take them. A newer one with the same
  // tag replaces an older one, which gets no answer. Urgent compilations overtake others;
  // measurements are done one at a time.
  quint64 compile(const worker::CompileRequest& request, const QString& tag, bool urgent);
  quint64 disassemble(const worker::CompileRequest& request, const QString& tag);
  quint64 measure(const worker::MeasureRequest& request, const QString& tag);
  // Where the warps of a launch stall.
  quint64 sample(const worker::SampleRequest& request, const QString& tag);
  // How long one iteration of a rewritten main loop takes in all versions; takes about ten seconds.
  quint64 measureLoop(const worker::LoopRequest& request, const QString& tag);
  // The ceilings of its GPU; takes seconds.
  quint64 ceilings(const worker::CeilingsRequest& request, const QString& tag);
  // Lets the worker fill its cache with these, and asks which of them it has compiled since. Does
  // nothing if there is no worker at the moment, or an older one.
  void compileAhead(const worker::AheadRequest& request);
  void cancel(const QString& tag);
  bool busy() const { return !m_jobs.empty(); }

  // For tests: how long a worker may be silent beyond its allowed time.
  void setPatience(int helloMs, int compileMs, int graceMs);

 signals:
  void ready(const tileloom::worker::WorkerInfo& info);
  void compiled(quint64 id, const tileloom::worker::CompileFacts& facts);
  void compiledAhead(const tileloom::worker::AheadAnswer& answer);
  void disassembled(quint64 id, const tileloom::sass::MachineCode& code);
  void progress(quint64 id, const runs::RunRecord& run);
  void measured(quint64 id, const runs::RunRecord& run);
  void sampled(quint64 id, const tileloom::runs::StallSamples& samples);
  void loopMeasured(quint64 id, const tileloom::runs::LoopTimes& times);
  void ceilingsMeasured(quint64 id, const model::Ceilings& ceilings);
  // Before `measured`, if counters were requested: why there are none, or an empty text.
  void countersMissing(const QString& sentence);
  // Also for the request in progress when the worker died.
  void failed(quint64 id, const Error& error);
  void died(const QString& sentence);

 private:
  enum class Kind { Hello, Compile, Disassemble, Measure, Sample, Loop, Ceilings, Ahead };
  struct Job {
    Kind kind = Kind::Hello;
    std::shared_ptr<const nlohmann::json> params;
    bool counters = false;  // requested
    QString tag;
    bool urgent = false;
    bool sent = false;
    bool dropped = false;  // replaced or cancelled: its answer is awaited and dropped
    double allowedMs = 0;  // between two signs of life
    qint64 deadline = 0;   // on m_clock
    bool needsGpu() const {
      return kind == Kind::Measure || kind == Kind::Sample || kind == Kind::Loop ||
             kind == Kind::Ceilings;
    }
  };

  void launch();
  bool tooManyStarts();
  void read();
  // Takes whole lines for at most this long.
  void takeTurn(qint64 ms);
  void take(const QByteArray& line);
  void answer(quint64 id, Job job, const nlohmann::json& message);
  void pump();
  void send(quint64 id, Job& job);
  void watch();
  void rubbish(const QString& what);
  void ended(const QString& cause);
  quint64 add(Job job);
  // Replaces a request with the same tag; returns its number.
  quint64 ask(Job job);
  qint64 now() const;

  QStringList m_command;
  std::unique_ptr<QProcess> m_process;
  std::optional<worker::WorkerInfo> m_info;
  std::map<quint64, Job> m_jobs;  // by age
  quint64 m_lastId = 0;
  QByteArray m_pending;  // lines that were not taken yet, and an incomplete one
  QTimer m_nextTurn;     // for them
  QByteArray m_errors;   // the end of the worker's standard error
  QString m_lastWords;   // the error that ends the worker
  QTimer m_watch;
  std::deque<qint64> m_starts;
  bool m_gaveUp = false;
  bool m_closing = false;
  int m_helloMs = 20000, m_compileMs = 60000, m_graceMs = 5000;
};

}  // namespace tileloom
