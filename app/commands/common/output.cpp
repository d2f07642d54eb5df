// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "kernels/base/text_file.h"

namespace tileloom::app {
namespace {

std::string whatWentWrong(int error) {
  return std::generic_category().message(error);
}

// Writes and flushes; 0 or the system's error number.
int writeAll(std::FILE* to, std::string_view text) {
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  if (whole && std::fflush(to) == 0) return 0;
  return errno != 0 ? errno : EIO;
}

}  // namespace

tl::expected<void, std::string> writeStandardOutput(std::string_view text) {
  if (const int error = writeAll(stdout, text); error != 0) {
    return tl::unexpected(
        fmt::format("cannot write to standard output ({}): redirect it to a file or a pipe that "
                    "takes all of it",
                    whatWentWrong(error)));
  }
  return {};
}

void writeStandardError(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::string whyNotAsked(const std::optional<std::string>& file) {
  // For an empty name, the error on writing names the option.
  return file && !file->empty() && *file != "-" ? whyNotReplaced(*file) : std::string();
}

}  // namespace tileloom::app
