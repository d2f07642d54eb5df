// SPDX-License-Identifier: GPL-3.0-or-later
// One tuning run, driven step by step from outside: it says what to compile or to measure next and
// is told what came out. It never waits, and knows no GPU: the command line drives it in process, a
// window through its worker. Every event is in the journal before it counts, so that a run can be
// left at any moment and opened again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/architecture.h"
#include "kernels/tuning/journal.h"
#include "kernels/tuning/tune_summary.h"

namespace tileloom::tuning {

struct TuneRequest {
  const Stage* stage = nullptr;
  Problem problem{4096, 4096, 4096};
  SpaceOptions space;
  SearchOptions search;
  int shard = 0, shards = 1;  // this one of so many parts of the space, from 0
  bool keepSpills = false;
  bool predict = true;  // rank by predictions where somebody can make them
};

// What a request comes to, before anything is measured.
struct TunePlan {
  TuneHeader header;
  Space space;
  std::vector<SearchCandidate> candidates;  // this shard's, not predicted
};
// The error: an unknown knob or value, or that no tile is legal; one sentence.
tl::expected<TunePlan, std::string> planTuning(const TuneRequest& request, const TuneDevice& device,
                                               const Architecture& arch);

struct TuneStep {
  enum class Kind { Compile, Measure };
  Kind kind = Kind::Measure;
  std::size_t candidate = 0;
  TileShape tile;
  int rounds = 0;  // of the measurement: no fewer and no more
  SearchPhase phase = SearchPhase::Screen;
};

class TuneSession {
 public:
  using Done = tl::expected<void, std::string>;

  // Opens the journal, and goes on where it ends if it has a run. The error, one sentence: another
  // process has it, or the run in it is of another device, driver, source or request.
  static tl::expected<TuneSession, std::string> open(TunePlan plan,
                                                     const std::filesystem::path& journal);

  // What to do next; nothing when the search has ended. Each step is answered by one of the three
  // calls below; each of these writes to the journal first, and counts nothing if that fails.
  std::optional<TuneStep> next() const;
  Done compiled(int registers, int spillBytes);
  Done timed(const runs::RunRecord& record, double seconds);
  Done failed(const std::string& why, double seconds);

  // Whether predictions would still change what is tried next, and nobody gave any. What is given
  // then, one a candidate, counts from the next step on: between a step and its answer it may not
  // be called.
  bool wantsPredictions() const;
  Done predicted(std::span<const double> gflops);

  // Tiles that will probably be compiled next, soonest first.
  std::vector<TileShape> ahead(std::size_t count) const;

  // Once next() is nothing: each tile's figure goes to the history, the leader to the best-known
  // tiles. Does nothing the second time, however often the run was interrupted.
  Done keep(const std::filesystem::path& history, const std::filesystem::path& best);

  const TuneHeader& header() const { return plan_.header; }
  const Search& search() const { return search_; }
  Funnel funnel() const;
  std::size_t resumedFrom() const { return resumed_; }  // measurements that were there already
  // The latest record of a candidate, with the interval of all its finals; nothing: not measured.
  std::optional<runs::RunRecord> recordOf(std::size_t candidate) const;

 private:
  TuneSession(TunePlan plan, std::unique_ptr<Journal> journal);
  Done note(const TileShape& tile, const TuneEvent& event);
  void apply(const TuneEvent& event);
  std::string whyNotNext(const TuneEvent& event, const TileShape& tile) const;

  TunePlan plan_;
  std::unique_ptr<Journal> journal_;
  Search search_;
  struct Known {
    bool compiled = false;
    int spillBytes = 0;
    std::optional<runs::RunRecord> record;
  };
  std::vector<Known> known_;
  std::size_t resumed_ = 0;
  bool predicted_ = false, ended_ = false, kept_ = false;
};

// $XDG_DATA_HOME/tileloom/tune/, or ~/.local/share/tileloom/tune/
std::filesystem::path defaultTuneFolder();
// "warptiled-4096x4096x4096-sm_90-<plan>.jsonl": the same request on the same device finds its run.
std::string journalName(const TuneHeader& header);

}  // namespace tileloom::tuning
