// SPDX-License-Identifier: GPL-3.0-or-later
// CUPTI's sampling of the fake GPU: part of the library of fake/state.h. It holds callers
// to the order of calls, and to one kernel between start and stop.
//
// TILELOOM_FAKE_SAMPLING is a list of behaviours, separated by commas, read when sampling is
// enabled:
//   fail=FUNCTION:NUMBER     this function returns NUMBER
//   kernel=NAME              whose samples there are: three instructions (none)
//   dropped=NUMBER           samples that were lost
//   remaining=NUMBER         instructions for which the caller has no room
// A call out of order ends the process with a message.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/gpu/counters/cupti_sampling_api.h"

namespace cupti = tileloom::gpu::cupti;

extern "C" int tileloom_fake_calls(const char* function);  // fake/control.cpp

namespace {

constexpr const char* kReasons[] = {"smsp__pcsamp_sample_count",
                                    "smsp__pcsamp_warps_issue_stalled_barrier",
                                    "smsp__pcsamp_warps_issue_stalled_barrier_not_issued",
                                    "smsp__pcsamp_warps_issue_stalled_selected",
                                    "smsp__pcsamp_warps_issue_stalled_no_instructions",
                                    "smsp__pcsamp_warps_issue_stalled_drain"};
constexpr std::uint32_t kFirstIndex = 40;  // the numbers of a chip may begin anywhere

struct State {
  std::map<std::string, int> failures;
  std::string kernel;
  std::uint64_t dropped = 0;
  std::size_t remaining = 0;
  bool enabled = false, bounded = false, started = false, stopped = false;
  void* buffer = nullptr;
  std::size_t reasons = 0;
  int launchesBefore = 0;
};

State& state() {
  static State* s = new State;
  return *s;
}

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fake_sampling: %s\n", what);
  std::abort();
}

void readBehaviours(State& s) {
  s = State{};
  const char* list = std::getenv("TILELOOM_FAKE_SAMPLING");
  std::string rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string item = rest.substr(0, comma);
    rest.erase(0, comma + 1);
    const std::size_t equals = item.find('=');
    must(equals != std::string::npos, "TILELOOM_FAKE_SAMPLING: a behaviour without a value");
    const std::string key = item.substr(0, equals), value = item.substr(equals + 1);
    if (key == "fail") {
      const std::size_t colon = value.find(':');
      s.failures[value.substr(0, colon)] = std::atoi(value.substr(colon + 1).c_str());
    } else if (key == "kernel") {
      s.kernel = value;
    } else if (key == "dropped") {
      s.dropped = static_cast<std::uint64_t>(std::atoll(value.c_str()));
    } else if (key == "remaining") {
      s.remaining = static_cast<std::size_t>(std::atoll(value.c_str()));
    } else {
      must(false, "TILELOOM_FAKE_SAMPLING: unknown behaviour");
    }
  }
}

int forced(const char* function) {
  const auto found = state().failures.find(function);
  return found == state().failures.end() ? 0 : found->second;
}

}  // namespace

#define ENTER(name)                    \
  [[maybe_unused]] State& s = state(); \
  if (const int answer = forced(#name); answer != 0) return answer
#define SAME(name) \
  static_assert(std::is_same_v<decltype(&name), decltype(cupti::SamplingTable::name)>)

extern "C" {

int tileloom_fake_sampling_leaks() {
  return (state().enabled ? 1 : 0) + (state().started ? 1 : 0);
}

int cuptiPCSamplingEnable(cupti::OfSampling* p) {
  readBehaviours(state());
  ENTER(cuptiPCSamplingEnable);
  must(p->size == sizeof *p && p->ctx != nullptr, "enabled without a context");
  s.enabled = true;
  return 0;
}

int cuptiPCSamplingDisable(cupti::OfSampling*) {
  must(state().enabled && !state().started, "disabled out of order");
  state().enabled = false;
  return 0;
}

int cuptiPCSamplingGetNumStallReasons(cupti::GetNumStallReasons* p) {
  ENTER(cuptiPCSamplingGetNumStallReasons);
  must(s.enabled, "asked for the reasons before it was enabled");
  *p->numStallReasons = std::size(kReasons);
  return 0;
}

int cuptiPCSamplingGetStallReasons(cupti::GetStallReasons* p) {
  ENTER(cuptiPCSamplingGetStallReasons);
  must(p->numStallReasons == std::size(kReasons), "another number of reasons");
  for (std::size_t i = 0; i < p->numStallReasons; ++i) {
    p->stallReasonIndex[i] = kFirstIndex + static_cast<std::uint32_t>(i);
    std::strcpy(p->stallReasons[i], kReasons[i]);
  }
  return 0;
}

int cuptiPCSamplingSetConfigurationAttribute(cupti::SamplingSettings* p) {
  ENTER(cuptiPCSamplingSetConfigurationAttribute);
  must(s.enabled && !s.started, "configured out of order");
  for (std::size_t i = 0; i < p->numAttributes; ++i) {
    const cupti::SamplingSetting& setting = p->pPCSamplingConfigurationInfo[i];
    switch (setting.attributeType) {
      case cupti::SamplingAttribute::Period:
        must(setting.attributeData.number >= 5 && setting.attributeData.number <= 31, "the period");
        break;
      case cupti::SamplingAttribute::Reasons:
        s.reasons = setting.attributeData.reasons.stallReasonCount;
        must(setting.attributeData.reasons.pStallReasonIndex[0] == kFirstIndex, "the reasons");
        break;
      case cupti::SamplingAttribute::StartStop:
        s.bounded = setting.attributeData.number == 1;
        break;
      case cupti::SamplingAttribute::DataBuffer:
        s.buffer = setting.attributeData.buffer;
        break;
    }
  }
  return 0;
}

int cuptiPCSamplingStart(cupti::OfSampling*) {
  ENTER(cuptiPCSamplingStart);
  must(s.bounded && s.buffer != nullptr && s.reasons > 0 && !s.started, "started out of order");
  s.started = true;
  s.launchesBefore = tileloom_fake_calls("cuLaunchKernel");
  return 0;
}

int cuptiPCSamplingStop(cupti::OfSampling*) {
  State& s = state();
  must(s.started, "stopped before it was started");
  s.started = false;
  if (const int answer = forced("cuptiPCSamplingStop"); answer != 0) return answer;
  if (tileloom_fake_calls("cuLaunchKernel") == s.launchesBefore) return 0;  // it was aborted
  must(tileloom_fake_calls("cuLaunchKernel") == s.launchesBefore + 1, "not one kernel was sampled");
  s.stopped = true;
  return 0;
}

int cuptiPCSamplingGetData(cupti::GetSamplingData* p) {
  ENTER(cuptiPCSamplingGetData);
  must(s.stopped, "read before it was stopped");
  auto* data = static_cast<cupti::SamplingData*>(p->pcSamplingData);
  must(data->size == sizeof *data && data->collectNumPcs >= 4, "the buffer");
  static char ours[64], another[] = "somebody_elses";
  std::snprintf(ours, sizeof ours, "%s", s.kernel.c_str());
  data->droppedSamples = s.dropped;
  data->remainingNumPcs = s.remaining;
  struct Row {
    std::uint64_t address;
    char* function;
    std::vector<std::uint32_t> samples;  // by reason
  };
  const Row rows[] = {{0x40, ours, {9, 5, 4, 1, 0, 0}},
                      {0x10, ours, {7, 0, 0, 3, 2, 2}},
                      {0x20, another, {100, 100, 0, 0, 0, 0}},
                      {0x30, ours, {1, 0, 0, 0, 0, 1}}};
  data->totalNumPcs = s.kernel.empty() ? 0 : std::size(rows);
  for (std::size_t i = 0; i < data->totalNumPcs; ++i) {
    cupti::PcData& pc = data->pPcData[i];
    must(pc.size == sizeof pc && pc.stallReason != nullptr, "a record of the buffer");
    pc.pcOffset = rows[i].address;
    pc.functionName = rows[i].function;
    pc.stallReasonCount = rows[i].samples.size();
    for (std::size_t k = 0; k < rows[i].samples.size(); ++k)
      pc.stallReason[k] = {kFirstIndex + static_cast<std::uint32_t>(k), rows[i].samples[k]};
  }
  return 0;
}

}  // extern "C"

SAME(cuptiPCSamplingEnable);
SAME(cuptiPCSamplingDisable);
SAME(cuptiPCSamplingStart);
SAME(cuptiPCSamplingStop);
SAME(cuptiPCSamplingGetNumStallReasons);
SAME(cuptiPCSamplingGetStallReasons);
SAME(cuptiPCSamplingSetConfigurationAttribute);
SAME(cuptiPCSamplingGetData);
