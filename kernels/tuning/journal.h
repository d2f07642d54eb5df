// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning run on disk: one JSON object per line, schema "tileloom.tune/2". The first line says
// what is searched, on which device and how; each further line is an event, in the order in which
// they happened. An event is written to the file with one write and flushed before any decision is
// based on it. Predictions are an event, too, so that a run that is continued ranks the candidates
// in the same way; for many candidates they take several lines.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "kernels/base/text_file.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/search.h"
#include "kernels/tuning/space.h"

namespace tileloom::tuning {

inline constexpr std::string_view kTuneSchema = "tileloom.tune/2";

// What measures. Results of another device, driver or compiler cannot be compared with these.
struct TuneDevice {
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string arch;    // "sm_90"
  std::string driver;  // "580.159.04", or empty
  std::string nvrtc;   // "13.0"
  bool operator==(const TuneDevice&) const = default;
};

struct TuneHeader {
  std::string when;                  // the run was begun
  std::vector<const Stage*> stages;  // of one ladder, by rung; at least one
  Format format = Format::Fp32;      // one that all of them have
  Problem problem;
  TuneDevice device;
  std::string fingerprint;  // see fingerprintOfAll
  SpaceOptions space;
  SearchOptions search;
  int shard = 0, shards = 1;
  bool keepSpills = false;
  bool predict = true;  // if predictions can be made; they are in the journal
  std::uint64_t generated = 0, legal = 0, candidates = 0;
  std::string plan;  // 16 hex digits: a hash of the candidates and kSearchVersion
};

// The stage's fingerprint, or for several stages one hash over those of all.
std::string fingerprintOfAll(std::span<const Stage* const> stages);
// The keys of the same code in versions before fingerprints: see text_keys.h.
std::vector<std::string> textKeysOfAll(std::span<const Stage* const> stages);
// "rewritten", or "tuned, scheduled, rewritten"
std::string idsOf(std::span<const Stage* const> stages);

// Why the results of these two runs cannot be compared ("is of device X and not of Y"); empty: they
// can be, as those of two shards of one run.
std::string whyNotTogether(const TuneHeader& there, const TuneHeader& here);

struct CompiledEvent {
  std::size_t candidate = 0;
  int registers = -1;
  int spillBytes = 0;  // stores and loads
};
struct TimedEvent {
  std::size_t candidate = 0;
  int rounds = 0;
  SearchPhase phase = SearchPhase::Screen;
  double seconds = 0;
  std::optional<runs::RunRecord> record;  // std::nullopt: it failed
  std::string failure;
};
struct EndedEvent {  // the search has ended; `kept`: its results are in history and best tiles
  bool kept = false;
};
struct PredictedEvent {
  std::vector<double> gflops;  // of each candidate; 0: unknown
};
using TuneEvent = std::variant<CompiledEvent, TimedEvent, EndedEvent, PredictedEvent>;

nlohmann::ordered_json toJson(const TuneHeader& header);
// The lines of the event: several for predictions, one for any other.
std::string toLines(const TuneHeader& header, const Subject& tile, const TuneEvent& event);

// The contents of a whole journal.
struct TuneLog {
  TuneHeader header;
  std::vector<TuneEvent> events;
  std::vector<Subject> tiles;      // of the events
  std::vector<std::size_t> lines;  // where the events end, from 1
  std::size_t whole = 0;           // bytes up to the end of the last complete event
};

// The error names file and line. A last line without its newline, which a crash leaves, is ignored:
// no decision was based on it.
tl::expected<TuneLog, std::string> readJournal(const std::filesystem::path& file);
tl::expected<TuneLog, std::string> parseJournal(std::string_view text, std::string_view nameOfText);

enum class JournalState {
  NotBegun,  // there is no such file, it is empty, or a crash has left a part of its first line
  Begun,     // it has a complete line
  Foreign    // it has text that no journal begins with
};
tl::expected<JournalState, std::string> journalState(const std::filesystem::path& file);
// The sentence that refuses a foreign file.
std::string foreignText(const std::filesystem::path& file);

// Renames the file, if there is one, to its name followed by ".old1", ".old2", …
tl::expected<void, std::string> putAside(const std::filesystem::path& file);

// The file opened for writing, and locked against other processes that tune.
class Journal {
 public:
  // Creates the file, and its folder, if there is none.
  static tl::expected<std::unique_ptr<Journal>, std::string> open(
      const std::filesystem::path& file);
  // To be called before the first line is added, and only once it is known that the run continues
  // here: cuts off what a crash left after the last complete line.
  tl::expected<void, std::string> mend(std::size_t whole);
  tl::expected<void, std::string> add(const std::string& lines);  // each with its newline
  const std::filesystem::path& file() const { return file_.file(); }

 private:
  explicit Journal(AppendedFile file) : file_(std::move(file)) {}
  AppendedFile file_;
};

}  // namespace tileloom::tuning
