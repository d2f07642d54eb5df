// SPDX-License-Identifier: GPL-3.0-or-later
// One measured run as it is kept and exchanged: one JSON object per line, schema "tileloom.run/1".
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/json_reader.h"
#include "kernels/runs/counter_values.h"
#include "kernels/sass/loop_size.h"
#include "kernels/tile/stage.h"

namespace tileloom::runs {

inline constexpr std::string_view kRunSchema = "tileloom.run/1";

// A median with its 95 % bootstrap interval. All 0: not measured.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
  bool known() const { return median > 0; }
  // Half the interval's width over the median.
  double spread() const { return known() ? (high - low) / (2 * median) : 0; }
  bool overlaps(const Interval& other) const { return low <= other.high && other.low <= high; }
  bool operator==(const Interval&) const = default;
};

enum class Origin { Live, Recorded };
std::string_view name(Origin origin);  // "live", "recorded"

// Above this spread a figure is called noisy and no winner is named.
inline constexpr double kNoisySpread = 0.02;

// Kernel and cuBLAS side by side, in one of two ways that a short round cannot replace.
struct SideBySide {
  Interval ratio;          // the kernel's speed over cuBLAS's, from pairs of neighbours
  int pairs = 0;           // of kernel and cuBLAS
  double kernel = 0;       // median: cycles of a launch, or GFLOP/s
  double cublas = 0;       // the same of cuBLAS
  int kernelClockMHz = 0;  // the SMs' while each ran, median; 0: unknown
  int cublasClockMHz = 0;
  double kernelWatts = 0;  // 0: unknown
  double cublasWatts = 0;
  std::vector<std::string> throttled;  // reasons seen, as in a run
  bool operator==(const SideBySide&) const = default;
};

struct Ratios {
  std::optional<SideBySide> cycles;     // elapsed SM cycles of one launch, counted by the hardware
  std::optional<SideBySide> sustained;  // in turns of some seconds, as power and heat permit
  bool operator==(const Ratios&) const = default;
};

struct RunRecord {
  std::string when;    // ISO 8601, UTC: "2026-11-21T03:25:00Z"
  std::string device;  // "NVIDIA H100 80GB HBM3"
  std::string arch;    // "sm_90"
  std::string driver;  // "580.159.04", or empty
  std::string cuda;    // the NVRTC that compiled the kernel: "13.0"

  std::string stage;  // id; a stage that this build does not know is kept as it is
  Format format = Format::Fp32;
  TileShape tile;
  Problem problem;

  Interval gflops;          // useful FLOPs 2*M*N*K over the time of a launch, in 1e9 per second
  Interval cublas;          // cuBLAS in the same arithmetic, interleaved with the kernel: pedantic
                            // FP32, or cublasGemmEx with FP32 accumulators
  Interval ratio;           // gflops over cublas, from the rounds' own ratios
  int rounds = 0;           // of kernel, cuBLAS, cuBLAS, kernel
  double largestError = 0;  // against cuBLAS, absolute
  double peakPercent = 0;   // of the arithmetic's peak at the measured clock; 0: unknown
  double quantisationLoss = 0;  // share of the FLOPs spent on padding, 0 to 1

  int smClockMHz = 0;                  // median while measuring; 0: unknown
  double watts = 0;                    // 0: unknown
  std::vector<std::string> throttled;  // reasons seen while measuring: "power cap", …

  int registers = -1;   // per thread; -1: unknown
  int spillBytes = 0;   // per thread, stores and loads together
  sass::LoopSize loop;  // of the machine code; unknown if it has no FFMAs
  // For a stage whose main loop is rewritten after compiling: whether it was, or why it was not, in
  // one sentence without a full stop. Both are empty for other stages.
  bool rewritten = false;
  std::string whyNotRewritten;
  int staticShared = 0;
  int dynamicShared = 0;
  int blocksPerSm = 0;
  double occupancy = 0;                     // theoretical, 0 to 1
  std::optional<double> achievedOccupancy;  // where counters are allowed

  Ratios ratios;  // beside `ratio`, which is of short rounds; if requested

  Counters counters;  // of a launch after the timed ones, if requested and allowed

  std::string fingerprint;  // of the code that ran: see fingerprintFrom; empty: unknown
  Origin origin = Origin::Live;

  bool noisy() const { return gflops.spread() > kNoisySpread; }
  bool operator==(const RunRecord&) const = default;
};

// Figures are rounded to 6 significant digits, so that lines stay short; what was read from a line
// is written as the same line.
nlohmann::ordered_json toJson(const RunRecord& record);
std::string toLine(const RunRecord& record);  // no newline inside or at the end

inline constexpr std::size_t kLongestLine = kRecordBounds.bytes;  // a longer one is refused unread

// Keys that `json` leaves out are taken from `common`, if given; null means "left out" in
// both. Unknown keys are ignored, but an unknown tile parameter is an error, because without it the
// run would look like the run of another tile. The error is one sentence without a full stop that
// says which key is missing or wrong.
tl::expected<RunRecord, std::string> fromJson(const nlohmann::json& json,
                                              const nlohmann::json* common = nullptr);
tl::expected<RunRecord, std::string> fromLine(std::string_view line);

}  // namespace tileloom::runs
