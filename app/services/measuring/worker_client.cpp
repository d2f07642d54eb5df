// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/worker_client.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "kernels/base/plain_text.h"
#include "kernels/runs/run_record.h"
#include "kernels/sass/disassembler.h"
#include "kernels/worker/once.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using nlohmann::json;

constexpr std::size_t kCompilesAtOnce = 2;  // background ones only while nothing else compiles
constexpr qsizetype kErrorsKept = 4096;
constexpr std::size_t kMostStarts = 5;  // within …
constexpr qint64 kStartsWindowMs = 30000;
// A worker may send more than can be read at once. The window has other work, too: what it has not
// read in one turn waits for the next one, and a worker that sends far too much is ended.
constexpr qint64 kTurnMs = 5;
constexpr qint64 kLastTurnMs = 500;  // for a worker that has ended: its last lines count
constexpr qsizetype kMostUnread = 16 * 1024 * 1024;

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

QString printable(const QByteArray& text) {
  return toQString(quotable({text.constData(), static_cast<std::size_t>(text.size())}));
}

// Why the worker could not read counters.
QString missingCounters(const json& result) {
  const auto found = result.find(worker::kCountersMissing);
  if (found == result.end() || !found->is_string()) return {};
  return toQString(worker::reasonText(found->get_ref<const std::string&>()));
}

template <class Request>
std::shared_ptr<const json> paramsOf(const Request& request) {
  return std::make_shared<const json>(worker::toJson(request));
}

}  // namespace

template <class T, class Read>
WorkerClient::Job WorkerClient::job(Kind kind, const QObject* asker, Read read, Answer<T> answer) {
  Job made;
  made.kind = kind;
  made.asker = asker;
  made.fail = [answer](const Error& error) { answer(tl::unexpected(error)); };
  made.read = [answer = std::move(answer),
               read = std::move(read)](const json& result) -> worker::Parsed<Job::HandOver> {
    auto value = read(result);
    if (!value) return tl::unexpected(value.error());
    return [answer, value = std::move(*value)] { answer(value); };
  };
  return made;
}

WorkerClient::WorkerClient(QStringList command, QObject* parent)
    : QObject(parent), m_command(std::move(command)) {
  if (m_command.isEmpty()) {
    m_command = {QCoreApplication::applicationFilePath(),
                 QString::fromLatin1(worker::kWorkerCommand)};
  }
  m_watch.setInterval(100);
  connect(&m_watch, &QTimer::timeout, this, &WorkerClient::watch);
  m_nextTurn.setSingleShot(true);
  m_nextTurn.setInterval(0);
  connect(&m_nextTurn, &QTimer::timeout, this, &WorkerClient::read);
}

WorkerClient::~WorkerClient() {
  m_closing = true;
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->closeWriteChannel();
  if (m_process->state() != QProcess::NotRunning && !m_process->waitForFinished(300)) {
    m_process->kill();
    m_process->waitForFinished(300);
  }
}

void WorkerClient::setPatience(int helloMs, int compileMs, int graceMs) {
  m_helloMs = helloMs;
  m_compileMs = compileMs;
  m_graceMs = graceMs;
}

qint64 WorkerClient::now() const {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void WorkerClient::start() {
  if (!m_process && !m_gaveUp) launch();
}

void WorkerClient::restart() {
  m_gaveUp = false;
  m_starts.clear();
  if (m_process) return ended(tr("was ended by the user"));
  start();
}

bool WorkerClient::tooManyStarts() {
  const qint64 t = now();
  while (!m_starts.empty() && t - m_starts.front() > kStartsWindowMs) m_starts.pop_front();
  return m_starts.size() >= kMostStarts;
}

void WorkerClient::launch() {
  m_starts.push_back(now());
  m_pending.clear();
  m_errors.clear();
  m_info.reset();
  m_process = std::make_unique<QProcess>();
  QProcess* const process = m_process.get();
  connect(process, &QProcess::readyReadStandardOutput, this, &WorkerClient::read);
  connect(process, &QProcess::readyReadStandardError, this, [this, process] {
    m_errors += process->readAllStandardError();
    m_errors = m_errors.right(kErrorsKept);
  });
  connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
    if (process == m_process.get() && error == QProcess::FailedToStart) {
      ended(tr("could not be started (%1)").arg(process->errorString()));
    }
  });
  connect(process, &QProcess::finished, this,
          [this, process](int code, QProcess::ExitStatus status) {
            if (process != m_process.get()) return;
            read();
            if (process != m_process.get()) return;
            takeTurn(kLastTurnMs);
            if (process != m_process.get()) return;
            m_errors += process->readAllStandardError();
            const QString said = lastLine(m_errors);
            const QString how = status == QProcess::CrashExit
                                    ? tr("was killed or crashed")
                                    : tr("ended with exit status %1").arg(code);
            ended(said.isEmpty() ? how : tr("%1, saying \"%2\"").arg(how, said));
          });
  Job hello = job<worker::WorkerInfo>(Kind::Hello, this, worker::workerInfoFrom,
                                      [this](const Result<worker::WorkerInfo>& info) {
                                        m_info = *info;
                                        emit ready(*m_info);
                                      });
  hello.params = std::make_shared<json>(json::object());
  hello.allowedMs = m_helloMs;
  const quint64 id = add(std::move(hello));
  process->start(m_command.first(), m_command.mid(1));
  if (process != m_process.get()) return;  // could not be started: that is handled already
  send(id, m_jobs.at(id));
  m_watch.start();
}

quint64 WorkerClient::add(Job job) {
  const quint64 id = ++m_lastId;
  m_jobs.emplace(id, std::move(job));
  return id;
}

void WorkerClient::cancel(const QString& tag) {
  for (auto it = m_jobs.begin(); it != m_jobs.end();) {
    Job& job = it->second;
    if (job.tag != tag || job.tag.isEmpty() || job.dropped) {
      ++it;
    } else if (!job.sent) {
      it = m_jobs.erase(it);
    } else {
      job.dropped = true;
      if (m_process) {
        m_process->write(QByteArray::fromStdString(
                             worker::requestLine(++m_lastId, "cancel", {{"id", it->first}})) +
                         '\n');
      }
      ++it;
    }
  }
}

void WorkerClient::compileAhead(const worker::AheadRequest& request, const QObject* asker,
                                std::function<void(const worker::AheadAnswer&)> answer) {
  if (!m_info || !m_process) return;
  Job ahead = job<worker::AheadAnswer>(
      Kind::Ahead, asker, worker::aheadAnswerFrom,
      [answer = std::move(answer)](const Result<worker::AheadAnswer>& compiled) {
        if (compiled) answer(*compiled);  // it would only have saved time
      });
  ahead.params = paramsOf(request);
  ahead.allowedMs = m_compileMs;
  const quint64 id = add(std::move(ahead));
  send(id, m_jobs.at(id));
  m_watch.start();
}

void WorkerClient::ask(Job job) {
  cancel(job.tag);
  add(std::move(job));
  pump();
}

void WorkerClient::compile(const worker::CompileRequest& request, const QString& tag,
                           Urgency urgency, const QObject* asker,
                           Answer<worker::CompileFacts> answer) {
  Job compile =
      job<worker::CompileFacts>(Kind::Compile, asker, worker::compileFactsFrom, std::move(answer));
  compile.params = paramsOf(request);
  compile.tag = tag;
  compile.urgent = urgency == Urgency::Soon;
  compile.allowedMs = m_compileMs;
  ask(std::move(compile));
}

void WorkerClient::disassemble(const worker::CompileRequest& request, const QString& tag,
                               const QObject* asker, Answer<sass::MachineCode> answer) {
  Job disassemble =
      job<sass::MachineCode>(Kind::Disassemble, asker, worker::machineCodeFrom, std::move(answer));
  disassemble.params = paramsOf(request);
  disassemble.tag = tag;
  // It compiles, and then may run the tool three times.
  disassemble.allowedMs = m_compileMs + 3.0 * sass::Disassembler::kLimit.count();
  ask(std::move(disassemble));
}

void WorkerClient::measure(const worker::MeasureRequest& request, const QString& tag,
                           const QObject* asker, Answer<Measured> answer, Progress progress) {
  const auto read = [counters = request.counters](const json& result) -> worker::Parsed<Measured> {
    auto run = runs::fromJson(result);
    if (!run) return tl::unexpected(run.error());
    return Measured{std::move(*run),
                    counters ? std::optional(missingCounters(result)) : std::nullopt};
  };
  Job measure = job<Measured>(Kind::Measure, asker, read, std::move(answer));
  measure.params = paramsOf(request);
  measure.progress = std::move(progress);
  measure.tag = tag;
  // Before the first sign of life the worker may have to compile and to start CUDA.
  measure.allowedMs = request.options.limitMs + m_graceMs;
  ask(std::move(measure));
}

void WorkerClient::sample(const worker::SampleRequest& request, const QString& tag,
                          const QObject* asker, Answer<runs::StallSamples> answer) {
  Job sample =
      job<runs::StallSamples>(Kind::Sample, asker, runs::stallSamplesFrom, std::move(answer));
  sample.params = paramsOf(request);
  sample.tag = tag;
  // It checks the result by one launch and samples another.
  sample.allowedMs = 2 * request.limitMs + m_compileMs;
  ask(std::move(sample));
}

void WorkerClient::measureLoop(const worker::LoopRequest& request, const QString& tag,
                               const QObject* asker, Answer<runs::LoopTimes> answer) {
  Job loop = job<runs::LoopTimes>(Kind::Loop, asker, runs::loopTimesFrom, std::move(answer));
  loop.params = paramsOf(request);
  loop.tag = tag;
  // It compiles, writes eight versions, and launches each of them several dozen times.
  loop.allowedMs = 2 * request.limitMs + m_compileMs;
  ask(std::move(loop));
}

void WorkerClient::ceilings(const worker::CeilingsRequest& request, const QString& tag,
                            const QObject* asker, Answer<model::Ceilings> answer) {
  Job ceilings =
      job<model::Ceilings>(Kind::Ceilings, asker, model::ceilingsFrom, std::move(answer));
  ceilings.params = paramsOf(request);
  ceilings.tag = tag;
  ceilings.allowedMs = request.limitMs + m_compileMs;
  ask(std::move(ceilings));
}

void WorkerClient::pump() {
  if (!m_info || !m_process) return;
  std::erase_if(m_jobs, [](const auto& each) { return !each.second.sent && !each.second.asker; });
  std::size_t compiling = 0;
  bool measuring = false, disassembling = false;
  for (const auto& [id, job] : m_jobs) {
    if (!job.sent) continue;
    compiling += job.kind == Kind::Compile ? 1 : 0;
    measuring = measuring || job.needsGpu();
    disassembling = disassembling || job.kind == Kind::Disassemble;
  }
  for (const bool urgent : {true, false}) {
    for (auto& [id, job] : m_jobs) {
      if (job.sent || job.kind != Kind::Compile || job.urgent != urgent ||
          compiling >= (urgent ? kCompilesAtOnce : 1))
        continue;
      send(id, job);
      ++compiling;
    }
  }
  for (auto& [id, job] : m_jobs) {
    if (measuring || job.sent || !job.needsGpu()) continue;
    send(id, job);
    measuring = true;
  }
  for (auto& [id, job] : m_jobs) {
    if (disassembling || job.sent || job.kind != Kind::Disassemble) continue;
    send(id, job);
    disassembling = true;
  }
  if (compiling > 0 || measuring || disassembling) m_watch.start();
}

void WorkerClient::send(quint64 id, Job& job) {
  static constexpr const char* kMethods[] = {"hello",  "compile", "disassemble", "measure",
                                             "sample", "loop",    "ceilings",    "ahead"};
  job.sent = true;
  job.deadline = now() + static_cast<qint64>(job.allowedMs);
  const std::string line =
      worker::requestLine(id, kMethods[static_cast<int>(job.kind)], *job.params);
  m_process->write(QByteArray::fromStdString(line) + '\n');
}

void WorkerClient::read() {
  if (!m_process) return;
  m_pending += m_process->readAllStandardOutput();
  takeTurn(kTurnMs);
}

void WorkerClient::takeTurn(qint64 ms) {
  const QDeadlineTimer turn(ms);
  const QProcess* const process = m_process.get();
  qsizetype begin = 0, end = 0;
  while ((end = m_pending.indexOf('\n', begin)) >= 0) {
    const QByteArray line = m_pending.mid(begin, end - begin);
    begin = end + 1;
    if (!line.trimmed().isEmpty()) take(line);
    if (m_process.get() != process) return;  // its output ended it
    if (turn.hasExpired()) break;
  }
  m_pending.remove(0, begin);
  if (end < 0 && m_pending.size() > static_cast<qsizetype>(worker::kLongestLine))
    return rubbish(tr("a line without an end"));
  if (m_pending.size() > kMostUnread) return ended(tr("sent more than the window can read"));
  if (end >= 0) m_nextTurn.start();
}

void WorkerClient::take(const QByteArray& line) {
  const json message = worker::parseLine({line.constData(), static_cast<std::size_t>(line.size())});
  if (!message.is_object()) return rubbish(tr("\"%1\"").arg(printable(line)));
  if (message.value("method", json()) == "progress") {
    const json params = message.value("params", json::object());
    const json id = params.is_object() ? params.value("id", json()) : json();
    if (!id.is_number_unsigned()) return rubbish(tr("\"%1\"").arg(printable(line)));
    const auto job = m_jobs.find(id.get<quint64>());
    if (job == m_jobs.end()) return;  // the request has been answered already
    const auto run = runs::fromJson(params.value("run", json()));
    if (!run) return rubbish(tr("an invalid run (%1)").arg(QString::fromStdString(run.error())));
    job->second.deadline = now() + static_cast<qint64>(job->second.allowedMs);
    const Job& told = job->second;
    if (told.awaited() && told.progress) Progress(told.progress)(*run);  // it may cancel
    return;
  }
  const json id = message.value("id", json());
  const bool answered = message.contains("result") != message.contains("error");
  if (!answered || !(id.is_number_unsigned() || id.is_null()))
    return rubbish(tr("\"%1\"").arg(printable(line)));
  // An answer without a number is about a line that the worker could not read: the window sends
  // none such.
  if (id.is_null()) return rubbish(tr("\"%1\"").arg(printable(line)));
  const auto found = m_jobs.find(id.get<quint64>());
  if (found == m_jobs.end() || !found->second.sent) {
    // Answers to `cancel` are ignored.
    if (id.get<quint64>() <= m_lastId) return;
    return rubbish(tr("an answer without a request (%1)").arg(printable(line)));
  }
  const auto node = m_jobs.extract(found);
  answer(node.key(), node.mapped(), message);
  pump();
}

void WorkerClient::answer(quint64 id, Job job, const json& message) {
  if (const auto error = message.find("error"); error != message.end())
    return takeError(job, *error);
  const auto handOver = job.read(message["result"]);
  if (!handOver) {
    m_jobs.emplace(id, std::move(job));  // requested, and not answered
    return rubbish(QString::fromStdString(handOver.error()));
  }
  if (job.awaited()) (*handOver)();
}

void WorkerClient::takeError(const Job& job, const json& error) {
  Error e{Trouble::Failed, "the worker gave no reason"};
  if (error.is_object() && error.value("message", json()).is_string())
    e.text = worker::reasonText(error["message"].get_ref<const std::string&>());
  if (error.is_object() && error.value("data", json()).is_object()) {
    const json trouble = error["data"].value("trouble", json());
    if (trouble.is_string()) e.trouble = troubleNamed(trouble.get<std::string>());
  }
  if (job.kind == Kind::Hello)
    return rubbish(tr("no hello (%1)").arg(QString::fromStdString(e.text)));
  // The worker ends itself now, for this reason.
  if (isFatal(e.trouble) && job.kind != Kind::Ahead) m_lastWords = QString::fromStdString(e.text);
  if (job.awaited()) job.fail(e);
}

void WorkerClient::watch() {
  bool waiting = false;
  for (const auto& [id, job] : m_jobs) {
    if (!job.sent) continue;
    waiting = true;
    if (now() < job.deadline) continue;
    const double seconds = job.allowedMs / 1000;
    return ended(job.needsGpu()
                     ? tr("did not answer for %1 seconds, so that its kernel probably never ends")
                           .arg(seconds)
                     : tr("did not answer for %1 seconds").arg(seconds));
  }
  if (!waiting) m_watch.stop();
}

void WorkerClient::rubbish(const QString& what) {
  ended(tr("sent an unexpected message: %1").arg(what));
}

void WorkerClient::ended(const QString& cause) {
  if (!m_process || m_closing) return;
  m_watch.stop();
  QProcess* const process = m_process.release();
  process->disconnect(this);
  if (process->state() != QProcess::NotRunning) {
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
  } else {
    process->deleteLater();
  }
  m_info.reset();
  m_gaveUp = tooManyStarts();
  const QString lastWords = std::exchange(m_lastWords, {});
  QString sentence = lastWords.isEmpty() ? tr("The worker (%1) %2.").arg(commandText(), cause)
                                         : tr("The GPU worker had to end: %1.").arg(lastWords);
  const std::string blame = sentence.toStdString();
  sentence += m_gaveUp ? tr(" It ended %1 times in %2 seconds and is not started again: choose "
                            "Start the worker again to try once more.")
                             .arg(m_starts.size())
                             .arg(kStartsWindowMs / 1000)
                       : tr(" A new one replaces it.");

  // Its request in progress is not repeated: it may have killed the worker. A measurement is the
  // likelier cause.
  std::optional<quint64> culprit;
  for (const auto& [id, job] : m_jobs) {
    if (job.sent && job.needsGpu()) culprit = id;
  }
  for (const auto& [id, job] : m_jobs) {
    if (!culprit && job.sent && job.kind == Kind::Compile) culprit = id;
  }
  for (const auto& [id, job] : m_jobs) {
    if (!culprit && job.sent && job.kind == Kind::Disassemble) culprit = id;
  }
  for (auto it = m_jobs.begin(); it != m_jobs.end();) {
    const Kind kind = it->second.kind;
    const bool gone = kind == Kind::Hello || kind == Kind::Ahead || it->second.dropped;
    it->second.sent = false;
    it = gone ? m_jobs.erase(it) : std::next(it);
  }
  emit died(sentence);
  if (culprit) failNext(*culprit, blame);
  if (!m_gaveUp) return start();
  // These will not be answered; what their askers request now waits for the user.
  const quint64 last = m_lastId;
  while (!m_jobs.empty() && m_jobs.begin()->first <= last)
    failNext(m_jobs.begin()->first, tr("there is no worker").toStdString());
}

// Unless its asker has cancelled it since.
void WorkerClient::failNext(quint64 id, const std::string& why) {
  const auto node = m_jobs.extract(id);
  if (!node.empty() && node.mapped().awaited()) node.mapped().fail({Trouble::Lost, why});
}

}  // namespace tileloom
