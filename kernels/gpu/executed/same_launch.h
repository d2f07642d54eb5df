// SPDX-License-Identifier: GPL-3.0-or-later
// One launch of any cubin twice: executed on the host, then by a GPU. Both get the same random
// buffers.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/executor/arguments.h"
#include "kernels/executor/block.h"
#include "kernels/executor/launch_list.h"
#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

// A launch that the host has executed.
struct HostLaunch {
  executor::Launch launch;
  executor::Arguments arguments;        // its buffers as they were before
  std::vector<executor::Buffer> after;  // and as they are now
  executor::Executed executed;

  std::size_t elements() const;  // of all buffers
};

// `module` must outlive the result. The error is one sentence without a full stop.
tl::expected<HostLaunch, std::string> executedOnHost(const sass::Module& module,
                                                     const sass::KernelImage& kernel,
                                                     const executor::ListedLaunch& listed,
                                                     unsigned seed);

struct SameBuffers {
  std::size_t different = 0;  // elements of all buffers, in any bit
  // The first of these: its buffer, its number, and both results as the bits of an element.
  std::string buffer;
  std::size_t first = 0;
  std::uint64_t device = 0, executed = 0;
};

// Runs the same launch natively, in this process, and compares all buffers.
Result<SameBuffers> compareOnDevice(const Context& context, std::span<const char> cubin,
                                    const HostLaunch& host, std::chrono::milliseconds limit);

}  // namespace tileloom::gpu
