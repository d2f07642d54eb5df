// SPDX-License-Identifier: GPL-3.0-or-later
// The ceilings of a device, which are the roofs of a roofline: one JSON object per line, schema
// "tileloom.ceilings/1", stored beside the runs and shipped for the reference device.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/runs/run_record.h"

namespace tileloom::model {

inline constexpr std::string_view kCeilingsSchema = "tileloom.ceilings/1";

// The origin of the figures: measured on this machine, measured elsewhere and shipped, or computed
// from the maker's specification of the device. Computed ones are drawn as predicted.
enum class CeilingOrigin { Live, Recorded, Computed };
std::string_view name(CeilingOrigin origin);

struct Ceilings {
  std::string when;  // ISO 8601, UTC
  std::string device;
  std::string arch;          // "sm_90"
  std::string driver;        // or empty
  std::string cuda;          // the NVRTC that compiled the kernels, or empty
  runs::Interval fmaGflops;  // FP32 multiply-adds as two FLOPs, in 1e9 per second
  runs::Interval dramGBs;    // 1e9 bytes per second, read and written; all 0: unknown
  runs::Interval l2GBs;      // read by the SMs, bypassing L1
  runs::Interval sharedGBs;  // read from shared memory, all SMs together
  // Tensor cores fed by mma.sync from registers only, with 16-bit factors and FP32 sums, and the SM
  // clock at that time. Unknown if not measured: older files lack them.
  runs::Interval mmaGflops;
  int mmaClockMHz = 0;
  int smClockMHz = 0;  // median while the multiply-adds were measured; 0: unknown
  double l2CacheBytes = 0;
  int sms = 0;
  CeilingOrigin origin = CeilingOrigin::Live;
  bool operator==(const Ceilings&) const = default;
};

nlohmann::ordered_json toJson(const Ceilings& ceilings);
std::string toLine(const Ceilings& ceilings);  // no newline

// The error is one sentence without a full stop.
tl::expected<Ceilings, std::string> ceilingsFrom(const nlohmann::json& json);
tl::expected<Ceilings, std::string> ceilingsFromLine(std::string_view line);

struct CeilingFile {
  std::vector<Ceilings> all;            // in the order of the file
  std::vector<std::string> complaints;  // one sentence per line that was skipped
};
CeilingFile parseCeilings(std::string_view text, std::string_view nameOfText);

// The file ceilings.jsonl in the folder of defaultRunFile().
std::filesystem::path defaultCeilingFile();
tl::expected<CeilingFile, std::string> readCeilings(const std::filesystem::path& file);
tl::expected<void, std::string> appendCeilings(const std::filesystem::path& file,
                                               const Ceilings& ceilings);

// The ceilings of resources/ceilings/. Their origin is the one in the file, with Recorded instead
// of Live.
std::span<const Ceilings> shippedCeilings();
// The source files in resources/ceilings/.
std::span<const EmbeddedFile> shippedCeilingFiles();

// The latest ceilings of this device in `kept`, with this driver if there are any, else with any
// driver; else the shipped ones of the device; else nullptr. An empty device means the reference
// device.
const Ceilings* ceilingsOf(std::span<const Ceilings> kept, std::string_view device,
                           std::string_view driver = {});

}  // namespace tileloom::model
