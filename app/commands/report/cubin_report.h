// SPDX-License-Identifier: GPL-3.0-or-later
// What a cubin has: its kernels, and the instructions of one of them.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "app/commands/common/json.h"
#include "kernels/gpu/compile/found_cubins.h"
#include "kernels/sass/cubin/module.h"

namespace tileloom::app {

// A table of the kernels.
std::string cubinText(const sass::Module& module, const std::string& file);
Json cubinJson(const sass::Module& module);
// The same of several cubins of a file or folder. One that cannot be read has a sentence.
std::string cubinsText(std::span<const gpu::FoundCubin> cubins, const std::string& file);
Json cubinsJson(std::span<const gpu::FoundCubin> cubins);

// The instructions of a kernel: address, text, source line. One that is not known is shown
// with its bits.
std::string kernelText(const sass::Module& module, const sass::KernelImage& kernel);
Json kernelJson(const sass::Module& module, const sass::KernelImage& kernel);

// "gemm.cuh:12, gemm.cu:40": where an instruction is written, then where that was inlined.
std::string placesText(const std::vector<sass::SourcePlace>& places);
Json placesJson(const std::vector<sass::SourcePlace>& places);

// These bytes as a cubin, and the cubin in this file. The error is one sentence without a full
// stop.
tl::expected<sass::Module, std::string> moduleOf(std::span<const char> bytes,
                                                 const std::string& file);
tl::expected<sass::Module, std::string> moduleFrom(const std::string& file);

// The kernel of this name: whole, or any part of it that only one kernel has, mangled or not
// (sass::kernelsNamed). Empty: the only one.
// The error is one sentence.
tl::expected<const sass::KernelImage*, std::string> kernelNamed(const sass::Module& module,
                                                                const std::string& name);

}  // namespace tileloom::app
