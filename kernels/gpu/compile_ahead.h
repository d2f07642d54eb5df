// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the kernel cache with several processes while the GPU measures. NVRTC compiles one program
// at a time within a process, so threads would not help.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/build.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

class CompileAhead {
 public:
  // All processors but the one that measures; at least one.
  static unsigned usualProcesses();

  // Forks the processes: before this one has threads, that is before CUDA is opened. They have no
  // standard input or output, end with this process, and cost next to nothing until they are given
  // something to do.
  explicit CompileAhead(unsigned processes);
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;
  ~CompileAhead();  // ends them, done or not

  // In this order, each once. What fails is left for whoever needs it, who then learns why.
  void begin(std::vector<std::pair<const Stage*, TileShape>> tiles, const Architecture& arch);

  // Instead of begin(), and again and again: orders the first of these that were not ordered yet,
  // as many as keep the processes busy until the next call. Never waits.
  void want(const Stage& stage, const std::vector<TileShape>& tiles, const Architecture& arch);

  struct Compiled {
    const Stage* stage = nullptr;
    TileShape tile;
    Architecture arch;
    bool failed = false;  // whoever needs it learns why
    Resources resources;
    sass::LoopSize loop;
  };
  // What was compiled of what want() asked for since the last call; what was asked for again is
  // here again. Never waits.
  std::vector<Compiled> take();

  std::size_t processes() const { return children_.size(); }

 private:
  struct Child {
    pid_t pid;
    int pipe;                     // -1: it takes no orders any more
    std::deque<Compiled> orders;  // of want(), not answered yet, oldest first
  };
  void readAnswers();
  void finish(Compiled done);

  std::vector<Child> children_;
  int answers_ = -1;                                        // of all children
  std::map<std::string, std::optional<Compiled>> ordered_;  // nothing: in work
  std::vector<Compiled> done_;
};

}  // namespace tileloom::gpu
