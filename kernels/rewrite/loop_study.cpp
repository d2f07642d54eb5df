// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/loop_study.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tileloom::rewrite {
namespace {

// A kernel with its main loop, and its listing for the model of the register file.
struct Loop {
  LoopCode code;
  sass::Listing listing;
};

tl::expected<Loop, std::string> loopOf(std::span<const char> file) {
  const auto cubin = sass::readCubin(file);
  if (!cubin) return tl::unexpected(cubin.error());
  auto code = loopCodeOf(*cubin);
  if (!code) return tl::unexpected(code.error());
  auto listing = sass::listingOf(*cubin);
  if (!listing) return tl::unexpected(listing.error());
  // The lines are unknown: all wide loads are treated alike.
  for (sass::Instruction& instruction : listing->instructions) instruction.line = 1;
  return Loop{std::move(*code), std::move(*listing)};
}

TurnFacts factsOf(std::span<const Op> kernel, const sass::Listing& listing,
                  const sass::Range& range, const sass::PairedLoads& paired,
                  const Residency& residency) {
  TurnFacts facts;
  const auto turn = kernel.subspan(range.begin, range.size());
  facts.turn.assign(turn.begin(), turn.end());
  for (std::size_t i = range.begin; i < range.end; ++i)
    facts.classes.push_back(sass::classOf(listing.instructions[i]));
  facts.lost = sass::lostCycles(listing, range, paired);
  facts.time = turnTime(facts.turn, facts.lost, residency);
  facts.uses = loadsToUses(facts.turn, facts.time);
  for (const sass::Lost& lost : facts.lost) {
    facts.lostToBanks += lost.banks;
    facts.lostToLoads += lost.loads;
  }
  facts.multiplyAdds = static_cast<int>(std::ranges::count_if(
      facts.turn, [](const Op& op) { return multiplyAddOf(op.code).has_value(); }));
  facts.share = facts.time.issueShare(facts.multiplyAdds, residency.warps);
  return facts;
}

TurnFacts factsOf(const Loop& loop, Residency residency, bool pairedLoads) {
  sass::PairedLoads paired;
  paired.note(1, pairedLoads);
  residency.pairedLoads = pairedLoads;
  return factsOf(loop.code.kernel, loop.listing, {loop.code.begin, loop.code.end}, paired,
                 residency);
}

}  // namespace

const VersionFacts& LoopStudy::of(const Version& version) const {
  const auto found = std::ranges::find(versions, version, &VersionFacts::version);
  return found == versions.end() ? versions.front() : *found;
}

tl::expected<LoopStudy, std::string> studyLoop(std::span<const char> cubin, const Request& request,
                                               const Residency& residency) {
  const auto untouched = loopOf(cubin);
  if (!untouched) return tl::unexpected(untouched.error());
  LoopStudy study;
  study.warps = residency.warps;
  study.untouched = factsOf(*untouched, residency, residency.pairedLoads);
  study.untouchedOtherwise = factsOf(*untouched, residency, !residency.pairedLoads);
  for (const bool order : {true, false}) {
    for (const bool loads : {true, false}) {
      for (const bool barrier : {true, false}) {
        Request its = request;
        its.changes = {order, loads, barrier};
        const auto rewritten = rewriteMainLoop(cubin, its);
        if (!rewritten && its.changes.all()) return tl::unexpected(rewritten.error());
        std::optional<Loop> loop;
        std::vector<std::size_t> origins;
        if (rewritten) {
          auto found = loopOf(rewritten->cubin);
          if (!found) return tl::unexpected(found.error());
          loop = std::move(*found);
          for (std::size_t i = loop->code.begin; i < loop->code.end; ++i)
            origins.push_back(static_cast<std::size_t>(rewritten->origins[i]) -
                              untouched->code.begin);
        }
        for (const bool paired : {residency.pairedLoads, !residency.pairedLoads}) {
          VersionFacts version;
          version.version = {its.changes, paired};
          if (loop) {
            version.facts = factsOf(*loop, residency, paired);
            version.origins = origins;
          } else {
            version.whyNot = rewritten.error();
          }
          study.versions.push_back(std::move(version));
        }
      }
    }
  }
  return study;
}

tl::expected<LoopStudy, std::string> studyUntouched(const sass::Cubin& cubin,
                                                    const sass::Listing& listing,
                                                    const sass::PairedLoads& paired,
                                                    const Residency& residency) {
  std::vector<Op> kernel;
  for (std::size_t i = 0; i < listing.instructions.size(); ++i) {
    auto code = sass::decode(cubin.words[i], listing.instructions[i].address, cubin.capability);
    if (!code) return tl::unexpected(code.error());
    kernel.push_back(Op::of(std::move(*code), i));
  }
  LoopStudy study;
  study.warps = residency.warps;
  study.untouched = factsOf(kernel, listing, sass::mainLoop(listing).range, paired, residency);
  return study;
}

}  // namespace tileloom::rewrite
