// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/rung_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "kernels/gpu/measure/kernel_arguments.h"
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
  if (stage.boxes != nullptr)
    return tl::unexpected(std::string("kernels with tensor maps are not executed yet"));
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
  const bool floats = form != KernelForm::Elements;
  putSizes();
  if (floats) put(alpha);
  put(buffers_[0].address);
  put(buffers_[1].address);
  if (floats) put(beta);
  put(buffers_[2].address);
  if (form == KernelForm::FloatsAndParts) put(buffers_[3].address);
  return made;
}

tl::expected<executor::Executed, std::string> RungLaunch::execute(executor::Observer* observer) {
  launch_.parameters = arguments();
  return executor::execute(launch_, buffers_, {}, observer);
}

tl::expected<analysis::Totals, std::string> RungLaunch::count() {
  analysis::MachineTotals totals;
  const auto executed = execute(&totals);
  if (!executed) return tl::unexpected(executed.error());
  totals.finish(*launch_.kernel, module_->capability, executed->counts);
  return totals.totals();
}

}  // namespace tileloom::gpu
