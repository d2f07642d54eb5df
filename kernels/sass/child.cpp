// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>

#include "kernels/base/plain_text.h"

extern char** environ;

namespace tileloom::sass {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr int kAskEveryMs = 20;  // interval of the check for cancellation

// A pipe whose ends the child inherits only by name.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    shut(0);
    shut(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool good() const { return ends[0] >= 0; }
  void shut(std::size_t end) {
    if (ends[end] >= 0) close(std::exchange(ends[end], -1));
  }
};

std::string reason(int error) {
  return std::generic_category().message(error);
}

// A file in memory with this text, at its beginning; -1: it cannot be made.
int fileWith(std::string_view text) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  while (file >= 0 && !text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      close(file);
      return -1;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

// Appends the available output; false at the end.
bool drain(int from, std::string& to) {
  std::array<char, 65536> block;
  const ssize_t n = read(from, block.data(), block.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  to.append(block.data(), static_cast<std::size_t>(n));
  return n > 0;
}

}  // namespace

Result<ChildOutput> runChild(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                             const std::function<bool()>& cancelled, std::string_view input) {
  const std::string& path = words.front();
  const std::string shown = quotableFile(path);
  Pipe out, errors;
  const int in = input.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fileWith(input);
  if (!out.good() || !errors.good() || in < 0) {
    if (in >= 0) close(in);
    return fail(Trouble::Failed, fmt::format("{} cannot be started ({}): close some programs",
                                             shown, reason(errno)));
  }
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.ends[1], STDERR_FILENO);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // which we ignore
  posix_spawnattr_setsigdefault(&how, &usual);
  // A separate process group, so that the processes that it starts can be killed with it.
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawn(&child, path.c_str(), &files, &how, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  close(in);
  if (error != 0) {
    return fail(Trouble::Missing, fmt::format("{} cannot be started ({})", shown, reason(error)));
  }
  out.shut(1);
  errors.shut(1);

  ChildOutput said;
  bool tooLong = false, tooMuch = false, unwanted = false;
  const auto deadline = Clock::now() + limit;
  while (out.ends[0] >= 0 || errors.ends[0] >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    tooLong = left <= 0;
    tooMuch = said.out.size() + said.errors.size() > kMostBytes;
    unwanted = cancelled && cancelled();
    if (tooLong || tooMuch || unwanted) break;
    std::array<pollfd, 2> ready = {pollfd{out.ends[0], POLLIN, 0},
                                   pollfd{errors.ends[0], POLLIN, 0}};
    const auto patience = cancelled ? std::min<decltype(left)>(left, kAskEveryMs) : left;
    if (poll(ready.data(), ready.size(), static_cast<int>(patience)) < 0 && errno != EINTR) break;
    if (ready[0].revents != 0 && !drain(out.ends[0], said.out)) out.shut(0);
    if (ready[1].revents != 0 && !drain(errors.ends[0], said.errors)) errors.shut(0);
  }
  // A child that has closed its output but still runs is waited for no longer than the limit. Its
  // process id stays reserved until its remaining processes have been killed with it.
  const auto ended = [child] {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 || info.si_pid != 0;
  };
  while (!tooLong && !tooMuch && !unwanted && !ended()) {
    tooLong = Clock::now() >= deadline;
    unwanted = cancelled && cancelled();
    usleep(1000);
  }
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (unwanted) return fail(Trouble::Cancelled, "the request was cancelled");
  if (tooLong) {
    return fail(Trouble::Failed, fmt::format("{} did not end within {:.1f} seconds and was stopped",
                                             shown, static_cast<double>(limit.count()) / 1000));
  }
  if (tooMuch) {
    return fail(Trouble::Failed,
                fmt::format("{} printed more than {} bytes and was stopped", shown, kMostBytes));
  }
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return said;
}

}  // namespace tileloom::sass
