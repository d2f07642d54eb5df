// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/interruptions.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tileloom {
namespace {

// A signal handler can use nothing else.
volatile std::sig_atomic_t signalCame = 0;
std::array<int, 2> signalPipe = {-1, -1};

void noteSignal(int) {
  const int error = errno;
  signalCame = 1;
  const char mark = 'x';
  [[maybe_unused]] const ssize_t full = ::write(signalPipe[1], &mark, 1);
  errno = error;
}

}  // namespace

Interruptions::Interruptions() {
  signalCame = 0;
  if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction told = {};
  told.sa_handler = noteSignal;
  told.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &told, nullptr);
  }
}

Interruptions::~Interruptions() {
  if (signalPipe[0] < 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  for (int& end : signalPipe) ::close(std::exchange(end, -1));
}

int Interruptions::file() const {
  return signalPipe[0];
}

bool Interruptions::happened() const {
  return signalCame != 0;
}

}  // namespace tileloom
