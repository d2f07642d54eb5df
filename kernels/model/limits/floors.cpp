// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/floors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/machine/l2_port.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/whole_tiles.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

// "1,536 of ldmatrix, 128 of stores", without empty parts.
std::string listed(std::initializer_list<std::pair<double, std::string_view>> parts) {
  std::string text;
  for (const auto& [amount, of] : parts) {
    if (amount > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", wholeText(amount), of);
  }
  return text;
}

std::string rateText(double perCycle) {
  return perCycle == std::floor(perCycle) ? wholeText(perCycle) : fmt::format("{:.1f}", perCycle);
}

// Ceilings in 1e9 per second, converted to an amount per SM and cycle.
double perCycleOf(const runs::Interval& ceiling, int sms, int clockMHz) {
  return ceiling.median * 1e3 / sms / clockMHz;
}

}  // namespace

std::string_view name(Unit unit) {
  static constexpr std::array<std::string_view, 5> kNames = {"tensor cores", "shared memory",
                                                             "instruction issue", "mma.sync", "L2"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::string_view key(Unit unit) {
  static constexpr std::array<std::string_view, 5> kKeys = {"tensor", "shared", "issue", "mma_sync",
                                                            "l2"};
  return kKeys[static_cast<std::size_t>(unit)];
}

const Floor& Floors::binding() const {
  return *std::ranges::max_element(
      all, {}, [](const Floor& floor) { return floor.measured ? 0 : floor.cycles(); });
}

const Floor* Floors::beyond() const {
  const auto most = std::ranges::max_element(all, {}, &Floor::cycles);
  return most->measured ? &*most : nullptr;
}

std::optional<double> Floors::tensorShare(const Floor& floor) const {
  const auto tensor = std::ranges::find(all, Unit::TensorCores, &Floor::unit);
  if (tensor == all.end()) return std::nullopt;
  return tensor->cycles() / floor.cycles();
}

Floors floorsOf(const Stage& stage, const TileShape& tile, const analysis::Totals& loop,
                std::uint32_t kTilesTraced, const Architecture& arch, const Ceilings* ceilings) {
  const Derived shape = derive(stage, tile);
  const double tiles = std::max<std::uint32_t>(1, kTilesTraced);
  const auto each = [tiles](std::uint64_t count) { return static_cast<double>(count) / tiles; };
  Floors floors;

  const double mmas = each(loop.tensorInstructions);
  const Features does = stage.features();
  const bool groups = does.warpgroupMma;
  const double multiplyAdds = each(loop.tensorMultiplyAdds());
  const double asked = each(loop.productInstructions);  // by warps
  const std::string products =
      stage.mma() == nullptr ? std::string()
      : groups ? fmt::format("{} {} of {}", wholeText(asked / stage.mma()->warps), stage.mma()->ptx,
                             sizeText(*stage.mma(), static_cast<std::uint32_t>(shape.blockN)))
               : fmt::format("{} mma of {}", wholeText(mmas), sizeText(*stage.mma()));
  if (arch.tensorPerCycle > 0 && stage.mma() != nullptr)
    floors.all.push_back({Unit::TensorCores, multiplyAdds, "multiply-adds", products,
                          tensorPerCycle(arch, *stage.mma()),
                          fmt::format("documented for {}", arch.name)});
  // TMA writes are left out: 128 x 128 tiles like those of rung T5, alone on an SM, keep the tensor
  // cores busy for 96 % of the time; with TMA writes the bound would be 80 %.
  const double served = analysis::servedWavefronts(loop, stage) / tiles;
  // Loads from global memory to registers pass through the same pipe.
  const double fetched = each(loop.globalLoadWavefronts);
  const double written = served - each(loop.sharedWavefronts() - loop.asyncWavefronts);
  floors.all.push_back({Unit::SharedMemory, served + fetched, "wavefronts",
                        listed({{each(loop.productWavefronts), "of operands"},
                                {each(loop.matrixLoadWavefronts), "of ldmatrix"},
                                {each(loop.sharedLoadWavefronts), "of loads"},
                                {each(loop.sharedStoreWavefronts), "of stores"},
                                {written, "of copies"},
                                {fetched, "of loads from global memory"}}) +
                            (does.tma ? "; TMA writes are not counted" : ""),
                        1, "32 banks of 4 bytes"});
  floors.all.back().ofGlobalLoads = fetched;
  const double fetches = each(loop.globalLoadRequests);
  // Of a kernel that is not a rung. The FMA pipes take as many as the schedulers issue.
  constexpr double kLanes = 32;
  const double ffmas = stage.isRung() ? 0 : each(loop.ffmaThreadInstructions) / kLanes;
  const double instructions = mmas + ffmas + each(loop.matrixLoadInstructions) +
                              each(loop.sharedLoadInstructions) + each(loop.fillInstructions()) +
                              fetches + asked + each(loop.boxInstructions);
  floors.all.push_back({Unit::IssueSlots, instructions, "instructions",
                        listed({{ffmas, "FFMA"},
                                {mmas, "mma"},
                                {asked, "wgmma"},
                                {each(loop.boxInstructions), "TMA"},
                                {each(loop.matrixLoadInstructions), "ldmatrix"},
                                {each(loop.sharedLoadInstructions), "loads"},
                                {each(loop.sharedStoreInstructions), "stores"},
                                {each(loop.asyncInstructions), "copies"},
                                {fetches, "loads from global memory"}}) +
                            "; address instructions are not traced",
                        Architecture::kPartitions, "4 schedulers"});

  if (ceilings == nullptr || ceilings->arch != arch.name || ceilings->sms <= 0) return floors;
  const std::string where = fmt::format("{} on {}", name(ceilings->origin), ceilings->device);
  if (stage.mma() != nullptr && !groups && ceilings->mmaGflops.known() && ceilings->mmaClockMHz > 0)
    floors.all.push_back({Unit::MmaSync, each(loop.warpMultiplyAdds), "multiply-adds", products,
                          perCycleOf(ceilings->mmaGflops, ceilings->sms, ceilings->mmaClockMHz) / 2,
                          where, true});
  // L1 may have some of the plain loads, but each element comes from L2 at least once.
  const double distinct =
      rowOf(stage.usualFormat()).bytesOf(double(shape.stepK) * (shape.blockM + shape.blockN));
  const double copied = analysis::kSectorBytes * each(loop.asyncSectors + loop.boxSectors);
  const double loaded = analysis::kSectorBytes * each(loop.globalLoadSectors);
  const bool boxes = does.tma;
  const double bytes = copied + std::min(loaded, std::max(distinct - copied, 0.0));
  if (arch.name == machine::kL2PortOf) {
    floors.all.push_back({Unit::L2, bytes, "bytes", "sectors of A and B",
                          boxes ? machine::kL2BoxBytes : machine::kL2LoadBytes,
                          "measured on an H100 where neighbours share lines", true});
  } else if (!boxes && ceilings->l2GBs.known() && ceilings->smClockMHz > 0) {
    floors.all.push_back({Unit::L2, bytes, "bytes", "sectors of A and B",
                          perCycleOf(ceilings->l2GBs, ceilings->sms, ceilings->smClockMHz), where,
                          true});
  }
  return floors;
}

double storeCycles(Unit unit, const analysis::Totals& after) {
  switch (unit) {
    case Unit::SharedMemory:  // TMA reads are left out, as are TMA writes
      return static_cast<double>(after.globalStoreWavefronts + after.sharedWavefronts());
    case Unit::IssueSlots:
      return static_cast<double>(after.globalStoreRequests + after.sharedStoreInstructions +
                                 after.sharedLoadInstructions + after.matrixStoreInstructions +
                                 after.boxStoreInstructions) /
             Architecture::kPartitions;
    case Unit::TensorCores:
    case Unit::MmaSync:
    case Unit::L2:  // the known rate is that of loads
      break;
  }
  return 0;
}

std::string sumOf(const Floor& floor) {
  return fmt::format("{} {} at {} per cycle ({})", wholeText(floor.amount), floor.what,
                     rateText(floor.perCycle), floor.from);
}

std::string sentence(const Floors& floors) {
  const Floor& most = floors.binding();
  const auto share = floors.tensorShare(most);
  if (!share) return {};
  std::string text = fmt::format(
      "The lower bound of {} limits the tensor cores of an SM with work to {} of their documented "
      "rate.",
      name(most.unit), percentText(*share));
  if (const Floor* beyond = floors.beyond())
    text += fmt::format(" The measured rate of {} limits them to {}.", name(beyond->unit),
                        percentText(*floors.tensorShare(*beyond)));
  return text;
}

std::optional<double> measuredCycles(const Stage& stage, const runs::RunRecord& run, int sms) {
  if (!run.gflops.known() || run.smClockMHz <= 0 || sms <= 0) return std::nullopt;
  const Problem padded = paddedProblem(stage, run.tile, run.problem);
  const Extent grid = launchOf(stage, run.tile, padded).grid;
  const int step = derive(stage, run.tile).stepK;
  if (step <= 0) return std::nullopt;
  const double flops = 2.0 * run.problem.m * run.problem.n * run.problem.k;
  const double cycles = flops / (run.gflops.median * 1e9) * run.smClockMHz * 1e6 * sms;
  const double kTiles = static_cast<double>(wholeTiles(stage, run.tile, run.problem).k) / step;
  return cycles / (double(grid.x) * grid.y * kTiles);
}

}  // namespace tileloom::model
