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

#include "kernels/gpu/compile/build.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

class CompileAhead {
 public:
  // One process per processor core, except for the core of the process that measures; at least one.
  static unsigned usualProcesses();

  // Forks the processes. Call it before this process has threads, that is before CUDA is opened.
  // The children have no standard input or output, end with this process, and need almost no time
  // or memory until they are given something to compile.
  explicit CompileAhead(unsigned processes);
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;
  ~CompileAhead();  // ends the processes, even while they compile

  // Compiles these tiles in this order, each once. A tile that fails is skipped: a later
  // compilation of it reports the error.
  void begin(std::vector<Subject> tiles, const Architecture& arch);

  // To be called repeatedly, instead of begin(): orders the first of these tiles that have not been
  // ordered yet, enough to keep the processes busy until the next call. Never waits.
  void want(const std::vector<Subject>& tiles, const Architecture& arch);

  struct Compiled : Target {
    bool failed = false;  // a later compilation of it reports the error
    Resources resources;
    sass::LoopSize loop;
    bool asCompiled = false;  // as in model::KernelShape
  };
  // The tiles of want() that have been compiled since the last call. A tile that was requested
  // again is returned again. Never waits.
  std::vector<Compiled> take();

  std::size_t processes() const { return children_.size(); }

 private:
  struct Child {
    pid_t pid;
    int pipe;                     // for orders; -1: it takes no more
    std::deque<Compiled> orders;  // of want(), not answered yet, oldest first
  };
  void readAnswers();
  void finish(Compiled done);

  std::vector<Child> children_;
  int answers_ = -1;                                        // pipe for the answers of all children
  std::map<std::string, std::optional<Compiled>> ordered_;  // std::nullopt: being compiled
  std::vector<Compiled> done_;
};

}  // namespace tileloom::gpu
