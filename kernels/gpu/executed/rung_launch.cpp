// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/rung_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "kernels/executor/recorded/machine_recorder.h"
#include "kernels/gpu/executed/tensor_maps.h"
#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/parameters.h"

namespace tileloom::gpu {
namespace {

std::uint32_t u(int value) {
  return static_cast<std::uint32_t>(value);
}

executor::Buffer zeros(const char* name, std::size_t bytes) {
  return {name, std::vector<std::uint8_t>(bytes), 0};
}

}  // namespace

tl::expected<RungLaunch, std::string> RungLaunch::of(const Build& build, const Problem& problem,
                                                     int sms) {
  RungLaunch made;
  const Stage& stage = *build.rung();
  made.subject_ = build;
  auto module = sass::readModule(build.cubin);
  if (!module) return tl::unexpected(module.error());
  made.module_ = std::make_shared<const sass::Module>(std::move(*module));
  const sass::KernelImage* const kernel = made.module_->named(stage.id);
  if (kernel == nullptr)
    return tl::unexpected(fmt::format("its code has no kernel named {}", stage.id));

  const Problem& p = made.padded_ = paddedProblem(stage, build.tile, problem);
  const auto bytes = [&row = rowOf(build.format)](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(row.bytesOf(columns));
  };
  made.buffers_ = {zeros("A", bytes(p.m, p.k)), zeros("B", bytes(p.k, p.n)),
                   zeros("C", bytes(p.m, p.n))};
  const LeftMemory left = leftMemory(stage, build.tile, p, sms);
  made.buffers_.push_back(zeros("parts", left.bytes));
  if (!left.head.empty())
    std::memcpy(made.buffers_.back().bytes.data(), left.head.data(), 4 * left.head.size());
  executor::placeBuffers(made.buffers_);

  const Launch shape = residentLaunch(stage, build.tile, p, sms);
  made.launch_.module = made.module_.get();
  made.launch_.kernel = kernel;
  made.launch_.grid = {u(shape.grid.x), u(shape.grid.y), 1};
  made.launch_.block = {u(shape.block.x), u(shape.block.y), 1};
  made.launch_.dynamicShared = u(build.dynamicShared);
  if (stage.boxes == nullptr) return made;
  const int rows[] = {p.m, p.k, p.m}, columns[] = {p.k, p.n, p.n};
  for (const Box& box : stage.boxes(build.tile)) {
    const auto which = static_cast<std::size_t>(box.matrix);
    executor::TensorMap map =
        hostTensorMap(made.buffers_[which].address, rows[which], columns[which], build.format, box);
    // In the order of the parameters, behind M, N and K.
    const std::size_t number = 3 + which;
    if (number >= kernel->info.parameters.size())
      return tl::unexpected(std::string("its code has fewer parameters than its source"));
    map.at = u(kernel->info.parameters[number].at);
    made.launch_.tensorMaps.push_back(map);
  }
  return made;
}

void RungLaunch::randomise(std::uint32_t seed) {
  std::mt19937 engine(seed);
  const FormatRow& row = rowOf(subject_.format);
  const auto bytes = static_cast<std::size_t>(row.bytesOf(1));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t at = 0; at + bytes <= buffers_[i].bytes.size(); at += bytes) {
      const auto spread = static_cast<std::int32_t>(engine());
      const std::uint32_t bits = row.bitsOf(static_cast<float>(spread) / 2147483648.0f);
      std::memcpy(buffers_[i].bytes.data() + at, &bits, bytes);
    }
  }
}

// In the order of the kernel's parameters (kernel_form.h).
std::vector<std::uint8_t> RungLaunch::arguments() const {
  const auto& parameters = launch_.kernel->info.parameters;
  std::vector<std::uint8_t> made(static_cast<std::size_t>(launch_.kernel->info.parameterBytes));
  std::size_t number = 0;
  const auto put = [&](const auto& value) {
    if (number >= parameters.size()) return;
    const auto at = static_cast<std::size_t>(parameters[number++].at);
    if (at + sizeof value <= made.size()) std::memcpy(made.data() + at, &value, sizeof value);
  };
  const auto putSizes = [&] {
    for (const int size : {padded_.m, padded_.n, padded_.k}) put(u(size));
  };
  const KernelForm form = familyOf(*subject_.rung()).form(*subject_.rung());
  const bool floats = form == KernelForm::Floats || form == KernelForm::FloatsAndParts;
  const bool maps = form == KernelForm::Boxes || form == KernelForm::StoredBoxes ||
                    form == KernelForm::SplitBoxes;
  putSizes();
  if (floats) put(alpha);
  // The executor finds a tensor map by its place.
  const auto putMatrix = [&](std::size_t which, bool map) {
    map ? static_cast<void>(++number) : put(buffers_[which].address);
  };
  putMatrix(0, maps);
  putMatrix(1, maps);
  if (floats) put(beta);
  putMatrix(2, maps && form != KernelForm::Boxes);
  if (form == KernelForm::FloatsAndParts || form == KernelForm::SplitBoxes)
    put(buffers_[3].address);
  return made;
}

tl::expected<executor::Executed, std::string> RungLaunch::execute(executor::Observer* observer) {
  launch_.parameters = arguments();
  return executor::execute(launch_, buffers_, {}, observer);
}

tl::expected<emulator::Trace, std::string> RungLaunch::record(Extent block) {
  using emulator::Provenance;
  namespace recorded = executor::recorded;
  recorded::RecordRequest request;
  request.launch = &launch_;
  request.buffers = buffers_;
  const auto bytes = static_cast<std::uint32_t>(rowOf(subject_.format).bytesOf(1));
  request.roles = {{0, Provenance::Source::A, u(padded_.m), u(padded_.k), bytes},
                   {1, Provenance::Source::B, u(padded_.k), u(padded_.n), bytes},
                   {2, Provenance::Source::C, u(padded_.m), u(padded_.n), bytes}};
  request.stepK = u(derive(*subject_.rung(), subject_.tile).stepK);
  launch_.parameters = arguments();
  launch_.only = executor::Extent3{u(block.x), u(block.y), 0};
  recorded::MachineRecorder recorder(std::move(request));
  const auto executed = executor::execute(launch_, buffers_, {}, &recorder);
  launch_.only.reset();
  if (!executed) return tl::unexpected(executed.error());
  emulator::Trace trace = recorder.take();
  trace.subject() = subject_;
  trace.problem = trace.asked = padded_;
  return trace;
}

tl::expected<analysis::Totals, std::string> RungLaunch::count() {
  analysis::MachineTotals totals;
  const auto executed = execute(&totals);
  if (!executed) return tl::unexpected(executed.error());
  totals.finish(*launch_.kernel, module_->capability, executed->counts);
  return totals.totals();
}

}  // namespace tileloom::gpu
