// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction.h"

#include <algorithm>
#include <cmath>

namespace tileloom::model {
namespace {

constexpr double kSchedulers = Architecture::kPartitions;
// How sharply the fullest pipe stands out from the others; fits do not tell 6 from 12.
constexpr double kSharpness = 8;

double joined(double a, double b, double power) {
  const double most = std::max(a, b);
  if (most <= 0) return 0;
  return most * std::pow(std::pow(a / most, power) + std::pow(b / most, power), 1 / power);
}

double slotsOf(const Workload& work, const Rates& rates) {
  return work.loopSlots.value_or(work.ffmas + rates.slotsPerAccess * work.accesses);
}

struct Cycles {
  std::array<double, kPipes> busy{};
  double pipes = 0;  // of the fullest
  double all = 0;
};

// Of a K tile with `n` blocks on the SM.
Cycles cyclesOf(const Workload& work, const Rates& rates, const Chip& chip, double n) {
  const FamilyRates& family = rates.families[static_cast<std::size_t>(work.family)];
  const double warps = work.warps * n;
  // Warps are dealt out to the schedulers one by one; the one with the most is the last to end.
  const double fullest = std::ceil(warps / kSchedulers);
  const double own = family.slot * slotsOf(work, rates);  // of one warp
  const double dramPerCycle = chip.dramBytesPerSecond / (chip.clockMHz * 1e6) / chip.machine.sms;

  Cycles c;
  const auto at = [&c](Pipe pipe) -> double& { return c.busy[static_cast<std::size_t>(pipe)]; };
  at(Pipe::Issue) = fullest * own;
  at(Pipe::Shared) = n * (work.wavefronts + rates.sectorCycles * work.sectors);
  at(Pipe::L2) = n * work.l2Bytes / rates.l2Bytes;
  if (dramPerCycle > 0) at(Pipe::Dram) = n * work.dramBytes / dramPerCycle;
  for (const double busy : c.busy) c.pipes = joined(c.pipes, busy, kSharpness);
  const double waiting = family.chain * own + family.fetch + family.dot * work.stepK +
                         rates.wavefrontWait * work.wavefronts;
  c.all = joined(c.pipes, waiting, rates.mixing);
  return c;
}

}  // namespace

Chip referenceChip() {
  constexpr double kClockMHz = 1980;      // while the recorded runs were taken
  constexpr double kDramBytes = 3.35e12;  // NVIDIA's data sheet for the H100 SXM5
  return {{}, kClockMHz, kDramBytes};
}

std::string_view name(Pipe pipe) {
  switch (pipe) {
    case Pipe::Issue:
      return "instruction issue";
    case Pipe::Shared:
      return "L1 and shared-memory data pipe";
    case Pipe::L2:
      return "L2";
    case Pipe::Dram:
      return "DRAM";
  }
  return "";
}

double Prediction::share(Pipe pipe) const {
  return cycles > 0 ? busy[static_cast<std::size_t>(pipe)] / cycles : 0;
}

std::optional<Pipe> Prediction::bottleneck() const {
  const auto most = std::ranges::max_element(busy);
  if (*most < exposed) return std::nullopt;
  return static_cast<Pipe>(most - busy.begin());
}

double Prediction::bottleneckShare() const {
  const auto pipe = bottleneck();
  return pipe ? share(*pipe) : exposedShare();
}

double predictCycles(const Workload& work, const Rates& rates, const Chip& chip) {
  const double slots = double(chip.machine.sms) * work.blocksPerSm;
  const double full = std::floor(static_cast<double>(work.blocks) / slots);
  const double rest = static_cast<double>(work.blocks) - full * slots;
  double tiles = full * cyclesOf(work, rates, chip, work.blocksPerSm).all;
  // Blocks of the last wave spread over the SMs.
  if (rest > 0) tiles += cyclesOf(work, rates, chip, std::ceil(rest / chip.machine.sms)).all;
  return tiles * work.kTiles;
}

Prediction predict(const Workload& work, const Rates& rates, const Chip& chip) {
  const double sms = chip.machine.sms;
  Prediction p;
  p.fromCode = work.loopSlots.has_value();
  p.resident = static_cast<int>(
      std::min<double>(work.blocksPerSm, std::ceil(static_cast<double>(work.blocks) / sms)));
  p.waves = static_cast<double>(work.blocks) / (sms * work.blocksPerSm);
  const Cycles c = cyclesOf(work, rates, chip, p.resident);
  p.cycles = c.all;
  p.busy = c.busy;
  p.exposed = c.all - c.pipes;
  p.ffmaShare = p.resident * work.warps * work.ffmas / kSchedulers / c.all;

  const double seconds = predictCycles(work, rates, chip) / (chip.clockMHz * 1e6);
  const Band& band = p.fromCode ? rates.withCode : rates.withoutCode;
  p.milliseconds = seconds * 1e3;
  p.gflops = work.flops / seconds * 1e-9;
  p.gflopsLow = p.gflops / band.high;
  p.gflopsHigh = p.gflops / band.low;
  return p;
}

}  // namespace tileloom::model
