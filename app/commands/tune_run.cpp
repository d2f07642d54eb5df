// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tune_run.h"

#include <fmt/format.h>
#include <chrono>
#include <csignal>
#include <map>
#include <span>

#include "app/commands/common/progress_line.h"
#include "app/commands/report/tune_report.h"
#include "kernels/model/prediction/kernel_shape.h"

namespace tileloom::app {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stopAsked = 0;  // a signal handler can reach nothing else

void rememberStop(int signal) {
  stopAsked = 1;
  std::signal(signal, SIG_DFL);
}

class Progress {
 public:
  explicit Progress(const tuning::TuneSession& session) : session_(session) {}
  void show() {
    const auto phase = session_.next() ? session_.next()->phase : tuning::SearchPhase::Ended;
    if (!line_.due(phase != phase_)) return;
    phase_ = phase;
    line_.show(progressText(session_.header().stages, session_.search()));
  }

 private:
  const tuning::TuneSession& session_;
  ProgressLine line_;
  tuning::SearchPhase phase_ = tuning::SearchPhase::Screen;
};

// Predictions need the kernels that other processes compile; the session gets them once they are
// complete.
tuning::TuneSession::Done foretell(tuning::TuneSession& session,
                                   std::span<const gpu::CompileAhead::Compiled> compiled,
                                   model::LateForecast& forecast) {
  for (const gpu::CompileAhead::Compiled& c : compiled) {
    std::optional<model::KernelShape> shape;
    if (!c.failed)
      shape =
          model::shapeOf(*c.rung(), c.tile, c.resources.registers, c.loop, c.arch, c.asCompiled);
    forecast.give(c, shape);
  }
  const auto& gflops = forecast.predicted();
  return gflops.empty() ? tuning::TuneSession::Done() : session.predicted(gflops);
}

}  // namespace

StopSignals::StopSignals() {
  stopAsked = 0;
  std::signal(SIGINT, rememberStop);
  std::signal(SIGTERM, rememberStop);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignals::asked() {
  return stopAsked != 0;
}

tl::expected<TuneEnd, Error> drive(tuning::TuneSession& session, Measuring& measuring,
                                   gpu::CompileAhead& ahead, model::LateForecast* forecast,
                                   double limitMs) {
  const Problem& problem = session.header().problem;
  std::map<std::size_t, gpu::Build> builds;  // of those that are measured more than once
  Progress progress(session);
  auto since = Clock::now();  // of the last result: what a measurement costs includes its compiling
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - since).count(); };
  const auto noted = [](const tuning::TuneSession::Done& done) -> Result<void> {
    if (done) return {};
    return fail(Trouble::BadRequest, done.error());
  };
  while (session.next()) {
    if (StopSignals::asked()) return TuneEnd::Stopped;
    progress.show();
    const auto compiled = ahead.take();
    const bool foretells = forecast != nullptr && session.wantsPredictions();
    if (foretells) {
      const auto done = noted(foretell(session, compiled, *forecast));
      if (!done) return tl::unexpected(done.error());
    }
    const auto step = session.next();
    // Until there are predictions, the next tiles are hard to foresee, and the predictions need the
    // compilers.
    const std::size_t far = foretells ? 16 : 4 * ahead.processes() + 16;
    ahead.want(session.ahead(far), measuring.arch());
    if (foretells) ahead.want(forecast->wanted(), measuring.arch());
    auto build = builds.find(step->candidate);
    if (build == builds.end()) {
      auto made = measuring.build(step->tile);
      if (!made) {
        if (made.error().trouble != Trouble::Compilation) return tl::unexpected(made.error());
        const auto done = noted(session.failed(made.error().text, seconds()));
        if (!done) return tl::unexpected(done.error());
        since = Clock::now();
        continue;
      }
      build = builds.emplace(step->candidate, std::move(*made)).first;
    }
    if (step->kind == tuning::TuneStep::Kind::Compile) {
      const gpu::Resources& r = build->second.resources;
      const auto done = noted(session.compiled(r.registers, r.spillStores + r.spillLoads));
      if (!done) return tl::unexpected(done.error());
      continue;
    }
    gpu::MeasureOptions how;
    how.minRounds = how.maxRounds = step->rounds;
    how.spread = 0;
    how.budgetMs = how.limitMs = limitMs;
    const auto record = gpu::measureSpeed(measuring.bench(), build->second, problem, how);
    if (record) {
      const auto done = noted(session.timed(*record, seconds()));
      if (!done) return tl::unexpected(done.error());
    } else {
      // The operands do not fit into memory, whatever the tile.
      if (record.error().trouble == Trouble::OutOfMemory) return tl::unexpected(record.error());
      const auto done = noted(session.failed(record.error().text, seconds()));
      if (!done) return tl::unexpected(done.error());
      if (isFatal(record.error().trouble)) return TuneEnd::Lost;
    }
    since = Clock::now();
  }
  return TuneEnd::Finished;
}

}  // namespace tileloom::app
