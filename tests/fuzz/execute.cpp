// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code that a file may contain, executed: whatever its bits are, it ends, with a result or
// with one sentence, and touches no memory but its own. The first byte chooses an architecture,
// the rest are instructions.
#include <array>
#include <cstring>

#include "kernels/analysis/block_product.h"
#include "kernels/analysis/counts/machine_totals.h"
#include "kernels/executor/block.h"
#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/executor/recorded/machine_recorder.h"
#include "kernels/executor/several.h"
#include "kernels/sass/code_word.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

constexpr std::array<int, 6> kCapabilities = {80, 86, 89, 90, 100, 120};
constexpr std::size_t kMostInstructions = 1024;
constexpr std::uint64_t kBudget = 20'000;
constexpr std::uint32_t kElementBytes = 4;

void run(std::string_view bytes) {
  if (bytes.empty()) return;
  sass::Module module;
  module.capability =
      kCapabilities[static_cast<unsigned char>(bytes.front()) % kCapabilities.size()];
  sass::KernelImage kernel;
  kernel.name = "k";
  kernel.info.parametersAt = 0x210;
  // M, N, K, alpha, A, B, beta, C: what our own kernels have.
  int at = 0;
  for (const int size : {4, 4, 4, 4, 8, 8, 4, 8}) {
    at = (at + size - 1) / size * size;
    sass::KernelParameter parameter;
    parameter.at = at;
    parameter.bytes = size;
    kernel.info.parameters.push_back(parameter);
    at += size;
  }
  kernel.info.parameterBytes = at;
  kernel.info.frameBytes = 64;
  kernel.sharedBytes = 4096;
  if (static_cast<unsigned char>(bytes.front()) / kCapabilities.size() % 2 == 1)
    kernel.info.cluster = {2, 1, 1};
  for (std::size_t i = 1;
       i + sass::kCodeWordBytes <= bytes.size() && kernel.words.size() < kMostInstructions;
       i += sass::kCodeWordBytes) {
    sass::CodeWord word;
    std::memcpy(&word.low, bytes.data() + i, 8);
    std::memcpy(&word.high, bytes.data() + i + 8, 8);
    kernel.words.push_back(word);
  }
  if (kernel.words.empty()) return;
  module.kernels.push_back(kernel);

  std::vector<executor::Buffer> buffers;
  for (const char* name : {"A", "B", "C"})
    buffers.push_back({name, std::vector<std::uint8_t>(4096), 0});
  executor::placeBuffers(buffers);
  executor::Launch launch{&module, &module.kernels.front(), {2, 1, 1}, {64, 1, 1}, 0, {}};
  launch.parameters.resize(static_cast<std::size_t>(at));
  const auto put = [&](std::size_t number, const auto& value) {
    std::memcpy(launch.parameters.data() + kernel.info.parameters[number].at, &value, sizeof value);
  };
  for (const std::size_t number : {0u, 1u, 2u}) put(number, std::uint32_t{32});
  put(3, 1.0f);
  put(4, buffers[0].address);
  put(5, buffers[1].address);
  put(7, buffers[2].address);
  executor::TensorMap map;
  map.at = static_cast<std::uint32_t>(kernel.info.parameters[4].at);
  map.address = buffers[0].address;
  map.extents = {32, 32};
  map.strides = {0, 64};
  map.box = {32, 8};
  map.swizzle = 64;
  launch.tensorMaps.push_back(map);

  analysis::MachineTotals totals;
  executor::recorded::MachineJudges judges(launch, "k", "k.cubin");
  executor::recorded::RecordRequest request;
  request.launch = &launch;
  request.buffers = buffers;
  using emulator::Provenance;
  request.roles = {{0, Provenance::Source::A, 32, 32, kElementBytes},
                   {1, Provenance::Source::B, 32, 32, kElementBytes},
                   {2, Provenance::Source::C, 32, 32, kElementBytes}};
  request.stepK = 8;
  executor::recorded::MachineRecorder recorder(std::move(request));
  executor::Several all({&totals, &judges, &recorder});
  const auto ended = executor::execute(launch, buffers, {kBudget}, &all);
  for (const emulator::Fault& fault : judges.faults().kept)
    requireSentence(emulator::describe(fault));
  if (!ended) return requireSentence(ended.error());
  const analysis::BlockProduct product = analysis::blockProductOf(recorder.take());
  require(product.elements <= 32 * 32, "a block has no more elements than C");
  totals.finish(module.kernels.front(), module.capability, ended->counts);
  require(ended->instructions <= kBudget, "a launch ends within its budget");
  for (const executor::Buffer& each : buffers)
    require(each.bytes.size() == 4096, "a buffer keeps its size");
}

}  // namespace

void attack(std::string_view bytes) {
  run(bytes);
}

}  // namespace tileloom::fuzz
