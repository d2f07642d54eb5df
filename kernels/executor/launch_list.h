// SPDX-License-Identifier: GPL-3.0-or-later
// A list of launches, as JSON:
//
//   [{"name": "tiled, 256 x 384", "cubin": "gemm.cubin", "kernel": "tiled",
//     "grid": [3, 2], "threads": [16, 16], "shared": 0,
//     "params": ["256", "384", "1.5", "A:f32:256x64", "C:f32:256x384:zero"]}]
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

struct ListedLaunch {
  std::string name;    // the kernel's, if the list gives none
  std::string cubin;   // a file, from the folder of the list
  std::string kernel;  // a part of its name; empty: the only one
  Extent3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamicShared = 0;     // bytes
  std::vector<std::string> arguments;  // arguments.h
  int instances = 1;                   // how often, each time with other random numbers
};

// The error is one sentence without a full stop: which launch, what is wrong, what to write.
tl::expected<std::vector<ListedLaunch>, std::string> launchesFrom(std::string_view text);

}  // namespace tileloom::executor
