// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the trace's counts with the hardware's: which launches to count, what the trace predicts
// for each, and where both differ. A measurement is a run record with counters and without times.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/constraints.h"

namespace tileloom::runs {

inline constexpr std::uint32_t kFidelitySeed = 1128;

// The default tile and `count` more that are legal on `arch`, drawn at random from `seed`: block
// edges with factors of 3, thread tiles of odd sizes and the like are as likely as powers of two.
std::vector<TileShape> fidelityTiles(const Stage& stage, std::size_t count,
                                     const Architecture& arch = defaultArchitecture(),
                                     std::uint32_t seed = kFidelitySeed);

// A grid of one block, and one of two by three; for a stage that has edge checks the second one's
// edges cut through blocks. K is long enough for every buffer to be used again. Where tiles may be
// split along K (split-K), a third one of one by three, whose K is long enough for that.
std::vector<Problem> fidelityProblems(const Stage& stage, const TileShape& tile);

// What the trace predicts for `counter`. std::nullopt: the counter depends on time.
std::optional<std::uint64_t> predicted(const analysis::Totals& totals, Counter counter);

enum class Reason {
  Open,         // not explained yet
  Arbitration,  // between accesses: CUPTI's sum instruction by instruction equals the trace
  AmongWarps,   // between accesses: at most one wavefront for each warp of a block but the first
  Reloaded,     // the compiler loads a value again instead of keeping it in a register
  InTwoGroups,  // lanes of a warp take a guarded load and store at two times: each counts twice
  LooksAgain,   // a thread polls a flag
  PatchedOff,   // CUPTI gives sectors to copies that no lane executes
  AllOff,       // instructions that are issued with all lanes off, and take no wavefront
};
std::string_view sentence(Reason reason);

struct Difference {
  Counter counter;
  std::uint64_t hardware = 0;
  std::uint64_t trace = 0;  // or what the executed machine code gives
  Reason reason = Reason::Open;
};

struct Comparison {
  const RunRecord* run = nullptr;
  bool stale = false;  // measured with another source of the stage than this program has
  int compared = 0;    // counters
  std::string whyNot;  // one sentence, if the launch could not be counted; empty: it was
  std::vector<Difference> differences;

  bool equal() const { return differences.empty(); }
  bool onlyArbitration() const;  // at least one difference, all by arbitration
};

// Compares every record whose stage and tile this program knows with its trace. The records must
// outlive the result. This is slow, because it traces each launch.
std::vector<Comparison> compareWithTrace(std::span<const RunRecord> runs);

// Compares every record whose rung this program knows with these totals of its launch. An error
// becomes Comparison::whyNot.
using TotalsOf = std::function<tl::expected<analysis::Totals, std::string>(const RunRecord&)>;
std::vector<Comparison> compareWith(std::span<const RunRecord> runs, const TotalsOf& totalsOf);

// What the hardware's counts are compared with: the trace of the source, or the executed machine
// code.
enum class Counted { Traced, Executed };

// The part of docs/design/02-fidelity.md that a command makes: the machine, the number of equal
// launches by stage, and one row per difference with its reason. Ends in a newline.
std::string fidelityText(std::span<const Comparison> comparisons,
                         Counted counted = Counted::Traced);

// `document` with the text between the two marker lines replaced by `text`; without markers, the
// text between two markers alone. Each kind has its own markers.
std::string withFidelityText(std::string_view document, std::string_view text,
                             Counted counted = Counted::Traced);

}  // namespace tileloom::runs
