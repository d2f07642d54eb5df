// SPDX-License-Identifier: GPL-3.0-or-later
// What the window and its worker say to each other: JSON-RPC 2.0, one message a line, over the
// worker's standard input and output. Methods: hello, compile, ahead, disassemble, measure,
// ceilings, cancel; notification: progress. No message names a file or a command: a worker reads
// and writes nothing but the kernel cache and one temporary file for the disassembler, whose places
// no message can choose.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/bench.h"
#include "kernels/gpu/build.h"
#include "kernels/gpu/device_info.h"
#include "kernels/sass/machine_code.h"

namespace tileloom::worker {

inline constexpr int kProtocol = 1;
inline constexpr std::size_t kLongestLine = 1 << 20;  // bytes; longer ones end the conversation

// JSON-RPC's own codes, and ours for what the GPU says (with data.trouble).
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kGpuError = -32000;

// What a machine can do; every missing part with one sentence.
struct WorkerInfo {
  std::string version;  // of Tileloom
  std::string nvrtc;    // "13.0", or empty
  std::vector<int> architectures;
  std::string cublas;  // likewise
  std::string cublasLt;
  std::string driver;         // CUDA that the driver supports: "13.0"
  std::string driverVersion;  // "580.159.04", as run records have it; empty: unknown
  std::vector<gpu::DeviceInfo> devices;
  std::vector<std::string> missing;
  bool canCompile() const { return !nvrtc.empty(); }
  bool canMeasure() const { return canCompile() && !devices.empty(); }
};

struct CompileRequest {
  const Stage* stage = nullptr;
  TileShape tile;
  Architecture arch;
};

// Tiles that will probably be asked for, soonest first: to be compiled into the cache by other
// processes, as many as keep these busy. The answer has what they have compiled since the last one.
struct AheadRequest {
  static constexpr std::size_t kMost = 256;  // tiles
  const Stage* stage = nullptr;
  std::vector<TileShape> tiles;
  Architecture arch;
};

struct AheadAnswer {
  struct Compiled {
    const Stage* stage = nullptr;
    TileShape tile;
    Architecture arch;
    bool failed = false;  // `compile` says why
    int registers = -1;
    int spillStores = 0, spillLoads = 0;  // bytes a thread
    sass::LoopSize loop;                  // no FFMAs: unknown
  };
  int processes = 0;
  std::vector<Compiled> compiled;
};

struct CompileFacts {
  gpu::Resources resources;
  int dynamicShared = 0;
  sass::LoopSize loop;  // no FFMAs: unknown
  std::string arch, nvrtc, sourceHash;
  double milliseconds = 0;
  bool cached = false;
};

struct MeasureRequest {
  const Stage* stage = nullptr;
  TileShape tile;
  Problem problem;
  int device = 0;
  gpu::MeasureOptions options;
  bool counters = false;  // also count, after the timing: see kCountersMissing
};

// The answer to `ceilings` is what toJson makes of them.
struct CeilingsRequest {
  int device = 0;
  double limitMs = 30000;  // after which a launch counts as hanging
};

// The answer to `measure` is a run record; where counters were asked for and cannot be read, it has
// one sentence more under this key, which says why and what would allow it.
inline constexpr const char* kCountersMissing = "counters_missing";

nlohmann::json toJson(const WorkerInfo& info);
nlohmann::json toJson(const CompileFacts& facts);
nlohmann::json toJson(const CompileRequest& request);
nlohmann::json toJson(const AheadRequest& request);
nlohmann::json toJson(const AheadAnswer& answer);
nlohmann::json toJson(const MeasureRequest& request);
nlohmann::json toJson(const CeilingsRequest& request);
// The answer to disassemble, whose parameters are those of compile: the header of a listing, and
// its instructions as text.
nlohmann::json toJson(const sass::MachineCode& code);

// All check types and ranges; the error is one sentence. Limits are clamped, not refused.
template <class T>
using Parsed = tl::expected<T, std::string>;
Parsed<WorkerInfo> workerInfoFrom(const nlohmann::json& json);
Parsed<CompileFacts> compileFactsFrom(const nlohmann::json& json);
Parsed<CompileRequest> compileRequestFrom(const nlohmann::json& params);
Parsed<AheadRequest> aheadRequestFrom(const nlohmann::json& params);
Parsed<AheadAnswer> aheadAnswerFrom(const nlohmann::json& json);
Parsed<MeasureRequest> measureRequestFrom(const nlohmann::json& params);
Parsed<CeilingsRequest> ceilingsRequestFrom(const nlohmann::json& params);
Parsed<sass::MachineCode> machineCodeFrom(const nlohmann::json& json);

// One message; discarded (json::is_discarded) where the line is no JSON, or where it is nested so
// deeply that copying it, which recurses, would overrun the stack.
nlohmann::json parseLine(std::string_view line);

// One line each, without the newline.
std::string requestLine(std::uint64_t id, std::string_view method, const nlohmann::json& params);
std::string resultLine(const nlohmann::json& id, const nlohmann::json& result);
std::string errorLine(const nlohmann::json& id, int code, const std::string& message,
                      std::optional<Trouble> trouble = std::nullopt);
std::string progressLine(const nlohmann::json& id, const nlohmann::json& run);

}  // namespace tileloom::worker
