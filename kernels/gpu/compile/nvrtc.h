// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's run-time compiler, loaded at run time. It needs no GPU.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/driver/library.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

class Nvrtc {
 public:
  static Result<std::shared_ptr<const Nvrtc>> load();

  int major() const { return major_; }
  int minor() const { return minor_; }
  std::string version() const { return std::to_string(major_) + "." + std::to_string(minor_); }
  // Distinguishes this library from another build that reports the same version: the two may
  // compile differently.
  const std::string& identity() const { return identity_; }
  const std::string& path() const { return path_; }
  // The compute capabilities that it compiles for: 80, 86, 90, …; empty if it cannot say.
  const std::vector<int>& architectures() const { return architectures_; }

  struct Output {
    std::vector<char> cubin;
    std::string log;                     // warnings, and the assembler's report if requested
    std::vector<std::string> instances;  // mangled names of the instances
  };
  // Compiles `text`, which may include `headers` by name. Trouble::Compilation: the error's
  // sentence has the first error of the log.
  Result<Output> compile(const std::string& text, const std::string& name,
                         std::span<const SourceFile> headers,
                         std::span<const std::string> options) const;
  // The same with instances of templates, such as "gemm<128, 64>". `log` is filled even if it
  // fails.
  Result<Output> compile(const std::string& text, const std::string& name,
                         std::span<const SourceFile> headers, std::span<const std::string> options,
                         std::span<const std::string> instances, std::string& log) const;

 private:
  using Program = struct ProgramTag*;
  int (*version_)(int*, int*) = nullptr;
  const char* (*errorString_)(int) = nullptr;
  int (*countArchs_)(int*) = nullptr;
  int (*archs_)(int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*,
                 const char* const*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*logSize_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubinSize_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
  int (*addName_)(Program, const char*) = nullptr;  // nullptr: NVRTC does not have it
  int (*loweredName_)(Program, const char*, const char**) = nullptr;
  int major_ = 0;
  int minor_ = 0;
  std::string path_;
  std::vector<int> architectures_;
  std::string identity_;
};

}  // namespace tileloom::gpu
