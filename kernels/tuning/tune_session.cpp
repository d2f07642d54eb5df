// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/tune_session.h"
#include "kernels/tile/subject.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "kernels/base/fnv.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/user_folders.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "kernels/tuning/best.h"

namespace tileloom::tuning {
namespace {

// Which shard a tile belongs to: scattered, so that each shard has tiles of all kinds.
int shardOf(const TileShape& tile, int shards) {
  Fnv hash;
  for (const Parameter parameter : kAllParameters)
    hash.add(static_cast<std::uint64_t>(tile[parameter]));
  return static_cast<int>((hash.value() >> 20) % static_cast<std::uint64_t>(shards));
}

// Why a journal's run cannot continue as this one; empty: it can.
std::string whyNotGoOn(const TuneHeader& there, const TuneHeader& here) {
  if (std::string why = whyNotTogether(there, here); !why.empty()) return why;
  if (there.shard != here.shard) {
    return fmt::format("is of shard {}/{} and not of {}/{}", there.shard, there.shards, here.shard,
                       here.shards);
  }
  if (there.predict != here.predict)
    return there.predict ? "was begun with predictions" : "was begun without predictions";
  if (there.plan != here.plan) return "was begun by another version";
  return {};
}

// Why these stages are not searched together; empty: they are.
std::string whyNotOneSearch(const TuneRequest& request) {
  for (const Stage* stage : request.stages) {
    if (stage->ladder != request.stages[0]->ladder) {
      return fmt::format("{} and {} are rungs of two ladders: tune each ladder by itself",
                         request.stages[0]->id, stage->id);
    }
  }
  for (const Stage* stage : request.stages) {
    if (!stage->calculatesIn(request.format)) {
      return fmt::format("{} does not support {}: leave it out, or choose another arithmetic",
                         stage->id, rowOf(request.format).name);
    }
  }
  return {};
}

// A tile parameter that none of the stages has stays for the first one to refuse.
bool noneHas(std::span<const Stage* const> stages, const SpaceOptions& options) {
  return std::ranges::any_of(options.listed, [&](const ParameterValues& listed) {
    return std::ranges::none_of(
        stages, [&](const Stage* stage) { return stage->spec(listed.parameter) != nullptr; });
  });
}

void addTo(std::vector<Rejection>& sum, const std::vector<Rejection>& more) {
  for (const Rejection& r : more) {
    const auto row = std::ranges::find(sum, r.row, &Rejection::row);
    if (row == sum.end())
      sum.push_back(r);
    else
      row->tiles += r.tiles;
  }
}

constexpr std::string_view kStartAnew = "give the options of that run, or start a new one";

}  // namespace

std::string whyNotSearched(const TuneRequest& request, const Architecture& arch) {
  for (const Stage* stage : request.stages) {
    if (std::string why = whyNotFor(*stage, request.format, arch); !why.empty()) return why;
  }
  return {};
}

tl::expected<TunePlan, std::string> planTuning(const TuneRequest& request, const TuneDevice& device,
                                               const Architecture& arch) {
  if (std::string why = whyNotOneSearch(request); !why.empty())
    return tl::unexpected(std::move(why));
  if (std::string why = whyNotSearched(request, arch); !why.empty())
    return tl::unexpected(std::move(why));
  TunePlan plan;
  TuneHeader& h = plan.header;
  h.stages = request.stages;
  std::ranges::sort(h.stages, {}, &Stage::rung);
  h.stages.erase(std::unique(h.stages.begin(), h.stages.end()), h.stages.end());
  const bool several = h.stages.size() > 1;
  const bool asked = noneHas(h.stages, request.space);
  Fnv hash;
  hash.add(static_cast<std::uint64_t>(kSearchVersion));
  for (const Stage* stage : h.stages) {
    auto space = spaceOf(*stage, asked ? request.space : optionsFor(*stage, request.space), arch);
    if (!space) return tl::unexpected(space.error());
    if (several) hash.add(static_cast<std::uint64_t>(stage->rung));
    for (const TileShape& tile : space->legal) {
      if (shardOf(tile, request.shards) != request.shard) continue;
      plan.candidates.push_back({{stage, tile, request.format}, 0});
      for (const Parameter parameter : kAllParameters)
        hash.add(static_cast<std::uint64_t>(tile[parameter]));
    }
    h.generated += space->generated;
    h.legal += space->legal.size();
    addTo(plan.rejected, space->rejected);
  }
  if (plan.candidates.empty()) {
    const auto most = std::ranges::max_element(plan.rejected, {}, &Rejection::tiles);
    return tl::unexpected(
        h.legal == 0
            ? fmt::format("none of {} tiles is legal{}: list other values with --parameter",
                          grouped(h.generated),
                          most == plan.rejected.end()
                              ? ""
                              : fmt::format(" (the rule \"{}\" is broken most)", most->row))
            : fmt::format("shard {}/{} has none of the {} legal tiles: use fewer shards",
                          request.shard, request.shards, h.legal));
  }
  h.when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  h.format = request.format;
  h.problem = request.problem;
  h.device = device;
  h.fingerprint = fingerprintOfAll(h.stages);
  h.space = request.space;
  std::ranges::sort(h.space.listed, {}, &ParameterValues::parameter);  // as a journal has them
  h.search = request.search;
  h.shard = request.shard;
  h.shards = request.shards;
  h.keepSpills = request.keepSpills;
  // Where all are measured, the order does not matter.
  h.predict = request.predict && !request.search.exhaustive && whyNotPredicted(h.stages).empty();
  h.candidates = plan.candidates.size();
  h.plan = hash.text();
  return plan;
}

std::string whyNotPredicted(std::span<const Stage* const> stages) {
  if (std::ranges::all_of(stages, [](const Stage* s) { return model::isPredicted(*s); })) return {};
  return "the prediction is fitted to the FP32 rungs only";
}

std::filesystem::path defaultTuneFolder() {
  return userDataFile("tune");
}

std::string journalName(const TuneHeader& h) {
  Fnv hash;
  for (const std::string& text : {h.device.name, h.device.driver, h.device.nvrtc, h.fingerprint,
                                  h.plan, dumped(toJson(h).at("search"))}) {
    // A letter as eight bytes, because existing runs have such names.
    for (const char c : text) hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  hash.add(static_cast<std::uint64_t>(h.keepSpills));
  hash.add(static_cast<std::uint64_t>(h.predict));
  // Runs of FP32 are named as they were before there was another arithmetic.
  const std::string format =
      h.format == Format::Fp32 ? std::string() : fmt::format("-{}", rowOf(h.format).name);
  // The hash identifies the rungs between them.
  const std::string stages =
      h.stages.size() == 1 ? std::string(h.stages[0]->id)
                           : fmt::format("{}{}{}", h.stages[0]->id,
                                         h.stages.size() == 2 ? "+" : "-to-", h.stages.back()->id);
  return fmt::format("{}{}-{}-{}-{}{}.jsonl", stages, format, toString(h.problem), h.device.arch,
                     h.shards > 1 ? fmt::format("{}of{}-", h.shard, h.shards) : "",
                     hash.text().substr(0, 8));
}

std::filesystem::path journalIn(const std::filesystem::path& folder, const TuneHeader& header) {
  if (folder.empty()) return folder;
  const std::filesystem::path file = folder / journalName(header);
  std::error_code error;
  if (std::filesystem::exists(file, error)) return file;
  TuneHeader earlier = header;
  for (std::string& text : textKeysOfAll(header.stages)) {
    earlier.fingerprint = std::move(text);
    const std::filesystem::path old = folder / journalName(earlier);
    if (std::filesystem::exists(old, error)) return old;
  }
  return file;
}

// --- the session -----------------------------------------------------------------------------

TuneSession::TuneSession(TunePlan plan, std::unique_ptr<Journal> journal)
    : plan_(std::move(plan)),
      journal_(std::move(journal)),
      search_(plan_.candidates, plan_.header.search),
      known_(plan_.candidates.size()) {}

tl::expected<TuneSession, std::string> TuneSession::open(TunePlan plan,
                                                         const std::filesystem::path& file) {
  auto journal = Journal::open(file);
  if (!journal) return tl::unexpected(journal.error());
  const auto state = journalState(file);
  if (!state) return tl::unexpected(state.error());
  if (*state == JournalState::Foreign) return tl::unexpected(foreignText(file));
  if (*state == JournalState::NotBegun) {
    if (const auto done = (*journal)->mend(0); !done) return tl::unexpected(done.error());
    if (const auto done = (*journal)->add(dumped(toJson(plan.header)) + '\n'); !done) {
      std::error_code ignored;  // an empty file is left otherwise
      std::filesystem::remove(file, ignored);
      return tl::unexpected(done.error());
    }
    return TuneSession(std::move(plan), std::move(*journal));
  }
  auto log = readJournal(file);
  if (!log) return tl::unexpected(log.error());
  if (const std::string why = whyNotGoOn(log->header, plan.header); !why.empty()) {
    return tl::unexpected(
        fmt::format("the run in \"{}\" {}: {}", quotableFile(file), why, kStartAnew));
  }
  plan.header.when = log->header.when;
  TuneSession session(std::move(plan), std::move(*journal));
  for (std::size_t i = 0; i < log->events.size(); ++i) {
    if (const std::string why = session.whyNotNext(log->events[i], log->tiles[i]); !why.empty()) {
      return tl::unexpected(
          fmt::format("{}, line {}: {}: start a new run", quotableFile(file), log->lines[i], why));
    }
    session.apply(log->events[i]);
  }
  // Only now: a journal that is refused stays as it is.
  if (const auto done = session.journal_->mend(log->whole); !done)
    return tl::unexpected(done.error());
  session.resumed_ = session.search_.progress().jobs;
  return session;
}

// An event must answer the step that this session would have taken.
std::string TuneSession::whyNotNext(const TuneEvent& event, const Subject& tile) const {
  const auto step = next();
  if (std::holds_alternative<EndedEvent>(event))
    return step ? "it says that the search has ended, and by its results it has not" : "";
  constexpr const char* kOther = "this does not follow from the lines before";
  if (std::holds_alternative<PredictedEvent>(event)) return wantsPredictions() ? "" : kOther;
  if (!step || !(step->tile == tile)) return kOther;
  if (const auto* compiled = std::get_if<CompiledEvent>(&event)) {
    return step->kind == TuneStep::Kind::Compile && compiled->candidate == step->candidate ? ""
                                                                                           : kOther;
  }
  const auto& timed = std::get<TimedEvent>(event);
  const bool compiles = step->kind == TuneStep::Kind::Compile && !timed.failure.empty();
  const bool measures = step->kind == TuneStep::Kind::Measure && timed.rounds == step->rounds;
  return timed.candidate == step->candidate && timed.phase == step->phase && (compiles || measures)
             ? ""
             : kOther;
}

void TuneSession::apply(const TuneEvent& event) {
  if (const auto* predicted = std::get_if<PredictedEvent>(&event)) {
    predicted_ = true;
    search_.predict(predicted->gflops);
    return;
  }
  if (const auto* ended = std::get_if<EndedEvent>(&event)) {
    ended_ = true;
    kept_ = kept_ || ended->kept;
  } else if (const auto* compiled = std::get_if<CompiledEvent>(&event)) {
    Known& known = known_[compiled->candidate];
    known.compiled = true;
    known.spillBytes = compiled->spillBytes;
    if (compiled->spillBytes > 0 && !plan_.header.keepSpills) {
      search_.feed({{}, 0, fmt::format("it spills {} bytes", compiled->spillBytes)});
    }
  } else {
    const auto& timed = std::get<TimedEvent>(event);
    if (timed.record) known_[timed.candidate].record = timed.record;
    search_.feed(
        {timed.record ? timed.record->gflops : runs::Interval{}, timed.seconds, timed.failure});
  }
}

TuneSession::Done TuneSession::note(const Subject& tile, const TuneEvent& event) {
  return journal_->add(toLines(plan_.header, tile, event));
}

std::optional<TuneStep> TuneSession::next() const {
  const auto job = search_.next();
  if (!job) return std::nullopt;
  return TuneStep{
      known_[job->candidate].compiled ? TuneStep::Kind::Measure : TuneStep::Kind::Compile,
      job->candidate, plan_.candidates[job->candidate].subject(), job->rounds, job->phase};
}

TuneSession::Done TuneSession::compiled(int registers, int spillBytes) {
  const auto step = next();
  if (!step) return {};
  const CompiledEvent event{step->candidate, registers, spillBytes};
  if (auto done = note(step->tile, event); !done) return done;
  apply(event);
  return {};
}

TuneSession::Done TuneSession::timed(const runs::RunRecord& record, double seconds) {
  const auto step = next();
  if (!step) return {};
  // With the digits of the file: a run that is read again must lead to the same state.
  auto written = runs::fromLine(toLine(record));
  if (!written) return tl::unexpected(written.error());
  TimedEvent event{step->candidate,     step->rounds,
                   step->phase,         std::round(seconds * 1e6) / 1e6,
                   std::move(*written), {}};
  if (auto done = note(step->tile, event); !done) return done;
  apply(event);
  return {};
}

TuneSession::Done TuneSession::failed(const std::string& why, double seconds) {
  const auto step = next();
  if (!step) return {};
  const TimedEvent event{step->candidate, step->rounds,
                         step->phase,     std::round(seconds * 1e6) / 1e6,
                         std::nullopt,    why};
  if (auto done = note(step->tile, event); !done) return done;
  apply(event);
  return {};
}

bool TuneSession::wantsPredictions() const {
  const auto job = search_.next();
  return plan_.header.predict && !predicted_ && job && job->phase == SearchPhase::Screen;
}

TuneSession::Done TuneSession::predicted(std::span<const double> gflops) {
  if (!wantsPredictions()) return {};
  // As the file has them: a continued run must rank alike.
  PredictedEvent event;
  for (const double speed : gflops) event.gflops.push_back(std::round(speed));
  event.gflops.resize(plan_.candidates.size());
  if (auto done = note({}, event); !done) return done;
  apply(event);
  return {};
}

std::vector<Subject> TuneSession::ahead(std::size_t count) const {
  std::vector<Subject> tiles;
  for (const std::size_t i : search_.ahead(count)) {
    if (!known_[i].compiled) tiles.push_back(plan_.candidates[i].subject());
  }
  return tiles;
}

Funnel TuneSession::funnel() const {
  Funnel f{plan_.header.generated, plan_.header.legal, plan_.header.candidates};
  for (const Known& known : known_) {
    f.compiled += known.compiled;
    f.spilling += known.spillBytes > 0;
  }
  const SearchProgress p = search_.progress();
  f.timed = p.timed;
  f.failed = p.failed - (plan_.header.keepSpills ? 0 : f.spilling);
  return f;
}

std::optional<runs::RunRecord> TuneSession::recordOf(std::size_t candidate) const {
  std::optional<runs::RunRecord> record = known_[candidate].record;
  if (!record) return record;
  const Standing s = search_.standing(candidate);
  record->gflops = s.gflops;
  record->rounds = s.rounds;
  return record;
}

TuneSession::Done TuneSession::keep(const std::filesystem::path& history,
                                    const std::filesystem::path& best) {
  if (next() || kept_) return {};
  if (!ended_) {
    if (auto done = note({}, EndedEvent{false}); !done) return done;
    ended_ = true;
  }
  // An earlier attempt may have added a part, and another process may add the same runs.
  auto lines = LineFile::open(history, LineFile::Lock::Needed);
  if (!lines) return tl::unexpected(lines.error());
  const auto there = runs::readRuns(history);
  if (!there) return tl::unexpected(there.error());
  const Verdict verdict = search_.verdict();
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const auto record = recordOf(i);
    if (!record) continue;
    const std::string line = toLine(*record);
    if (std::ranges::any_of(there->runs, [&](const runs::RunRecord& r) {
          return r.when == record->when && r.tile == record->tile && toLine(r) == line;
        }))
      continue;
    if (auto done = runs::appendRun(*lines, *record); !done) return done;
  }
  if (!verdict.standings.empty()) {
    const auto leader = recordOf(verdict.standings.front().candidate);
    if (leader) {
      if (auto done = appendBest(best, {*leader, verdict.tied.size(), header().shards}); !done)
        return done;
    }
  }
  if (auto done = note({}, EndedEvent{true}); !done) return done;
  kept_ = true;
  return {};
}

}  // namespace tileloom::tuning
