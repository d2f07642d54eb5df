// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/compile_ahead.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/gpu/build.h"
#include "kernels/gpu/build_cache.h"

namespace tileloom::app {
namespace {

// What goes through a pipe to a child of the same executable, after a fork: plain bytes.
struct Order {
  int rung;
  TileShape tile;
  Architecture arch;
};

void compileOrders(int pipe) {
  const auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return;
  const gpu::BuildCache cache;
  Order order{};
  while (read(pipe, &order, sizeof order) == static_cast<ssize_t>(sizeof order)) {
    for (const Stage& stage : stages()) {
      if (stage.rung == order.rung)
        (void)gpu::buildStage(**nvrtc, &cache, stage, order.tile, order.arch);
    }
  }
}

}  // namespace

CompileAhead::CompileAhead(unsigned processes) {
  for (unsigned i = 0; i < processes; ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[1]);
      for (const Child& other : children_) close(other.pipe);
      compileOrders(ends[0]);
      _exit(0);
    }
    close(ends[0]);
    if (pid < 0) {
      close(ends[1]);
      return;
    }
    children_.push_back({pid, ends[1]});
  }
}

void CompileAhead::begin(std::vector<std::pair<const Stage*, TileShape>> tiles,
                         const Architecture& arch) {
  // Dealt out like cards, a pipe's fill (64 KiB) at most: a full pipe must not hold up the
  // measuring.
  for (const Child& child : children_) fcntl(child.pipe, F_SETFL, O_NONBLOCK);
  for (std::size_t i = 0; i < tiles.size() && !children_.empty(); ++i) {
    const Order order{tiles[i].first->rung, tiles[i].second, arch};
    const Child& child = children_[i % children_.size()];
    if (write(child.pipe, &order, sizeof order) < 0) continue;
  }
  for (Child& child : children_) {
    close(child.pipe);
    child.pipe = -1;
  }
}

CompileAhead::~CompileAhead() {
  for (const Child& child : children_) {
    if (child.pipe >= 0) close(child.pipe);
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
  }
}

}  // namespace tileloom::app
