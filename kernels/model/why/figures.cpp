// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

enum class Form { Plain, Share, Whole };

struct FigureRow {
  FigureId id;
  Form form;
  std::string_view key;
  std::string_view name;
};

constexpr FigureRow kRows[] = {
    {FigureId::FmasPerLoad, Form::Plain, "fmas_per_shared_load", "multiply-adds per shared load"},
    {FigureId::WavefrontsPerLoad, Form::Plain, "wavefronts_per_shared_load",
     "wavefronts per shared load"},
    {FigureId::ConflictShare, Form::Share, "conflict_share",
     "share of conflicts in the wavefronts"},
    {FigureId::SlotsPerFma, Form::Plain, "slots_per_fma", "issue slots per multiply-add"},
    {FigureId::LostToBanks, Form::Share, "lost_to_register_banks",
     "share of the loop's cycles lost to register banks"},
    {FigureId::LoopKiB, Form::Plain, "loop_kib", "KiB of machine code in the main loop"},
    {FigureId::TurnsPerKTile, Form::Plain, "turns_per_k_tile", "main loop iterations per K tile"},
    {FigureId::SectorsPerRequest, Form::Plain, "sectors_per_request",
     "sectors per request for A and B"},
    {FigureId::OperandBytesPerFlop, Form::Plain, "l2_operand_bytes_per_flop",
     "bytes of A and B from L2 per FLOP"},
    {FigureId::L2BytesPerFlop, Form::Plain, "l2_bytes_per_flop", "bytes through L2 per FLOP"},
    {FigureId::DramBytesPerFlop, Form::Plain, "dram_bytes_per_flop",
     "bytes to and from DRAM per FLOP"},
    {FigureId::BlocksPerSm, Form::Whole, "blocks_per_sm", "blocks per SM"},
    {FigureId::WarpsPerBlock, Form::Whole, "warps_per_block", "warps per block"},
    {FigureId::Occupancy, Form::Share, "occupancy", "theoretical occupancy"},
    {FigureId::KTiles, Form::Whole, "k_tiles", "K tiles"},
    {FigureId::Waves, Form::Plain, "waves", "waves of blocks"},
    {FigureId::LastWave, Form::Share, "last_wave", "fill of the last wave"},
    {FigureId::Padding, Form::Share, "padding", "share of padding in the multiply-adds"},
    {FigureId::Registers, Form::Whole, "registers", "registers per thread"},
    {FigureId::SpillBytes, Form::Whole, "spill_bytes", "spilled bytes per thread"},
};
static_assert(std::size(kRows) == kFigures);

constexpr const FigureRow& rowOf(FigureId id) {
  return kRows[static_cast<std::size_t>(id)];
}

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

}  // namespace

std::string_view name(FigureId id) {
  return rowOf(id).name;
}

std::string_view key(FigureId id) {
  return rowOf(id).key;
}

std::vector<Figure> figuresOf(const TileCosts& tile, const Architecture& arch) {
  const auto d = [](std::uint64_t count) { return static_cast<double>(count); };
  const Workload& work = tile.work;
  const analysis::Totals& loop = tile.loop;
  const auto sourceOf = [&](Cost cost) {
    return tile.counted.has(cost) ? Source::Counted : Source::Predicted;
  };
  const Source code = tile.facts.source;
  // From the launch, and from the blocks per SM that the code allows.
  const Source follows = code == Source::Guessed ? code : Source::Computed;
  const double perFlop = static_cast<double>(work.blocks) * work.kTiles / work.flops;
  std::vector<Figure> all;
  const auto add = [&](FigureId id, double value, Source source) {
    all.push_back({id, value, source});
  };
  if (loop.sharedLoadInstructions > 0) {
    add(FigureId::FmasPerLoad, analysis::fmasPerSharedLoad(loop), Source::Predicted);
    add(FigureId::WavefrontsPerLoad,
        ratio(d(loop.sharedLoadWavefronts), d(loop.sharedLoadInstructions)), Source::Predicted);
  }
  if (work.wavefronts > 0 && work.family != Family::Untiled)
    add(FigureId::ConflictShare, ratio(work.conflicts, work.wavefronts),
        sourceOf(Cost::BankConflicts));
  if (work.loopSlots) {
    add(FigureId::SlotsPerFma, ratio(*work.loopSlots, work.ffmas), code);
    if (tile.facts.banks)
      add(FigureId::LostToBanks, ratio(tile.facts.banks->lostToBanks, tile.facts.banks->cycles()),
          Source::MachineCode);
    add(FigureId::LoopKiB, work.codeKiB, code);
    add(FigureId::TurnsPerKTile, std::max(1.0, work.turns), code);
  }
  if (loop.fetchRequests() > 0)
    add(FigureId::SectorsPerRequest, ratio(d(loop.fetchSectors()), d(loop.fetchRequests())),
        Source::Predicted);
  // Counters have all bytes of the launch, the recorded K tile has those of the loop, which are A's
  // and B's.
  add(tile.counted.has(Cost::L2) ? FigureId::L2BytesPerFlop : FigureId::OperandBytesPerFlop,
      work.l2Bytes * perFlop, sourceOf(Cost::L2));
  add(FigureId::DramBytesPerFlop, work.dramBytes * perFlop, sourceOf(Cost::Dram));
  add(FigureId::BlocksPerSm, work.blocksPerSm, code);
  add(FigureId::WarpsPerBlock, work.warps, Source::Computed);
  add(FigureId::Occupancy, ratio(work.blocksPerSm * work.warps, arch.warpsPerSm), follows);
  add(FigureId::KTiles, std::ceil(work.kTiles), Source::Computed);  // the last one may be partial
  const double waves = tile.prediction.waves;
  add(FigureId::Waves, waves, follows);
  const double rest = waves - std::floor(waves);
  add(FigureId::LastWave, rest > 0 ? rest : 1, follows);
  add(FigureId::Padding, 1 - tile.usefulShare, Source::Computed);
  if (tile.facts.registers >= 0) {
    add(FigureId::Registers, tile.facts.registers, code);
    add(FigureId::SpillBytes, tile.facts.spillBytes, code);
  }
  return all;
}

std::optional<Figure> find(const std::vector<Figure>& figures, FigureId id) {
  const auto at = std::ranges::find(figures, id, &Figure::id);
  return at == figures.end() ? std::nullopt : std::optional(*at);
}

std::string valueText(const Figure& figure) {
  switch (rowOf(figure.id).form) {
    case Form::Share:
      return percentText(figure.value);
    case Form::Whole:
      return fmt::format("{:.0f}", figure.value);
    case Form::Plain:
      break;
  }
  return fmt::format("{:.3g}", figure.value);
}

std::vector<FigureId> figuresBehind(Cost cost) {
  using enum FigureId;
  switch (cost) {
    case Cost::MultiplyAdds:
    case Cost::IssueSlots:
      return {SlotsPerFma, FmasPerLoad};
    case Cost::RegisterBanks:
      return {LostToBanks, SlotsPerFma, Registers};
    case Cost::UnevenWarps:
      return {WarpsPerBlock, BlocksPerSm};
    case Cost::InstructionFetch:
      return {LoopKiB, SlotsPerFma};
    case Cost::Wavefronts:
      return {FmasPerLoad, WavefrontsPerLoad};
    case Cost::BankConflicts:
      return {ConflictShare, WavefrontsPerLoad};
    case Cost::Sectors:
      return {SectorsPerRequest, OperandBytesPerFlop, L2BytesPerFlop};
    case Cost::L2:
      return {OperandBytesPerFlop, L2BytesPerFlop};
    case Cost::Dram:
      return {DramBytesPerFlop};
    case Cost::Dependences:
      return {BlocksPerSm, Occupancy, SlotsPerFma};
    case Cost::GlobalLatency:
      return {BlocksPerSm, KTiles, Occupancy};
    case Cost::SharedLatency:
      return {TurnsPerKTile, BlocksPerSm, Occupancy};
    case Cost::Barriers:
      return {WarpsPerBlock, KTiles, BlocksPerSm};
    case Cost::TailWave:
      return {LastWave, Waves, BlocksPerSm};
    case Cost::Padding:
      return {Padding};
    case Cost::Spills:
      return {SpillBytes, Registers};
  }
  return {};
}

std::vector<FigureChange> changedFigures(const std::vector<Figure>& from,
                                         const std::vector<Figure>& to, Cost cause) {
  constexpr double kLeast = 0.005;  // of the larger value
  std::vector<FigureChange> changes;
  for (const Figure& before : from) {
    const auto after = find(to, before.id);
    if (!after) continue;
    const double most = std::max(std::abs(before.value), std::abs(after->value));
    if (std::abs(after->value - before.value) > kLeast * most) changes.push_back({before, *after});
  }
  const auto behind = figuresBehind(cause);
  std::ranges::stable_sort(changes, {}, [&](const FigureChange& change) {
    return std::ranges::find(behind, change.from.id) - behind.begin();
  });
  return changes;
}

}  // namespace tileloom::model
