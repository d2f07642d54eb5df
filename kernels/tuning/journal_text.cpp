// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a tuning journal, written and read.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "kernels/base/fnv.h"
#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "kernels/tuning/journal.h"

namespace tileloom::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargest = std::size_t{512} << 20;

Json tileJson(const Stage& stage, const TileShape& tile) {
  Json json;
  for (const ParameterSpec& spec : stage.parameters)
    json[std::string(name(spec.parameter))] = tile[spec.parameter];
  return json;
}

constexpr int kMost = std::numeric_limits<int>::max();
constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
constexpr double kLong = 1e12;  // seconds

// A part of the journal's line; its complaints become those of the line.
class Part : public JsonReader {
 public:
  Part(JsonReader& line, const char* key) : Part(line, line.object(key)) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    if (!good()) line_.take(complaint());
  }
  const nlohmann::json& json() const { return json_; }

 private:
  static const nlohmann::json& orNothing(const nlohmann::json* json) {
    static const nlohmann::json nothing = nlohmann::json::object();
    return json != nullptr ? *json : nothing;
  }
  Part(JsonReader& line, const nlohmann::json* json)
      : JsonReader(orNothing(json)), line_(line), json_(orNothing(json)) {}

  JsonReader& line_;
  const nlohmann::json& json_;
};

std::string textOf(JsonReader& reader, const char* key) {
  constexpr std::size_t kLongest = 200;  // bytes, as in a run
  return reader.text(key, kLongest);
}

// A message of a driver or a compiler, made safe to show.
std::string sentenceOf(std::string_view failure) {
  constexpr std::size_t kMostShown = 1000;  // characters
  return quotable(failure, kMostShown);
}

// Absent: the usual one of the first stage.
Format formatFrom(JsonReader& line, std::span<const Stage* const> stages) {
  const auto known = line.find("arithmetic") == nullptr
                         ? tl::expected<Format, std::string>(stages[0]->usualFormat())
                         : formatNamed(textOf(line, "arithmetic"));
  const auto has = [&](const Stage* stage) { return stage->calculatesIn(*known); };
  if (known && std::ranges::all_of(stages, has)) return *known;
  line.take("a stage of it does not support the arithmetic that it names");
  return stages[0]->usualFormat();
}

// "stage" of a run of one stage, "stages" of one of several: each once, by rung.
std::vector<const Stage*> stagesFrom(JsonReader& line) {
  std::vector<const Stage*> stages;
  const auto add = [&](std::string_view id) {
    const Stage* stage = stageOfEitherLadder(id);
    if (stage == nullptr) return line.take("this build does not have its stage");
    if (!stages.empty() &&
        (stages.back()->ladder != stage->ladder || stages.back()->rung >= stage->rung))
      return line.take("its stages are not rungs of one ladder in their order");
    stages.push_back(stage);
  };
  if (line.find("stages") == nullptr) {
    add(textOf(line, "stage"));
    return stages;
  }
  for (const auto& id : line.list("stages", kRecordBounds.values, "names of stages")) {
    const auto* text = id.get_ptr<const std::string*>();
    if (text == nullptr) line.complain("stages", "a list of names of stages");
    if (text != nullptr) add(*text);
  }
  if (stages.size() < 2 && line.good()) line.take("\"stages\" names fewer than two");
  return stages;
}

std::size_t count(JsonReader& reader, const char* key) {
  return static_cast<std::size_t>(reader.whole(key, 0, kMany));
}

// Of all tile parameters of the stage, within their ranges: sizes are computed from it.
TileShape tileFrom(JsonReader& line, const Stage& stage) {
  Part parameters(line, "tile");
  TileShape tile;
  for (const ParameterSpec& spec : stage.parameters)
    tile[spec.parameter] = parameters.integer(name(spec.parameter), spec.min, spec.max);
  if (parameters.json().size() > stage.parameters.size())
    parameters.take("its stage does not have a tile parameter of \"tile\"");
  return tile;
}

SearchPhase phaseFrom(JsonReader& line) {
  const std::string said = textOf(line, "phase");
  for (const SearchPhase phase : {SearchPhase::Screen, SearchPhase::Halving, SearchPhase::Finals}) {
    if (said == name(phase)) return phase;
  }
  line.take("there is no such phase");
  return {};
}

SpaceOptions spaceFrom(JsonReader& line) {
  Part space(line, "space");
  SpaceOptions options;
  options.threes = space.flag("threes");
  Part parameters(space, "parameters");
  for (const auto& member : parameters.json().items()) {
    const auto parameter = parameterNamed(member.key());
    if (!parameter) {
      parameters.take("this version does not know a tile parameter of \"parameters\"");
      break;
    }
    ParameterValues& listed = options.listed.emplace_back(ParameterValues{*parameter, {}});
    for (const auto& value : parameters.list(member.key(), kRecordBounds.values, "whole numbers")) {
      const bool whole = value.is_number_integer() && value >= 0 && value <= kMost;
      if (!whole) parameters.complain(member.key(), "a list of whole numbers");
      listed.values.push_back(whole ? value.get<int>() : 0);
    }
  }
  std::ranges::sort(options.listed, {}, &ParameterValues::parameter);
  return options;
}

SearchOptions searchFrom(JsonReader& line) {
  Part search(line, "search");
  SearchOptions o;
  o.budgetRuns = search.integer("budget_runs", 0, kMost);
  o.budgetSeconds = search.number("budget_seconds", 0, kLong);
  o.exhaustive = search.flag("exhaustive");
  o.exhaustiveRounds = search.integer("exhaustive_rounds", 0, kMost);
  o.screenRounds = search.integer("screen_rounds", 0, kMost);
  o.screenShare = search.number("screen_share", 0, 1);
  o.eta = search.integer("eta", 0, kMost);
  o.finalists = search.integer("finalists", 0, kMost);
  o.finalRounds = search.integer("final_rounds", 0, kMost);
  o.mostTurns = search.integer("most_turns", 0, kMost);
  o.seed = static_cast<unsigned>(search.whole("seed", 0, std::numeric_limits<unsigned>::max()));
  return o;
}

// One key for the code of several stages.
std::string together(std::span<const std::string> keys) {
  if (keys.size() == 1) return keys[0];
  Fnv hash;
  for (const std::string& key : keys) hash.add(key);
  return hash.text();
}

std::string fingerprintFrom(JsonReader& line, std::span<const Stage* const> stages) {
  if (stages.size() == 1) return fingerprintFrom(line, stages[0]->id);
  if (line.find("source_hash") == nullptr) return textOf(line, "fingerprint");
  const std::string text = textOf(line, "source_hash");
  const auto known = textKeysOfAll(stages);
  return std::ranges::find(known, text) != known.end() ? fingerprintOfAll(stages) : staleKey(text);
}

TuneHeader headerFrom(JsonReader& line) {
  TuneHeader h;
  if (textOf(line, "schema") != kTuneSchema) line.complain("schema", kTuneSchema);
  h.when = textOf(line, "when");
  h.stages = stagesFrom(line);
  if (!h.stages.empty()) h.format = formatFrom(line, h.stages);
  h.problem = {line.integer("m", 1, kMost), line.integer("n", 1, kMost),
               line.integer("k", 1, kMost)};
  h.device = {textOf(line, "device"), textOf(line, "arch"), textOf(line, "driver"),
              textOf(line, "nvrtc")};
  h.fingerprint = fingerprintFrom(line, h.stages);
  h.space = spaceFrom(line);
  h.search = searchFrom(line);
  h.shard = line.integer("shard", 0, kMost);
  h.shards = line.integer("shards", 0, kMost);
  h.keepSpills = line.flag("keep_spills");
  h.predict = line.flag("predict");
  h.generated = count(line, "generated");
  h.legal = count(line, "legal");
  h.candidates = count(line, "candidates");
  h.plan = textOf(line, "plan");
  return h;
}

// A line of predictions, which follow those of the lines before. There is one for each candidate.
void takePredicted(JsonReader& line, std::uint64_t candidates, std::vector<double>& predicted) {
  if (count(line, "from") != predicted.size()) line.take("predictions are missing");
  for (const auto& value : line.list("gflops", kRecordBounds.values, "numbers")) {
    if (!value.is_number()) return line.complain("gflops", "a list of numbers");
    predicted.push_back(value.get<double>());
  }
  if (predicted.empty() || predicted.size() > candidates)
    line.take("there is not one prediction for each candidate");
}

bool isPredicted(const JsonReader& line) {
  const auto* event = line.find("event");
  return event != nullptr && *event == "predicted";
}

// Of a run of several stages, whose events name theirs.
const Stage& stageFrom(JsonReader& line, std::span<const Stage* const> stages) {
  if (stages.size() == 1) return *stages[0];
  const std::string id = textOf(line, "stage");
  const auto at = std::ranges::find(stages, id, &Stage::id);
  if (at != stages.end()) return **at;
  line.take("the run is not of its stage");
  return *stages[0];
}

TuneEvent eventFrom(JsonReader& line, const TuneHeader& header, Subject& tile) {
  const std::string event = textOf(line, "event");
  if (event == "ended") return EndedEvent{line.flag("kept")};
  const Stage& stage = stageFrom(line, header.stages);
  tile = {&stage, tileFrom(line, stage), header.format};
  if (event == "compiled") {
    return CompiledEvent{count(line, "candidate"), line.integer("registers", -1, kMost),
                         line.integer("spill_bytes", 0, kMost)};
  }
  if (event != "timed") line.take("there is no such event");
  TimedEvent timed;
  timed.candidate = count(line, "candidate");
  constexpr int kMostRounds = 1'000'000;  // as in a run
  timed.rounds = line.integer("rounds", 0, kMostRounds);
  timed.phase = phaseFrom(line);
  timed.seconds = line.number("seconds", 0, kLong);
  if (const auto* failure = line.find("failure")) {
    const auto* text = failure->get_ptr<const std::string*>();
    if (text == nullptr) line.complain("failure", "a string");
    if (text != nullptr) timed.failure = sentenceOf(*text);
  } else if (const auto* record = line.object("record")) {
    auto run = runs::fromJson(*record);
    if (run) {
      timed.record = std::move(*run);
    } else {
      line.take(run.error());
    }
  }
  return timed;
}

std::string different(std::string_view what, std::string_view there, std::string_view here) {
  return fmt::format("is of {} {} and not of {}", what, there.empty() ? "(unknown)" : there,
                     here.empty() ? "(unknown)" : here);
}

}  // namespace

std::string whyNotTogether(const TuneHeader& there, const TuneHeader& here) {
  if (there.stages != here.stages)
    return different("stage", idsOf(there.stages), idsOf(here.stages));
  if (there.format != here.format)
    return different("arithmetic", rowOf(there.format).name, rowOf(here.format).name);
  if (!(there.problem == here.problem))
    return different("size", toString(there.problem), toString(here.problem));
  if (there.device.name != here.device.name)
    return different("device", there.device.name, here.device.name);
  if (there.device.driver != here.device.driver)
    return different("driver", there.device.driver, here.device.driver);
  if (there.device.nvrtc != here.device.nvrtc)
    return different("NVRTC", there.device.nvrtc, here.device.nvrtc);
  if (there.fingerprint != here.fingerprint)
    return different("source", there.fingerprint, here.fingerprint);
  if (there.shards != here.shards) {
    return different("a shard count of", fmt::format("{}", there.shards),
                     fmt::format("{}", here.shards));
  }
  if (!(there.space == here.space)) return "searches other values of the tile parameters";
  if (!(there.search == here.search) || there.keepSpills != here.keepSpills)
    return "has other options (budget, exhaustive, spills)";
  return {};
}

std::string fingerprintOfAll(std::span<const Stage* const> stages) {
  std::vector<std::string> each;
  for (const Stage* stage : stages) each.push_back(fingerprintOf(*stage));
  return together(each);
}

std::vector<std::string> textKeysOfAll(std::span<const Stage* const> stages) {
  std::vector<std::string> all, latest;
  for (const Stage* stage : stages) {
    std::string last;
    for (const TextKey& key : textKeys()) {
      if (key.stage != stage->id || key.fingerprint != fingerprintOf(*stage)) continue;
      last = key.text;
      all.push_back(key.text);
    }
    if (last.empty()) return {};
    latest.push_back(std::move(last));
  }
  if (stages.size() > 1) all = {together(latest)};
  return all;
}

std::string idsOf(std::span<const Stage* const> stages) {
  std::string text;
  for (const Stage* stage : stages) text += (text.empty() ? "" : ", ") + std::string(stage->id);
  return text;
}

nlohmann::ordered_json toJson(const TuneHeader& h) {
  Json parameters = Json::object();
  for (const ParameterValues& listed : h.space.listed)
    parameters[std::string(name(listed.parameter))] = listed.values;
  const SearchOptions& o = h.search;
  Json json = {{"schema", kTuneSchema},
               {"when", h.when},
               {"stage", h.stages[0]->id},
               {"arithmetic", rowOf(h.format).name},
               {"m", h.problem.m},
               {"n", h.problem.n},
               {"k", h.problem.k},
               {"device", h.device.name},
               {"arch", h.device.arch},
               {"driver", h.device.driver},
               {"nvrtc", h.device.nvrtc},
               {"fingerprint", h.fingerprint},
               {"space", {{"threes", h.space.threes}, {"parameters", std::move(parameters)}}},
               {"search",
                {{"budget_runs", o.budgetRuns},
                 {"budget_seconds", o.budgetSeconds},
                 {"exhaustive", o.exhaustive},
                 {"exhaustive_rounds", o.exhaustiveRounds},
                 {"screen_rounds", o.screenRounds},
                 {"screen_share", o.screenShare},
                 {"eta", o.eta},
                 {"finalists", o.finalists},
                 {"final_rounds", o.finalRounds},
                 {"most_turns", o.mostTurns},
                 {"seed", o.seed}}},
               {"shard", h.shard},
               {"shards", h.shards},
               {"keep_spills", h.keepSpills},
               {"predict", h.predict},
               {"generated", h.generated},
               {"legal", h.legal},
               {"candidates", h.candidates},
               {"plan", h.plan}};
  if (h.format == Format::Fp32) json.erase("arithmetic");  // as it always was
  if (h.stages.size() > 1) {
    Json ids = Json::array();
    for (const Stage* stage : h.stages) ids.push_back(stage->id);
    json.erase("stage");
    json["stages"] = std::move(ids);
  }
  return json;
}

namespace {

Json eventJson(const Subject& of, const TuneEvent& event) {
  if (const auto* ended = std::get_if<EndedEvent>(&event))
    return {{"event", "ended"}, {"kept", ended->kept}};
  if (const auto* compiled = std::get_if<CompiledEvent>(&event)) {
    return {{"event", "compiled"},
            {"candidate", compiled->candidate},
            {"tile", tileJson(*of.rung(), of.tile)},
            {"registers", compiled->registers},
            {"spill_bytes", compiled->spillBytes}};
  }
  const TimedEvent& timed = std::get<TimedEvent>(event);
  Json json = {{"event", "timed"},
               {"candidate", timed.candidate},
               {"tile", tileJson(*of.rung(), of.tile)},
               {"phase", name(timed.phase)},
               {"rounds", timed.rounds},
               {"seconds", timed.seconds}};
  if (timed.record) {
    json["record"] = toJson(*timed.record);
  } else {
    json["failure"] = sentenceOf(timed.failure);
  }
  return json;
}

}  // namespace

std::string toLines(const TuneHeader& header, const Subject& tile, const TuneEvent& event) {
  const auto* predicted = std::get_if<PredictedEvent>(&event);
  if (predicted == nullptr) {
    Json json = eventJson(tile, event);
    if (header.stages.size() > 1 && tile.rung() != nullptr) json["stage"] = tile.rung()->id;
    return dumped(json) + '\n';
  }
  constexpr std::size_t kALine = 4000;  // of 7 digits: half of what a line may have
  std::string lines;
  const std::span<const double> all = predicted->gflops;
  for (std::size_t at = 0; at < all.size(); at += kALine) {
    const auto part = all.subspan(at, std::min(kALine, all.size() - at));
    lines += dumped(Json{{"event", "predicted"}, {"from", at}, {"gflops", part}}) + '\n';
  }
  return lines;
}

tl::expected<JournalState, std::string> journalState(const std::filesystem::path& file) {
  const auto text = readText(file, kLargest);
  if (!text) return tl::unexpected(text.error());
  if (text->find('\n') != std::string::npos) return JournalState::Begun;
  // As toJson writes the beginning of the first line.
  const std::string first = fmt::format("{{\"schema\":\"{}\",", kTuneSchema);
  const std::size_t both = std::min(text->size(), first.size());
  return text->compare(0, both, first, 0, both) == 0 ? JournalState::NotBegun
                                                     : JournalState::Foreign;
}

std::string foreignText(const std::filesystem::path& file) {
  return fmt::format(
      "\"{}\" contains something other than a tuning run: name another file, so that nothing is "
      "lost",
      quotableFile(file));
}

tl::expected<TuneLog, std::string> readJournal(const std::filesystem::path& file) {
  const auto text = readText(file, kLargest);
  if (!text) return tl::unexpected(text.error());
  return parseJournal(*text, quotableFile(file));
}

tl::expected<TuneLog, std::string> parseJournal(std::string_view text,
                                                std::string_view nameOfText) {
  TuneLog log;
  std::size_t number = 0;
  std::vector<double> predicted;  // of lines that are not all there yet
  const auto take = [&](TuneEvent event, const Subject& tile) {
    log.events.push_back(std::move(event));
    log.tiles.push_back(tile);
    log.lines.push_back(number);
  };
  const auto wrong = [&](const std::string& why) {
    return tl::unexpected(fmt::format("{}, line {}: {}: start a new run", nameOfText, number, why));
  };
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const auto json = parseJsonObject(line, kRecordBounds);
    if (!json) return wrong(json.error());
    JsonReader reader(*json);
    std::optional<TuneEvent> event;
    Subject tile;
    if (number == 1) {
      log.header = headerFrom(reader);
    } else if (isPredicted(reader)) {
      takePredicted(reader, log.header.candidates, predicted);
      if (reader.good() && predicted.size() < log.header.candidates) continue;
      event = PredictedEvent{std::exchange(predicted, {})};
    } else if (!predicted.empty()) {
      reader.take("predictions are missing");
    } else {
      event = eventFrom(reader, log.header, tile);
    }
    if (!reader.good()) return wrong(reader.complaint());
    if (event) take(std::move(*event), tile);
    log.whole = at;
  }
  if (number == 0) {
    return tl::unexpected(
        fmt::format("there is no tuning run in \"{}\": name a file that tileloom tune has written",
                    nameOfText));
  }
  return log;
}

}  // namespace tileloom::tuning
