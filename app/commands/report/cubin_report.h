// SPDX-License-Identifier: GPL-3.0-or-later
// What a cubin has: its kernels, and the instructions of one of them.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "app/commands/common/json.h"
#include "kernels/sass/cubin/module.h"

namespace tileloom::app {

// A table of the kernels.
std::string cubinText(const sass::Module& module, const std::string& file);
Json cubinJson(const sass::Module& module);

// The instructions of a kernel: address, text, source line. One that is not known is shown
// with its bits.
std::string kernelText(const sass::Module& module, const sass::KernelImage& kernel);
Json kernelJson(const sass::Module& module, const sass::KernelImage& kernel);

// "gemm.cuh:12, gemm.cu:40": where an instruction is written, then where that was inlined.
std::string placesText(const std::vector<sass::SourcePlace>& places);
Json placesJson(const std::vector<sass::SourcePlace>& places);

// The cubin in this file. The error is one sentence without a full stop.
tl::expected<sass::Module, std::string> moduleFrom(const std::string& file);
// Whether a word on the command line names a file rather than a rung.
bool namesCubin(const std::string& text);

// The kernel of this name: whole, or any part of it that only one kernel has. Empty: the only one.
// The error is one sentence.
tl::expected<const sass::KernelImage*, std::string> kernelNamed(const sass::Module& module,
                                                                const std::string& name);

}  // namespace tileloom::app
