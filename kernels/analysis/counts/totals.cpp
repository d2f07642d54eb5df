// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/totals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/memory/predicated_off.h"
#include "kernels/analysis/tensor/product_cost.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/residency.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Trace;

struct Field {
  const char* key;  // in JSON; nullptr where it is not a counter
  std::uint64_t Totals::*member;
};

// The size follows from the list: an empty entry would be a null pointer.
constexpr Field kFields[] = {
    {"shared_load_instructions", &Totals::sharedLoadInstructions},
    {"shared_load_wavefronts", &Totals::sharedLoadWavefronts},
    {"shared_load_conflicts", &Totals::sharedLoadConflicts},
    {"shared_store_instructions", &Totals::sharedStoreInstructions},
    {"shared_store_instructions_predicated_off", &Totals::sharedStoreInstructionsOff},
    {"shared_store_wavefronts", &Totals::sharedStoreWavefronts},
    {"shared_store_conflicts", &Totals::sharedStoreConflicts},
    {"global_load_requests", &Totals::globalLoadRequests},
    {"global_load_sectors", &Totals::globalLoadSectors},
    {"global_store_requests", &Totals::globalStoreRequests},
    {"global_store_sectors", &Totals::globalStoreSectors},
    {"global_load_wavefronts", &Totals::globalLoadWavefronts},
    {"global_store_wavefronts", &Totals::globalStoreWavefronts},
    {"ffma_thread_instructions", &Totals::ffmaThreadInstructions},
    {"async_copy_instructions", &Totals::asyncInstructions},
    {"async_copy_instructions_predicated_off", &Totals::asyncInstructionsOff},
    {"async_copy_sectors", &Totals::asyncSectors},
    {"async_copy_sector_pairs", &Totals::asyncSectorPairs},
    {"async_copy_wavefronts", &Totals::asyncWavefronts},
    {"async_copy_conflicts", &Totals::asyncConflicts},
    {"matrix_load_instructions", &Totals::matrixLoadInstructions},
    {"matrix_load_wavefronts", &Totals::matrixLoadWavefronts},
    {"matrix_load_conflicts", &Totals::matrixLoadConflicts},
    {"matrix_store_instructions", &Totals::matrixStoreInstructions},
    {"matrix_store_wavefronts", &Totals::matrixStoreWavefronts},
    {"matrix_store_conflicts", &Totals::matrixStoreConflicts},
    {"tensor_instructions", &Totals::tensorInstructions},
    {"wgmma_instructions", &Totals::productInstructions},
    {"wgmma_wavefronts", &Totals::productWavefronts},
    {"wgmma_conflicts", &Totals::productConflicts},
    {"tma_load_instructions", &Totals::boxInstructions},
    {"tma_load_bytes", &Totals::boxBytes},
    {"tma_store_instructions", &Totals::boxStoreInstructions},
    {"tma_store_bytes", &Totals::boxStoreBytes},
    {nullptr, &Totals::globalLoadSectorsPastL1},
    {nullptr, &Totals::globalLoadPasses},
    {nullptr, &Totals::warpMultiplyAdds},
    {nullptr, &Totals::productMultiplyAdds},
    {nullptr, &Totals::productElements},
    {nullptr, &Totals::boxElements},
    {nullptr, &Totals::boxSectors},
    {nullptr, &Totals::boxStoreSectors},
    {nullptr, &Totals::matrixLoadElements},
    {nullptr, &Totals::asyncFloats},
    {nullptr, &Totals::asyncIdealSectors},
    {nullptr, &Totals::sharedLoadThreadInstructions},
    {nullptr, &Totals::sharedLoadFloats},
    {nullptr, &Totals::globalLoadFloats},
    {nullptr, &Totals::globalUsefulBytes},
    {nullptr, &Totals::globalLoadIdealSectors},
    {nullptr, &Totals::results},
};
static_assert(sizeof(Totals) == std::size(kFields) * sizeof(std::uint64_t), "a count is missing");

std::uint64_t lanesOf(const Instruction& instruction) {
  return static_cast<std::uint64_t>(std::popcount(instruction.mask));
}

void addProduct(Totals& t, const emulator::ProductRecord& product, std::uint32_t warp) {
  const MmaRow& mma = product.instruction();
  t.productInstructions += 1;
  t.productMultiplyAdds += std::uint64_t{mma.warpRows()} * mma.depth * product.columns;
  const ProductCost cost = costOfPart(product, warp);
  t.productElements += mma.warpRows() * mma.depth;
  if (warp % mma.warps == 0) t.productElements += mma.depth * product.columns;
  t.productWavefronts += cost.wavefronts;
  t.productConflicts += cost.conflicts;
}

void addBox(Totals& t, const Trace& trace, const emulator::BoxRecord& box) {
  const std::uint64_t sectors = sectorsOf(trace, box);
  t.boxInstructions += 1;
  t.boxSectors += sectors;
  t.boxBytes += bytesFetched(trace, box);
  const std::uint64_t elements = box.columns * box.rows - box.outside;
  t.boxElements += elements;
  t.globalUsefulBytes += 2 * elements;
}

void addStoredBox(Totals& t, const Trace& trace, const emulator::BoxRecord& box) {
  const std::uint64_t elements = box.columns * box.rows - box.outside;
  t.boxStoreInstructions += 1;
  t.boxStoreBytes += 2 * elements;
  t.boxStoreSectors += sectorsOf(trace, box);
  t.results += elements;
  t.globalUsefulBytes += 2 * elements;
}

}  // namespace

void add(Totals& t, const Instruction& instruction, const Access& access, const AccessCost& cost) {
  const std::uint64_t floats = lanesOf(instruction) * access.width * instruction.parts;
  t.globalUsefulBytes += cost.global.usefulBytes;
  switch (instruction.kind) {
    case Kind::SharedLoad:
      t.sharedLoadInstructions += 1;
      t.sharedLoadWavefronts += cost.wavefronts();
      t.sharedLoadConflicts += cost.conflicts();
      t.sharedLoadThreadInstructions += lanesOf(instruction);
      t.sharedLoadFloats += floats;
      break;
    case Kind::SharedStore:
      t.sharedStoreInstructions += 1;
      t.sharedStoreWavefronts += cost.wavefronts();
      t.sharedStoreConflicts += cost.conflicts();
      break;
    case Kind::AsyncCopy:
      t.asyncInstructions += 1;
      t.asyncSectors += cost.global.sectors;
      t.asyncSectorPairs += cost.copy.sectorPairs > 0 ? cost.copy.sectorPairs : cost.global.sectors;
      t.asyncIdealSectors += cost.global.idealSectors();
      t.asyncWavefronts += cost.wavefronts();
      t.asyncConflicts += cost.conflicts();
      t.asyncFloats += floats;
      break;
    case Kind::MatrixLoad:
      t.matrixLoadInstructions += 1;
      t.matrixLoadWavefronts += cost.wavefronts();
      t.matrixLoadConflicts += cost.conflicts();
      t.matrixLoadElements += floats;
      break;
    case Kind::MatrixStore:
      t.matrixStoreInstructions += 1;
      t.matrixStoreWavefronts += cost.wavefronts();
      t.matrixStoreConflicts += cost.conflicts();
      break;
    case Kind::GlobalLoad:
      t.globalLoadRequests += 1;
      t.globalLoadSectors += cost.global.sectors;
      t.globalLoadWavefronts += cost.global.wavefronts;
      t.globalLoadPasses += cost.global.passes();
      t.globalLoadIdealSectors += cost.global.idealSectors();
      t.globalLoadFloats += floats;
      break;
    case Kind::GlobalStore:
      t.globalStoreRequests += 1;
      t.globalStoreSectors += cost.global.sectors;
      t.globalStoreWavefronts += cost.global.wavefronts;
      t.results += floats;
      break;
    default:
      break;  // no access to memory
  }
}

Totals& Totals::operator+=(const Totals& other) {
  for (const Field& f : kFields) this->*f.member += other.*f.member;
  return *this;
}

Totals Totals::operator-(const Totals& other) const {
  Totals result = *this;
  for (const Field& f : kFields) result.*f.member -= other.*f.member;
  return result;
}

Totals Totals::operator*(std::uint64_t times) const {
  Totals result = *this;
  for (const Field& f : kFields) result.*f.member *= times;
  return result;
}

nlohmann::json toJson(const Totals& totals) {
  auto json = nlohmann::json::object();
  for (const Field& f : kFields) {
    if (f.key != nullptr) json[f.key] = totals.*f.member;
  }
  return json;
}

Totals blockTotals(const Trace& trace) {
  const SplitTotals split = splitTotals(trace, accessesOf(trace));
  Totals all = split.loop;
  all += split.outside;
  return all;
}

namespace {

// For each warp, the place of its last instruction inside the loop over K; none: before all.
std::vector<emulator::Position> endsOfLoop(const Trace& trace) {
  std::vector<emulator::Position> ends(trace.warps);
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const auto& all = trace.at(warp, interval).instructions;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].kTile != emulator::kNoTile) ends[warp] = {interval, i};
      }
    }
  }
  return ends;
}

}  // namespace

double servedWavefronts(const Totals& totals, const Stage& stage) {
  const auto all = static_cast<double>(totals.sharedWavefronts());
  if (stage.ladder == Ladder::Fp32) return all;
  const double written =
      rowOf(stage.usualFormat()).bytesOf(static_cast<double>(totals.asyncFloats)) / kLineBytes;
  return all - static_cast<double>(totals.asyncWavefronts) + written;
}

SplitTotals splitTotals(const Trace& trace, const BlockAccesses& plans) {
  SplitTotals split;  // until the end: `loop` without `lastTile`, `outside` without `after`
  const std::vector<emulator::Position> ends = endsOfLoop(trace);
  // The part of the instruction with number `index` in its interval.
  const auto partOf = [&](const emulator::WarpInterval& view, std::size_t index) -> Totals& {
    const std::uint32_t kTile = view.instructions[index].kTile;
    if (kTile != emulator::kNoTile)
      return kTile + 1 == trace.kTilesTraced ? split.lastTile : split.loop;
    const emulator::Position& end = ends[view.warp];
    const bool after =
        view.interval > end.interval || (view.interval == end.interval && index > end.instruction);
    return after ? split.after : split.outside;
  };
  forEachAccessInTurn(
      trace, plans,
      [&](const emulator::WarpInterval& view, const Access& access, const AccessCost& cost) {
        add(partOf(view, access.lowest), view.instructions[access.lowest], access, cost);
      });
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (const auto& [line, off] : copiesOff(trace, warp)) {
      split.loop.asyncInstructions += off.loop;
      split.loop.asyncInstructionsOff += off.loop;
      split.outside.asyncInstructions += off.outside;
      split.outside.asyncInstructionsOff += off.outside;
    }
  }
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const emulator::WarpInterval view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        // For a box: its number.
        const auto number = [&] { return view.payload(i, firstLane(instruction.mask))[1]; };
        switch (instruction.kind) {
          case Kind::Fma:
            partOf(view, i).ffmaThreadInstructions += lanesOf(instruction);
            break;
          case Kind::Mma: {
            Totals& t = partOf(view, i);
            t.tensorInstructions += 1;
            t.warpMultiplyAdds += instruction.multiplyAdds();
            break;
          }
          case Kind::Product:
            addProduct(partOf(view, i), trace.products[warp][view.payload(i, 0)[0]], warp);
            break;
          case Kind::BoxLoad:
            if (const std::uint32_t box = number(); box < trace.boxes.size())
              addBox(partOf(view, i), trace, trace.boxes[box]);
            break;
          case Kind::BoxStore:
            if (const std::uint32_t store = number(); store < trace.boxStores.size())
              addStoredBox(partOf(view, i), trace, trace.boxStores[store].box);
            break;
          default:
            break;
        }
      }
    }
  }
  split.loop += split.lastTile;
  split.outside += split.after;
  return split;
}

namespace {

double quotientOf(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

std::uint64_t resultsOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                        const std::optional<Extent>& block) {
  std::int64_t rows = problem.m, columns = problem.n;
  if (block) {
    const Derived d = derive(stage, tile);
    const Extent grid = launchOf(stage, tile, paddedProblem(stage, tile, problem)).grid;
    const BlockPlace place = placeOf(stage, tile, grid, *block);
    const auto inside = [](std::int64_t all, std::int64_t number, std::int64_t each) {
      return std::clamp<std::int64_t>(all - number * each, 0, each);
    };
    rows = inside(rows, place.row, d.blockM);
    columns = inside(columns, place.column, d.blockN);
  }
  return static_cast<std::uint64_t>(rows * columns);
}

double fmasPerSharedLoad(const Totals& t) {
  return quotientOf(t.ffmaThreadInstructions, t.sharedLoadThreadInstructions);
}

Reuse reuse(const Totals& t, std::uint64_t results) {
  Reuse r;
  r.fmasPerSharedLoad = fmasPerSharedLoad(t);
  r.sharedFloatsPerResult =
      quotientOf(t.sharedLoadFloats + t.matrixLoadElements + t.productElements, results);
  r.globalFloatsPerResult = quotientOf(t.fetchFloats(), results);
  r.usefulFraction =
      quotientOf(t.globalUsefulBytes, kSectorBytes * (t.fetchSectors() + t.storedSectors()));
  return r;
}

}  // namespace tileloom::analysis
