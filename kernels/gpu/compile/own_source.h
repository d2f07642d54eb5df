// SPDX-License-Identifier: GPL-3.0-or-later
// A user's kernel as machine code, whatever file it comes in: CUDA C++ (.cu), PTX, a cubin, a file
// with cubins inside (a fat binary, an object, a library, an executable), or a folder with cubins,
// such as Triton's cache. CUDA C++ is compiled, and nothing of the file is ever executed natively.
//
//   const auto own = gpu::compiledSource({"gemm.cu"}, {.instances = {"gemm<128, 64>"}}, nullptr);
//
// The functions keep no state: they may be called on any thread, and by several at once. CUDA C++
// takes from a tenth of a second to some seconds, a cubin some milliseconds.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/complaint.h"
#include "kernels/gpu/compile/found_cubins.h"
#include "kernels/sass/cubin/module.h"

namespace tileloom::gpu {

struct OwnInput {
  std::filesystem::path file;
  std::optional<std::string> bytes;  // what it has; nothing: it is read
};

struct SourceChoices {
  // Of a file with cubins: only those of this architecture. Of CUDA C++ and PTX: what it is
  // compiled for. Empty: sm_90a for CUDA C++, of PTX its own target.
  std::string arch = {};
  std::vector<std::string> includes = {};   // folders with headers
  std::vector<std::string> defines = {};    // NAME or NAME=VALUE
  std::vector<std::string> instances = {};  // of templates, such as "gemm<128, 64>"
  std::string kernel = {};  // of a file with several cubins: the one with this kernel
};

// An instance of a template that the user has named.
struct SourceInstance {
  std::string asked;   // "gemm<128, 64>"
  std::string kernel;  // the mangled name
};

struct CompiledSource {
  std::vector<char> cubin;
  sass::Module module;
  std::map<std::string, std::string> texts;  // of source files, by their names in `module`
  std::vector<SourceInstance> instances;     // those whose names the compiler has said
  std::string compiler;                      // "NVRTC 13.0"; empty: the file was machine code
  std::string log;                           // warnings; empty: none
  std::string remark;   // one sentence without a full stop, of several cubins: which one this is
  double seconds = 0;   // until it was machine code
  bool cached = false;  // it was compiled earlier

  // The mangled name of an instance that the user has named so; of other texts the text itself.
  std::string nameOf(const std::string& asked) const;
};

// `cache` may be nullptr.
tl::expected<CompiledSource, Complaint> compiledSource(const OwnInput& input,
                                                       const SourceChoices& choices,
                                                       const BuildCache* cache);

// All cubins of a file or folder that match choices.arch, at least one: for a list of their
// kernels. Compiles if the file is a source.
tl::expected<std::vector<FoundCubin>, Complaint> cubinsOf(const OwnInput& input,
                                                          const SourceChoices& choices,
                                                          const BuildCache* cache);

// Whether a word names a file that these functions may read, rather than a rung: it has a slash or
// one of their endings.
bool namesOwnFile(const std::string& word);

}  // namespace tileloom::gpu
