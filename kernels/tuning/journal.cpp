// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "kernels/base/plain_text.h"
#include "kernels/base/user_folders.h"

namespace tileloom::tuning {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kElsewhere = "make it writable, or choose another place";

tl::unexpected<std::string> failed(std::string_view verb, const fs::path& file,
                                   std::string_view advice) {
  return tl::unexpected(fmt::format("cannot {} \"{}\" ({}): {}", verb, quotableFile(file),
                                    std::generic_category().message(errno), advice));
}

}  // namespace

tl::expected<std::unique_ptr<Journal>, std::string> Journal::open(const fs::path& file) {
  if (file.empty()) return tl::unexpected(std::string(kNoUserFolder));
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) {
    errno = error.value();
    return failed("make the folder of", file, kElsewhere);
  }
  const auto refuse = [&] {
    return tl::unexpected(fmt::format("cannot write \"{}\" (it is no regular file): {}",
                                      quotableFile(file), kElsewhere));
  };
  // A pipe must not wait for somebody at its other end.
  const int descriptor =
      ::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (descriptor < 0) return failed("write", file, kElsewhere);
  std::unique_ptr<Journal> journal(new Journal(file, descriptor));
  struct stat info = {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return refuse();
  // The lock ends with the process, however that ends.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return tl::unexpected(fmt::format(
        "another process is tuning into \"{}\": wait for it, or stop it", quotableFile(file)));
  }
  return journal;
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

Journal::~Journal() {
  ::close(descriptor_);
}

tl::expected<void, std::string> Journal::mend(std::size_t whole) {
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
    return failed("mend", file_, kElsewhere);
  return {};
}

tl::expected<void, std::string> Journal::add(const std::string& text) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  ssize_t written = 0;
  do {
    written = ::write(descriptor_, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(text.size()) || ::fdatasync(descriptor_) != 0) {
    const int why =
        written >= 0 && static_cast<std::size_t>(written) < text.size() ? ENOSPC : errno;
    if (::ftruncate(descriptor_, before) != 0) errno = why;
    errno = why;
    return failed("add to", file_, "make room, and go on from there");
  }
  return {};
}

}  // namespace tileloom::tuning
