// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/cupti.h"

#include <fmt/format.h>

#include "kernels/gpu/library.h"

namespace tileloom::gpu {
namespace {

using cupti::Table;

Table tableOf(Library& library) {
  Table t;
#define TILELOOM_BIND(name) library.bind(t.name, #name)
  TILELOOM_BIND(cuptiGetResultString);
  TILELOOM_BIND(cuptiProfilerInitialize);
  TILELOOM_BIND(cuptiProfilerDeInitialize);
  TILELOOM_BIND(cuptiProfilerGetCounterAvailability);
  TILELOOM_BIND(cuptiDeviceGetChipName);
  TILELOOM_BIND(cuptiProfilerHostInitialize);
  TILELOOM_BIND(cuptiProfilerHostDeinitialize);
  TILELOOM_BIND(cuptiProfilerHostGetMetricProperties);
  TILELOOM_BIND(cuptiProfilerHostConfigAddMetrics);
  TILELOOM_BIND(cuptiProfilerHostGetConfigImageSize);
  TILELOOM_BIND(cuptiProfilerHostGetConfigImage);
  TILELOOM_BIND(cuptiProfilerHostEvaluateToGpuValues);
  TILELOOM_BIND(cuptiRangeProfilerEnable);
  TILELOOM_BIND(cuptiRangeProfilerDisable);
  TILELOOM_BIND(cuptiRangeProfilerStart);
  TILELOOM_BIND(cuptiRangeProfilerStop);
  TILELOOM_BIND(cuptiRangeProfilerSetConfig);
  TILELOOM_BIND(cuptiRangeProfilerDecodeData);
  TILELOOM_BIND(cuptiRangeProfilerGetCounterDataSize);
  TILELOOM_BIND(cuptiRangeProfilerCounterDataImageInitialize);
  TILELOOM_BIND(cuptiRangeProfilerGetCounterDataInfo);
#undef TILELOOM_BIND
  return t;
}

// Each of CUPTI's answers that says what stands in the way (cupti_result.h), with what to do.
std::string_view obstacle(cupti::Result result) {
  switch (result) {
    case cupti::kInsufficientPrivileges:
      return "the driver lets only administrators read the GPU's counters: an administrator allows "
             "it to all with the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module "
             "nvidia (a file in /etc/modprobe.d, then a restart), or to a container with "
             "--cap-add=SYS_ADMIN";
    case cupti::kVirtualizedDevicePrivileges:
      return "this virtual GPU does not let its counters be read: an administrator of the host "
             "allows it by enabling profiling for the virtual machine";
    case cupti::kVirtualizedDeviceNotSupported:
      return "a virtual GPU of this kind has no counters: use a GPU that is passed through whole";
    case cupti::kMigDevice:
      return "a part of a GPU (MIG) does not let its counters be read here: use a whole GPU";
    case cupti::kConfidentialComputing:
      return "confidential computing hides the GPU's counters: an administrator can switch it off";
    case cupti::kCmpDevice:
    case cupti::kLegacyProfilerNotSupported:
      return "CUPTI reads no counters of this GPU: use one of compute capability 7.5 or above";
    case cupti::kSliDevice:
      return "GPUs joined by SLI do not let their counters be read: an administrator can part them";
    case cupti::kWslDevice:
      return "the counters cannot be read in this Windows Subsystem for Linux: allow access to the "
             "GPU's counters in NVIDIA's control panel of Windows, or use Linux itself";
    case cupti::kInvalidChipName:
      return "this CUPTI does not know the GPU: install one of a newer CUDA Toolkit";
    case cupti::kHardwareBusy:
    case cupti::kMultipleSubscribers:
      return "another profiler uses the GPU's counters: end it and try again";
    default:
      return "";
  }
}

// What the profiler made for one count, given back in the reverse order.
struct Session {
  const Table& api;
  const Driver& driver;
  cupti::HostObject host = nullptr;
  cupti::RangeObject range = nullptr;
  bool started = false;

  Session(const Table& table, const Driver& owner) : api(table), driver(owner) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (driver.abandoned()) return;  // it would wait for the kernel that does not end
    if (started) {
      cupti::Stop stop;
      stop.pRangeProfilerObject = range;
      api.cuptiRangeProfilerStop(&stop);
    }
    if (range != nullptr) {
      cupti::OfRangeProfiler disable;
      disable.pRangeProfilerObject = range;
      api.cuptiRangeProfilerDisable(&disable);
    }
    if (host != nullptr) {
      cupti::HostDeinitialize end;
      end.pHostObject = host;
      api.cuptiProfilerHostDeinitialize(&end);
    }
  }
};

constexpr int kMostPasses = 1000;  // an answer that never says "all" must not last for ever

}  // namespace

Error Cupti::error(cupti::Result result, std::string_view doing) const {
  if (const auto sentence = obstacle(result); !sentence.empty())
    return {Trouble::Unsupported, std::string(sentence)};
  const char* words = nullptr;
  api_.cuptiGetResultString(result, &words);
  return {result == cupti::kOutOfMemory ? Trouble::OutOfMemory : Trouble::Failed,
          fmt::format("CUPTI said {} ({}) {}: counters stay unknown",
                      words != nullptr ? words : "an unknown error", result, doing)};
}

Result<void> Cupti::present() {
  auto library = Library::open(cuptiLibrary());
  if (!library) return tl::unexpected(library.error());
  tableOf(*library);
  return library->complete();
}

Result<std::unique_ptr<Cupti>> Cupti::open() {
  auto library = Library::open(cuptiLibrary());
  if (!library) return tl::unexpected(library.error());
  std::unique_ptr<Cupti> opened(new Cupti);
  const Table table = tableOf(*library);
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  opened->api_ = table;
  cupti::Initialize start;
  if (const auto result = table.cuptiProfilerInitialize(&start); result != cupti::kSuccess) {
    const Error error = opened->error(result, "on start");
    opened->api_ = {};
    return tl::unexpected(error);
  }
  return opened;
}

Cupti::~Cupti() {
  cupti::Initialize end;
  if (api_.cuptiProfilerDeInitialize != nullptr) api_.cuptiProfilerDeInitialize(&end);
}

Result<std::vector<std::optional<double>>> Cupti::count(const Context& context,
                                                        std::span<const std::string> metrics,
                                                        const Launch& launch) const {
  const auto failed = [&](cupti::Result result, std::string_view doing) {
    return tl::unexpected(error(result, doing));
  };
  Session session(api_, context.driver());

  cupti::GetChipName chip;
  chip.deviceIndex = static_cast<std::size_t>(context.device().index);
  if (const auto r = api_.cuptiDeviceGetChipName(&chip)) return failed(r, "when asked for the GPU");
  cupti::GetCounterAvailability available;
  available.ctx = context.handle();
  if (const auto r = api_.cuptiProfilerGetCounterAvailability(&available))
    return failed(r, "when asked for its counters");
  std::vector<std::uint8_t> availability(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = availability.data();
  if (const auto r = api_.cuptiProfilerGetCounterAvailability(&available))
    return failed(r, "when asked for its counters");
  cupti::HostInitialize host;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = availability.data();
  if (const auto r = api_.cuptiProfilerHostInitialize(&host)) return failed(r, "on start");
  session.host = host.pHostObject;

  // One metric that the chip does not have would refuse them all.
  std::vector<const char*> known;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    cupti::GetMetricProperties asked;
    asked.pHostObject = session.host;
    asked.pMetricName = metrics[i].c_str();
    if (api_.cuptiProfilerHostGetMetricProperties(&asked) != cupti::kSuccess) continue;
    known.push_back(metrics[i].c_str());
    indices.push_back(i);
  }
  std::vector<std::optional<double>> values(metrics.size());
  if (known.empty()) return values;

  cupti::ConfigAddMetrics add;
  add.pHostObject = session.host;
  add.ppMetricNames = known.data();
  add.numMetrics = known.size();
  if (const auto r = api_.cuptiProfilerHostConfigAddMetrics(&add))
    return failed(r, "while choosing counters");
  cupti::GetConfigImageSize size;
  size.pHostObject = session.host;
  if (const auto r = api_.cuptiProfilerHostGetConfigImageSize(&size))
    return failed(r, "while choosing counters");
  std::vector<std::uint8_t> config(size.configImageSize);
  cupti::GetConfigImage image;
  image.pHostObject = session.host;
  image.configImageSize = config.size();
  image.pConfigImage = config.data();
  if (const auto r = api_.cuptiProfilerHostGetConfigImage(&image))
    return failed(r, "while choosing counters");

  cupti::Enable enable;
  enable.ctx = context.handle();
  if (const auto r = api_.cuptiRangeProfilerEnable(&enable)) return failed(r, "when told to count");
  session.range = enable.pRangeProfilerObject;
  cupti::GetCounterDataSize dataSize;
  dataSize.pRangeProfilerObject = session.range;
  dataSize.pMetricNames = known.data();
  dataSize.numMetrics = known.size();
  if (const auto r = api_.cuptiRangeProfilerGetCounterDataSize(&dataSize))
    return failed(r, "while preparing to count");
  std::vector<std::uint8_t> data(dataSize.counterDataSize);
  cupti::InitializeCounterData clear;
  clear.pRangeProfilerObject = session.range;
  clear.counterDataSize = data.size();
  clear.pCounterData = data.data();
  if (const auto r = api_.cuptiRangeProfilerCounterDataImageInitialize(&clear))
    return failed(r, "while preparing to count");
  cupti::SetConfig set;
  set.pRangeProfilerObject = session.range;
  set.configSize = config.size();
  set.pConfig = config.data();
  set.counterDataImageSize = data.size();
  set.pCounterDataImage = data.data();
  if (const auto r = api_.cuptiRangeProfilerSetConfig(&set))
    return failed(r, "while preparing to count");

  // The hardware has fewer counters than are asked for: as many launches as it takes.
  for (int pass = 0;; ++pass) {
    if (pass == kMostPasses)
      return fail(Trouble::Failed, "CUPTI does not finish counting: counters stay unknown");
    cupti::OfRangeProfiler start;
    start.pRangeProfilerObject = session.range;
    if (const auto r = api_.cuptiRangeProfilerStart(&start)) return failed(r, "while counting");
    session.started = true;
    if (const auto done = launch(); !done) return tl::unexpected(done.error());
    cupti::Stop stop;
    stop.pRangeProfilerObject = session.range;
    session.started = false;
    if (const auto r = api_.cuptiRangeProfilerStop(&stop)) return failed(r, "while counting");
    if (stop.isAllPassSubmitted != 0) break;
  }
  cupti::DecodeData decode;
  decode.pRangeProfilerObject = session.range;
  if (const auto r = api_.cuptiRangeProfilerDecodeData(&decode))
    return failed(r, "while reading the counters");
  cupti::GetCounterDataInfo info;
  info.pCounterDataImage = data.data();
  info.counterDataImageSize = data.size();
  if (const auto r = api_.cuptiRangeProfilerGetCounterDataInfo(&info))
    return failed(r, "while reading the counters");
  if (info.numTotalRanges != 1 || decode.numOfRangeDropped != 0)
    return fail(Trouble::Failed, "CUPTI did not see the launch: counters stay unknown");
  std::vector<double> read(known.size());
  cupti::EvaluateToGpuValues evaluate;
  evaluate.pHostObject = session.host;
  evaluate.pCounterDataImage = data.data();
  evaluate.counterDataImageSize = data.size();
  evaluate.ppMetricNames = known.data();
  evaluate.numMetrics = known.size();
  evaluate.pMetricValues = read.data();
  if (const auto r = api_.cuptiProfilerHostEvaluateToGpuValues(&evaluate))
    return failed(r, "while reading the counters");
  for (std::size_t i = 0; i < read.size(); ++i) values[indices[i]] = read[i];
  return values;
}

}  // namespace tileloom::gpu
