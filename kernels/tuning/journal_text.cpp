// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a tuning journal, written and read.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "kernels/base/text_file.h"
#include "kernels/tile/words.h"
#include "kernels/tuning/journal.h"

namespace tileloom::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargest = std::size_t{512} << 20;

Json tileJson(const Stage& stage, const TileShape& tile) {
  Json json;
  for (const KnobSpec& spec : stage.knobs) json[std::string(name(spec.knob))] = tile[spec.knob];
  return json;
}

// A value of the right type, or the sentence's part that says which is wrong.
struct Wrong {
  std::string what;
};

template <class T>
T get(const nlohmann::json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end()) throw Wrong{fmt::format("\"{}\" is missing", key)};
  const bool fits = std::is_same_v<T, std::string> ? it->is_string()
                    : std::is_same_v<T, bool>      ? it->is_boolean()
                    : std::is_integral_v<T>        ? it->is_number_integer()
                                                   : it->is_number();
  if (!fits) throw Wrong{fmt::format("\"{}\" is of the wrong type", key)};
  return it->get<T>();
}

const nlohmann::json& part(const nlohmann::json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_object()) throw Wrong{fmt::format("\"{}\" is missing", key)};
  return *it;
}

TileShape tileFrom(const nlohmann::json& json) {
  TileShape tile;
  for (const auto& [key, value] : json.items()) {
    const auto knob = knobNamed(key);
    if (!knob || !value.is_number_integer()) throw Wrong{fmt::format("no knob \"{}\"", key)};
    tile[*knob] = value.get<int>();
  }
  return tile;
}

SearchPhase phaseFrom(const std::string& text) {
  for (const SearchPhase phase : {SearchPhase::Screen, SearchPhase::Halving, SearchPhase::Finals}) {
    if (text == name(phase)) return phase;
  }
  throw Wrong{"there is no such phase"};
}

TuneHeader headerFrom(const nlohmann::json& json) {
  if (get<std::string>(json, "schema") != kTuneSchema)
    throw Wrong{fmt::format("\"schema\" is not {}", kTuneSchema)};
  TuneHeader h;
  h.when = get<std::string>(json, "when");
  h.stage = stageWithId(get<std::string>(json, "stage"));
  if (h.stage == nullptr) throw Wrong{"this build does not have its stage"};
  h.problem = {get<int>(json, "m"), get<int>(json, "n"), get<int>(json, "k")};
  h.device = {get<std::string>(json, "device"), get<std::string>(json, "arch"),
              get<std::string>(json, "driver"), get<std::string>(json, "nvrtc")};
  h.sourceHash = get<std::string>(json, "source_hash");
  const nlohmann::json& space = part(json, "space");
  h.space.threes = get<bool>(space, "threes");
  for (const auto& [key, values] : part(space, "knobs").items()) {
    const auto knob = knobNamed(key);
    if (!knob || !values.is_array()) throw Wrong{fmt::format("no knob \"{}\"", key)};
    KnobValues& listed = h.space.listed.emplace_back(KnobValues{*knob, {}});
    for (const auto& value : values) {
      if (!value.is_number_integer()) throw Wrong{fmt::format("\"{}\" has no whole number", key)};
      listed.values.push_back(value.get<int>());
    }
  }
  std::ranges::sort(h.space.listed, {}, &KnobValues::knob);
  const nlohmann::json& search = part(json, "search");
  SearchOptions& o = h.search;
  o.budgetRuns = get<int>(search, "budget_runs");
  o.budgetSeconds = get<double>(search, "budget_seconds");
  o.exhaustive = get<bool>(search, "exhaustive");
  o.exhaustiveRounds = get<int>(search, "exhaustive_rounds");
  o.screenRounds = get<int>(search, "screen_rounds");
  o.screenShare = get<double>(search, "screen_share");
  o.eta = get<int>(search, "eta");
  o.finalists = get<int>(search, "finalists");
  o.finalRounds = get<int>(search, "final_rounds");
  o.mostTurns = get<int>(search, "most_turns");
  o.seed = get<unsigned>(search, "seed");
  h.shard = get<int>(json, "shard");
  h.shards = get<int>(json, "shards");
  h.keepSpills = get<bool>(json, "keep_spills");
  h.predict = get<bool>(json, "predict");
  h.generated = get<std::uint64_t>(json, "generated");
  h.legal = get<std::uint64_t>(json, "legal");
  h.candidates = get<std::uint64_t>(json, "candidates");
  h.plan = get<std::string>(json, "plan");
  return h;
}

// A line of predictions, which are then behind those of the lines before.
void takePredicted(const nlohmann::json& json, std::vector<double>& predicted) {
  if (get<std::size_t>(json, "from") != predicted.size()) throw Wrong{"predictions are missing"};
  const auto values = json.find("gflops");
  if (values == json.end() || !values->is_array()) throw Wrong{"\"gflops\" is missing"};
  for (const auto& value : *values) {
    if (!value.is_number()) throw Wrong{"\"gflops\" is of the wrong type"};
    predicted.push_back(value.get<double>());
  }
}

bool isPredicted(const nlohmann::json& json) {
  const auto event = json.find("event");
  return event != json.end() && *event == "predicted";
}

TuneEvent eventFrom(const nlohmann::json& json, TileShape& tile) {
  const std::string event = get<std::string>(json, "event");
  if (event == "ended") return EndedEvent{get<bool>(json, "kept")};
  tile = tileFrom(part(json, "tile"));
  if (event == "compiled") {
    return CompiledEvent{get<std::size_t>(json, "candidate"), get<int>(json, "registers"),
                         get<int>(json, "spill_bytes")};
  }
  if (event != "timed") throw Wrong{fmt::format("there is no event \"{}\"", event)};
  TimedEvent timed{get<std::size_t>(json, "candidate"),
                   get<int>(json, "rounds"),
                   phaseFrom(get<std::string>(json, "phase")),
                   get<double>(json, "seconds"),
                   {},
                   {}};
  if (json.contains("failure")) {
    timed.failure = get<std::string>(json, "failure");
  } else {
    auto record = runs::fromJson(part(json, "record"));
    if (!record) throw Wrong{record.error()};
    timed.record = std::move(*record);
  }
  return timed;
}

std::string different(std::string_view what, std::string_view there, std::string_view here) {
  return fmt::format("is of {} {} and not of {}", what, there.empty() ? "(unknown)" : there,
                     here.empty() ? "(unknown)" : here);
}

}  // namespace

std::string whyNotTogether(const TuneHeader& there, const TuneHeader& here) {
  if (there.stage != here.stage) return different("stage", there.stage->id, here.stage->id);
  if (!(there.problem == here.problem))
    return different("size", toString(there.problem), toString(here.problem));
  if (there.device.name != here.device.name)
    return different("device", there.device.name, here.device.name);
  if (there.device.driver != here.device.driver)
    return different("driver", there.device.driver, here.device.driver);
  if (there.device.nvrtc != here.device.nvrtc)
    return different("NVRTC", there.device.nvrtc, here.device.nvrtc);
  if (there.sourceHash != here.sourceHash)
    return different("source", there.sourceHash, here.sourceHash);
  if (there.shards != here.shards) {
    return different("a run in so many shards:", fmt::format("{}", there.shards),
                     fmt::format("{}", here.shards));
  }
  if (!(there.space == here.space)) return "searches other values of the knobs";
  if (!(there.search == here.search) || there.keepSpills != here.keepSpills)
    return "has other options (budget, exhaustive, spills)";
  return {};
}

nlohmann::ordered_json toJson(const TuneHeader& h) {
  Json knobs = Json::object();
  for (const KnobValues& listed : h.space.listed)
    knobs[std::string(name(listed.knob))] = listed.values;
  const SearchOptions& o = h.search;
  return {{"schema", kTuneSchema},
          {"when", h.when},
          {"stage", h.stage->id},
          {"m", h.problem.m},
          {"n", h.problem.n},
          {"k", h.problem.k},
          {"device", h.device.name},
          {"arch", h.device.arch},
          {"driver", h.device.driver},
          {"nvrtc", h.device.nvrtc},
          {"source_hash", h.sourceHash},
          {"space", {{"threes", h.space.threes}, {"knobs", std::move(knobs)}}},
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
}

namespace {

Json eventJson(const Stage& stage, const TileShape& tile, const TuneEvent& event) {
  if (const auto* ended = std::get_if<EndedEvent>(&event))
    return {{"event", "ended"}, {"kept", ended->kept}};
  if (const auto* compiled = std::get_if<CompiledEvent>(&event)) {
    return {{"event", "compiled"},
            {"candidate", compiled->candidate},
            {"tile", tileJson(stage, tile)},
            {"registers", compiled->registers},
            {"spill_bytes", compiled->spillBytes}};
  }
  const TimedEvent& timed = std::get<TimedEvent>(event);
  Json json = {
      {"event", "timed"},           {"candidate", timed.candidate}, {"tile", tileJson(stage, tile)},
      {"phase", name(timed.phase)}, {"rounds", timed.rounds},       {"seconds", timed.seconds}};
  if (timed.record) {
    json["record"] = toJson(*timed.record);
  } else {
    json["failure"] = timed.failure;
  }
  return json;
}

}  // namespace

std::string toLines(const Stage& stage, const TileShape& tile, const TuneEvent& event) {
  const auto* predicted = std::get_if<PredictedEvent>(&event);
  if (predicted == nullptr) return eventJson(stage, tile, event).dump() + '\n';
  constexpr std::size_t kALine = 4000;  // of 7 digits: half of what a line may have
  std::string lines;
  const std::span<const double> all = predicted->gflops;
  for (std::size_t at = 0; at < all.size(); at += kALine) {
    const auto part = all.subspan(at, std::min(kALine, all.size() - at));
    lines += Json{{"event", "predicted"}, {"from", at}, {"gflops", part}}.dump() + '\n';
  }
  return lines;
}

tl::expected<bool, std::string> hasALine(const std::filesystem::path& file) {
  const auto text = readText(file, kLargest);
  if (!text) return tl::unexpected(text.error());
  return text->find('\n') != std::string::npos;
}

tl::expected<TuneLog, std::string> readJournal(const std::filesystem::path& file) {
  const auto text = readText(file, kLargest);
  if (!text) return tl::unexpected(text.error());
  TuneLog log;
  std::size_t number = 0;
  std::vector<double> predicted;  // of lines that are not all there yet
  const auto take = [&](TuneEvent event, const TileShape& tile) {
    log.events.push_back(std::move(event));
    log.tiles.push_back(tile);
    log.lines.push_back(number);
  };
  for (std::size_t at = 0;;) {
    const std::size_t end = text->find('\n', at);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    ++number;
    const auto json = line.size() <= runs::kLongestLine
                          ? nlohmann::json::parse(line, nullptr, false)
                          : nlohmann::json(nlohmann::json::value_t::discarded);
    try {
      if (!json.is_object()) throw Wrong{"this is no JSON object"};
      if (number == 1) {
        log.header = headerFrom(json);
      } else if (isPredicted(json)) {
        takePredicted(json, predicted);
        if (predicted.size() < log.header.candidates) continue;
        take(PredictedEvent{std::exchange(predicted, {})}, {});
      } else if (!predicted.empty()) {
        throw Wrong{"predictions are missing"};
      } else {
        TileShape tile;
        TuneEvent event = eventFrom(json, tile);
        take(std::move(event), tile);
      }
    } catch (const Wrong& wrong) {
      return tl::unexpected(
          fmt::format("{}, line {}: {}: begin anew", file.string(), number, wrong.what));
    }
    log.whole = at;
  }
  if (number == 0) {
    return tl::unexpected(
        fmt::format("there is no tuning run in \"{}\": name a file that tileloom tune has written",
                    file.string()));
  }
  return log;
}

}  // namespace tileloom::tuning
