// SPDX-License-Identifier: GPL-3.0-or-later
// Runs another program to its end within a time limit.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"

namespace tileloom::sass {

struct ChildOutput {
  std::string out;
  std::string errors;
  int status = 0;  // exit status; 128 + signal if it was killed
};

// `words` are the program's path and its arguments, and `input` is its standard input. It is
// killed, together with all processes that it has started, at the limit, when it prints more than
// 64 MiB, or once `cancelled` returns true, which is called every few milliseconds:
// Trouble::Cancelled.
Result<ChildOutput> runChild(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                             const std::function<bool()>& cancelled = nullptr,
                             std::string_view input = {});

}  // namespace tileloom::sass
