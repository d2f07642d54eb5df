// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/same_launch.h"

#include <cstring>

#include "kernels/gpu/driver/tensor_map.h"

namespace tileloom::gpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The elements of a buffer that differ.
void compare(const executor::Buffer& executed, const Bytes& device, std::size_t elementBytes,
             SameBuffers& result) {
  for (std::size_t at = 0; at + elementBytes <= device.size(); at += elementBytes) {
    const std::uint8_t *here = executed.bytes.data() + at, *there = device.data() + at;
    if (std::memcmp(here, there, elementBytes) == 0) continue;
    if (result.different++ != 0) continue;
    result.buffer = executed.name;
    result.first = at / elementBytes;
    std::memcpy(&result.device, there, elementBytes);
    std::memcpy(&result.executed, here, elementBytes);
  }
}

}  // namespace

std::size_t HostLaunch::elements() const {
  std::size_t all = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!arguments.holdsMap(i)) all += after[i].bytes.size() / arguments.elements[i].bytes;
  return all;
}

tl::expected<HostLaunch, std::string> executedOnHost(const sass::Module& module,
                                                     const sass::KernelImage& kernel,
                                                     const executor::ListedLaunch& listed,
                                                     unsigned seed) {
  auto arguments = executor::argumentsFrom(kernel.info, listed.arguments, seed);
  if (!arguments) return tl::unexpected(arguments.error());
  HostLaunch host;
  host.launch = {&module,
                 &kernel,
                 listed.grid,
                 listed.block,
                 listed.dynamicShared,
                 arguments->bytes,
                 arguments->tensorMaps()};
  host.after = arguments->buffers;
  host.arguments = std::move(*arguments);
  auto executed = executor::execute(host.launch, host.after);
  if (!executed) return tl::unexpected(executed.error());
  host.executed = std::move(*executed);
  return host;
}

Result<SameBuffers> compareOnDevice(const Context& context, std::span<const char> cubin,
                                    const HostLaunch& host, std::chrono::milliseconds limit) {
  const executor::Launch& launch = host.launch;
  const auto& [gridX, gridY, gridZ] = launch.grid;
  const auto& [blockX, blockY, blockZ] = launch.block;
  const auto kernel =
      context.load(cubin, launch.kernel->name, static_cast<int>(blockX * blockY * blockZ),
                   static_cast<int>(launch.dynamicShared));
  if (!kernel) return tl::unexpected(kernel.error());

  std::vector<Buffer> buffers;
  for (const executor::Buffer& each : host.arguments.buffers) {
    auto buffer = context.allocate(each.bytes.size());
    if (!buffer) return tl::unexpected(buffer.error());
    if (const auto done = context.upload(*buffer, std::as_bytes(std::span(each.bytes))); !done)
      return tl::unexpected(done.error());
    buffers.push_back(std::move(*buffer));
  }
  Bytes parameters = host.arguments.bytes;
  for (const executor::PointerPlace& each : host.arguments.pointers) {
    const std::uint64_t address = buffers[each.buffer].address();
    std::memcpy(parameters.data() + each.at, &address, sizeof address);
  }
  for (const executor::MapPlace& each : host.arguments.maps) {
    const executor::TensorMap& map = each.map;
    MappedTensor tensor{buffers[each.buffer].address(),
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
      if (const auto done = context.upload(buffers[*each.holder], bytes); !done)
        return tl::unexpected(done.error());
    } else {
      std::memcpy(parameters.data() + map.at, &*encoded, sizeof *encoded);
    }
  }
  std::vector<void*> places;
  for (const sass::KernelParameter& each : launch.kernel->info.parameters)
    places.push_back(parameters.data() + each.at);
  void* none = nullptr;  // the driver wants a list even without parameters
  const std::span<void*> list = places.empty() ? std::span<void*>(&none, 1) : places;

  const LaunchShape shape{gridX, gridY, blockX, blockY, gridZ, blockZ};
  if (const auto done = context.launch(*kernel, shape, list); !done)
    return tl::unexpected(done.error());
  if (const auto done = context.wait(std::chrono::steady_clock::now() + limit); !done)
    return tl::unexpected(done.error());
  SameBuffers result;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (host.arguments.holdsMap(i)) continue;
    Bytes device(host.after[i].bytes.size());
    if (const auto done = context.download(std::as_writable_bytes(std::span(device)), buffers[i]);
        !done)
      return tl::unexpected(done.error());
    compare(host.after[i], device, host.arguments.elements[i].bytes, result);
  }
  return result;
}

}  // namespace tileloom::gpu
