// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/counters/pc_sampler.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

#include "kernels/gpu/counters/cupti_error.h"
#include "kernels/gpu/counters/cupti_sampling_api.h"
#include "kernels/gpu/driver/library.h"

namespace tileloom::gpu {
namespace {

using cupti::SamplingTable;

SamplingTable tableOf(Library& library) {
  SamplingTable t;
#define TILELOOM_BIND(name) library.bind(t.name, #name)
  TILELOOM_BIND(cuptiGetResultString);
  TILELOOM_BIND(cuptiPCSamplingEnable);
  TILELOOM_BIND(cuptiPCSamplingDisable);
  TILELOOM_BIND(cuptiPCSamplingStart);
  TILELOOM_BIND(cuptiPCSamplingStop);
  TILELOOM_BIND(cuptiPCSamplingGetNumStallReasons);
  TILELOOM_BIND(cuptiPCSamplingGetStallReasons);
  TILELOOM_BIND(cuptiPCSamplingSetConfigurationAttribute);
  TILELOOM_BIND(cuptiPCSamplingGetData);
#undef TILELOOM_BIND
  return t;
}

constexpr std::size_t kMostPcs = 16384;    // instructions of a kernel that have samples
constexpr std::size_t kMostReasons = 256;  // that a chip may know
constexpr std::string_view kPrepare = "while preparing to sample";

// Room for what CUPTI fills in: its records point into it.
class Room {
 public:
  explicit Room(std::size_t reasons) : pcs_(kMostPcs), reasons_(kMostPcs * reasons) {
    for (std::size_t i = 0; i < kMostPcs; ++i) pcs_[i].stallReason = &reasons_[i * reasons];
    data_.collectNumPcs = kMostPcs;
    data_.pPcData = pcs_.data();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  cupti::SamplingData& data() { return data_; }

 private:
  std::vector<cupti::PcData> pcs_;
  std::vector<cupti::StallReason> reasons_;
  cupti::SamplingData data_;
};

}  // namespace

// The buffers that CUPTI fills, and how it was configured.
struct PcSampler::State {
  SamplingTable api;
  const Context* context = nullptr;
  cupti::OfSampling of;
  std::vector<std::uint32_t> indices;           // of the chip's reasons
  std::map<std::uint32_t, std::string> nameOf;  // the reasons
  std::optional<Room> kept, read;
  bool enabled = false;
  bool started = false;

  Error error(cupti::Result result, std::string_view doing) const {
    const char* words = nullptr;
    api.cuptiGetResultString(result, &words);
    return cuptiError(result, words, doing);
  }
  cupti::Result learnReasons();
  cupti::Result set(std::span<cupti::SamplingSetting> settings);
  cupti::Result waitForStart();
  cupti::Result setPeriod(std::uint32_t period);
  ~State() {
    if (context == nullptr || context->driver().abandoned())
      return;  // it would wait for the kernel that does not end
    if (started) api.cuptiPCSamplingStop(&of);
    if (enabled) api.cuptiPCSamplingDisable(&of);
  }
};

cupti::Result PcSampler::State::learnReasons() {
  std::size_t count = 0;
  cupti::GetNumStallReasons howMany;
  howMany.ctx = of.ctx;
  howMany.numStallReasons = &count;
  if (const auto r = api.cuptiPCSamplingGetNumStallReasons(&howMany)) return r;
  count = std::min(count, kMostReasons);
  indices.resize(count);
  std::vector<std::array<char, cupti::kReasonName>> texts(count);
  std::vector<char*> names;
  for (auto& text : texts) names.push_back(text.data());
  cupti::GetStallReasons which;
  which.ctx = of.ctx;
  which.numStallReasons = count;
  which.stallReasonIndex = indices.data();
  which.stallReasons = names.data();
  if (const auto r = api.cuptiPCSamplingGetStallReasons(&which)) return r;
  for (std::size_t i = 0; i < count; ++i) {
    texts[i].back() = '\0';
    nameOf[indices[i]] = texts[i].data();
  }
  return cupti::kSuccess;
}

cupti::Result PcSampler::State::set(std::span<cupti::SamplingSetting> settings) {
  cupti::SamplingSettings all;
  all.ctx = of.ctx;
  all.numAttributes = settings.size();
  all.pPCSamplingConfigurationInfo = settings.data();
  return api.cuptiPCSamplingSetConfigurationAttribute(&all);
}

// Without this all later launches are sampled.
cupti::Result PcSampler::State::waitForStart() {
  kept.emplace(indices.size());
  std::array<cupti::SamplingSetting, 3> settings;
  settings[0].attributeType = cupti::SamplingAttribute::Reasons;
  settings[0].attributeData.reasons = {indices.size(), indices.data()};
  settings[1].attributeType = cupti::SamplingAttribute::StartStop;
  settings[1].attributeData.number = 1;
  settings[2].attributeType = cupti::SamplingAttribute::DataBuffer;
  settings[2].attributeData.buffer = &kept->data();
  return set(settings);
}

cupti::Result PcSampler::State::setPeriod(std::uint32_t period) {
  std::array<cupti::SamplingSetting, 1> setting;
  setting[0].attributeType = cupti::SamplingAttribute::Period;
  setting[0].attributeData.number = std::clamp(period, kShortestPeriod, kLongestPeriod);
  return set(setting);
}

PcSampler::PcSampler() : state_(std::make_unique<State>()) {}
PcSampler::PcSampler(PcSampler&&) noexcept = default;
PcSampler::~PcSampler() = default;

Result<PcSampler> PcSampler::enable(const Context& context) {
  auto library = Library::open(cuptiLibrary());
  if (!library) return tl::unexpected(library.error());
  PcSampler made;
  State& s = *made.state_;
  s.api = tableOf(*library);
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  s.context = &context;
  s.of.ctx = context.handle();
  if (const auto r = s.api.cuptiPCSamplingEnable(&s.of))
    return tl::unexpected(s.error(r, kPrepare));
  s.enabled = true;
  if (const auto r = s.learnReasons()) return tl::unexpected(s.error(r, kPrepare));
  if (const auto r = s.waitForStart()) return tl::unexpected(s.error(r, kPrepare));
  return made;
}

Result<PcSampler::Samples> PcSampler::sample(const std::string& function, std::uint32_t period,
                                             const std::function<Result<void>()>& launch) {
  constexpr std::string_view kSampling = "while sampling";
  State& s = *state_;
  const auto stopped = [&s](cupti::Result result, std::string_view doing) {
    return tl::unexpected(s.error(result, doing));
  };
  s.read.emplace(s.indices.size());
  if (const auto r = s.setPeriod(period)) return stopped(r, kPrepare);
  if (const auto r = s.api.cuptiPCSamplingStart(&s.of)) return stopped(r, kSampling);
  s.started = true;
  if (const auto done = launch(); !done) return tl::unexpected(done.error());
  s.started = false;
  if (const auto r = s.api.cuptiPCSamplingStop(&s.of)) return stopped(r, kSampling);
  cupti::GetSamplingData get;
  get.ctx = s.of.ctx;
  get.pcSamplingData = &s.read->data();
  if (const auto r = s.api.cuptiPCSamplingGetData(&get))
    return stopped(r, "while reading the samples");

  const cupti::SamplingData& data = s.read->data();
  Samples samples;
  samples.dropped = data.droppedSamples;
  for (std::size_t i = 0; i < std::min(data.totalNumPcs, kMostPcs); ++i) {
    // The names belong to CUPTI and are shared among the records: they are not freed.
    const cupti::PcData& pc = data.pPcData[i];
    if (pc.functionName == nullptr || function != pc.functionName) continue;
    Sampled& here = samples.instructions.emplace_back();
    here.address = pc.pcOffset;
    for (std::size_t k = 0; k < std::min(pc.stallReasonCount, s.indices.size()); ++k) {
      const auto& [index, n] = pc.stallReason[k];
      if (const auto name = s.nameOf.find(index); name != s.nameOf.end() && n > 0)
        here.reasons.push_back({name->second, n});
    }
  }
  if (samples.instructions.empty())
    return fail(Trouble::Failed, "CUPTI took no sample of the launch: choose a larger size");
  if (data.remainingNumPcs > 0) {
    return fail(Trouble::Failed,
                "CUPTI returned samples of more instructions than there is room for: choose a "
                "smaller tile");
  }
  std::ranges::sort(samples.instructions, {}, &Sampled::address);
  return samples;
}

}  // namespace tileloom::gpu
