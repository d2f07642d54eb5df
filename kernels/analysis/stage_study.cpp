// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/stage_study.h"

#include <fmt/format.h>

#include <cmath>

#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/pairing.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {
namespace {

constexpr int kWarp = 32;

BlockNeeds needsOf(const Stage& stage, const TileShape& tile, int registers) {
  const Derived d = derive(stage, tile);
  return {d.threads, registers, d.sharedBytes};
}

// Averages over all accesses of a kind.
struct Average {
  double sum = 0;
  double count = 0;
  void add(double value, double of) { sum += value, count += of; }
  double orElse(double usual) const { return count > 0 ? sum / count : usual; }
};

// The cost of bank conflicts and of copies of 4 bytes per lane.
void addMemory(rewrite::Residency& residency, const emulator::Trace& trace) {
  Average loads, stores, lines, wavefronts;
  forEachAccess(
      trace, accessesOf(trace),
      [&](const emulator::Instruction& instruction, const Access& access, const AccessCost& cost) {
        const double least = cost.shared.count - cost.shared.conflicts();
        switch (instruction.kind) {
          case emulator::Kind::SharedLoad:
            return loads.add(cost.shared.count, least);
          case emulator::Kind::SharedStore:
            return stores.add(cost.shared.count, least);
          case emulator::Kind::AsyncCopy:
            if (access.width != 1) return;
            lines.add(cost.global.lines, 1);
            return wavefronts.add(cost.copy.wavefronts, 1);
          default:
            return;
        }
      });
  residency.loadConflicts = loads.orElse(1);
  residency.storeConflicts = stores.orElse(1);
  residency.copyLines = lines.orElse(residency.copyLines);
  residency.copyWavefronts =
      static_cast<int>(std::lround(wavefronts.orElse(residency.copyWavefronts)));
}

// Adds the source lines of the recorded listing, if it has the same instructions.
sass::PairedLoads addLines(sass::Listing& listing, const Stage& stage, const TileShape& tile,
                           const Architecture& arch, bool anyPaired) {
  const auto recorded = sass::recordedListing(usualSubject(stage, tile), arch.name);
  if (recorded && !recorded->stale()) sass::takeLines(listing, recorded->listing);
  if (listing.hasLines()) return pairedLoads(*recorded);
  // The lines of the loads are unknown: all loads count as alike.
  for (sass::Instruction& instruction : listing.instructions) instruction.line = 1;
  sass::PairedLoads loads;
  loads.note(1, anyPaired);
  return loads;
}

}  // namespace

rewrite::Residency residencyOf(const Stage& stage, const TileShape& tile, const Architecture& arch,
                               int registers) {
  const BlockNeeds needs = needsOf(stage, tile, registers);
  emulator::Workspace workspace;
  rewrite::Residency residency;
  residency.warpsPerBlock = needs.threads / kWarp;
  residency.warps = occupancy(arch, needs).blocks * residency.warpsPerBlock;
  const emulator::Trace trace = traceFirstTiles(workspace, usualSubject(stage, tile));
  residency.pairedLoads = pairedLoads(trace).anyPaired();
  addMemory(residency, trace);
  return residency;
}

tl::expected<rewrite::LoopStudy, std::string> studyStage(const Subject& subject,
                                                         const Architecture& arch,
                                                         std::span<const char> cubin) {
  const Stage& stage = *subject.rung();
  const auto read = sass::readCubin(cubin);
  if (!read) return tl::unexpected(read.error());
  rewrite::Request request;
  request.registerLimit = mostRegisters(arch, needsOf(stage, subject.tile, read->registers));
  return rewrite::studyLoop(cubin, request,
                            residencyOf(stage, subject.tile, arch, read->registers));
}

tl::expected<rewrite::LoopStudy, std::string> studyUntouched(const Subject& subject,
                                                             const Architecture& arch,
                                                             std::span<const char> cubin) {
  const Stage& stage = *subject.rung();
  const auto read = sass::readCubin(cubin);
  if (!read) return tl::unexpected(read.error());
  auto listing = sass::listingOf(*read);
  if (!listing) return tl::unexpected(listing.error());
  const Derived d = derive(stage, subject.tile);
  const int ffmas = mixOf(*listing, mainLoop(*listing).range).of(sass::Class::Ffma);
  const int perTile = subject.tile[Parameter::BM] * subject.tile[Parameter::BN] *
                      subject.tile[Parameter::BK] / d.threads;
  if (ffmas != perTile)
    return tl::unexpected(
        fmt::format("the main loop of {} has {} multiply-adds per iteration, and {}: the model "
                    "needs one K tile per iteration, as in async",
                    stage.id, ffmas,
                    perTile == 0 ? "there are no K tiles of BK"
                                 : fmt::format("a K tile {} per thread", perTile)));
  const rewrite::Residency residency = residencyOf(stage, subject.tile, arch, read->registers);
  const sass::PairedLoads paired =
      addLines(*listing, stage, subject.tile, arch, residency.pairedLoads);
  return rewrite::studyUntouched(*read, *listing, paired, residency);
}

}  // namespace tileloom::analysis
