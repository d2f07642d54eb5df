// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles small kernels with NVRTC and executes them, for the tests of this folder.
#pragma once

#include <QString>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/executor/block.h"
#include "kernels/gpu/compile/nvrtc.h"

namespace tileloom::executor {

class Launched {
 public:
  // `text` is CUDA C++; `arch` is 80 for compute capability 8.0.
  Launched(const gpu::Nvrtc& nvrtc, const char* text, const QString& arch) {
    const std::vector<std::string> options = {"--gpu-architecture=sm_" + arch.toStdString()};
    const auto output = nvrtc.compile(text, "kernels.cu", {}, options);
    if (!output) qFatal("%s", output.error().text.c_str());
    module_ = *sass::readModule(output->cubin);
  }

  sass::Module& module() { return module_; }

  template <class Value>
  static Buffer buffer(const std::vector<Value>& values) {
    Buffer made{"array", std::vector<std::uint8_t>(values.size() * sizeof(Value)), 0};
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
  }
  template <class Value>
  static std::vector<Value> values(const Buffer& buffer) {
    std::vector<Value> made(buffer.bytes.size() / sizeof(Value));
    std::memcpy(made.data(), buffer.bytes.data(), buffer.bytes.size());
    return made;
  }

  // A launch; its parameters are the buffers, which get their addresses, then
  // `numbers`. It refers to this.
  Launch launch(const char* name, std::uint32_t threads, std::vector<Buffer>& buffers,
                const std::vector<std::uint32_t>& numbers = {}, const Extent3& grid = {1, 1, 1},
                std::uint32_t dynamicShared = 0) const {
    const sass::KernelImage& kernel = *module_.named(name);
    placeBuffers(buffers);
    Launch made{&module_, &kernel, grid, {threads, 1, 1}, dynamicShared, {}};
    made.parameters.resize(static_cast<std::size_t>(kernel.info.parameterBytes));
    std::size_t number = 0;
    const auto put = [&](const auto& value) {
      const auto at = static_cast<std::size_t>(kernel.info.parameters[number++].at);
      std::memcpy(made.parameters.data() + at, &value, sizeof value);
    };
    for (const Buffer& each : buffers) put(each.address);
    for (const std::uint32_t each : numbers) put(each);
    return made;
  }

  // Executes it. Empty, or what went wrong.
  QString run(const char* name, std::uint32_t threads, std::vector<Buffer>& buffers,
              const std::vector<std::uint32_t>& numbers = {}, const Limits& limits = {},
              const Extent3& grid = {1, 1, 1}, std::uint32_t dynamicShared = 0) const {
    const auto ended =
        execute(launch(name, threads, buffers, numbers, grid, dynamicShared), buffers, limits);
    return ended ? QString() : QString::fromStdString(ended.error());
  }

 private:
  sass::Module module_;
};

}  // namespace tileloom::executor
