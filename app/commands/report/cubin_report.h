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

// The kernel of this name: whole, or any part of it that only one kernel has. Empty: the only one.
// The error is one sentence.
tl::expected<const sass::KernelImage*, std::string> kernelNamed(const sass::Module& module,
                                                                const std::string& name);

}  // namespace tileloom::app
