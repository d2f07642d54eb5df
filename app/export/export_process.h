// SPDX-License-Identifier: GPL-3.0-or-later
// An export by this program in a separate process: the window stays usable, and every failure there
// becomes one sentence.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace tileloom {

class ExportProcess : public QObject {
  Q_OBJECT
 public:
  // A command with the option --progress, which reports on standard error how much is done.
  ExportProcess(const QString& program, const QStringList& arguments, QObject* parent = nullptr);
  // An unfinished export leaves no files.
  ~ExportProcess() override;

  void start();
  void cancel();

 signals:
  void progress(int done, int all);
  // Emitted once. Empty: the file is written. Else one sentence without a full stop.
  void finished(const QString& problem);

 private:
  void read();
  void ended(int code, QProcess::ExitStatus status);
  void end(const QString& problem);

  QProcess m_process;
  QTimer m_patience;   // after which a process that ignores cancel() is killed
  QByteArray m_line;   // the unfinished line of its standard error
  QString m_sentence;  // the last line that was not progress
  bool m_cancelled = false;
  bool m_ended = false;
};

}  // namespace tileloom
