// SPDX-License-Identifier: GPL-3.0-or-later
// One tuning run, driven step by step by its caller: it says what to compile or to measure next and
// takes the result. It never waits and uses no GPU itself: the command line drives it in its own
// process, the window through its worker. Every event is written to the journal before it is used,
// so that a run can be interrupted at any moment and opened again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/journal.h"
#include "kernels/tuning/tune_summary.h"

namespace tileloom::tuning {

struct TuneRequest {
  // One stage or several of one ladder, each once, in any order: the search then also finds the
  // stage.
  std::vector<const Stage*> stages;
  Format format = Format::Fp32;  // one that all of them have
  Problem problem{4096, 4096, 4096};
  SpaceOptions space;  // a listed tile parameter counts for the stages that have it
  SearchOptions search;
  int shard = 0, shards = 1;  // number of this part, from 0, and number of all parts
  bool keepSpills = false;
  bool predict = true;  // use predictions if they can be made
};

// Why a stage cannot be built for the architecture at all; empty: all of them can.
std::string whyNotSearched(const TuneRequest& request, const Architecture& arch);

// Why no tile of these stages can be predicted on any device; empty: they can.
std::string whyNotPredicted(std::span<const Stage* const> stages);

// What follows from a request before anything is measured.
struct TunePlan {
  TuneHeader header;
  std::vector<Rejection> rejected;          // see Space::rejected; over all stages
  std::vector<SearchCandidate> candidates;  // of this shard, without predictions
};
// The error is one sentence: an unknown tile parameter or value, that no tile of a stage is legal,
// that the stages are not of one ladder or have no common format, or whyNotSearched().
tl::expected<TunePlan, std::string> planTuning(const TuneRequest& request, const TuneDevice& device,
                                               const Architecture& arch);

struct TuneStep {
  enum class Kind { Compile, Measure };
  Kind kind = Kind::Measure;
  std::size_t candidate = 0;
  Subject tile;
  int rounds = 0;  // exactly this many in the measurement
  SearchPhase phase = SearchPhase::Screen;
};

class TuneSession {
 public:
  using Done = tl::expected<void, std::string>;

  // Opens the journal and, if it has a run, continues where that ends. The error is one sentence:
  // another process has the journal open, or its run is of another device, driver, source or
  // request.
  static tl::expected<TuneSession, std::string> open(TunePlan plan,
                                                     const std::filesystem::path& journal);

  // What to do next. std::nullopt: the search has ended. Each step is answered by one of the three
  // calls below. Each of these writes to the journal first, and has no effect if that fails.
  std::optional<TuneStep> next() const;
  Done compiled(int registers, int spillBytes);
  Done timed(const runs::RunRecord& record, double seconds);
  Done failed(const std::string& why, double seconds);

  // Whether predictions have not been given yet and would still change what is tried next. If so,
  // predicted() takes one per candidate, and they are used from the next step on. It must not be
  // called between a step and its answer.
  bool wantsPredictions() const;
  Done predicted(std::span<const double> gflops);

  // Tiles that will probably be compiled next, soonest first.
  std::vector<Subject> ahead(std::size_t count) const;

  // To be called when the search has ended: adds each tile's figure to the history and the leader
  // to the best-known tiles. Only the first call has an effect, even if the run was interrupted in
  // between.
  Done keep(const std::filesystem::path& history, const std::filesystem::path& best);

  const TuneHeader& header() const { return plan_.header; }
  const Search& search() const { return search_; }
  Funnel funnel() const;
  std::size_t resumedFrom() const { return resumed_; }  // measurements that were in the journal
  // The latest record of a candidate, with the interval over all its turns in the finals.
  // std::nullopt: not measured.
  std::optional<runs::RunRecord> recordOf(std::size_t candidate) const;

 private:
  TuneSession(TunePlan plan, std::unique_ptr<Journal> journal);
  Done note(const Subject& tile, const TuneEvent& event);
  void apply(const TuneEvent& event);
  std::string whyNotNext(const TuneEvent& event, const Subject& tile) const;

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
// "warptiled-4096x4096x4096-sm_90-<plan>.jsonl", or "tuned+scheduled-…" of several stages: with
// this name the same request on the same device finds its earlier run.
std::string journalName(const TuneHeader& header);
// The file of that name in the folder, or that which an earlier version has given another name;
// empty if the folder is, which is that of a user without one.
std::filesystem::path journalIn(const std::filesystem::path& folder, const TuneHeader& header);

}  // namespace tileloom::tuning
