// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/native_launch.h"

#include <cstring>

#include "kernels/gpu/driver/tensor_map.h"

namespace tileloom::gpu {

Result<NativeLaunch> NativeLaunch::of(const Context& context, std::span<const char> cubin,
                                      const executor::Launch& launch,
                                      const executor::Arguments& arguments) {
  NativeLaunch made(context);
  const auto& [gridX, gridY, gridZ] = launch.grid;
  const auto& [blockX, blockY, blockZ] = launch.block;
  made.shape_ = {gridX, gridY, blockX, blockY, gridZ, blockZ};
  auto kernel = context.load(cubin, launch.kernel->name, static_cast<int>(blockX * blockY * blockZ),
                             static_cast<int>(launch.dynamicShared));
  if (!kernel) return tl::unexpected(kernel.error());
  made.kernel_ = std::move(*kernel);
  for (std::size_t i = 0; i < arguments.buffers.size(); ++i) {
    auto buffer = context.allocate(arguments.buffers[i].bytes.size());
    if (!buffer) return tl::unexpected(buffer.error());
    made.buffers_.push_back(std::move(*buffer));
    made.holdsMap_.push_back(arguments.holdsMap(i));
  }
  if (const auto done = made.refill(arguments); !done) return tl::unexpected(done.error());
  made.parameters_ = arguments.bytes;
  for (const executor::PointerPlace& each : arguments.pointers) {
    const std::uint64_t address = made.buffers_[each.buffer].address();
    std::memcpy(made.parameters_.data() + each.at, &address, sizeof address);
  }
  for (const executor::MapPlace& each : arguments.maps) {
    const executor::TensorMap& map = each.map;
    const MappedTensor tensor{made.buffers_[each.buffer].address(),
                              map.elementBytes,
                              map.dimensions,
                              map.extents,
                              map.strides,
                              map.box,
                              map.swizzle};
    const auto encoded = tensorMapOf(context.driver(), tensor);
    if (!encoded) return tl::unexpected(encoded.error());
    if (each.holder) {
      const auto bytes = std::as_bytes(std::span(&*encoded, 1));
      if (const auto done = context.upload(made.buffers_[*each.holder], bytes); !done)
        return tl::unexpected(done.error());
    } else {
      std::memcpy(made.parameters_.data() + map.at, &*encoded, sizeof *encoded);
    }
  }
  for (const sass::KernelParameter& each : launch.kernel->info.parameters)
    made.places_.push_back(static_cast<std::uint32_t>(each.at));
  return made;
}

Result<void> NativeLaunch::refill(const executor::Arguments& arguments) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (holdsMap_[i] && !parameters_.empty()) continue;  // it has the driver's bytes
    const auto bytes = std::as_bytes(std::span(arguments.buffers[i].bytes));
    if (const auto done = context_->upload(buffers_[i], bytes); !done) return done;
  }
  return {};
}

Result<void> NativeLaunch::launch() {
  std::vector<void*> list;
  for (const std::uint32_t at : places_) list.push_back(parameters_.data() + at);
  if (list.empty()) list.push_back(nullptr);  // the driver wants a list even without parameters
  return context_->launch(kernel_, shape_, list);
}

Result<std::vector<std::uint8_t>> NativeLaunch::bytesOf(std::size_t buffer) const {
  std::vector<std::uint8_t> bytes(buffers_[buffer].bytes());
  const auto done = context_->download(std::as_writable_bytes(std::span(bytes)), buffers_[buffer]);
  if (!done) return tl::unexpected(done.error());
  return bytes;
}

}  // namespace tileloom::gpu
