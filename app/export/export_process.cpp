// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_process.h"

#include <QRegularExpression>

namespace tileloom {
namespace {

constexpr int kPatienceMs = 5000;
constexpr qsizetype kLongestLine = 4096;  // bytes; the rest of a longer one is dropped

}  // namespace

ExportProcess::ExportProcess(const QString& program, const QStringList& arguments, QObject* parent)
    : QObject(parent) {
  m_process.setProgram(program);
  m_process.setArguments(arguments);
  m_process.setStandardInputFile(QProcess::nullDevice());
  m_process.setStandardOutputFile(QProcess::nullDevice());
  m_patience.setSingleShot(true);
  connect(&m_patience, &QTimer::timeout, &m_process, &QProcess::kill);
  connect(&m_process, &QProcess::readyReadStandardError, this, &ExportProcess::read);
  connect(&m_process, &QProcess::finished, this, &ExportProcess::ended);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      end(tr("the export cannot be started (%1)").arg(m_process.errorString()));
  });
}

ExportProcess::~ExportProcess() {
  disconnect(&m_process, nullptr, this, nullptr);
  if (m_process.state() == QProcess::NotRunning) return;
  m_process.terminate();
  if (!m_process.waitForFinished(kPatienceMs)) m_process.kill();
  m_process.waitForFinished(kPatienceMs);
}

void ExportProcess::start() {
  m_process.start();
}

void ExportProcess::cancel() {
  if (m_cancelled || m_ended) return;
  m_cancelled = true;
  m_process.terminate();
  m_patience.start(kPatienceMs);
}

void ExportProcess::read() {
  static const QRegularExpression kProgress(QStringLiteral("^tileloom: (\\d+) of (\\d+)$"));
  for (const char c : m_process.readAllStandardError()) {
    if (c != '\n') {
      if (m_line.size() < kLongestLine) m_line += c;
      continue;
    }
    const QString line = QString::fromUtf8(m_line);
    m_line.clear();
    if (const auto found = kProgress.match(line); found.hasMatch()) {
      emit progress(found.captured(1).toInt(), found.captured(2).toInt());
    } else if (!line.isEmpty()) {
      m_sentence = line;
    }
  }
}

void ExportProcess::ended(int code, QProcess::ExitStatus status) {
  read();
  if (status == QProcess::NormalExit && code == 0) return end({});
  if (m_cancelled) return end(tr("cancelled: nothing was written"));
  const QString said = m_sentence.startsWith(QLatin1String("tileloom: "))
                           ? m_sentence.mid(static_cast<qsizetype>(sizeof("tileloom: ") - 1))
                           : m_sentence;
  end(said.isEmpty() ? tr("the export ended before it was done: try again") : said);
}

void ExportProcess::end(const QString& problem) {
  if (m_ended) return;
  m_ended = true;
  m_patience.stop();
  emit finished(problem);
}

}  // namespace tileloom
