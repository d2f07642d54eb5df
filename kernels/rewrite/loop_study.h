// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler leaves unused: the main loop of a kernel as compiled beside the same loop
// rewritten, and the loop with some of the changes left out. Times are those of the model
// (turn_time.h).
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/rewrite.h"
#include "kernels/rewrite/turn_time.h"

namespace tileloom::rewrite {

// One iteration of a main loop, with the branch that closes it, and what the model says about it.
struct TurnFacts {
  std::vector<Op> turn;
  std::vector<sass::Class> classes;  // per instruction
  std::vector<sass::Lost> lost;      // per instruction: cycles that it loses to the register file
  TurnTime time;
  std::vector<LoadToUse> uses;  // of shared loads
  int multiplyAdds = 0;
  int lostToBanks = 0;  // cycles per iteration and warp
  int lostToLoads = 0;
  double share = 0;  // of the issue slots of an SM that multiply-adds take, 0 to 1

  int instructions() const { return static_cast<int>(turn.size()); }
  // Issue slots of one scheduler in which nothing is issued while its warps execute one iteration
  // each; `cycles` is the time that this takes.
  double slotsLost(double cycles, int warps) const {
    return cycles - double(warps) / Architecture::kPartitions * instructions();
  }
};

// A version of the loop: the changes of the rewriter that it has, and how lanes share addresses.
struct Version {
  Changes changes;
  // Wide loads served in pairs of lanes, with the lanes placed as in rung 14. This is not a change
  // of the rewriter but of the source: the model predicts the same code, and what is measured
  // (gpu/loop_bench.h) is the code that the compiler makes from that source.
  bool pairedLoads = false;
  bool operator==(const Version&) const = default;
};

struct VersionFacts {
  Version version;
  std::string whyNot;  // one sentence without a full stop; empty: it exists
  TurnFacts facts;
  // For each instruction of the iteration the index in the untouched iteration.
  std::vector<std::size_t> origins;
};

struct LoopStudy {
  TurnFacts untouched;
  TurnFacts untouchedOtherwise;  // the same, with the lanes placed in the other way
  // Each Version once; the first one has all changes. Empty: the loop is not to be rewritten
  // (studyUntouched), and other lanes are not considered.
  std::vector<VersionFacts> versions;
  int warps = 0;  // per SM

  const VersionFacts& of(const Version& version) const;
  const VersionFacts& rewritten() const { return versions.front(); }
};

// For an untouched cubin, with this many warps per block and this many blocks per SM. Takes half a
// second. The error is one sentence without a full stop: why the loop cannot be rewritten.
tl::expected<LoopStudy, std::string> studyLoop(std::span<const char> cubin, const Request& request,
                                               const Residency& residency);

// For a kernel whose loop runs as compiled, whatever its shape: its main loop (sass::mainLoop).
// `listing` is that of the file, with source lines, and `paired` says which lines' loads are served
// in pairs. The error is one sentence without a full stop.
tl::expected<LoopStudy, std::string> studyUntouched(const sass::Cubin& cubin,
                                                    const sass::Listing& listing,
                                                    const sass::PairedLoads& paired,
                                                    const Residency& residency);

}  // namespace tileloom::rewrite
