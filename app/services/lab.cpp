// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/lab.h"

#include <algorithm>

#include "kernels/analysis/occupancy.h"
#include "kernels/gpu/build.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/words.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

constexpr int kSettleMs = 120;             // a slider that rests this long has been let go
constexpr int kPassingMs = 400;            // a stop that was shorter is no point of the history
constexpr std::size_t kKept = 300;         // points shown of earlier sessions
constexpr std::size_t kRemembered = 4000;  // compiled tiles
constexpr int kFewestRounds = 5;           // of a run that is worth keeping

const QString kRegisters = QStringLiteral("registers");  // tag of the present tile's compilation

QString compileTag(const Stage& stage, const TileShape& tile) {
  QString tag = toQString(stage.id);
  for (const KnobSpec& spec : stage.knobs) tag += QStringLiteral(" %1").arg(tile[spec.knob]);
  return tag;
}

}  // namespace

Lab::Lab(LabSetup setup, QObject* parent)
    : QObject(parent), m_setup(std::move(setup)), m_client(m_setup.worker) {
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &Lab::begin);
  connect(&m_client, &WorkerClient::ready, this, [this] {
    m_known.clear();  // perhaps another architecture
    m_compiling.clear();
    emit standingChanged();
    refreshKernel();
    refreshLadder();
    askWatched();
    if (!m_resting) m_settle.start();
  });
  connect(&m_client, &WorkerClient::died, this, [this](const QString& sentence) {
    m_trouble = sentence;
    emit standingChanged();
  });
  connect(&m_client, &WorkerClient::compiled, this, &Lab::takeCompiled);
  connect(&m_client, &WorkerClient::progress, this,
          [this](quint64 id, const runs::RunRecord& run) { takeRun(id, run, false); });
  connect(&m_client, &WorkerClient::measured, this,
          [this](quint64 id, const runs::RunRecord& run) { takeRun(id, run, true); });
  connect(&m_client, &WorkerClient::countersMissing, this, [this](const QString& sentence) {
    if (m_countersMissing == sentence) return;
    m_countersMissing = sentence;
    emit standingChanged();
  });
  connect(&m_client, &WorkerClient::failed, this, &Lab::takeFailure);
  loadHistory();
  if (m_setup.startWorker) m_client.start();
}

Lab::~Lab() {
  stopMeasuring();
}

bool Lab::canMeasure() const {
  return m_client.info() && m_client.info()->canMeasure();
}

Architecture Lab::arch() const {
  return canMeasure() ? gpu::architectureOf(m_client.info()->devices.front())
                      : defaultArchitecture();
}

QString Lab::deviceName() const {
  return canMeasure() ? QString::fromStdString(m_client.info()->devices.front().name) : QString();
}

QString Lab::standing() const {
  if (canMeasure()) {
    QString line = tr("Live on %1.").arg(deviceName());
    if (m_lent) line += tr(" The tuner has the GPU: what is shown is measured afterwards.");
    for (const std::string& sentence : m_client.info()->missing)
      line += tr(" %1.").arg(QString::fromStdString(sentence));
    if (!m_countersMissing.isEmpty()) line += tr(" No counters: %1.").arg(m_countersMissing);
    return line;
  }
  QString line = m_setup.startWorker && !m_client.info() && !m_client.gaveUp()
                     ? tr("Looking for a GPU …")
                     : tr("No GPU here: speeds are recorded ones.");
  if (m_client.info() && m_client.info()->canCompile()) {
    line += tr(" Registers are NVRTC %1's for %2.")
                .arg(QString::fromStdString(m_client.info()->nvrtc), toQString(arch().name));
  } else if (m_client.info()) {
    line +=
        tr(" Registers are recorded ones, too: install NVRTC of the CUDA Toolkit for any tile's.");
  }
  return line;
}

void Lab::loadHistory() {
  if (m_setup.runFile.empty()) return;
  const auto file = runs::readRuns(m_setup.runFile);
  if (!file) {
    m_trouble = QString::fromStdString(file.error());
    return;
  }
  if (!file->complaints.empty()) m_trouble = QString::fromStdString(file->complaints.front());
  m_live = file->runs;
  const std::size_t skip = m_live.size() > kKept ? m_live.size() - kKept : 0;
  for (std::size_t i = skip; i < m_live.size(); ++i) {
    HistoryPoint point = pointOf(m_live[i]);
    if (point.stage != nullptr) m_history.push_back(std::move(point));
  }
}

HistoryPoint Lab::pointOf(const runs::RunRecord& run) const {
  HistoryPoint p;
  p.stage = stageWithId(run.stage);
  if (p.stage == nullptr) return p;
  p.tile = run.tile;
  p.problem = run.problem;
  p.gflops = run.gflops;
  p.cublas = run.cublas;
  p.ratio = run.ratio;
  p.counters = run.counters;
  p.registers = run.registers;
  p.spillBytes = run.spillBytes;
  p.device = QString::fromStdString(run.device);
  p.when = QString::fromStdString(run.when);
  p.standing = Standing::Recorded;
  if (!run.sourceHash.empty() && run.sourceHash != sourceHash(*p.stage)) {
    p.standing = Standing::Stale;
    p.note = tr("measured with another version of this rung's source");
  } else if (canMeasure() && p.device == deviceName() && run.origin == runs::Origin::Live) {
    p.standing = Standing::Live;
  }
  fill(p);
  if (run.blocksPerSm > 0) {  // as that device's driver counted them
    p.blocks = run.blocksPerSm;
    p.warps = run.blocksPerSm * derive(*p.stage, p.tile).warps;
    if (run.occupancy > 0) p.mostWarps = qRound(p.warps / run.occupancy);
  }
  return p;
}

// What follows from registers, threads and shared memory.
void Lab::fill(HistoryPoint& p) const {
  if (p.registers < 0) return;
  const KernelFacts facts = factsOf({p.stage, p.tile}, {p.registers, p.spillBytes, {}, {}});
  p.blocks = facts.blocks;
  p.warps = facts.warps;
  p.mostWarps = facts.mostWarps;
  p.limitedBy = facts.limitedBy;
}

std::optional<Lab::Known> Lab::known(const Place& place) const {
  for (auto it = m_known.rbegin(); it != m_known.rend(); ++it) {
    if (it->first == place) return it->second;
  }
  if (m_client.info() && m_client.info()->canCompile()) return std::nullopt;  // soon
  return recorded(place);
}

std::optional<Lab::Known> Lab::recorded(const Place& place) const {
  // Registers depend neither on the size nor on the device: any recorded run of the tile tells
  // them.
  for (const int edge : {m_problem.m, 1024, 2048, 4096, 8192}) {
    const auto* run = runs::recordedRun(*place.stage, place.tile, {edge, edge, edge}, {});
    if (run != nullptr && run->registers >= 0 && run->arch == arch().name) {
      return Known{run->registers, run->spillBytes, tr("recorded"), run->loop};
    }
  }
  return std::nullopt;
}

KernelFacts Lab::factsOf(const Place& place, const Known& known) const {
  const Derived d = derive(*place.stage, place.tile);
  const analysis::BlockNeeds needs{d.threads, known.registers, d.sharedBytes};
  const auto o = analysis::occupancy(arch(), needs);
  KernelFacts f;
  f.arch = toQString(arch().name);
  f.source = known.source;
  f.registers = known.registers;
  f.spillBytes = known.spillBytes;
  f.loop = known.loop;
  f.blocks = o.blocks;
  f.warps = o.warps;
  f.mostWarps = o.mostWarps;
  QStringList limits;
  for (const auto resource : o.limiting) limits += toQString(name(resource));
  f.limitedBy = limits.join(tr(" and "));
  f.nextStep = QString::fromStdString(analysis::nextStep(o, needs));
  return f;
}

void Lab::rest() {
  m_resting = true;
  m_settle.stop();
  stopMeasuring();
}

Lab::Requests::iterator Lab::find(Requests& requests, quint64 id) {
  return std::ranges::find_if(requests, [id](const auto& r) { return r.second.id == id; });
}

void Lab::forgetTrouble() {
  if (m_trouble.isEmpty()) return;
  m_trouble.clear();
  emit standingChanged();
}

void Lab::stopMeasuring() {
  stopMeasuring(kNow);
  stopMeasuring(kBaseline);
}

void Lab::stopMeasuring(const QString& tag) {
  const auto asked = m_measuring.find(tag);
  if (asked == m_measuring.end()) return;
  m_client.cancel(tag);
  const Asked what = std::move(asked->second);
  m_measuring.erase(asked);
  if (HistoryPoint* point = pointOf(what)) point->measuring = false;
  if (what.latest && what.latest->rounds >= kFewestRounds) keep(*what.latest);
}

// The latest point of that tile at that size.
HistoryPoint* Lab::pointOf(const Asked& asked) {
  for (auto it = m_history.rbegin(); it != m_history.rend(); ++it) {
    if (it->stage == asked.place.stage && it->tile == asked.place.tile &&
        it->problem == asked.problem)
      return &*it;
  }
  return nullptr;
}

void Lab::choose(const Stage& stage, const TileShape& tile, const Problem& problem) {
  const Place place{&stage, tile};
  const bool moved = !(place == m_place) || !(problem == m_problem);
  if (!moved && !m_resting) return;
  const bool newSize = !(problem == m_problem);
  m_failedHere = false;
  // A sentence stays until the person goes on; what went wrong stays with its point.
  if (moved && m_place.stage != nullptr && !gaveUp()) forgetTrouble();
  stopMeasuring();
  m_resting = false;
  m_place = place;
  m_problem = problem;
  m_cliffs.clear();
  if (moved) {
    HistoryPoint point;
    const auto* run = runs::recordedRun(stage, tile, problem);
    if (run != nullptr && !canMeasure()) point = pointOf(*run);
    point.stage = &stage;
    point.tile = tile;
    point.problem = problem;
    // Without a recorded run all that will be known is what is compiled or measured now.
    const bool compiles = m_client.info() && m_client.info()->canCompile();
    if (run == nullptr || canMeasure())
      point.standing = compiles ? Standing::Live : Standing::Recorded;
    point.measuring = canMeasure() && !m_lent;
    // A stop in passing, at which nothing was measured, gives way to the next.
    const bool passing =
        m_current >= 0 && m_current + 1 == static_cast<int>(m_history.size()) &&
        m_sinceMove.isValid() && m_sinceMove.elapsed() < kPassingMs &&
        !(m_history.back().standing == Standing::Live && m_history.back().gflops.known());
    if (passing) m_history.pop_back();
    if (m_current >= 0 && m_current < static_cast<int>(m_history.size())) {
      m_history[static_cast<std::size_t>(m_current)].measuring = false;  // had not begun
    }
    m_history.push_back(std::move(point));
    m_current = static_cast<int>(m_history.size()) - 1;
    m_sinceMove.start();
  }
  refreshKernel();
  emit cliffsChanged();
  emit historyChanged();
  if (newSize) refreshLadder();
  m_settle.start();
}

void Lab::begin() {
  if (m_resting || m_place.stage == nullptr || !m_client.info()) return askNeighbours();
  for (const QString& tag : m_neighbourTags) {
    m_client.cancel(tag);
    m_compiling.erase(tag);
  }
  m_neighbourTags.clear();
  if (m_client.info()->canMeasure() && !m_failedHere && !m_lent) {
    m_measuring[kNow] = {m_client.measure(requestOf(m_place), kNow), m_place, m_problem, {}};
  }
  measureWatched();
  if (m_client.info()->canCompile() && !known(m_place)) {
    m_compiling[kRegisters] = {
        m_client.compile({m_place.stage, m_place.tile, arch()}, kRegisters, true), m_place, {}, {}};
  } else {
    askNeighbours();
  }
}

worker::MeasureRequest Lab::requestOf(const Place& place) const {
  worker::MeasureRequest request{place.stage, place.tile, m_problem, 0, {}};
  request.options.minRounds = 5;
  request.options.maxRounds = 1000;
  request.options.spread = 0.001;
  request.options.budgetMs = 4000;
  request.counters = true;
  return request;
}

// What one step of one knob would lead to, to mark where an SM gains or loses warps.
void Lab::askNeighbours() {
  if (m_place.stage == nullptr) return;
  const auto here = known(m_place);
  m_cliffs.clear();
  for (const KnobSpec& spec : m_place.stage->knobs) {
    for (const int value : legalValues(*m_place.stage, m_place.tile, spec.knob, arch())) {
      const bool usual = (value & (value - 1)) == 0;
      if (!usual || value == m_place.tile[spec.knob]) continue;
      const Place there{m_place.stage, m_place.tile.with(spec.knob, value)};
      const auto facts = known(there);
      if (!facts) {
        if (m_client.info() && m_client.info()->canCompile()) {
          const QString tag = compileTag(*there.stage, there.tile);
          if (std::ranges::find(m_neighbourTags, tag) == m_neighbourTags.end()) {
            m_neighbourTags.push_back(tag);
            m_compiling[tag] = {
                m_client.compile({there.stage, there.tile, arch()}, tag, false), there, {}, {}};
          }
        }
        continue;
      }
      if (!here) continue;
      const KernelFacts now = factsOf(m_place, *here), then = factsOf(there, *facts);
      // More blocks of fewer warps each are no gain.
      if (then.warps == now.warps) continue;
      m_cliffs[spec.knob].push_back(
          {value, then.warps, then.warps < now.warps,
           tr("%1 registers and %2 threads: %3 blocks, %4 warps an SM become %5 and %6, limited by "
              "%7")
               .arg(then.registers)
               .arg(derive(*there.stage, there.tile).threads)
               .arg(now.blocks)
               .arg(now.warps)
               .arg(then.blocks)
               .arg(then.warps)
               .arg(then.limitedBy)});
    }
  }
  emit cliffsChanged();
}

void Lab::takeCompiled(quint64 id, const worker::CompileFacts& facts) {
  const auto asked = find(m_compiling, id);
  if (asked == m_compiling.end()) return;
  const Place place = asked->second.place;
  m_compiling.erase(asked);
  if (m_known.size() >= kRemembered)
    m_known.erase(m_known.begin(), m_known.begin() + kRemembered / 2);
  m_known.emplace_back(
      place,
      Known{facts.resources.registers, facts.resources.spillStores + facts.resources.spillLoads,
            tr("NVRTC %1").arg(QString::fromStdString(facts.nvrtc)), facts.loop});
  if (place == m_place) refreshKernel();
  if (place == m_watched) emit kernelChanged();
  askNeighbours();
}

void Lab::foretell(const std::optional<Forecast>& forecast) {
  if (m_current < 0) return;
  HistoryPoint& point = m_history[static_cast<std::size_t>(m_current)];
  if (point.stage != m_place.stage || !(point.tile == m_place.tile) || point.forecast == forecast)
    return;
  point.forecast = forecast;
  emit historyChanged();
}

std::vector<const runs::RunRecord*> Lab::runs() const {
  std::vector<const runs::RunRecord*> all;
  for (const auto& run : runs::recordings()) all.push_back(&run);
  for (const auto& run : m_live) all.push_back(&run);
  return all;
}

const std::optional<Forecast>& Lab::forecast() const {
  static const std::optional<Forecast> none;
  return m_current < 0 ? none : m_history[static_cast<std::size_t>(m_current)].forecast;
}

void Lab::refreshKernel() {
  m_kernel.reset();
  if (m_place.stage != nullptr) {
    if (const auto k = known(m_place)) m_kernel = factsOf(m_place, *k);
  }
  if (m_kernel && m_current >= 0) {
    HistoryPoint& point = m_history[static_cast<std::size_t>(m_current)];
    point.registers = m_kernel->registers;
    point.spillBytes = m_kernel->spillBytes;
    fill(point);
    emit historyChanged();
  }
  emit kernelChanged();
}

void Lab::takeRun(quint64 id, const runs::RunRecord& run, bool done) {
  const auto asked = find(m_measuring, id);
  if (asked == m_measuring.end()) return;
  if (!done) asked->second.latest = run;
  const Asked what = asked->second;
  const QString tag = asked->first;
  if (done) m_measuring.erase(asked);
  // A baseline is no move of the knobs: what was measured on another day stays in the history.
  HistoryPoint* point = pointOf(what);
  if (point != nullptr && (tag != kBaseline || point->standing == Standing::Live)) {
    const auto forecast = point->forecast;
    *point = pointOf(run);
    point->forecast = forecast;
    point->standing = Standing::Live;
    point->measuring = !done;
  }
  if ((what.place == m_place || what.place == m_watched) && run.registers >= 0 &&
      !known(what.place)) {
    m_known.emplace_back(what.place, Known{run.registers, run.spillBytes, deviceName(), run.loop});
    refreshKernel();
  }
  if (done) {
    keep(run);
    remember(what, false);
    refreshLadder();
    measureWatched();
  }
  emit historyChanged();
}

void Lab::keep(const runs::RunRecord& run) {
  m_live.push_back(run);
  if (m_setup.runFile.empty()) return;
  if (const auto kept = runs::appendRun(m_setup.runFile, run); !kept) {
    m_trouble = QString::fromStdString(kept.error());
    emit standingChanged();
  }
}

tl::expected<QString, QString> Lab::importRuns(const std::filesystem::path& file) {
  if (m_setup.runFile.empty()) return tl::unexpected(tr("this window keeps no runs"));
  const auto done = runs::importRuns(m_setup.runFile, file);
  if (!done) return tl::unexpected(QString::fromStdString(done.error()));
  for (const runs::RunRecord& run : done->added) {
    m_live.push_back(run);
    HistoryPoint point = pointOf(run);
    if (point.stage == nullptr) continue;
    // The present tile stays the latest point, where the next measurement is drawn.
    const auto place = m_history.begin() + std::max(0, m_current);
    m_history.insert(place, std::move(point));
    if (m_current >= 0) ++m_current;
  }
  refreshLadder();
  emit historyChanged();
  QString line = tr("%1 runs added, %2 known already.").arg(done->added.size()).arg(done->known);
  if (!done->complaints.empty()) {
    line += tr(" %1 lines are broken and were left out: %2.")
                .arg(done->broken)
                .arg(QString::fromStdString(done->complaints.front()));
  }
  return line;
}

tl::expected<QString, QString> Lab::exportRuns(const std::filesystem::path& file) const {
  if (const auto done = runs::writeRuns(file, m_live); !done)
    return tl::unexpected(QString::fromStdString(done.error()));
  return tr("%1 runs written to %2.").arg(m_live.size()).arg(QString::fromStdString(file.string()));
}

void Lab::takeFailure(quint64 id, const Error& error) {
  if (const auto asked = find(m_compiling, id); asked != m_compiling.end()) {
    m_compiling.erase(asked);
    if (error.trouble != Trouble::Cancelled && !isFatal(error.trouble))
      m_trouble = QString::fromStdString(error.text);
    emit standingChanged();
    return;
  }
  const auto asked = find(m_measuring, id);
  if (asked == m_measuring.end()) return;
  const Asked what = std::move(asked->second);
  const bool ofBaseline = asked->first == kBaseline;
  m_measuring.erase(asked);
  if (what.latest && what.latest->rounds >= kFewestRounds) keep(*what.latest);
  if (error.trouble == Trouble::Cancelled) return;
  remember(what, true);
  if (what.place == m_place && what.problem == m_problem) m_failedHere = true;
  HistoryPoint* point = pointOf(what);
  if (point != nullptr && (!ofBaseline || point->standing == Standing::Live)) {
    point->measuring = false;
    point->note = QString::fromStdString(error.text);
  }
  // Of a worker that died the client has more to say.
  if (!isFatal(error.trouble)) {
    const QString text = QString::fromStdString(error.text);
    m_trouble = ofBaseline ? tr("Of the baseline: %1").arg(text) : text;
    measureWatched();
  }
  emit historyChanged();
  emit standingChanged();
}

void Lab::measureAgain() {
  if (!canMeasure() || m_lent || m_resting || m_place.stage == nullptr) return;
  stopMeasuring();
  forgetTrouble();
  m_failedHere = false;
  std::erase_if(m_tried, [](const Tried& t) { return t.failed; });
  if (HistoryPoint* point = pointOf(Asked{0, m_place, m_problem, {}})) {
    point->measuring = true;
    point->note.clear();
  }
  emit historyChanged();
  begin();
}

void Lab::measureLadder() {
  if (!canMeasure() || m_lent) return;
  for (const Stage& stage : stages()) {
    worker::MeasureRequest request{&stage, stage.standardTile(), m_problem, 0, {}};
    request.options.budgetMs = 1000;
    request.options.spread = 0.001;
    const QString tag = QStringLiteral("ladder ") + toQString(stage.id);
    m_measuring[tag] = {m_client.measure(request, tag), {&stage, request.tile}, m_problem, {}};
  }
}

void Lab::refreshLadder() {
  m_ladder.clear();
  QStringList sources;
  for (const Stage& stage : stages()) {
    LadderBar bar;
    bar.stage = &stage;
    bar.tile = stage.standardTile();
    const runs::RunRecord* run = nullptr;
    for (auto it = m_live.rbegin(); it != m_live.rend() && run == nullptr && canMeasure(); ++it) {
      if (it->stage == stage.id && it->tile == bar.tile && it->problem == m_problem &&
          QString::fromStdString(it->device) == deviceName() &&
          it->sourceHash == sourceHash(stage)) {
        run = &*it;
        bar.standing = Standing::Live;
      }
    }
    if (run == nullptr) run = runs::recordedRun(stage, bar.tile, m_problem);
    if (run != nullptr) {
      bar.gflops = run->gflops;
      bar.ratio = run->ratio;
      const QString source =
          (bar.standing == Standing::Live ? tr("live on %1, %2") : tr("recorded on %1, %2"))
              .arg(QString::fromStdString(run->device), QString::fromStdString(run->when).left(10));
      if (!sources.contains(source)) sources += source;
    }
    m_ladder.push_back(bar);
  }
  m_ladderSource = sources.join(tr("; "));
  emit ladderChanged();
}

}  // namespace tileloom
