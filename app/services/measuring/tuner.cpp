// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kShownMs = 100;  // faster than a user can read
constexpr int kAskMs = 200;    // the longest time that other processes may be idle

const QString kMeasure = QStringLiteral("tune");  // tag; compilations have their tile's, too

QString compileTag(const std::string& key) {
  return QStringLiteral("tune %1").arg(QString::fromStdString(key));
}

// The core's errors end without a full stop.
QString sentence(const std::string& text) {
  QString line = QString::fromStdString(text);
  if (line.isEmpty()) return line;
  line[0] = line[0].toUpper();
  return line.endsWith(u'.') ? line : line + u'.';
}

}  // namespace

Tuner::Tuner(WorkerClient& client, TuneFiles files, QObject* parent)
    : QObject(parent), m_client(client), m_files(std::move(files)), m_engine(m_files) {
  m_shown.setSingleShot(true);
  m_shown.setInterval(kShownMs);
  connect(&m_shown, &QTimer::timeout, this, &Tuner::changed);
  m_askAgain.setSingleShot(true);
  m_askAgain.setInterval(kAskMs);
  connect(&m_askAgain, &QTimer::timeout, this, [this] {
    if (m_status.state == TunerState::Running) askAhead();
  });
  connect(&m_client, &WorkerClient::died, this, [this](const QString& why) {
    if (m_client.gaveUp() && m_status.active()) fail(why);
  });
  connect(&m_client, &WorkerClient::ready, this, [this] {
    readBest();
    if (!m_status.active()) return;
    if (device() != m_device) {
      return fail(tr("The worker has another GPU or driver now: choose Start to tune that one."));
    }
    advance();
  });
  m_there.moveToThread(&m_thread);
  m_thread.start(QThread::LowPriority);
}

Tuner::~Tuner() {
  m_thread.quit();
  m_thread.wait();  // one ranking at most
}

std::optional<tuning::TuneDevice> Tuner::device() const {
  const auto& info = m_client.info();
  if (!info || !info->canMeasure()) return std::nullopt;
  const gpu::DeviceInfo& d = info->devices.front();
  return tuning::TuneDevice{d.name, d.arch(), info->driverVersion, info->nvrtc};
}

void Tuner::start(tuning::TuneRequest request, Begin begin) {
  if (m_status.active()) return;
  const auto here = device();
  m_status = {};
  m_status.stages = request.stages;
  std::ranges::sort(m_status.stages, {}, &Stage::rung);  // as the run's journal has them
  m_status.problem = request.problem;
  m_format = request.format;
  if (!here) {
    m_status.trouble = tr("Tuning needs a GPU, and there is none here.");
    return set(TunerState::Failed);
  }
  m_device = *here;
  m_arch = gpu::architectureOf(m_client.info()->devices.front());
  forget();
  ++m_run;
  set(TunerState::Preparing);
  ask([request = std::move(request), device = m_device, arch = m_arch, anew = begin == Begin::Anew](
          TuneEngine& engine) { return engine.open(request, device, arch, anew); });
}

void Tuner::pause() {
  if (m_status.state == TunerState::Running) set(TunerState::Paused);
}

void Tuner::resume() {
  if (m_status.state != TunerState::Paused) return;
  if (!m_measuring) m_since.start();
  set(TunerState::Running);
  advance();
}

void Tuner::stop() {
  if (!m_status.active()) return;
  leave(TunerState::Idle);
}

void Tuner::leave(TunerState state) {
  ++m_run;
  m_forecast.reset();
  m_client.cancel(kMeasure);
  for (const Subject& tile : m_compiling) m_client.cancel(compileTag(keyOf(tile)));
  m_compiling.clear();
  m_measuring = false;
  m_step.reset();
  m_ahead.clear();
  m_thinking = false;
  QMetaObject::invokeMethod(
      &m_there, [this] { m_engine.close(); }, Qt::QueuedConnection);
  set(state);
}

void Tuner::fail(const QString& why) {
  m_status.trouble = why;
  leave(TunerState::Failed);
}

void Tuner::set(TunerState state) {
  m_status.state = state;
  m_shown.stop();
  emit changed();
}

void Tuner::show() {
  if (!m_shown.isActive()) m_shown.start();
}

Tuner::Key Tuner::keyOf(const Subject& tile) const {
  return fmt::format("{} {} {} {}", tile.rung()->id, tileText(*tile.rung(), tile.tile), m_arch.name,
                     rowOf(m_format).name);
}

void Tuner::ask(std::function<TuneReport(TuneEngine&)> work) {
  m_thinking = true;
  QMetaObject::invokeMethod(
      &m_there,
      [this, run = m_run, work = std::move(work)] {
        auto report = std::make_shared<TuneReport>(work(m_engine));
        m_answers.give([this, run, report] {
          if (run == m_run) take(std::move(*report));
        });
      },
      Qt::QueuedConnection);
}

void Tuner::take(TuneReport report) {
  m_thinking = false;
  if (!report.error.empty()) return fail(sentence(report.error));
  m_status.funnel = report.funnel;
  m_status.progress = report.progress;
  m_status.best = report.best;
  m_status.resumedFrom = report.resumedFrom;
  m_step = report.step;
  m_ahead = std::move(report.ahead);
  keep(std::move(report.measured));
  if (report.outcome) {
    TuneOutcome& o = *report.outcome;
    m_status.tied = std::move(o.tied);
    m_status.won = o.won;
    m_status.gflops = o.gflops;
    m_status.trouble = sentence(o.notKept);
    leave(TunerState::Done);
    readBest();
    forget();  // all of them are among those that follow
    emit ended(o.records);
    return;
  }
  if (report.wantsPredictions) {
    if (const auto rates = model::ratesOf(*m_status.stages[0], m_arch.name)) {
      m_forecast = std::make_unique<model::LateForecast>(
          m_status.problem, std::move(report.candidates), m_arch, *rates);
    }
  }
  if (m_status.state == TunerState::Preparing) {
    m_since.start();
    set(TunerState::Running);
  }
  show();
  askAhead();
  advance();
}

void Tuner::keep(std::vector<runs::RunRecord> measured) {
  if (measured.empty()) return;
  for (runs::RunRecord& run : measured) {
    const auto stage = std::ranges::find(m_status.stages, run.stage, &Stage::id);
    if (stage == m_status.stages.end()) continue;  // a journal that was edited
    const auto [at, isNew] =
        m_measuredAt.emplace(keyOf({*stage, run.tile, run.format}), m_measured.size());
    if (isNew) {
      m_measured.push_back(std::move(run));
    } else {
      m_measured[at->second] = std::move(run);
    }
  }
  ++m_measurements;
  emit tileMeasured();
}

void Tuner::forget() {
  if (m_measured.empty()) return;
  m_measured.clear();
  m_measuredAt.clear();
  ++m_measurements;
}

bool Tuner::stepIs(tuning::TuneStep::Kind kind) const {
  return m_step && !m_thinking && m_step->kind == kind;
}

void Tuner::advance() {
  if (m_status.state != TunerState::Running || m_thinking || !m_step) return;
  if (m_step->kind == tuning::TuneStep::Kind::Compile) {
    if (const auto built = m_built.find(keyOf(m_step->tile)); built != m_built.end())
      return answerCompiled(built->second);
    askCompile(m_step->tile);
  } else if (!m_measuring) {
    worker::MeasureRequest request{{m_step->tile, m_status.problem}, 0, {}, false};
    request.options.minRounds = request.options.maxRounds = m_step->rounds;
    request.options.spread = 0;
    request.options.budgetMs = request.options.limitMs = m_limitMs;
    m_measuring = true;
    m_client.measure(request, kMeasure, this,
                     [this](const Result<WorkerClient::Measured>& measured) { takeRun(measured); });
  }
}

// Other processes fill the worker's cache, so that later requests are answered from it.
void Tuner::askAhead() {
  std::vector<Subject> list;
  const auto add = [&](const std::vector<Subject>& tiles) {
    for (const Subject& tile : tiles) {
      if (list.size() >= worker::AheadRequest::kMost) return;
      if (!m_built.contains(keyOf(tile))) list.push_back(tile);
    }
  };
  add(m_ahead);
  if (m_forecast) {
    const std::vector<Subject> wanted = m_forecast->wanted();
    for (const Subject& tile : wanted) {
      if (const auto built = m_built.find(keyOf(tile)); built != m_built.end())
        m_forecast->give(tile, shapeOf(tile, built->second));
    }
    add(m_forecast->wanted());
  }
  if (list.empty()) return;
  // A message has one stage. Tiles that are due soon stay in front: order changes within a batch
  // only.
  constexpr std::size_t kBatch = 16;
  for (std::size_t from = 0; from < list.size(); from += kBatch) {
    const auto batch = std::span(list).subspan(from, std::min(kBatch, list.size() - from));
    std::ranges::stable_sort(batch, {}, [](const Subject& each) { return each.rung()->rung; });
  }
  const auto send = [this](const worker::AheadRequest& request) {
    m_client.compileAhead(request, this,
                          [this](const worker::AheadAnswer& answer) { takeAhead(answer); });
  };
  worker::AheadRequest request{list.front().rung(), {}, m_arch, m_format};
  for (const Subject& each : list) {
    if (each.rung() != request.stage) {
      send(request);
      request.stage = each.rung();
      request.tiles.clear();
    }
    request.tiles.push_back(each.tile);
  }
  send(request);
  m_askAgain.start();  // unless a result comes first
}

void Tuner::takeAhead(const worker::AheadAnswer& answer) {
  for (const worker::AheadAnswer::Compiled& c : answer.compiled) {
    if (std::ranges::find(m_status.stages, c.rung()) == m_status.stages.end() ||
        c.arch.name != m_arch.name || c.format != m_format)
      continue;
    if (c.failed) {
      if (m_forecast) m_forecast->give(c, std::nullopt);
    } else {
      m_built[keyOf(c)] = {c.registers, c.spillStores + c.spillLoads, c.loop, {}, c.asCompiled};
    }
  }
  advance();
}

std::optional<model::KernelShape> Tuner::shapeOf(const Subject& tile, const Built& built) const {
  if (!built.failure.empty()) return std::nullopt;
  return model::shapeOf(*tile.rung(), tile.tile, built.registers, built.loop, m_arch,
                        built.asCompiled);
}

// Those to report with the next result, once.
std::vector<double> Tuner::predictions() {
  if (!m_forecast || m_forecast->predicted().empty()) return {};
  std::vector<double> gflops = m_forecast->predicted();
  m_forecast.reset();
  return gflops;
}

void Tuner::askCompile(const Subject& tile) {
  if (std::ranges::find(m_compiling, tile) != m_compiling.end()) return;
  m_compiling.push_back(tile);
  m_client.compile(
      {{tile, m_arch}}, compileTag(keyOf(tile)), WorkerClient::Urgency::Soon, this,
      [this, tile](const Result<worker::CompileFacts>& facts) { takeCompiled(tile, facts); });
}

double Tuner::sinceResult() {
  const double seconds = static_cast<double>(m_since.nsecsElapsed()) / 1e9;
  m_since.start();
  return seconds;
}

void Tuner::answerCompiled(const Built& built) {
  if (!built.failure.empty()) return answerFailed(built.failure);
  ask([built](TuneEngine& engine) { return engine.compiled(built.registers, built.spillBytes); });
}

void Tuner::answerFailed(const std::string& why) {
  ask([why, seconds = sinceResult(), told = predictions()](TuneEngine& engine) {
    return engine.failed(why, seconds, told);
  });
}

void Tuner::takeCompiled(const Subject& tile, const Result<worker::CompileFacts>& facts) {
  std::erase(m_compiling, tile);
  if (!facts) return takeNotCompiled(tile, facts.error());
  const gpu::Resources& r = facts->resources;
  m_built[keyOf(tile)] = {
      r.registers, r.spillStores + r.spillLoads, facts->loop, {}, !facts->whyNotRewritten.empty()};
  advance();
}

void Tuner::takeNotCompiled(const Subject& tile, const Error& error) {
  const bool wanted = stepIs(tuning::TuneStep::Kind::Compile) && m_step->tile == tile;
  if (error.trouble == Trouble::Compilation) {
    m_built[keyOf(tile)] = {-1, 0, {}, error.text};
  } else if (wanted && isFatal(error.trouble)) {
    return answerFailed(error.text);
  } else if (wanted && error.trouble != Trouble::Cancelled) {
    return fail(sentence(error.text));  // no tile is at fault
  }
  advance();
}

void Tuner::takeRun(const Result<WorkerClient::Measured>& measured) {
  m_measuring = false;
  if (!measured) {
    const Error& error = measured.error();
    if (error.trouble == Trouble::Cancelled) return advance();
    // Memory is short for the operands, which no tile changes.
    if (error.trouble == Trouble::OutOfMemory) return fail(sentence(error.text));
    return answerFailed(error.text);
  }
  ask([run = measured->run, seconds = sinceResult(), told = predictions()](TuneEngine& engine) {
    return engine.timed(run, seconds, told);
  });
}

std::optional<Tuner::Survey> Tuner::survey(const Stage& stage, const Architecture& arch,
                                           const std::vector<tuning::ParameterValues>& listed) {
  const auto known = std::ranges::find_if(m_counted, [&](const Counted& c) {
    return c.stage == &stage && c.arch == arch.name && c.listed == listed;
  });
  if (known != m_counted.end()) return known->survey;
  if (m_counted.size() >= kMostCounted) {
    m_counted.pop_front();
    ++m_forgotten;
  }
  m_counted.push_back({&stage, std::string(arch.name), listed, {}});
  ++m_counting;
  QMetaObject::invokeMethod(
      &m_there,
      [this, &stage, arch, listed, number = m_forgotten + m_counted.size() - 1] {
        const auto space = tuning::spaceOf(stage, {false, listed}, arch);
        std::optional<Survey> counted;
        if (space) counted = {space->generated, space->legal.size(), space->rejected};
        m_answers.give([this, number, counted] {
          --m_counting;
          if (!counted || number < m_forgotten) return;
          m_counted[static_cast<std::size_t>(number - m_forgotten)].survey = counted;
          emit surveyed();
        });
      },
      Qt::QueuedConnection);
  return std::nullopt;
}

void Tuner::readBest() {
  m_best.clear();
  if (!m_files.best.empty()) {
    if (auto all = tuning::readBest(m_files.best)) m_best = std::move(*all);
  }
  emit bestChanged();
}

std::optional<tuning::BestTile> Tuner::bestOf(const Stage& stage, const Problem& problem,
                                              Format format) const {
  const auto here = device();
  if (!here || m_best.empty()) return std::nullopt;
  return tuning::bestTile(m_best, stage, problem, {here->name, here->driver}, format);
}

}  // namespace tileloom
