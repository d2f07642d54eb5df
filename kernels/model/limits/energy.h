// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a multiplication by component while the card's power limit holds its clock down:
// what was measured (resources/energy/, schema "tileloom.energy/1"), and the energy that follows.
//
// A line of such a file is one call: kernels that ran in turn on one card. Figures of two calls are
// of two cards or two temperatures; compare them only by their ratio to the library of their own
// call.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/stage.h"

namespace tileloom::model {

inline constexpr std::string_view kEnergySchema = "tileloom.energy/1";
// Not a rung: the fastest of the first eight algorithms that cuBLASLt returns.
inline constexpr std::string_view kBestOfLt = "cublaslt";

// The energy of one multiplication in joules: power times time, and 2 M N K floating-point
// operations take 2 M N K / speed seconds. A card whose clock is held down by its power limit draws
// about `watts`, its limit. That is an assumption, not a meter reading. `tflops` > 0.
double joules(double watts, const Problem& problem, double tflops);
// Per floating-point operation: 1 W at 1 TFLOP/s is 1 pJ.
constexpr double picojoulesPerFlop(double watts, double tflops) {
  return watts / tflops;
}

// What a what-if kernel loads into shared memory. All kernels multiply, add and store C as often as
// the whole kernel does; where loads are left out or replaced by other tiles, results are wrong on
// purpose.
enum class Loads {
  None,    // A and B for the first tile of C of each block only, and nothing later
  OnlyA,   // B as in None
  OnlyB,   // A as in None
  FromL2,  // A and B of one small part of C repeatedly, which L2 keeps: nothing from DRAM
  All,     // the kernel as it is
};
inline constexpr std::array kLoads = {Loads::None, Loads::OnlyA, Loads::OnlyB, Loads::FromL2,
                                      Loads::All};
std::string_view name(Loads loads);  // as in the file: "none", "a", "b", "l2", "all"

struct WhatIf {
  Loads loads = Loads::All;
  runs::Interval tflops;
  int clockMHz = 0;  // of the SMs at that time; 0: unknown
  // Counted in one launch, in 1e9 bytes: read from and written to DRAM, and passed between the two
  // halves of L2.
  std::optional<double> dramGB;
  std::optional<double> betweenHalvesGB;
  bool operator==(const WhatIf&) const = default;
};

struct RungAtLimit {
  std::string who;     // id of a rung, or kBestOfLt
  double percent = 0;  // speed in percent of cublasGemmEx in the same call
  double tflops = 0;   // 0: not kept
  bool operator==(const RungAtLimit&) const = default;
};

struct EnergyCall {
  std::string when;  // ISO 8601, at least the day
  std::string device;
  double limitWatts = 0;
  int fullClockMHz = 0;  // of the SMs without the limit; 0: unknown
  Format format = Format::Bf16;
  Problem problem;
  std::string kernel;            // the kernel, in words
  std::string method;            // the measurement, in words
  runs::Interval libraryTflops;  // of cublasGemmEx; not known(): not kept
  std::vector<WhatIf> whatIfs;   // one of each, in the order of kLoads, or none
  std::vector<RungAtLimit> rungs;
  bool operator==(const EnergyCall&) const = default;

  const WhatIf& whatIf(Loads loads) const;  // there must be what-ifs
  double joules(double tflops) const { return model::joules(limitWatts, problem, tflops); }
};

// The error is one sentence without a full stop: which value is missing or wrong, and what it must
// be.
tl::expected<EnergyCall, std::string> energyCallFromLine(std::string_view line);
// All lines; the error also says in which line of which file.
tl::expected<std::vector<EnergyCall>, std::string> energyCallsFrom(std::string_view text,
                                                                   std::string_view nameOfText);

// The files of resources/energy/, and their contents.
std::span<const EmbeddedFile> shippedEnergyFiles();
std::span<const EnergyCall> shippedEnergyCalls();

// What the loads of a whole kernel cost, in joules per multiplication, as differences between
// what-ifs. Two ways to divide the same sum:
//   by source:  noLoads + fromL2 + fromDram = whole, exactly, by definition;
//   by matrix:  noLoads + onlyA + onlyB is near whole, but not equal by definition.
// Each kernel ran at the clock that the limit left it, and a lower clock needs a lower voltage. The
// differences say what can be gained under the limit, not what a meter in the wires would show.
struct EnergyShares {
  double whole = 0;
  double noLoads = 0;
  double fromL2 = 0;    // L2 to the SMs: FromL2 less None
  double fromDram = 0;  // DRAM to L2, and between its halves: All less FromL2
  double onlyA = 0;     // OnlyA less None
  double onlyB = 0;     // OnlyB less None
  double loads() const { return fromL2 + fromDram; }
};
EnergyShares sharesOf(const EnergyCall& call);  // there must be what-ifs

// The energy of one multiplication in percent of that of the library in the same call: at equal
// power, the faster kernel takes less.
constexpr double energyPercent(const RungAtLimit& rung) {
  return 100 * 100 / rung.percent;
}

}  // namespace tileloom::model
