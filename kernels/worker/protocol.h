// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol between the window and its worker: JSON-RPC 2.0, one message per line, over the
// worker's standard input and output. Methods: hello, compile, ahead, disassemble, measure, sample,
// loop, ceilings, cancel; notification: progress. No message names a file or a command: a worker
// reads and writes only the files of the kernel cache, and no message can choose where these are.
//
// Each request has one answer: a result, or an error. After an error that makes the GPU unusable
// for the process (isFatal) the worker ends with exit status 3; requests that it has not answered
// by then must be sent to a fresh one. A long request keeps others of its kind waiting: cancel it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/base/json_reader.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/driver/device_info.h"
#include "kernels/gpu/measure/speed.h"
#include "kernels/sass/machine_code.h"
#include "kernels/tile/subject.h"

namespace tileloom::worker {

inline constexpr int kProtocol = 1;
inline constexpr std::size_t kMostRemarks = 16;
inline constexpr std::size_t kLongestLine = kMessageBounds.bytes;  // a longer one ends the worker

// The codes of JSON-RPC, and one of ours for errors of the GPU (with data.trouble).
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kGpuError = -32000;

// What a machine can do, with one sentence for every missing part.
struct WorkerInfo {
  std::string version;  // of Tileloom
  std::string nvrtc;    // "13.0", or empty
  std::vector<int> architectures;
  std::string cublas;  // version, or empty
  std::string cublasLt;
  std::string driver;         // the CUDA version that the driver supports: "13.0"
  std::string driverVersion;  // "580.159.04", as in run records; empty: unknown
  std::vector<gpu::DeviceInfo> devices;
  std::vector<std::string> missing;
  bool canCompile() const { return !nvrtc.empty(); }
  bool canMeasure() const { return canCompile() && !devices.empty(); }
};

// A message without a format means the usual one of the stage: older ones name none.
struct CompileRequest : Target {};

// Tiles that will probably be needed, soonest first. Other processes compile them into the cache,
// as many as keep these processes busy. The answer has what they have compiled since the last
// answer.
struct AheadRequest {
  static constexpr std::size_t kMost = 256;  // tiles
  const Stage* stage = nullptr;
  std::vector<TileShape> tiles;
  Architecture arch;
  Format format = Format::Fp32;  // one of the stage's
};

struct AheadAnswer {
  struct Compiled : Target {
    bool failed = false;  // the method `compile` says why
    int registers = -1;
    int spillStores = 0, spillLoads = 0;  // bytes per thread
    sass::LoopSize loop;                  // unknown if it has no multiply-adds
    bool asCompiled = false;              // as in model::KernelShape
  };
  int processes = 0;
  std::vector<Compiled> compiled;
};

struct CompileFacts {
  gpu::Resources resources;
  std::vector<std::string> remarks;  // of the assembler, a sentence each; at most kMostRemarks
  int dynamicShared = 0;
  sass::LoopSize loop;          // unknown if it has no multiply-adds
  bool rewritten = false;       // both as in runs::RunRecord; what was compiled may yet be found
  std::string whyNotRewritten;  // wrong when it runs
  std::string arch, nvrtc, fingerprint;
  double milliseconds = 0;
  bool cached = false;
};

struct MeasureRequest : Launched {
  int device = 0;
  gpu::MeasureOptions options;
  bool counters = false;  // also read counters, after the timing: see kCountersMissing
};

// The answer to `sample` is the JSON of runs::StallSamples. This request and `loop` refuse
// parameters that only `measure` has.
struct SampleRequest : Launched {
  int device = 0;
  double limitMs = gpu::MeasureOptions().limitMs;
};

// The answer to `loop` is the JSON of runs::LoopTimes: the cycles of a main-loop iteration in all
// versions, in the stage's usual format: another one is refused.
struct LoopRequest : Subject {
  int device = 0;
  double limitMs = gpu::MeasureOptions().limitMs;
};

// The answer to `ceilings` is the JSON of model::Ceilings.
struct CeilingsRequest {
  int device = 0;
  double limitMs = 30000;  // after which a launch counts as hanging
};

// The answer to `measure` is a run record. If counters are requested and cannot be read, it also
// has a sentence under this key that says why and what would allow it.
inline constexpr const char* kCountersMissing = "counters_missing";

nlohmann::json toJson(const WorkerInfo& info);
nlohmann::json toJson(const CompileFacts& facts);
nlohmann::json toJson(const CompileRequest& request);
nlohmann::json toJson(const AheadRequest& request);
nlohmann::json toJson(const AheadAnswer& answer);
nlohmann::json toJson(const MeasureRequest& request);
nlohmann::json toJson(const SampleRequest& request);
nlohmann::json toJson(const LoopRequest& request);
nlohmann::json toJson(const CeilingsRequest& request);
// The answer to `disassemble`, which has the same parameters as `compile`: the header of a listing
// and its instructions as text.
nlohmann::json toJson(const sass::MachineCode& code);

// All of these check types and ranges; the error is one sentence. A limit that is out of range is
// clamped and not an error.
template <class T>
using Parsed = tl::expected<T, std::string>;
Parsed<WorkerInfo> workerInfoFrom(const nlohmann::json& json);
Parsed<CompileFacts> compileFactsFrom(const nlohmann::json& json);
Parsed<CompileRequest> compileRequestFrom(const nlohmann::json& params);
Parsed<AheadRequest> aheadRequestFrom(const nlohmann::json& params);
Parsed<AheadAnswer> aheadAnswerFrom(const nlohmann::json& json);
Parsed<MeasureRequest> measureRequestFrom(const nlohmann::json& params);
Parsed<SampleRequest> sampleRequestFrom(const nlohmann::json& params);
Parsed<LoopRequest> loopRequestFrom(const nlohmann::json& params);
Parsed<CeilingsRequest> ceilingsRequestFrom(const nlohmann::json& params);
Parsed<sass::MachineCode> machineCodeFrom(const nlohmann::json& json);

// One message, for either end. It is discarded (json::is_discarded) if the line is not JSON or is
// beyond kMessageBounds.
nlohmann::json parseLine(std::string_view line);
// Makes a worker's text about itself, a failure or missing counters one line of bounded length.
std::string reasonText(std::string_view text);

// One line each, without the newline.
std::string requestLine(std::uint64_t id, std::string_view method, const nlohmann::json& params);
std::string resultLine(const nlohmann::json& id, const nlohmann::json& result);
std::string errorLine(const nlohmann::json& id, int code, const std::string& message,
                      std::optional<Trouble> trouble = std::nullopt);
std::string progressLine(const nlohmann::json& id, const nlohmann::json& run);

}  // namespace tileloom::worker
