// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace tileloom {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  bool ok() const { return number_ >= 0; }
  // Some file systems tell only now that there is no room.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// A name may hold anything but '/' and NUL; a sentence stays one line.
std::string shown(const fs::path& file) {
  std::string text = file.string();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return text;
}

tl::unexpected<std::string> failed(std::string_view verb, const fs::path& file, int error,
                                   std::string_view advice) {
  return tl::unexpected(fmt::format("cannot {} \"{}\" ({}): {}", verb, shown(file),
                                    std::generic_category().message(error), advice));
}

constexpr std::string_view kChooseAnother = "choose another file";

// Writes everything, however many calls it takes; 0 or the system's error number.
int writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// False also for a file that is no ordinary one.
bool endsWithinALine(int descriptor) {
  struct stat info = {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return false;
  char last = '\n';
  return ::pread(descriptor, &last, 1, info.st_size - 1) == 1 && last != '\n';
}

}  // namespace

tl::expected<std::string, std::string> readText(const fs::path& file, std::size_t most) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.ok() && errno == ENOENT) return std::string();
  if (!descriptor.ok()) return failed("read", file, errno, kChooseAnother);
  std::string text;
  // Until the end and not by its size: a pipe has none, and a file may grow meanwhile.
  for (;;) {
    constexpr std::size_t kChunk = 1 << 18;
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    const ssize_t got = ::read(descriptor.get(), text.data() + before, kChunk);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && error == EINTR) continue;
    if (got < 0) return failed("read", file, error, kChooseAnother);
    if (got == 0) return text;
    if (text.size() > most) {
      return tl::unexpected(
          fmt::format("\"{}\" has more than {} MiB: split it", shown(file), most / (1024 * 1024)));
    }
  }
}

tl::expected<void, std::string> appendLine(const fs::path& file, std::string_view line) {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) {
    return failed("make the folder of", file, error.value(),
                  "choose another file, or free its way");
  }
  Descriptor descriptor(::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!descriptor.ok()) return failed("add to", file, errno, kChooseAnother);
  // If another process is just writing, this may see half its line and give a newline too many: the
  // blank line that comes of it is none to its readers.
  const std::string text =
      fmt::format("{}{}\n", endsWithinALine(descriptor.get()) ? "\n" : "", line);
  ssize_t written = 0;
  do {
    written = ::write(descriptor.get(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) return failed("add to", file, errno, "make room or choose another file");
  // The rest must not follow in a second write: another process's line may be there by now.
  if (static_cast<std::size_t>(written) != text.size()) {
    return tl::unexpected(
        fmt::format("only {} of {} bytes could be added to \"{}\": make room, and add it again",
                    written, text.size(), shown(file)));
  }
  if (!descriptor.close()) return failed("add to", file, errno, "make room and add it again");
  return {};
}

tl::expected<void, std::string> replaceText(const fs::path& file, std::string_view text) {
  std::error_code none;
  // Through a symbolic link, to the file that it stands for.
  const fs::path resolved = fs::weakly_canonical(file, none);
  const fs::path target = none ? file : resolved;
  struct stat info = {};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  // Renaming over /dev/full would replace the device.
  if (exists && !S_ISREG(info.st_mode)) {
    return tl::unexpected(fmt::format("cannot write \"{}\" (it is no ordinary file): {}",
                                      shown(file), kChooseAnother));
  }
  std::string name = target.string() + ".XXXXXX";
  Descriptor descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!descriptor.ok()) return failed("write", file, errno, kChooseAnother);
  const auto giveUp = [&](int error) {
    ::unlink(name.c_str());
    return failed("write", file, error, "make room or choose another file");
  };
  // mkostemp's file is private; an export is as public as the file that it replaces, or as any.
  const mode_t mode = exists ? (info.st_mode & 0777u) : 0644u;
  if (::fchmod(descriptor.get(), mode) != 0) return giveUp(errno);
  if (const int error = writeAll(descriptor.get(), text); error != 0) return giveUp(error);
  if (::fsync(descriptor.get()) != 0) return giveUp(errno);
  if (!descriptor.close()) return giveUp(errno);
  if (::rename(name.c_str(), target.c_str()) != 0) return giveUp(errno);
  return {};
}

}  // namespace tileloom
