// SPDX-License-Identifier: GPL-3.0-or-later
// A launch of any cubin on a GPU, in this process, with buffers of its own there.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/executor/arguments.h"
#include "kernels/executor/launch.h"
#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

class NativeLaunch {
 public:
  // Loads the kernel, and fills its buffers as those of `arguments`. `context` must outlive this.
  static Result<NativeLaunch> of(const Context& context, std::span<const char> cubin,
                                 const executor::Launch& launch,
                                 const executor::Arguments& arguments);

  Result<void> launch();  // queues it
  // Fills the buffers once more.
  Result<void> refill(const executor::Arguments& arguments);
  Result<std::vector<std::uint8_t>> bytesOf(std::size_t buffer) const;
  const Buffer& buffer(std::size_t number) const { return buffers_[number]; }
  const Kernel& kernel() const { return kernel_; }

 private:
  explicit NativeLaunch(const Context& context) : context_(&context) {}

  const Context* context_;
  Kernel kernel_;
  LaunchShape shape_;
  std::vector<Buffer> buffers_;
  std::vector<bool> holdsMap_;
  std::vector<std::uint8_t> parameters_;
  std::vector<std::uint32_t> places_;  // of each parameter, in parameters_
};

}  // namespace tileloom::gpu
