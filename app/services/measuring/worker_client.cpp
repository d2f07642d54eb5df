// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/worker_client.h"

#include <QCoreApplication>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/base/plain_text.h"
#include "kernels/gpu/compile/disassemble.h"
#include "kernels/runs/run_record.h"
#include "kernels/sass/disassembler.h"
#include "kernels/worker/once.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using nlohmann::json;

constexpr std::size_t kMostStarts = 5;  // within …
constexpr qint64 kStartsWindowMs = 30000;

QString printable(const QByteArray& text) {
  return toQString(quotable({text.constData(), static_cast<std::size_t>(text.size())}));
}

// A request to the worker. `read` gets its result; `allowedMs` is as in WorkerJob.
template <class T, class Read>
WorkerJob jobOf(WorkerLane lane, std::string_view method, json params, double allowedMs,
                const QObject* asker, Read read, WorkerClient::Answer<T> answer) {
  WorkerJob job;
  job.lane = lane;
  job.method = method;
  job.params = std::make_shared<const json>(std::move(params));
  job.allowedMs = allowedMs;
  job.asker = asker;
  job.fail = [answer](const Error& error) { answer(tl::unexpected(error)); };
  job.read = [answer = std::move(answer),
              read = std::move(read)](const json& result) -> worker::Parsed<WorkerJob::HandOver> {
    auto value = read(result);
    if (!value) return tl::unexpected(value.error());
    return [answer, value = std::move(*value)] { answer(value); };
  };
  return job;
}

// Why the worker could not read counters.
QString missingCounters(const json& result) {
  const auto found = result.find(worker::kCountersMissing);
  if (found == result.end() || !found->is_string()) return {};
  return toQString(worker::reasonText(found->get_ref<const std::string&>()));
}

}  // namespace

WorkerClient::WorkerClient(QStringList command, QObject* parent)
    : QObject(parent), m_command(std::move(command)) {
  if (m_command.isEmpty()) {
    m_command = {QCoreApplication::applicationFilePath(),
                 QString::fromLatin1(worker::kWorkerCommand)};
  }
  m_watch.setInterval(100);
  connect(&m_watch, &QTimer::timeout, this, &WorkerClient::watch);
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
  m_info.reset();
  m_process = std::make_unique<WorkerProcess>();
  WorkerProcess* const process = m_process.get();
  connect(process, &WorkerProcess::line, this, &WorkerClient::take);
  connect(process, &WorkerProcess::tooLong, this, [this] { rubbish(tr("a line without an end")); });
  connect(process, &WorkerProcess::ended, this, &WorkerClient::ended);
  const quint64 hello = m_jobs.add(
      jobOf(WorkerLane::Hello, "hello", json::object(), m_helloMs, this, worker::workerInfoFrom,
            Answer<worker::WorkerInfo>([this](const Result<worker::WorkerInfo>& info) {
              m_info = *info;
              emit ready(*m_info);
            })));
  process->start(m_command);
  if (process != m_process.get()) return;  // could not be started: that is handled already
  send(hello);
  m_watch.start();
}

// The kinds of requests: what each waits for, its method and parameters, how long it may take.

void WorkerClient::compile(const worker::CompileRequest& request, const QString& tag,
                           Urgency urgency, const QObject* asker,
                           Answer<worker::CompileFacts> answer) {
  WorkerJob job = jobOf(WorkerLane::Compile, "compile", worker::toJson(request), m_compileMs, asker,
                        worker::compileFactsFrom, std::move(answer));
  job.urgent = urgency == Urgency::Soon;
  queue(tag, std::move(job));
}

void WorkerClient::disassemble(const worker::CompileRequest& request, const QString& tag,
                               const QObject* asker, Answer<sass::MachineCode> answer) {
  // It compiles, and may then run NVIDIA's tool.
  const double allowedMs =
      m_compileMs + double{gpu::kMostToolRuns} * sass::Disassembler::kLimit.count();
  queue(tag, jobOf(WorkerLane::Disassemble, "disassemble", worker::toJson(request), allowedMs,
                   asker, worker::machineCodeFrom, std::move(answer)));
}

void WorkerClient::measure(const worker::MeasureRequest& request, const QString& tag,
                           const QObject* asker, Answer<Measured> answer, Progress progress) {
  const auto read = [counters = request.counters](const json& result) -> worker::Parsed<Measured> {
    auto run = runs::fromJson(result);
    if (!run) return tl::unexpected(run.error());
    return Measured{std::move(*run),
                    counters ? std::optional(missingCounters(result)) : std::nullopt};
  };
  // Before the first sign of life the worker may have to compile and to start CUDA.
  WorkerJob job = jobOf(WorkerLane::Gpu, "measure", worker::toJson(request),
                        request.options.limitMs + m_graceMs, asker, read, std::move(answer));
  job.progress = std::move(progress);
  queue(tag, std::move(job));
}

void WorkerClient::sample(const worker::SampleRequest& request, const QString& tag,
                          const QObject* asker, Answer<runs::StallSamples> answer) {
  // It checks the result by one launch and samples another.
  queue(tag,
        jobOf(WorkerLane::Gpu, "sample", worker::toJson(request), 2 * request.limitMs + m_compileMs,
              asker, runs::stallSamplesFrom, std::move(answer)));
}

void WorkerClient::measureLoop(const worker::LoopRequest& request, const QString& tag,
                               const QObject* asker, Answer<runs::LoopTimes> answer) {
  // It compiles, writes eight versions, and launches each of them several dozen times.
  queue(tag,
        jobOf(WorkerLane::Gpu, "loop", worker::toJson(request), 2 * request.limitMs + m_compileMs,
              asker, runs::loopTimesFrom, std::move(answer)));
}

void WorkerClient::ceilings(const worker::CeilingsRequest& request, const QString& tag,
                            const QObject* asker, Answer<model::Ceilings> answer) {
  queue(tag, jobOf(WorkerLane::Gpu, "ceilings", worker::toJson(request),
                   request.limitMs + m_compileMs, asker, model::ceilingsFrom, std::move(answer)));
}

void WorkerClient::compileAhead(const worker::AheadRequest& request, const QObject* asker,
                                std::function<void(const worker::AheadAnswer&)> answer) {
  if (!m_info || !m_process) return;
  const Answer<worker::AheadAnswer> onlyGood =
      [answer = std::move(answer)](const Result<worker::AheadAnswer>& compiled) {
        if (compiled) answer(*compiled);  // it would only have saved time
      };
  send(m_jobs.add(jobOf(WorkerLane::Ahead, "ahead", worker::toJson(request), m_compileMs, asker,
                        worker::aheadAnswerFrom, onlyGood)));
  m_watch.start();
}

void WorkerClient::queue(const QString& tag, WorkerJob job) {
  cancel(tag);
  job.tag = tag;
  m_jobs.add(std::move(job));
  pump();
}

void WorkerClient::cancel(const QString& tag) {
  for (const quint64 id : m_jobs.cancel(tag)) {
    if (m_process) m_process->send(worker::requestLine(m_jobs.spareId(), "cancel", {{"id", id}}));
  }
}

void WorkerClient::pump() {
  if (!m_info || !m_process) return;
  for (const quint64 id : m_jobs.due()) send(id);
  if (m_jobs.anySent()) m_watch.start();
}

void WorkerClient::send(quint64 id) {
  WorkerJob& job = *m_jobs.find(id);
  job.sent = true;
  job.deadline = now() + static_cast<qint64>(job.allowedMs);
  m_process->send(worker::requestLine(id, job.method, *job.params));
}

void WorkerClient::take(const QByteArray& line) {
  const json message = worker::parseLine({line.constData(), static_cast<std::size_t>(line.size())});
  if (!message.is_object()) return rubbishLine(line);
  if (message.value("method", json()) == "progress") return takeProgress(line, message);
  const json id = message.value("id", json());
  // An answer without a number is about a line that the worker could not read: the window sends
  // none such.
  if (message.contains("result") == message.contains("error") || !id.is_number_unsigned())
    return rubbishLine(line);
  const auto number = id.get<quint64>();
  const WorkerJob* const job = m_jobs.find(number);
  if (job == nullptr || !job->sent) {
    // Answers to `cancel` are ignored.
    if (number <= m_jobs.lastId()) return;
    return rubbish(tr("an answer without a request (%1)").arg(printable(line)));
  }
  answer(number, *m_jobs.take(number), message);
  pump();
}

void WorkerClient::takeProgress(const QByteArray& line, const json& message) {
  const json params = message.value("params", json::object());
  const json id = params.is_object() ? params.value("id", json()) : json();
  if (!id.is_number_unsigned()) return rubbishLine(line);
  WorkerJob* const job = m_jobs.find(id.get<quint64>());
  if (job == nullptr) return;  // the request has been answered already
  const auto run = runs::fromJson(params.value("run", json()));
  if (!run) return rubbish(tr("an invalid run (%1)").arg(QString::fromStdString(run.error())));
  job->deadline = now() + static_cast<qint64>(job->allowedMs);
  if (job->awaited() && job->progress) Progress(job->progress)(*run);  // it may cancel
}

void WorkerClient::answer(quint64 id, WorkerJob job, const json& message) {
  if (const auto error = message.find("error"); error != message.end())
    return takeError(job, *error);
  const auto handOver = job.read(message["result"]);
  if (!handOver) {
    m_jobs.putBack(id, std::move(job));  // requested, and not answered
    return rubbish(QString::fromStdString(handOver.error()));
  }
  if (job.awaited()) (*handOver)();
}

void WorkerClient::takeError(const WorkerJob& job, const json& error) {
  Error e{Trouble::Failed, "the worker gave no reason"};
  if (error.is_object() && error.value("message", json()).is_string())
    e.text = worker::reasonText(error["message"].get_ref<const std::string&>());
  if (error.is_object() && error.value("data", json()).is_object()) {
    const json trouble = error["data"].value("trouble", json());
    if (trouble.is_string()) e.trouble = troubleNamed(trouble.get<std::string>());
  }
  if (job.lane == WorkerLane::Hello)
    return rubbish(tr("no hello (%1)").arg(QString::fromStdString(e.text)));
  // The worker ends itself now, for this reason.
  if (isFatal(e.trouble) && job.lane != WorkerLane::Ahead)
    m_lastWords = QString::fromStdString(e.text);
  if (job.awaited()) job.fail(e);
}

void WorkerClient::watch() {
  if (const WorkerJob* const late = m_jobs.late(now())) {
    const double seconds = late->allowedMs / 1000;
    return ended(late->lane == WorkerLane::Gpu
                     ? tr("did not answer for %1 seconds, so that its kernel probably never ends")
                           .arg(seconds)
                     : tr("did not answer for %1 seconds").arg(seconds));
  }
  if (!m_jobs.anySent()) m_watch.stop();
}

void WorkerClient::rubbish(const QString& what) {
  ended(tr("sent an unexpected message: %1").arg(what));
}

void WorkerClient::rubbishLine(const QByteArray& line) {
  rubbish(tr("\"%1\"").arg(printable(line)));
}

void WorkerClient::ended(const QString& cause) {
  if (!m_process) return;
  m_watch.stop();
  WorkerProcess::abandon(std::move(m_process));
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
  // Its request in progress is not repeated: it may have killed the worker.
  const std::optional<quint64> culprit = m_jobs.unsend();
  emit died(sentence);
  if (culprit) failJob(*culprit, blame);
  if (!m_gaveUp) return start();
  // These will not be answered; what their askers request now waits for the user.
  const quint64 last = m_jobs.lastId();
  while (const auto next = m_jobs.oldest(last))
    failJob(*next, tr("there is no worker").toStdString());
}

// Unless its asker has cancelled it since.
void WorkerClient::failJob(quint64 id, const std::string& why) {
  const std::optional<WorkerJob> job = m_jobs.take(id);
  if (job && job->awaited()) job->fail({Trouble::Lost, why});
}

}  // namespace tileloom
