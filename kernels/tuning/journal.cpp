// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/journal.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "kernels/base/plain_text.h"

namespace tileloom::tuning {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kElsewhere = "make it writable, or choose another place";

}  // namespace

tl::expected<std::unique_ptr<Journal>, std::string> Journal::open(const fs::path& file) {
  auto opened = AppendedFile::open(file, "write", kElsewhere);
  if (!opened) return tl::unexpected(opened.error());
  // The lock ends with the process, however that ends.
  if (::flock(opened->descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return tl::unexpected(fmt::format(
        "another process is tuning into \"{}\": wait for it, or stop it", quotableFile(file)));
  }
  return std::unique_ptr<Journal>(new Journal(std::move(*opened)));
}

tl::expected<void, std::string> putAside(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  fs::path other;
  for (int i = 1; other.empty() || fs::exists(other, error); ++i)
    other = fmt::format("{}.old{}", file.string(), i);
  fs::rename(file, other, error);
  if (!error) return {};
  return tl::unexpected(fmt::format("cannot put \"{}\" aside ({}): {}", quotableFile(file),
                                    error.message(), kElsewhere));
}

tl::expected<void, std::string> Journal::mend(std::size_t whole) {
  if (::ftruncate(file_.descriptor(), static_cast<off_t>(whole)) != 0)
    return systemFailed("repair", file(), errno, kElsewhere);
  return {};
}

tl::expected<void, std::string> Journal::add(const std::string& text) {
  const int descriptor = file_.descriptor();
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  ssize_t written = 0;
  do {
    written = ::write(descriptor, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (whole && ::fdatasync(descriptor) == 0) return {};
  const int why = !whole && written >= 0 ? ENOSPC : errno;
  constexpr std::string_view kThenGoOn = "make room, and continue from there";
  if (::ftruncate(descriptor, before) == 0) return systemFailed("add to", file(), why, kThenGoOn);
  return systemFailed("add a whole event to", file(), why, kThenGoOn);
}

}  // namespace tileloom::tuning
