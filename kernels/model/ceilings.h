// SPDX-License-Identifier: GPL-3.0-or-later
// What a device can do at most, the roofs of a roofline: one JSON object a line, schema
// "tileloom.ceilings/1", kept beside the runs and shipped for the reference device.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::model {

inline constexpr std::string_view kCeilingsSchema = "tileloom.ceilings/1";

// Where figures come from: measured here, measured elsewhere and shipped, or computed from what the
// maker says of the device. Computed ones are drawn as predicted.
enum class CeilingOrigin { Live, Recorded, Computed };
std::string_view name(CeilingOrigin origin);

struct Ceilings {
  std::string when;  // ISO 8601, UTC
  std::string device;
  std::string arch;          // "sm_90"
  std::string driver;        // or empty
  std::string cuda;          // the NVRTC that compiled the kernels, or empty
  runs::Interval fmaGflops;  // FP32 multiply-adds as two FLOPs, in 1e9 a second
  runs::Interval dramGBs;    // 1e9 bytes a second, read and written; not known: all 0
  runs::Interval l2GBs;      // read by the SMs, past L1
  runs::Interval sharedGBs;  // read from shared memory, all SMs together
  int smClockMHz = 0;        // median while the multiply-adds were measured; 0: unknown
  double l2CacheBytes = 0;
  int sms = 0;
  CeilingOrigin origin = CeilingOrigin::Live;
  bool operator==(const Ceilings&) const = default;
};

nlohmann::ordered_json toJson(const Ceilings& ceilings);
std::string toLine(const Ceilings& ceilings);  // no newline

// The error is one sentence without a full stop.
tl::expected<Ceilings, std::string> ceilingsFromLine(std::string_view line);

struct CeilingFile {
  std::vector<Ceilings> all;            // in the order of the file
  std::vector<std::string> complaints;  // a sentence for each line that was skipped
};
CeilingFile parseCeilings(std::string_view text, std::string_view nameOfText);

// Beside defaultRunFile: ceilings.jsonl.
std::filesystem::path defaultCeilingFile();
tl::expected<CeilingFile, std::string> readCeilings(const std::filesystem::path& file);
tl::expected<void, std::string> appendCeilings(const std::filesystem::path& file,
                                               const Ceilings& ceilings);

// Those in resources/ceilings/. Their origin is what they say, but never Live.
std::span<const Ceilings> shippedCeilings();
// The text that they are read from, as built into the executable.
std::string_view shippedCeilingText();

// Of `kept`, the latest of this device with this driver, else with any; else the shipped one of
// the device; else nullptr. An empty device stands for the reference device.
const Ceilings* ceilingsOf(std::span<const Ceilings> kept, std::string_view device,
                           std::string_view driver = {});

}  // namespace tileloom::model
