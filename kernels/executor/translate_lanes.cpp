// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes exchange.
#include "kernels/executor/lanes.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

std::string voteOf(Translator& t, Operation& o) {
  o.kind = t.words.has("ALL") ? kVoteAll : t.words.has("ANY") ? kVoteAny : kVoteEqual;
  return {};
}

// Lane and clamp may be immediate numbers of fewer bits.
std::string shuffleOf(Translator& t, Operation& o) {
  o.kind = t.words.has("IDX") ? 0 : t.words.has("UP") ? 1 : t.words.has("DOWN") ? 2 : 3;
  int place = 0;
  for (const sass::DecodedOperand& each : t.decoded.operands) {
    if (each.access != sass::Access::Read) continue;
    Source& s = place == 0 ? o.a : place == 1 ? o.b : o.c;
    ++place;
    s = t.source(each);
  }
  return {};
}

std::string matchOf(Translator& t, Operation& o) {
  o.execute = t.words.has("ALL") ? matchAll : matchAny;
  o.wide = t.words.has("U64");
  return {};
}

std::string reductionOf(Translator& t, Operation& o) {
  o.isSigned = t.words.has("S32");
  o.kind = t.words.has("OR")    ? kReduceOr
           : t.words.has("XOR") ? kReduceXor
           : t.words.has("SUM") ? kReduceSum
           : t.words.has("MIN") ? kReduceLeast
           : t.words.has("MAX") ? kReduceMost
                                : kReduceAnd;
  return {};
}

// Of some of the active threads: not seen yet.
std::string electionOf(Translator&, Operation& o) {
  const bool all = o.p.number == sass::kTruePredicate && !o.p.negated;
  return all ? std::string() : std::string(kNotExecuted);
}

constexpr Operands kSortedLanes = Operands::Sorted;

constexpr Instruction kInstructions[] = {
    {"R2UR", firstLane},
    {"VOTE", vote, kSortedLanes, voteOf},
    {"VOTEU", vote, kSortedLanes, voteOf, true},
    {"SHFL", shuffle, kSortedLanes, shuffleOf},
    {"MATCH", nullptr, kSortedLanes, matchOf},
    {"REDUX", reduceLanes, kSortedLanes, reductionOf},
    {"ELECT", elect, kSortedLanes, electionOf},
};

}  // namespace

std::span<const Instruction> laneInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
