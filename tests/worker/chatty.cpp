// SPDX-License-Identifier: GPL-3.0-or-later
// A library that prints when it is loaded and has none of the functions.
#include <unistd.h>

#include <cstdio>

__attribute__((constructor)) static void chat() {
  std::puts("printed by a library");
  std::fflush(stdout);
  constexpr char kWords[] = "written by a library\n";
  if (write(STDOUT_FILENO, kWords, sizeof kWords - 1) < 0) std::perror("chatty");
}
