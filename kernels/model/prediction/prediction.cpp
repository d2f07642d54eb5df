// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/model/limits/ceilings.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/tile/last_wave.h"

namespace tileloom::model {
namespace {

// Cycles of a K tile with `blocks` on the SM.
double tileCycles(const Workload& work, const Rates& rates, const Chip& chip, double blocks) {
  return cyclesOf(termsOf(work, rates, chip, blocks, smsWithWork(work, chip)), rates);
}

// Cycles of an SM in which it stores the partial sums of its parts, and adds those of the tiles
// that it completes.
double sumsCycles(const Workload& work, const Rates& rates, const Chip& chip,
                  const WaveDivision& division) {
  const auto shares = static_cast<double>(division.shares);
  const auto cut = static_cast<double>(division.cut);
  const auto parts = static_cast<double>(division.parts());
  const double sms = chip.machine.sms;
  const double left = parts / std::min(shares, sms);
  const double added = parts / std::min(cut, sms);
  const double perKiB = rates.families[static_cast<std::size_t>(work.family)].sums;
  return perKiB * work.sumsKiB * (left + added);
}

}  // namespace

double smsWithWork(const Workload& work, const Chip& chip) {
  return static_cast<double>(
      std::clamp<std::int64_t>(work.blocks, 1, std::max(1, chip.machine.sms)));
}

std::string wavesText(double waves) {
  constexpr double kSmall = 0.1;
  return waves < kSmall ? fmt::format("{:.2g}", waves) : fmt::format("{:.2f}", waves);
}

double predictCycles(const Workload& work, const Rates& rates, const Chip& chip) {
  const double slots = double(chip.machine.sms) * work.blocksPerSm;
  const double full = std::floor(static_cast<double>(work.blocks) / slots);
  const double rest = static_cast<double>(work.blocks) - full * slots;
  double tiles = full * tileCycles(work, rates, chip, work.blocksPerSm);
  // Blocks of the last wave are spread over the SMs. If its tiles are split, there are more blocks,
  // and each computes a part of K.
  const WaveDivision cut = cutOf(work, slots);
  if (cut.cut > 0) {
    const auto shares = static_cast<double>(cut.shares);
    tiles += tileCycles(work, rates, chip, std::ceil(shares / chip.machine.sms)) * rest / shares;
    return tiles * work.kTiles + sumsCycles(work, rates, chip, cut);
  } else if (rest > 0) {
    tiles += tileCycles(work, rates, chip, std::ceil(rest / chip.machine.sms));
  }
  return tiles * work.kTiles;
}

Prediction predict(const Workload& work, const Rates& rates, const Chip& chip) {
  const double sms = chip.machine.sms;
  Prediction p;
  p.fromCode = work.loopSlots.has_value();
  p.resident = static_cast<int>(
      std::min<double>(work.blocksPerSm, std::ceil(static_cast<double>(work.blocks) / sms)));
  const double atOnce = sms * work.blocksPerSm;
  const WaveDivision cut = cutOf(work, atOnce);
  p.waves = wavesOf(work.blocks, cut.cut,
                    partsOf(cut, static_cast<std::int64_t>(work.kTiles * work.stepK),
                            static_cast<int>(work.stepK)),
                    static_cast<std::int64_t>(atOnce));
  p.cycles = tileCycles(work, rates, chip, p.resident);
  p.ffmaShare = p.resident * work.warps * work.ffmas / Architecture::kPartitions / p.cycles;

  const double seconds = predictCycles(work, rates, chip) / (chip.clockMHz * 1e6);
  const Band& band = p.fromCode ? rates.withCode : rates.withoutCode;
  p.milliseconds = seconds * 1e3;
  p.gflops = work.flops / seconds * 1e-9;
  p.gflopsLow = p.gflops / band.high;
  p.gflopsHigh = p.gflops / band.low;
  return p;
}

}  // namespace tileloom::model
