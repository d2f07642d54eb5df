// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/counters/cupti.h"

#include <fmt/format.h>

#include "kernels/gpu/counters/cupti_error.h"
#include "kernels/gpu/driver/library.h"

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

// A CUPTI call, and what this process was doing. A result of 0 is success.
struct Failed {
  cupti::Result result = cupti::kSuccess;
  std::string_view doing;
  explicit operator bool() const { return result != cupti::kSuccess; }
};

// One count. What the profiler allocates for it is released in reverse order.
class Session {
 public:
  Session(const Table& table, const Context& context, std::size_t kernels)
      : api_(table), context_(context), kernels_(kernels) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Finds the GPU's counters.
  Failed open();
  // Leaves out metrics that the chip does not have: one of them would make CUPTI refuse all.
  void choose(std::span<const std::string> metrics);
  std::span<const std::size_t> chosen() const { return indices_; }  // into `metrics`
  Failed configure();
  // Around each launch; `complete` once there have been enough.
  Failed start();
  Failed stop(bool& complete);
  // One value for each chosen metric of each kernel that was seen. `dropped` kernels, for which
  // there was no room, have none.
  Failed read(std::vector<std::vector<double>>& values, std::size_t& dropped);

 private:
  const Table& api_;
  const Context& context_;
  std::size_t kernels_;  // there is room for
  std::vector<std::uint8_t> availability_, config_, data_;
  std::vector<const char*> metrics_;
  std::vector<std::size_t> indices_;
  cupti::HostObject host_ = nullptr;
  cupti::RangeObject range_ = nullptr;
  bool started_ = false;
};

Session::~Session() {
  if (context_.driver().abandoned()) return;  // it would wait for the kernel that does not end
  if (started_) {
    bool ignored = false;
    stop(ignored);
  }
  if (range_ != nullptr) {
    cupti::OfRangeProfiler disable;
    disable.pRangeProfilerObject = range_;
    api_.cuptiRangeProfilerDisable(&disable);
  }
  if (host_ != nullptr) {
    cupti::HostDeinitialize end;
    end.pHostObject = host_;
    api_.cuptiProfilerHostDeinitialize(&end);
  }
}

Failed Session::open() {
  constexpr std::string_view kDoing = "while querying the GPU's counters";
  cupti::GetChipName chip;
  chip.deviceIndex = static_cast<std::size_t>(context_.device().index);
  if (const auto r = api_.cuptiDeviceGetChipName(&chip)) return {r, kDoing};
  cupti::GetCounterAvailability available;
  available.ctx = context_.handle();
  if (const auto r = api_.cuptiProfilerGetCounterAvailability(&available)) return {r, kDoing};
  availability_.resize(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = availability_.data();
  if (const auto r = api_.cuptiProfilerGetCounterAvailability(&available)) return {r, kDoing};
  cupti::HostInitialize host;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = availability_.data();
  if (const auto r = api_.cuptiProfilerHostInitialize(&host)) return {r, kDoing};
  host_ = host.pHostObject;
  return {};
}

void Session::choose(std::span<const std::string> metrics) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    cupti::GetMetricProperties asked;
    asked.pHostObject = host_;
    asked.pMetricName = metrics[i].c_str();
    if (api_.cuptiProfilerHostGetMetricProperties(&asked) != cupti::kSuccess) continue;
    metrics_.push_back(metrics[i].c_str());
    indices_.push_back(i);
  }
}

Failed Session::configure() {
  constexpr std::string_view kDoing = "while preparing to count";
  cupti::ConfigAddMetrics add;
  add.pHostObject = host_;
  add.ppMetricNames = metrics_.data();
  add.numMetrics = metrics_.size();
  if (const auto r = api_.cuptiProfilerHostConfigAddMetrics(&add)) return {r, kDoing};
  cupti::GetConfigImageSize size;
  size.pHostObject = host_;
  if (const auto r = api_.cuptiProfilerHostGetConfigImageSize(&size)) return {r, kDoing};
  config_.resize(size.configImageSize);
  cupti::GetConfigImage image;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  if (const auto r = api_.cuptiProfilerHostGetConfigImage(&image)) return {r, kDoing};

  cupti::Enable enable;
  enable.ctx = context_.handle();
  if (const auto r = api_.cuptiRangeProfilerEnable(&enable)) return {r, kDoing};
  range_ = enable.pRangeProfilerObject;
  cupti::GetCounterDataSize dataSize;
  dataSize.pRangeProfilerObject = range_;
  dataSize.pMetricNames = metrics_.data();
  dataSize.numMetrics = metrics_.size();
  dataSize.maxNumOfRanges = kernels_;
  dataSize.maxNumRangeTreeNodes = static_cast<std::uint32_t>(kernels_);
  if (const auto r = api_.cuptiRangeProfilerGetCounterDataSize(&dataSize)) return {r, kDoing};
  data_.resize(dataSize.counterDataSize);
  cupti::InitializeCounterData clear;
  clear.pRangeProfilerObject = range_;
  clear.counterDataSize = data_.size();
  clear.pCounterData = data_.data();
  if (const auto r = api_.cuptiRangeProfilerCounterDataImageInitialize(&clear)) return {r, kDoing};
  cupti::SetConfig set;
  set.pRangeProfilerObject = range_;
  set.configSize = config_.size();
  set.pConfig = config_.data();
  set.counterDataImageSize = data_.size();
  set.pCounterDataImage = data_.data();
  set.maxRangesPerPass = kernels_;
  return {api_.cuptiRangeProfilerSetConfig(&set), kDoing};
}

Failed Session::start() {
  cupti::OfRangeProfiler start;
  start.pRangeProfilerObject = range_;
  const auto r = api_.cuptiRangeProfilerStart(&start);
  started_ = r == cupti::kSuccess;
  return {r, "while counting"};
}

Failed Session::stop(bool& complete) {
  cupti::Stop stop;
  stop.pRangeProfilerObject = range_;
  started_ = false;
  const auto r = api_.cuptiRangeProfilerStop(&stop);
  complete = stop.isAllPassSubmitted != 0;
  return {r, "while counting"};
}

Failed Session::read(std::vector<std::vector<double>>& values, std::size_t& dropped) {
  constexpr std::string_view kDoing = "while reading the counters";
  cupti::DecodeData decode;
  decode.pRangeProfilerObject = range_;
  if (const auto r = api_.cuptiRangeProfilerDecodeData(&decode)) return {r, kDoing};
  cupti::GetCounterDataInfo info;
  info.pCounterDataImage = data_.data();
  info.counterDataImageSize = data_.size();
  if (const auto r = api_.cuptiRangeProfilerGetCounterDataInfo(&info)) return {r, kDoing};
  dropped = decode.numOfRangeDropped;
  values.assign(info.numTotalRanges, std::vector<double>(metrics_.size()));
  cupti::EvaluateToGpuValues evaluate;
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = data_.data();
  evaluate.counterDataImageSize = data_.size();
  evaluate.ppMetricNames = metrics_.data();
  evaluate.numMetrics = metrics_.size();
  for (std::size_t kernel = 0; kernel < values.size(); ++kernel) {
    evaluate.rangeIndex = kernel;
    evaluate.pMetricValues = values[kernel].data();
    if (const auto r = api_.cuptiProfilerHostEvaluateToGpuValues(&evaluate)) return {r, kDoing};
  }
  return {};
}

constexpr int kMostPasses = 1000;  // an answer that never says "all" must not loop forever

}  // namespace

Error Cupti::error(cupti::Result result, std::string_view doing) const {
  const char* words = nullptr;
  api_.cuptiGetResultString(result, &words);
  return cuptiError(result, words, doing);
}

Result<std::string> Cupti::present() {
  auto library = Library::open(cuptiLibrary());
  if (!library) return tl::unexpected(library.error());
  tableOf(*library);
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  return library->path();
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
  auto kernels = countKernels(context, metrics, launch, 1);
  if (!kernels) return tl::unexpected(kernels.error());
  return std::move(kernels->front());
}

Result<std::vector<Cupti::Values>> Cupti::countKernels(const Context& context,
                                                       std::span<const std::string> metrics,
                                                       const Launch& launch,
                                                       std::size_t most) const {
  const auto stopped = [this](const Failed& failed) {
    return tl::unexpected(error(failed.result, failed.doing));
  };
  Session session(api_, context, most);
  if (const Failed failed = session.open()) return stopped(failed);
  session.choose(metrics);
  if (session.chosen().empty()) return std::vector<Values>{Values(metrics.size())};
  if (const Failed failed = session.configure()) return stopped(failed);

  // The hardware has fewer counters than are requested, so this needs several launches.
  bool complete = false;
  for (int pass = 0; !complete; ++pass) {
    if (pass == kMostPasses)
      return fail(Trouble::Failed, "CUPTI does not finish counting: counters stay unknown");
    if (const Failed failed = session.start()) return stopped(failed);
    if (const auto done = launch(); !done) return tl::unexpected(done.error());
    if (const Failed failed = session.stop(complete)) return stopped(failed);
  }
  std::vector<std::vector<double>> read;
  std::size_t dropped = 0;
  if (const Failed failed = session.read(read, dropped)) return stopped(failed);
  if (read.empty())
    return fail(Trouble::Failed, "CUPTI did not see the launch: counters stay unknown");
  if (dropped > 0) {
    return fail(Trouble::Failed,
                fmt::format("CUPTI saw {} kernels where at most {} were expected: counters stay "
                            "unknown",
                            read.size() + dropped, most));
  }
  std::vector<Values> values;
  for (const std::vector<double>& kernel : read) {
    Values& each = values.emplace_back(metrics.size());
    for (std::size_t i = 0; i < kernel.size(); ++i) each[session.chosen()[i]] = kernel[i];
  }
  return values;
}

}  // namespace tileloom::gpu
