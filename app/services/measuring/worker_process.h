// SPDX-License-Identifier: GPL-3.0-or-later
// One process of a worker: its start, the lines to and from it, and how it ends. It never blocks,
// except for a moment when it is deleted.
//
//   auto process = std::make_unique<WorkerProcess>();
//   connect(process.get(), &WorkerProcess::line, this, &WorkerClient::take);
//   process->start({QStringLiteral("tileloom"), QStringLiteral("worker")});
//   process->send(line);
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <string>

namespace tileloom {

class WorkerProcess : public QObject {
  Q_OBJECT
 public:
  WorkerProcess();
  // Lets it end by itself for a moment, and then kills it.
  ~WorkerProcess() override;

  // Program and arguments. `ended` may be emitted at once.
  void start(const QStringList& command);
  void send(const std::string& line);  // without its newline
  // Kills it. It emits nothing any more, and deletes itself once it has ended.
  static void abandon(std::unique_ptr<WorkerProcess> process);
  qint64 id() const { return m_process.processId(); }

 signals:
  // One that is not blank.
  void line(const QByteArray& line);
  void tooLong();  // a line without an end
  // By itself, or it was not started, or it has sent too much; a part of a sentence says how.
  void ended(const QString& cause);

 private:
  void read();
  // Takes whole lines for at most this long.
  void takeTurn(qint64 ms);
  void takeErrors();
  void finish(int code, QProcess::ExitStatus status);

  QProcess m_process;
  QByteArray m_pending;  // lines that were not taken yet, and an incomplete one
  QTimer m_nextTurn;     // for them
  QByteArray m_errors;   // the end of its standard error
  bool m_abandoned = false;
};

}  // namespace tileloom
