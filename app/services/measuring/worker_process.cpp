// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/worker_process.h"

#include <QDeadlineTimer>

#include "kernels/base/plain_text.h"
#include "kernels/worker/protocol.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr qsizetype kErrorsKept = 4096;
// A worker may send more than can be read at once. The window has other work, too: what it has not
// read in one turn waits for the next one, and a worker that sends far too much is ended.
constexpr qint64 kTurnMs = 5;
constexpr qint64 kLastTurnMs = 500;  // for a worker that has ended: its last lines count
constexpr qsizetype kMostUnread = 16 * 1024 * 1024;
constexpr int kFarewellMs = 300;

// The last line with text: a dying program writes its reason last.
QString lastLine(const QByteArray& text) {
  const QList<QByteArray> lines = text.split('\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const QByteArray said = line->trimmed();
    if (!said.isEmpty())
      return toQString(quotable({said.constData(), static_cast<std::size_t>(said.size())}, 200));
  }
  return {};
}

}  // namespace

WorkerProcess::WorkerProcess() {
  m_nextTurn.setSingleShot(true);
  m_nextTurn.setInterval(0);
  connect(&m_nextTurn, &QTimer::timeout, this, &WorkerProcess::read);
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &WorkerProcess::read);
  connect(&m_process, &QProcess::readyReadStandardError, this, &WorkerProcess::takeErrors);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      emit ended(tr("could not be started (%1)").arg(m_process.errorString()));
  });
  connect(&m_process, &QProcess::finished, this, &WorkerProcess::finish);
}

WorkerProcess::~WorkerProcess() {
  m_process.disconnect(this);
  m_process.closeWriteChannel();
  if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(kFarewellMs)) {
    m_process.kill();
    m_process.waitForFinished(kFarewellMs);
  }
}

void WorkerProcess::start(const QStringList& command) {
  m_process.start(command.first(), command.mid(1));
}

void WorkerProcess::send(const std::string& line) {
  m_process.write(QByteArray::fromStdString(line) + '\n');
}

void WorkerProcess::abandon(std::unique_ptr<WorkerProcess> process) {
  WorkerProcess* const left = process.release();
  left->m_abandoned = true;
  left->m_nextTurn.stop();
  left->m_process.disconnect(left);
  left->disconnect();
  if (left->m_process.state() != QProcess::NotRunning) {
    connect(&left->m_process, &QProcess::finished, left, &QObject::deleteLater);
    left->m_process.kill();
  } else {
    left->deleteLater();
  }
}

void WorkerProcess::read() {
  m_pending += m_process.readAllStandardOutput();
  takeTurn(kTurnMs);
}

void WorkerProcess::takeErrors() {
  m_errors += m_process.readAllStandardError();
  m_errors = m_errors.right(kErrorsKept);
}

void WorkerProcess::takeTurn(qint64 ms) {
  const QDeadlineTimer turn(ms);
  qsizetype begin = 0, end = 0;
  while ((end = m_pending.indexOf('\n', begin)) >= 0) {
    const QByteArray next = m_pending.mid(begin, end - begin);
    begin = end + 1;
    if (!next.trimmed().isEmpty()) emit line(next);
    if (m_abandoned) return;  // its output ended it
    if (turn.hasExpired()) break;
  }
  m_pending.remove(0, begin);
  if (end < 0 && m_pending.size() > static_cast<qsizetype>(worker::kLongestLine))
    return emit tooLong();
  if (m_pending.size() > kMostUnread) return emit ended(tr("sent more than the window can read"));
  if (end >= 0) m_nextTurn.start();
}

void WorkerProcess::finish(int code, QProcess::ExitStatus status) {
  read();
  if (m_abandoned) return;
  takeTurn(kLastTurnMs);
  if (m_abandoned) return;
  m_errors += m_process.readAllStandardError();
  const QString said = lastLine(m_errors);
  const QString how = status == QProcess::CrashExit ? tr("was killed or crashed")
                                                    : tr("ended with exit status %1").arg(code);
  emit ended(said.isEmpty() ? how : tr("%1, saying \"%2\"").arg(how, said));
}

}  // namespace tileloom
