// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "kernels/base/plain_text.h"
#include "kernels/base/temporary_name.h"
#include "kernels/base/user_folders.h"

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
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

constexpr std::size_t kChunk = 1 << 18;  // bytes of one read
constexpr std::string_view kChooseAnother = "choose another file";
constexpr std::string_view kMakeRoom = "make room or choose another file";

tl::unexpected<std::string> notRegular(std::string_view verb, const fs::path& file, mode_t mode,
                                       std::string_view advice) {
  const std::string_view what = S_ISDIR(mode)    ? "a folder"
                                : S_ISFIFO(mode) ? "a pipe"
                                : S_ISSOCK(mode) ? "a socket"
                                                 : "a device";
  return tl::unexpected(fmt::format("cannot {} \"{}\" (it is {} and no regular file): {}", verb,
                                    quotableFile(file), what, advice));
}

// Opening a pipe must not wait for somebody at its other end. Regular files do not mind the flag.
int openAtOnce(const fs::path& file, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(file.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

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

bool endsWithinALine(int descriptor, off_t size) {
  char last = '\n';
  return size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

// Whoever holds the lock adds a line, or imports a file of them. A process that was stopped
// meanwhile must not stop all others.
bool lockSoon(int descriptor, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{10};
  for (std::chrono::milliseconds waited{0}; waited < patience; waited += kPause) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// Whether the name still stands for the file that is open. Another process may have put another one
// in its place, and lines that are added to the old one would be lost.
bool isStillThere(const fs::path& file, int descriptor) {
  struct stat named = {}, opened = {};
  return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

// Whether the name is a symbolic link, or one at the end of others, that another user has made:
// where he may write, he could choose which of our files is written.
bool isLinkOfAnother(const fs::path& file) {
  constexpr int kMostLinks = 40;
  fs::path at = file;
  for (int i = 0; i < kMostLinks; ++i) {
    struct stat info = {};
    if (::lstat(at.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return false;
    if (info.st_uid != ::geteuid() && info.st_uid != 0) return true;
    std::error_code error;
    const fs::path next = fs::read_symlink(at, error);
    if (error) return false;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return false;  // to itself, which opening it tells
}

tl::unexpected<std::string> linkOfAnother(std::string_view verb, const fs::path& file) {
  return tl::unexpected(fmt::format(
      "cannot {} \"{}\" (it is a link that another user has made): choose another file, "
      "or remove the link",
      verb, quotableFile(file)));
}

tl::expected<void, std::string> writeDirectly(const fs::path& file, std::string_view text) {
  Descriptor descriptor(openAtOnce(file, O_WRONLY));
  if (!descriptor.ok()) return systemFailed("write", file, errno, kChooseAnother);
  // From here on, whoever reads a pipe sets the pace.
  if (const int flags = ::fcntl(descriptor.get(), F_GETFL);
      flags < 0 || ::fcntl(descriptor.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
    return systemFailed("write", file, errno, kChooseAnother);
  if (const int error = writeAll(descriptor.get(), text); error != 0)
    return systemFailed("write", file, error, kMakeRoom);
  if (!descriptor.close()) return systemFailed("write", file, errno, kMakeRoom);
  return {};
}

// Where a text goes that replaces another one.
struct Place {
  fs::path target;
  bool direct = false;  // a device or a pipe: renaming over /dev/null would replace the device
  mode_t mode = 0644;   // as public as the file that is replaced, or as any
};

tl::expected<Place, std::string> placeOf(const fs::path& file, Links links) {
  Place place{file};
  if (links == Links::Followed) {
    if (isLinkOfAnother(file)) return linkOfAnother("write", file);
    std::error_code unresolved;
    place.target = fs::weakly_canonical(file, unresolved);
    if (unresolved) return systemFailed("write", file, unresolved.value(), kChooseAnother);
  }
  struct stat info = {};
  if (::lstat(place.target.c_str(), &info) != 0 || S_ISLNK(info.st_mode)) return place;
  place.direct = links == Links::Followed && (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode));
  if (!place.direct && !S_ISREG(info.st_mode))
    return notRegular("write", file, info.st_mode, kChooseAnother);
  place.mode = info.st_mode & 0777u;
  return place;
}

// A new file beside the target, which is removed with the object unless it takes the target's
// place.
class Beside {
 public:
  // The error is the system's number.
  static tl::expected<Beside, int> make(const Place& place) {
    // A short name, because the target's may be as long as names can be.
    std::string name = (place.target.parent_path() / kTemporaryPattern).string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected(errno);
    return Beside(std::move(name), descriptor);
  }
  Beside(Beside&& other) noexcept
      : name_(std::exchange(other.name_, {})), descriptor_(other.descriptor_.release()) {}
  Beside& operator=(Beside&&) = delete;
  ~Beside() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  // 0, or the system's error number.
  int replace(const Place& place, std::string_view text, Durable durable) {
    if (::fchmod(descriptor_.get(), place.mode) != 0) return errno;  // mkostemp's is private
    if (const int error = writeAll(descriptor_.get(), text); error != 0) return error;
    if (durable == Durable::Yes && ::fsync(descriptor_.get()) != 0) return errno;
    if (!descriptor_.close()) return errno;
    if (::rename(name_.c_str(), place.target.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  Beside(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  Descriptor descriptor_;
};

}  // namespace

tl::unexpected<std::string> systemFailed(std::string_view verb, const fs::path& file, int error,
                                         std::string_view advice) {
  return tl::unexpected(fmt::format("cannot {} \"{}\" ({}): {}", verb, quotableFile(file),
                                    std::generic_category().message(error), advice));
}

tl::expected<std::string, std::string> readText(const fs::path& file, std::size_t most,
                                                Absent absent) {
  const Descriptor descriptor(openAtOnce(file, O_RDONLY));
  if (!descriptor.ok() && errno == ENOENT && absent == Absent::IsEmpty) return std::string();
  if (!descriptor.ok()) return systemFailed("read", file, errno, kChooseAnother);
  struct stat info = {};
  if (::fstat(descriptor.get(), &info) != 0)
    return systemFailed("read", file, errno, kChooseAnother);
  if (!S_ISREG(info.st_mode)) return notRegular("read", file, info.st_mode, kChooseAnother);
  const auto tooLarge = [&] {
    constexpr std::size_t kMiB = 1024 * 1024;
    return tl::unexpected(most < kMiB
                              ? fmt::format("\"{}\" has more than {} KiB: {}", quotableFile(file),
                                            most / 1024, kChooseAnother)
                              : fmt::format("\"{}\" has more than {} MiB: {}", quotableFile(file),
                                            most / kMiB, kChooseAnother));
  };
  if (info.st_size > 0 && static_cast<std::size_t>(info.st_size) > most) return tooLarge();
  std::string text;
  if (info.st_size > 0) text.reserve(static_cast<std::size_t>(info.st_size) + kChunk);
  // Until the end and not by its size: a file may grow meanwhile, and those of /proc have none.
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    const ssize_t got = ::read(descriptor.get(), text.data() + before, kChunk);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && error == EINTR) continue;
    if (got < 0) return systemFailed("read", file, error, kChooseAnother);
    if (text.size() > most) return tooLarge();
    if (got == 0) return text;
  }
}

AppendedFile::AppendedFile(fs::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);  // which unlocks it
}

tl::expected<AppendedFile, std::string> AppendedFile::open(const fs::path& file,
                                                           std::string_view verb,
                                                           std::string_view advice) {
  if (file.empty()) return tl::unexpected(std::string(kNoUserFolder));
  if (isLinkOfAnother(file)) return linkOfAnother(verb, file);
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) return systemFailed("make the folder of", file, error.value(), advice);
  Descriptor descriptor(openAtOnce(file, O_RDWR | O_APPEND | O_CREAT, 0644));
  if (!descriptor.ok()) return systemFailed(verb, file, errno, advice);
  struct stat info = {};
  if (::fstat(descriptor.get(), &info) != 0) return systemFailed(verb, file, errno, advice);
  if (!S_ISREG(info.st_mode)) return notRegular(verb, file, info.st_mode, advice);
  return AppendedFile(file, descriptor.release());
}

tl::expected<LineFile, std::string> LineFile::open(const fs::path& file, Lock lock) {
  constexpr std::chrono::seconds kUsual{2}, kNeeded{10};
  constexpr int kTries = 5;
  for (int i = 0;; ++i) {
    auto opened = AppendedFile::open(file, "add to", kChooseAnother);
    if (!opened) return tl::unexpected(opened.error());
    const bool locked = lockSoon(opened->descriptor(), lock == Lock::Needed ? kNeeded : kUsual);
    if (!locked && lock == Lock::Needed) {
      return tl::unexpected(
          fmt::format("cannot add to \"{}\" (another process has kept it locked for {} seconds): "
                      "wait for that process or end it, and try again",
                      quotableFile(file), kNeeded.count()));
    }
    if (isStillThere(file, opened->descriptor()) || i == kTries)
      return LineFile(std::move(*opened), locked);
  }
}

tl::expected<void, std::string> LineFile::add(std::string_view line) {
  struct stat info = {};
  if (::fstat(file_.descriptor(), &info) != 0)
    return systemFailed("add to", file_.file(), errno, kChooseAnother);
  // Without the lock another process may just be writing, and this may see half its line and give a
  // newline too many: the blank line that comes of it is none to its readers.
  const std::string text =
      fmt::format("{}{}\n", endsWithinALine(file_.descriptor(), info.st_size) ? "\n" : "", line);
  ssize_t written = 0;
  do {
    written = ::write(file_.descriptor(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  const int error = errno;
  if (written < 0) return systemFailed("add to", file_.file(), error, kMakeRoom);
  if (static_cast<std::size_t>(written) == text.size()) return {};
  // The rest must not follow in a second write: another process's line may be there by now. With
  // the lock nothing can be behind the half line, so that it can go.
  const bool gone = locked_ && ::ftruncate(file_.descriptor(), info.st_size) == 0;
  return tl::unexpected(
      fmt::format("there is no room to add {} bytes to \"{}\"{}: make room, and "
                  "add it again",
                  text.size(), quotableFile(file_.file()),
                  gone ? "" : ", which has part of them as a broken line now"));
}

tl::expected<void, std::string> appendLine(const fs::path& file, std::string_view line) {
  auto lines = LineFile::open(file);
  if (!lines) return tl::unexpected(lines.error());
  return lines->add(line);
}

tl::expected<void, std::string> replaceText(const fs::path& file, std::string_view text,
                                            Durable durable) {
  return replaceText(file, text, durable, Links::Followed);
}

tl::expected<void, std::string> replaceText(const fs::path& file, std::string_view text,
                                            Durable durable, Links links) {
  const auto place = placeOf(file, links);
  if (!place) return tl::unexpected(place.error());
  if (place->direct) return writeDirectly(place->target, text);
  auto beside = Beside::make(*place);
  if (!beside) return systemFailed("write", file, beside.error(), kChooseAnother);
  if (const int error = beside->replace(*place, text, durable); error != 0)
    return systemFailed("write", file, error, kMakeRoom);
  return {};
}

std::string whyNotReplaced(const fs::path& file) {
  const auto place = placeOf(file, Links::Followed);
  if (!place) return place.error();
  if (place->direct) return {};
  const auto beside = Beside::make(*place);
  return beside ? std::string()
                : systemFailed("write", file, beside.error(), kChooseAnother).value();
}

}  // namespace tileloom
