// SPDX-License-Identifier: GPL-3.0-or-later
// The CUPTI of the fake GPU: part of the library of fake/state.h. It holds callers to the
// order of calls of the range profiler, and to one launch between start and stop.
//
// TILELOOM_FAKE_CUPTI is a list of behaviours, separated by commas, read at each start of the
// profiler:
//   fail=FUNCTION:NUMBER     this function returns NUMBER
//   passes=3                 launches that it takes to count (3)
//   value=METRIC:NUMBER      what a metric says; may be repeated. Others say 1
//   library=METRIC:NUMBER    what it says of each kernel of cuBLAS; may be repeated
//   kernels=1                of one call of cuBLAS
//   unknown=METRIC           a metric that the chip does not have; may be repeated
// A call out of order ends the process with a message.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/gpu/counters/cupti_api.h"

namespace cupti = tileloom::gpu::cupti;

extern "C" int tileloom_fake_calls(const char* function);  // fake/control.cpp

namespace {

struct State {
  std::map<std::string, int> failures;
  std::map<std::string, double> values, ofLibrary;
  std::set<std::string> unknown;
  int passes = 3, kernels = 1;

  bool initialised = false;
  int hosts = 0, ranges = 0;
  bool configured = false, started = false, decoded = false;
  int pass = 0, launchesBefore = 0, libraryBefore = 0;
  std::size_t roomFor = 1, seen = 0;  // there is room for; of the last pass
  bool library = false;               // the last pass was cuBLAS's
  std::vector<std::string> metrics;
};

State& state() {
  static State* s = new State;
  return *s;
}

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fake_cupti: %s\n", what);
  std::abort();
}

std::pair<std::string, std::string> split(const std::string& whole, char separator) {
  const std::size_t at = whole.find(separator);
  if (at == std::string::npos) return {whole, ""};
  return {whole.substr(0, at), whole.substr(at + 1)};
}

void readBehaviours(State& s) {
  s.failures.clear(), s.values.clear(), s.ofLibrary.clear(), s.unknown.clear();
  s.passes = 3, s.kernels = 1;
  const char* list = std::getenv("TILELOOM_FAKE_CUPTI");
  std::string rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const auto [item, more] = split(rest, ',');
    rest = more;
    const auto [key, value] = split(item, '=');
    const auto [left, right] = split(value, ':');
    if (key == "fail") {
      s.failures[left] = std::atoi(right.c_str());
    } else if (key == "passes") {
      s.passes = std::atoi(value.c_str());
    } else if (key == "value") {
      s.values[left] = std::atof(right.c_str());
    } else if (key == "library") {
      s.ofLibrary[left] = std::atof(right.c_str());
    } else if (key == "kernels") {
      s.kernels = std::atoi(value.c_str());
    } else if (key == "unknown") {
      s.unknown.insert(value);
    } else {
      must(false, "TILELOOM_FAKE_CUPTI: unknown behaviour");
    }
  }
}

int forced(const char* function) {
  const auto found = state().failures.find(function);
  return found == state().failures.end() ? 0 : found->second;
}

int libraryCalls() {
  return tileloom_fake_calls("cublasSgemm_v2") + tileloom_fake_calls("cublasGemmEx");
}

auto* const kHost = reinterpret_cast<cupti::HostObject>(0x10);
auto* const kRange = reinterpret_cast<cupti::RangeObject>(0x20);

}  // namespace

#define ENTER(name)                    \
  [[maybe_unused]] State& s = state(); \
  if (const int answer = forced(#name); answer != 0) return answer
#define SAME(name) static_assert(std::is_same_v<decltype(&name), decltype(cupti::Table::name)>)

extern "C" {

// How many things are not given back.
int tileloom_fake_cupti_leaks() {
  const State& s = state();
  return s.hosts + s.ranges + (s.initialised ? 1 : 0) + (s.started ? 1 : 0);
}

int cuptiGetResultString(int result, const char** words) {
  *words = result == 999 ? "CUPTI_ERROR_UNKNOWN" : "CUPTI_ERROR_OF_A_TEST";
  return 0;
}

int cuptiProfilerInitialize(cupti::Initialize* p) {
  readBehaviours(state());
  ENTER(cuptiProfilerInitialize);
  must(p->structSize == sizeof *p, "the size of Initialize");
  s.initialised = true;
  return 0;
}

int cuptiProfilerDeInitialize(cupti::Initialize*) {
  state().initialised = false;
  return 0;
}

int cuptiDeviceGetChipName(cupti::GetChipName* p) {
  ENTER(cuptiDeviceGetChipName);
  must(s.initialised, "not initialised");
  p->pChipName = "GH100";
  return 0;
}

int cuptiProfilerGetCounterAvailability(cupti::GetCounterAvailability* p) {
  ENTER(cuptiProfilerGetCounterAvailability);
  must(s.initialised && p->ctx != nullptr, "no context");
  p->counterAvailabilityImageSize = 8;
  return 0;
}

int cuptiProfilerHostInitialize(cupti::HostInitialize* p) {
  ENTER(cuptiProfilerHostInitialize);
  must(std::string(p->pChipName) == "GH100", "the chip's name");
  ++s.hosts;
  p->pHostObject = kHost;
  return 0;
}

int cuptiProfilerHostDeinitialize(cupti::HostDeinitialize* p) {
  must(p->pHostObject == kHost, "the host object");
  --state().hosts;
  return 0;
}

int cuptiProfilerHostGetMetricProperties(cupti::GetMetricProperties* p) {
  ENTER(cuptiProfilerHostGetMetricProperties);
  return s.unknown.contains(p->pMetricName) ? cupti::kInvalidMetricName : 0;
}

int cuptiProfilerHostConfigAddMetrics(cupti::ConfigAddMetrics* p) {
  ENTER(cuptiProfilerHostConfigAddMetrics);
  s.metrics.assign(p->ppMetricNames, p->ppMetricNames + p->numMetrics);
  for (const std::string& metric : s.metrics) {
    if (s.unknown.contains(metric)) return cupti::kInvalidMetricName;
  }
  return 0;
}

int cuptiProfilerHostGetConfigImageSize(cupti::GetConfigImageSize* p) {
  ENTER(cuptiProfilerHostGetConfigImageSize);
  p->configImageSize = 16;
  return 0;
}

int cuptiProfilerHostGetConfigImage(cupti::GetConfigImage* p) {
  ENTER(cuptiProfilerHostGetConfigImage);
  must(p->configImageSize == 16 && p->pConfigImage != nullptr, "the configuration's size");
  return 0;
}

int cuptiRangeProfilerEnable(cupti::Enable* p) {
  ENTER(cuptiRangeProfilerEnable);
  must(p->ctx != nullptr, "no context");
  ++s.ranges;
  p->pRangeProfilerObject = kRange;
  return 0;
}

int cuptiRangeProfilerDisable(cupti::OfRangeProfiler* p) {
  State& s = state();
  must(p->pRangeProfilerObject == kRange && !s.started, "disabled while it counts");
  --s.ranges;
  s.configured = s.decoded = false;
  return 0;
}

int cuptiRangeProfilerGetCounterDataSize(cupti::GetCounterDataSize* p) {
  ENTER(cuptiRangeProfilerGetCounterDataSize);
  must(p->numMetrics == s.metrics.size(), "other metrics than were chosen");
  must(p->maxNumOfRanges == p->maxNumRangeTreeNodes, "the nodes of the ranges");
  s.roomFor = p->maxNumOfRanges;
  p->counterDataSize = 32;
  return 0;
}

int cuptiRangeProfilerCounterDataImageInitialize(cupti::InitializeCounterData* p) {
  ENTER(cuptiRangeProfilerCounterDataImageInitialize);
  must(p->counterDataSize == 32, "the counter data's size");
  return 0;
}

int cuptiRangeProfilerSetConfig(cupti::SetConfig* p) {
  ENTER(cuptiRangeProfilerSetConfig);
  must(p->configSize == 16 && p->counterDataImageSize == 32, "the sizes of the images");
  must(p->range == cupti::kAutoRange && p->replayMode == cupti::kUserReplay, "the modes");
  must(p->maxRangesPerPass == s.roomFor, "room for other kernels than the data has");
  s.configured = true;
  s.pass = 0;
  return 0;
}

int cuptiRangeProfilerStart(cupti::OfRangeProfiler*) {
  ENTER(cuptiRangeProfilerStart);
  must(s.configured && !s.started, "started out of order");
  s.started = true;
  s.launchesBefore = tileloom_fake_calls("cuLaunchKernel");
  s.libraryBefore = libraryCalls();
  return 0;
}

int cuptiRangeProfilerStop(cupti::Stop* p) {
  State& s = state();
  must(s.started, "stopped before it was started");
  s.started = false;
  if (const int answer = forced("cuptiRangeProfilerStop"); answer != 0) return answer;
  const int kernels = tileloom_fake_calls("cuLaunchKernel") - s.launchesBefore;
  const int library = libraryCalls() - s.libraryBefore;
  if (kernels + library == 0) return 0;  // it was broken off
  must(kernels + library == 1, "not one launch in a pass");
  s.library = library == 1;
  s.seen = s.library ? static_cast<std::size_t>(s.kernels) : 1;
  p->isAllPassSubmitted = ++s.pass >= s.passes ? 1 : 0;
  return 0;
}

int cuptiRangeProfilerDecodeData(cupti::DecodeData* p) {
  ENTER(cuptiRangeProfilerDecodeData);
  must(s.pass == s.passes, "decoded before all passes");
  p->numOfRangeDropped = s.seen - std::min(s.seen, s.roomFor);
  s.decoded = true;
  return 0;
}

int cuptiRangeProfilerGetCounterDataInfo(cupti::GetCounterDataInfo* p) {
  ENTER(cuptiRangeProfilerGetCounterDataInfo);
  must(s.decoded, "read before it was decoded");
  p->numTotalRanges = std::min(s.seen, s.roomFor);
  return 0;
}

int cuptiProfilerHostEvaluateToGpuValues(cupti::EvaluateToGpuValues* p) {
  ENTER(cuptiProfilerHostEvaluateToGpuValues);
  must(s.decoded && p->rangeIndex < s.seen, "read before it was decoded");
  for (std::size_t i = 0; i < p->numMetrics; ++i) {
    const auto& values = s.library ? s.ofLibrary : s.values;
    const auto told = values.find(p->ppMetricNames[i]);
    p->pMetricValues[i] = told == values.end() ? 1 : told->second;
  }
  return 0;
}

}  // extern "C"

SAME(cuptiGetResultString);
SAME(cuptiProfilerInitialize);
SAME(cuptiProfilerDeInitialize);
SAME(cuptiDeviceGetChipName);
SAME(cuptiProfilerGetCounterAvailability);
SAME(cuptiProfilerHostInitialize);
SAME(cuptiProfilerHostDeinitialize);
SAME(cuptiProfilerHostGetMetricProperties);
SAME(cuptiProfilerHostConfigAddMetrics);
SAME(cuptiProfilerHostGetConfigImageSize);
SAME(cuptiProfilerHostGetConfigImage);
SAME(cuptiProfilerHostEvaluateToGpuValues);
SAME(cuptiRangeProfilerEnable);
SAME(cuptiRangeProfilerDisable);
SAME(cuptiRangeProfilerStart);
SAME(cuptiRangeProfilerStop);
SAME(cuptiRangeProfilerSetConfig);
SAME(cuptiRangeProfilerDecodeData);
SAME(cuptiRangeProfilerGetCounterDataSize);
SAME(cuptiRangeProfilerCounterDataImageInitialize);
SAME(cuptiRangeProfilerGetCounterDataInfo);
