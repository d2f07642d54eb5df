// SPDX-License-Identifier: GPL-3.0-or-later
// What the hardware counted during one launch, and the counters that are asked for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::runs {

enum class Counter : std::uint8_t {
  // How busy the GPU was: rates and shares that depend on time.
  SmBusy,                // share of the launch in which an SM has work, 0 to 1, mean of the SMs
  FmaPipe,               // share of an SM's busy cycles in which its FMA pipe is used, 0 to 1
  InstructionsPerCycle,  // warp instructions an SM executes in a busy cycle
  AchievedOccupancy,     // warps in flight over those that an SM can hold, 0 to 1
  DramBytes,             // read and written
  L2Bytes,               // that pass the L2 cache
  // What a launch does, whenever it is launched: the trace counts the same (analysis/totals.h).
  SharedLoadInstructions,
  SharedLoadWavefronts,
  SharedLoadConflicts,
  SharedStoreInstructions,
  SharedStoreWavefronts,
  SharedStoreConflicts,
  GlobalFetchRequests,  // loads and asynchronous copies: the hardware counts them as one
  GlobalFetchSectors,
  GlobalStoreRequests,
  GlobalStoreSectors,
  FfmaThreadInstructions,
  AsyncInstructions,
  AsyncSectors,
  AsyncWavefronts,
  AsyncConflicts,
  // Wavefronts once more, added up by CUPTI instruction by instruction. The hardware's own counter
  // also takes in what several warps' accesses cost each other; these do not.
  SharedLoadWavefrontsAlone,
  SharedStoreWavefrontsAlone,
};
inline constexpr std::size_t kCounterCount = 23;

struct CounterSpec {
  Counter counter;
  std::string_view key;     // in JSON; that of analysis::Totals where it counts the same
  std::string_view metric;  // as Nsight Compute and CUPTI name it
  double unit = 1;          // a value of the metric times this is ours (0.01 for a percentage)
};
std::span<const CounterSpec> counterSpecs();  // in the order of Counter
const CounterSpec& specOf(Counter counter);

// Those that are shown beside a measured run: one or two passes of the hardware, so as many
// launches more.
std::span<const Counter> liveCounters();
// Those that the trace predicts exactly, and what explains a difference.
std::span<const Counter> exactCounters();

class Counters {
 public:
  std::optional<double> operator[](Counter c) const { return values_[index(c)]; }
  void set(Counter c, double value) { values_[index(c)] = value; }
  bool empty() const { return *this == Counters(); }
  bool operator==(const Counters&) const = default;

 private:
  static std::size_t index(Counter c) { return static_cast<std::size_t>(c); }
  std::array<std::optional<double>, kCounterCount> values_;
};

// {key: value}; whole numbers are kept to the last digit, others to six.
nlohmann::ordered_json toJson(const Counters& counters);
// Unknown keys are ignored; the error is one sentence without a full stop.
tl::expected<Counters, std::string> countersFrom(const nlohmann::json& json);

}  // namespace tileloom::runs
