// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/same_launch.h"

#include <cstring>

#include "kernels/gpu/executed/native_launch.h"

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
  auto native = NativeLaunch::of(context, cubin, host.launch, host.arguments);
  if (!native) return tl::unexpected(native.error());
  if (const auto done = native->launch(); !done) return tl::unexpected(done.error());
  if (const auto done = context.wait(std::chrono::steady_clock::now() + limit); !done)
    return tl::unexpected(done.error());
  SameBuffers result;
  for (std::size_t i = 0; i < host.after.size(); ++i) {
    if (host.arguments.holdsMap(i)) continue;
    const auto device = native->bytesOf(i);
    if (!device) return tl::unexpected(device.error());
    compare(host.after[i], *device, host.arguments.elements[i].bytes, result);
  }
  return result;
}

}  // namespace tileloom::gpu
