// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/compile_ahead.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::gpu {
namespace {

// What a pipe carries to a child of the same executable, after a fork: plain bytes.
struct Order {
  Ladder ladder;
  int rung;
  TileShape tile;
  Architecture arch;
  Format format;
};

struct Answer {
  unsigned char child;
  bool failed;
  Resources resources;
  sass::LoopSize loop;
  bool asCompiled;
};

std::string keyOf(const Subject& subject, const Architecture& arch) {
  return fmt::format("{} {} {} {}", subject.rung()->id, tileText(*subject.rung(), subject.tile),
                     arch.name, rowOf(subject.format).name);
}

Order orderOf(const Subject& subject, const Architecture& arch) {
  return {subject.rung()->ladder, subject.rung()->rung, subject.tile, arch, subject.format};
}

// A reader of our output must not wait for a compiler that still runs when this process has ended.
void leaveStandardStreams() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
}

void compileOrders(int pipe, int answers, unsigned char self) {
  leaveStandardStreams();
  std::shared_ptr<const Nvrtc> nvrtc;
  const BuildCache cache;
  Order order{};
  while (read(pipe, &order, sizeof order) == static_cast<ssize_t>(sizeof order)) {
    if (!nvrtc) {
      const auto loaded = Nvrtc::load();
      if (!loaded) return;
      nvrtc = *loaded;
    }
    Answer answer{self, true, {}, {}, false};
    for (const Stage& stage : order.ladder == Ladder::Fp32 ? stages() : tensorStages()) {
      if (stage.rung != order.rung) continue;
      if (const auto build = buildStage(*nvrtc, &cache, {&stage, order.tile, order.format},
                                        order.arch, SourceLines::Left))
        answer = {self, false, build->resources, build->loop, build->leftAsCompiled()};
    }
    if (write(answers, &answer, sizeof answer) < 0) continue;  // not awaited: as after begin()
  }
}

}  // namespace

unsigned CompileAhead::usualProcesses() {
  constexpr unsigned kMost = 64;  // each takes 100 to 200 MB
  const unsigned processors = std::thread::hardware_concurrency();
  return std::clamp(processors, 2u, kMost + 1) - 1;
}

CompileAhead::CompileAhead(unsigned processes) {
  int answers[2];
  if (pipe2(answers, O_CLOEXEC | O_NONBLOCK) != 0) return;
  answers_ = answers[0];
  processes = std::min(processes, 255u);
  for (unsigned i = 0; i < processes; ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[1]);
      for (const Child& other : children_) close(other.pipe);
      close(answers_);
      compileOrders(ends[0], answers[1], static_cast<unsigned char>(i));
      _exit(0);
    }
    close(ends[0]);
    if (pid < 0) {
      close(ends[1]);
      break;
    }
    children_.push_back({pid, ends[1], {}});
  }
  close(answers[1]);
}

void CompileAhead::finish(Compiled done) {
  ordered_[keyOf(done, done.arch)] = done;
  done_.push_back(std::move(done));
}

void CompileAhead::readAnswers() {
  Answer answer{};
  // A pipe takes so few bytes at once or not at all.
  while (read(answers_, &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer)) {
    if (answer.child >= children_.size() || children_[answer.child].orders.empty()) continue;
    Compiled done = std::move(children_[answer.child].orders.front());
    children_[answer.child].orders.pop_front();
    done.failed = answer.failed;
    done.resources = answer.resources;
    done.loop = answer.loop;
    done.asCompiled = answer.asCompiled;
    finish(std::move(done));
  }
}

std::vector<CompileAhead::Compiled> CompileAhead::take() {
  readAnswers();
  return std::exchange(done_, {});
}

void CompileAhead::want(const std::vector<Subject>& tiles, const Architecture& arch) {
  readAnswers();
  constexpr std::size_t kQueue = 2;  // the current one and the next
  for (const Subject& tile : tiles) {
    const std::string key = keyOf(tile, arch);
    if (const auto known = ordered_.find(key); known != ordered_.end()) {
      if (known->second) done_.push_back(*known->second);
      continue;
    }
    for (bool done = false; !done;) {
      Child* idle = nullptr;
      for (Child& child : children_) {
        if (child.pipe < 0) continue;
        if (idle == nullptr || child.orders.size() < idle->orders.size()) idle = &child;
      }
      if (idle == nullptr || idle->orders.size() >= kQueue) return;
      const Order order = orderOf(tile, arch);
      done = write(idle->pipe, &order, sizeof order) == static_cast<ssize_t>(sizeof order);
      if (done) {
        idle->orders.push_back({{tile, arch}, false, {}, {}, false});
      } else {  // it was killed
        close(idle->pipe);
        idle->pipe = -1;
        for (Compiled& lost : idle->orders) {
          lost.failed = true;
          finish(std::move(lost));
        }
        idle->orders.clear();
      }
    }
    ordered_.emplace(key, std::nullopt);
  }
}

void CompileAhead::begin(std::vector<Subject> tiles, const Architecture& arch) {
  // Dealt out in turn, at most a pipe's capacity (64 KiB): a full pipe must not delay the
  // measurement.
  for (const Child& child : children_) fcntl(child.pipe, F_SETFL, O_NONBLOCK);
  for (std::size_t i = 0; i < tiles.size() && !children_.empty(); ++i) {
    const Order order = orderOf(tiles[i], arch);
    const Child& child = children_[i % children_.size()];
    if (write(child.pipe, &order, sizeof order) < 0) continue;
  }
  for (Child& child : children_) {
    close(child.pipe);
    child.pipe = -1;
  }
}

CompileAhead::~CompileAhead() {
  if (answers_ >= 0) close(answers_);
  for (const Child& child : children_) {
    if (child.pipe >= 0) close(child.pipe);
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
  }
}

}  // namespace tileloom::gpu
