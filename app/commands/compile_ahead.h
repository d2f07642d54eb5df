// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the kernel cache with several processes while the GPU measures. NVRTC compiles one program
// at a time within a process, so threads would not help.
#pragma once

#include <sys/types.h>

#include <utility>
#include <vector>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::app {

class CompileAhead {
 public:
  // Forks the processes: before this one has threads, that is before CUDA is opened.
  explicit CompileAhead(unsigned processes);
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;
  ~CompileAhead();  // ends them, done or not

  // In this order, each once. What fails is left for whoever needs it, who then learns why.
  void begin(std::vector<std::pair<const Stage*, TileShape>> tiles, const Architecture& arch);

 private:
  struct Child {
    pid_t pid;
    int pipe;
  };
  std::vector<Child> children_;
};

}  // namespace tileloom::app
