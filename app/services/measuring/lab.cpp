// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/lab.h"

#include <utility>

#include "app/services/measuring/known_speeds.h"
#include "app/services/measuring/worker_status.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kSettleMs = 120;  // a slider that rests this long has been let go

// Tags of requests for the present tile and for the baseline.
const QString kNow = QStringLiteral("now");
const QString kBaseline = QStringLiteral("baseline");

const QString kRegisters = QStringLiteral("registers");  // of the present tile's compilation

// A baseline is not a move of the tile parameters.
ParameterHistory::Whose whoseIs(const QString& tag) {
  return tag == kBaseline ? ParameterHistory::Whose::LiveOnly : ParameterHistory::Whose::Any;
}

}  // namespace

Lab::Lab(LabSetup setup, QObject* parent)
    : QObject(parent),
      m_startWorker(setup.startWorker),
      m_client(std::move(setup.worker)),
      m_kept(std::move(setup.runFile)) {
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &Lab::begin);
  connect(&m_client, &WorkerClient::ready, this, [this] {
    m_knowledge.clear();  // perhaps another architecture
    m_compiling.clear();
    m_history.revise([this](const Subject& place, const Problem& problem) {
      return unmeasured(place, problem);
    });
    if (measures(m_place) && !m_resting && !m_lent && !m_failedHere)
      m_history.setMeasuring(m_place, m_problem, true);
    emit workerStatusChanged();
    refreshKernel();
    refreshLadder();
    askWatched();
    emit historyChanged();
    m_settle.start();
  });
  connect(&m_client, &WorkerClient::died, this, &Lab::setTrouble);
  connect(&m_compiling, &KernelRequests::compiled, this, &Lab::takeCompiled);
  connect(&m_compiling, &KernelRequests::failed, this, &Lab::takeNotCompiled);
  connect(&m_measuring, &Measuring::progress, this, &Lab::takeProgress);
  connect(&m_measuring, &Measuring::done, this, &Lab::takeMeasured);
  connect(&m_measuring, &Measuring::failed, this, &Lab::takeNotMeasured);
  m_trouble.set(m_kept.load());
  m_history.load(keptPoints(m_kept, machine()));
  if (m_startWorker) m_client.start();
}

Lab::~Lab() {
  stopMeasuring();
}

QString Lab::workerStatus() const {
  return workerStatusText(
      {m_client.info(), m_startWorker && !m_client.gaveUp(), m_lent, m_countersMissing});
}

std::optional<KnownKernel> Lab::known(const Subject& place) const {
  return m_knowledge.find(place, m_problem, machine());
}

// The worker compiles rungs only.
bool Lab::measures(const Subject& place) const {
  return canMeasure() && place.rung() != nullptr && place.rung()->isRung();
}

void Lab::setAside(bool aside) {
  if (!aside && !m_aside) return;
  stopMeasuring();
  if (aside) {
    if (!m_aside) m_aside = std::move(m_history);
    m_history = ParameterHistory();
    if (m_place.rung() != nullptr)
      m_history.move(unmeasured(m_place, m_problem), ParameterHistory::Move::ByAsking);
  } else {
    m_history = *std::exchange(m_aside, std::nullopt);
    returnToHistory();
  }
  if (!m_resting) {
    m_history.setMeasuring(m_place, m_problem, measures(m_place) && !m_lent);
    m_settle.start();
  }
  refreshKernel();
  emit historyChanged();
}

// The window is usually where the history ends: then this is not a move. An illegal tile is shown
// over the last legal one, which is in the history. In any other case what the window shows counts.
void Lab::returnToHistory() {
  const HistoryPoint* was = m_history.present();
  const Subject place = was != nullptr ? static_cast<const Subject&>(*was) : Subject{};
  if (m_resting && was != nullptr) {
    const bool newSize = !(was->problem == m_problem);
    m_place = place;
    m_problem = was->problem;
    if (newSize) refreshLadder();
  } else if (m_place.rung() != nullptr &&
             (was == nullptr || !(place == m_place) || !(was->problem == m_problem))) {
    m_history.move(unmeasured(m_place, m_problem), ParameterHistory::Move::ByAsking);
  }
}

void Lab::rest() {
  m_resting = true;
  stopMeasuring();
  m_cliffs.clear();  // those of another tile
  emit cliffsChanged();
}

void Lab::setTrouble(const QString& sentence) {
  m_trouble.set(sentence);
  emit workerStatusChanged();
}

Lab::Told Lab::toldOf(const QString& tag) {
  return tag == kNow ? Told::Measurement : tag == kBaseline ? Told::BaselineSpeed : Told::Others;
}

void Lab::forgetTrouble() {
  if (!trouble().isEmpty()) setTrouble({});
}

void Lab::stopMeasuring() {
  stopMeasuring(kNow);
  stopMeasuring(kBaseline);
  m_history.setMeasuring(m_place, m_problem, false);  // it may not have begun
}

void Lab::stopMeasuring(const QString& tag) {
  const auto stopped = m_measuring.stop(tag);
  if (!stopped) return;
  m_history.setMeasuring(stopped->place, stopped->problem, false);
  if (const auto* run = stopped->unfinished()) keep(*run);
}

void Lab::choose(const Subject& place, const Problem& problem) {
  const bool moved = !(place == m_place) || !(problem == m_problem);
  if (!moved && m_askedFor) m_history.keepPresent();
  if (!moved && !m_resting) return;
  const bool newSize = !(problem == m_problem);
  m_failedHere = false;
  // A sentence stays until the next move; a failure stays with its point.
  if (moved && m_place.rung() != nullptr && !gaveUp()) forgetTrouble();
  stopMeasuring();
  m_resting = false;
  m_place = place;
  m_problem = problem;
  m_cliffs.clear();
  if (moved) {
    HistoryPoint point = unmeasured(place, problem);
    point.measuring = measures(place) && !m_lent;
    const int left = m_history.foretold() ? -1 : m_history.current();
    m_history.move(std::move(point), m_askedFor ? ParameterHistory::Move::ByAsking
                                                : ParameterHistory::Move::ByParameters);
    // It may have been replaced.
    if (left >= 0 && left < m_history.current() && m_kernel) emit leftUnforetold(left, *m_kernel);
  } else {
    m_history.setMeasuring(m_place, m_problem, measures(m_place) && !m_lent);
  }
  refreshKernel();
  emit cliffsChanged();
  emit historyChanged();
  if (newSize) refreshLadder();
  m_settle.start();
}

HistoryPoint Lab::unmeasured(const Subject& place, const Problem& problem) const {
  return unmeasuredPoint(place, problem, machine());
}

// The kernel of the last legal tile is requested even if the tile parameters show an illegal one:
// its facts are shown then, however soon the illegal one came.
void Lab::begin() {
  if (m_place.rung() == nullptr || !m_client.info()) return askNeighbours();
  m_compiling.dropNeighbours();
  if (measures(m_place) && !m_failedHere && !m_lent && !m_resting)
    m_measuring.ask(kNow, requestOf(m_place));
  measureWatched();
  if (machine().compiles && !known(m_place)) {
    m_compiling.ask(kRegisters, m_place, arch(), WorkerClient::Urgency::Soon);
  } else {
    askNeighbours();
  }
}

worker::MeasureRequest Lab::requestOf(const Subject& place) const {
  worker::MeasureRequest request{{place, m_problem}, 0, {}, false};
  request.options.minRounds = 5;
  request.options.maxRounds = 1000;
  request.options.spread = 0.001;
  request.options.budgetMs = 4000;
  request.counters = true;
  return request;
}

// The tiles one step of one tile parameter away, to mark where an SM gains or loses warps.
void Lab::askNeighbours() {
  if (m_place.rung() == nullptr || m_resting) return;
  const LabMachine here = machine();
  KernelKnowledge::Neighbours around = m_knowledge.neighbours(m_place, m_problem, here);
  for (const Subject& place : around.unknown) {
    if (here.compiles) m_compiling.askNeighbour(place, here.arch);
  }
  m_cliffs = std::move(around.cliffs);
  emit cliffsChanged();
}

void Lab::takeCompiled(const Subject& place, const worker::CompileFacts& facts) {
  QStringList remarks;
  for (const std::string& remark : facts.remarks) remarks += QString::fromStdString(remark);
  m_knowledge.remember(
      place, {facts.resources.registers, facts.resources.spillStores + facts.resources.spillLoads,
              tr("NVRTC %1").arg(QString::fromStdString(facts.nvrtc)), facts.loop, remarks,
              toQString(mainLoopText(facts.rewritten, facts.whyNotRewritten)),
              !facts.whyNotRewritten.empty()});
  if (place == m_place) refreshKernel();
  if (place == m_watched) emit kernelChanged();
  askNeighbours();
}

void Lab::takeNotCompiled(const Subject& place, const Error& error) {
  // No user waits for a neighbour.
  const bool present = place == m_place;
  if (error.trouble != Trouble::Cancelled && !isFatal(error.trouble) &&
      (present || place == m_watched))
    m_trouble.add(QString::fromStdString(error.text),
                  present ? Told::Kernel : Told::BaselineKernel);
  emit workerStatusChanged();
}

void Lab::foretell(const std::optional<Forecast>& forecast) {
  if (m_history.foretell(m_place, forecast)) emit historyChanged();
}

void Lab::foretell(int point, const std::optional<Forecast>& forecast) {
  m_history.foretell(point, forecast);
  emit historyChanged();
}

std::vector<const runs::RunRecord*> Lab::runs() const {
  std::vector<const runs::RunRecord*> all;
  for (const auto& run : runs::recordings()) all.push_back(&run);
  for (const auto& run : m_kept.all()) all.push_back(&run);
  return all;
}

void Lab::refreshKernel() {
  m_kernel.reset();
  const LabMachine here = machine();
  if (m_place.rung() != nullptr) {
    if (const auto k = known(m_place)) m_kernel = kernelFacts(m_place, *k, here.arch);
  }
  if (fillPresent()) emit historyChanged();
  emit kernelChanged();
}

// The compiler's facts come before or after a run, and the run takes precedence: a rewritten loop
// may have been found wrong before its first run, and the driver counts blocks itself.
bool Lab::fillPresent() {
  HistoryPoint* const point = m_history.present();
  if (!m_kernel || point == nullptr) return false;
  const bool measured = point->gflops.known() && point->freshness == Freshness::Live;
  if (measured && point->registers >= 0) return false;
  point->registers = m_kernel->registers;
  point->spillBytes = m_kernel->spillBytes;
  if (!point->gflops.known()) point->mainLoop = m_kernel->mainLoop;
  fillOccupancy(*point, machine().arch);
  return true;
}

// Whether the run is of the requested kernel: a worker is not trusted.
bool Lab::isAbout(const Measuring::Asked& what, const runs::RunRecord& run) {
  return run.stage == what.place.rung()->id && run.tile == what.place.tile &&
         run.format == what.place.format && run.problem == what.problem;
}

void Lab::takeProgress(const Measuring::Asked& what) {
  if (!isAbout(what, *what.latest)) return;
  showRun(what, *what.latest, true);
  emit historyChanged();
}

void Lab::takeMeasured(const Measuring::Asked& what, const WorkerClient::Measured& measured) {
  const runs::RunRecord& run = measured.run;
  if (measured.countersMissing && *measured.countersMissing != m_countersMissing) {
    m_countersMissing = *measured.countersMissing;
    emit workerStatusChanged();
  }
  if (isAbout(what, run)) {
    showRun(what, run, false);
    keep(run);
  } else {
    const QString wrong =
        tr("The worker answered with a run of another kernel or size, which is not kept: "
           "start it again.");
    m_trouble.add(wrong, toldOf(what.tag));
    m_history.fail(what.place, what.problem, wrong, whoseIs(what.tag));
    emit workerStatusChanged();
  }
  refreshLadder();
  measureWatched();
  emit historyChanged();
}

void Lab::showRun(const Measuring::Asked& what, const runs::RunRecord& run, bool more) {
  const LabMachine here = machine();
  m_history.show(what.place, what.problem, pointOf(run, here), more, whoseIs(what.tag));
  fillPresent();
  if ((what.place == m_place || what.place == m_watched) && run.registers >= 0 &&
      !known(what.place)) {
    m_knowledge.remember(what.place, knownFrom(run, here.device));
    refreshKernel();
  }
}

void Lab::keep(const runs::RunRecord& run) {
  if (const QString error = m_kept.keep(run); !error.isEmpty()) setTrouble(error);
}

tl::expected<QString, QString> Lab::importRuns(const std::filesystem::path& file) {
  if (runFile().empty()) return tl::unexpected(tr("this window keeps no runs"));
  const auto done = m_kept.import(file);
  if (!done) return tl::unexpected(done.error());
  const LabMachine here = machine();
  for (const runs::RunRecord& run : done->added) {
    HistoryPoint point = pointOf(run, here);
    if (point.rung() != nullptr) m_history.insert(std::move(point));
  }
  refreshLadder();
  emit historyChanged();
  QString line = tr("%1 runs added, %2 known already.").arg(done->added.size()).arg(done->known);
  if (!done->complaints.empty()) {
    line += tr(" %1 broken lines were left out: %2.")
                .arg(done->broken)
                .arg(QString::fromStdString(done->complaints.front()));
  }
  return line;
}

tl::expected<QString, QString> Lab::exportRuns(const std::filesystem::path& file) const {
  if (const QString error = m_kept.exportTo(file); !error.isEmpty()) return tl::unexpected(error);
  return tr("%1 runs written to %2.")
      .arg(m_kept.all().size())
      .arg(QString::fromStdString(file.string()));
}

void Lab::takeNotMeasured(const Measuring::Asked& what, const Error& error) {
  const QString text = QString::fromStdString(error.text);
  if (const auto* run = what.unfinished()) keep(*run);
  if (error.trouble == Trouble::Cancelled) return;
  if (what.place == m_place && what.problem == m_problem) m_failedHere = true;
  m_history.fail(what.place, what.problem, text, whoseIs(what.tag));
  // If the worker died, the client has more to say.
  if (!isFatal(error.trouble)) {
    m_trouble.add(what.tag == kBaseline ? tr("Baseline: %1").arg(text) : text, toldOf(what.tag));
    measureWatched();
  }
  emit historyChanged();
  emit workerStatusChanged();
}

void Lab::measureAgain() {
  if (!measures(m_place) || m_lent || m_resting) return;
  stopMeasuring();
  forgetTrouble();
  m_failedHere = false;
  m_measuring.forgetFailures();
  m_history.setMeasuring(m_place, m_problem, true);
  m_history.clearNote(m_place, m_problem);
  emit historyChanged();
  begin();
}

void Lab::measureLadder() {
  if (!canMeasure() || m_lent) return;
  const Architecture here = arch();
  for (const Stage* stage : everyStage()) {
    if (!canBeBuiltFor(*stage, here)) continue;
    const Subject standard{stage, stage->standardTile(), formatInLadder(*stage, m_halves)};
    worker::MeasureRequest request{{standard, m_problem}, 0, {}, false};
    request.options.budgetMs = 1000;
    request.options.spread = 0.001;
    m_measuring.ask(QStringLiteral("ladder ") + toQString(stage->id), request);
  }
}

void Lab::setHalves(Format format) {
  if (format == m_halves) return;
  m_halves = format;
  refreshLadder();
}

void Lab::refreshLadder() {
  m_ladder = ladderBars(m_kept, m_problem, m_halves, machine());
  emit ladderChanged();
}

// The baseline of a comparison, and what is known of tiles other than the present one.

void Lab::watch(const Subject& place) {
  if (place == m_watched) return;
  stopMeasuring(kBaseline);
  m_watched = place;
  askWatched();
  measureWatched();
  emit kernelChanged();
}

// Both figures of a comparison are then of this device and this session. The present tile goes
// first: the user has just chosen it.
void Lab::measureWatched() {
  if (!measures(m_watched) || m_resting || m_lent || settling() || m_watched == m_place ||
      m_measuring.underWay(kNow) != nullptr || m_measuring.underWay(kBaseline) != nullptr ||
      m_measuring.tried(m_watched, m_problem))
    return;
  m_measuring.ask(kBaseline, requestOf(m_watched));
}

void Lab::askWatched() {
  m_compiling.forget(kBaseline);
  if (m_watched.rung() == nullptr || !machine().compiles || known(m_watched)) return;
  m_compiling.ask(kBaseline, m_watched, arch(), WorkerClient::Urgency::Background);
}

void Lab::lend(bool lent) {
  if (m_lent == lent) return;
  m_lent = lent;
  if (lent) {
    stopMeasuring();
  } else if (!m_resting && m_place.rung() != nullptr) {
    m_history.setMeasuring(m_place, m_problem, measures(m_place));
    m_settle.start();
  }
  emit historyChanged();
  emit workerStatusChanged();
}

void Lab::take(std::span<const runs::RunRecord> runs) {
  if (m_kept.take(runs) == 0) return;
  refreshLadder();
  emit historyChanged();
}

std::optional<KernelFacts> Lab::kernelOf(const Subject& place) const {
  auto k = known(place);
  // The ladder's other rungs are compiled only when the user selects them.
  if (!k && !(place == m_place) && !(place == m_watched))
    k = KernelKnowledge::recorded(place, m_problem, arch());
  if (!k) return std::nullopt;
  return kernelFacts(place, *k, arch());
}

Residency Lab::residencyOf(const KernelFacts& kernel) const {
  if (canMeasure()) {
    const auto& device = m_client.info()->devices.front();
    return {device.sms, kernel.blocks, device.name};
  }
  return recordedResidency(kernel);
}

std::optional<HistoryPoint> Lab::speedOf(const Subject& place, const Problem& problem) const {
  const LabMachine here = machine();
  // A measurement in progress is newer than what is kept of it.
  const auto* asked = m_measuring.underWay(kBaseline);
  if (asked != nullptr && asked->latest && asked->place == place && asked->problem == problem)
    return pointOf(*asked->latest, here);
  if (const HistoryPoint* point = m_history.latestLive(place, problem)) return *point;
  return latestSpeed(m_kept, place, problem, here);
}

const runs::RunRecord* Lab::ownRun(const Subject& subject, const Problem& problem) const {
  if (!canMeasure()) return nullptr;
  return m_kept.latest(subject, problem, machine().device.toStdString());
}

std::vector<HistoryPoint> Lab::onEveryDevice(const Subject& subject, const Problem& problem) const {
  return speedsByDevice(m_kept, subject, problem, machine());
}

}  // namespace tileloom
