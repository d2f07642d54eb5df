// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/text_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

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
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int get() const { return number_; }
  bool ok() const { return number_ >= 0; }
  // Some file systems report only now that there is no room.
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
  return tl::unexpected(fmt::format("cannot {} \"{}\" (it is {} and not a regular file): {}", verb,
                                    quotableFile(file), what, advice));
}

// Opening a pipe must not wait for a process at its other end. Regular files ignore the flag.
int openAtOnce(int folder, const char* name, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::openat(folder, name, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
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

// A process holds the lock to add a line, or to import a file of them. If it is stopped, it must
// not stop all others.
bool lockSoon(int descriptor, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{10};
  for (std::chrono::milliseconds waited{0}; waited < patience; waited += kPause) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// Whether the name still refers to the open file. Another process may have replaced it, and lines
// that are added to the old one would be lost.
bool isStillThere(const fs::path& file, int descriptor) {
  struct stat named = {}, opened = {};
  return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

// A name in an open folder. Even if another user replaces a link or the folder, the file that was
// checked is the one that is written.
struct Spot {
  Descriptor folder;
  std::string name;
};

// `from`: of the folder that a relative path begins at. The error is the system's number.
tl::expected<Spot, int> spotOf(int from, const fs::path& file) {
  if (file.empty()) return tl::unexpected(ENOENT);
  const std::string name = file.filename();
  const bool isFolder = name.empty() || name == "." || name == "..";
  const fs::path folder = isFolder ? file : file.parent_path();
  Descriptor opened(
      ::openat(from, folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return tl::unexpected(errno);
  return Spot{std::move(opened), isFolder ? "." : name};
}

constexpr int kLinkOfAnother = -1;  // instead of the system's number

// Where the file is, after its links are followed. Where another user may write, their link could
// choose which of our files is written: it is refused.
tl::expected<Spot, int> followLinks(const fs::path& file) {
  constexpr int kMostLinks = 40;
  auto spot = spotOf(AT_FDCWD, file);
  for (int i = 0; spot && i < kMostLinks; ++i) {
    // The link itself is opened, so that its owner and its target are those of one link.
    const Descriptor there(
        ::openat(spot->folder.get(), spot->name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!there.ok() && errno == ENOENT) return spot;
    struct stat info = {};
    if (!there.ok() || ::fstat(there.get(), &info) != 0) return tl::unexpected(errno);
    if (!S_ISLNK(info.st_mode)) return spot;
    if (info.st_uid != ::geteuid() && info.st_uid != 0) return tl::unexpected(kLinkOfAnother);
    std::array<char, PATH_MAX> text;
    const ssize_t length = ::readlinkat(there.get(), "", text.data(), text.size());
    if (length < 0) return tl::unexpected(errno);
    spot = spotOf(spot->folder.get(), std::string(text.data(), static_cast<std::size_t>(length)));
  }
  if (spot) return tl::unexpected(ELOOP);
  return spot;
}

tl::unexpected<std::string> notReached(std::string_view verb, const fs::path& file, int error,
                                       std::string_view advice) {
  if (error != kLinkOfAnother) return systemFailed(verb, file, error, advice);
  return tl::unexpected(fmt::format(
      "cannot {} \"{}\" (it is a link that another user has made): choose another file, "
      "or remove the link",
      verb, quotableFile(file)));
}

// The target of a text that replaces another one.
struct Place {
  Spot spot;
  bool direct = false;  // a device or a pipe: renaming over /dev/null would replace the device
  mode_t mode = 0644;   // that of the replaced file, or the default
};

bool isDirect(mode_t mode) {
  return S_ISCHR(mode) || S_ISFIFO(mode);
}

tl::expected<Place, std::string> placeOf(const fs::path& file, Links links) {
  auto spot = links == Links::Followed ? followLinks(file) : spotOf(AT_FDCWD, file);
  if (!spot) return notReached("write", file, spot.error(), kChooseAnother);
  Place place{std::move(*spot)};
  struct stat info = {};
  if (::fstatat(place.spot.folder.get(), place.spot.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) !=
          0 ||
      S_ISLNK(info.st_mode))
    return place;
  place.direct = links == Links::Followed && isDirect(info.st_mode);
  if (!place.direct && !S_ISREG(info.st_mode))
    return notRegular("write", file, info.st_mode, kChooseAnother);
  place.mode = info.st_mode & 0777u;
  return place;
}

tl::expected<void, std::string> writeDirectly(const fs::path& file, const Spot& spot,
                                              std::string_view text) {
  Descriptor descriptor(openAtOnce(spot.folder.get(), spot.name.c_str(), O_WRONLY | O_NOFOLLOW));
  if (!descriptor.ok()) return systemFailed("write", file, errno, kChooseAnother);
  struct stat info = {};
  if (::fstat(descriptor.get(), &info) != 0 || !isDirect(info.st_mode))
    return systemFailed("write", file, EBUSY, kChooseAnother);
  // From here on, the reader of a pipe sets the pace.
  if (const int flags = ::fcntl(descriptor.get(), F_GETFL);
      flags < 0 || ::fcntl(descriptor.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
    return systemFailed("write", file, errno, kChooseAnother);
  if (const int error = writeAll(descriptor.get(), text); error != 0)
    return systemFailed("write", file, error, kMakeRoom);
  if (!descriptor.close()) return systemFailed("write", file, errno, kMakeRoom);
  return {};
}

// Calls `make` with temporary names until one is free. `make` returns less than 0 if it fails.
template <class Make>
std::pair<std::string, int> makeTemporary(Make make) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int kTries = 100;
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string name(kTemporaryPattern);
  for (int i = 0;; ++i) {
    std::generate(name.end() - kTemporaryLetters, name.end(),
                  [&] { return kLetters[letter(random)]; });
    const int made = make(name.c_str());
    if (made >= 0 || errno != EEXIST || i == kTries) return {name, made};
  }
}

// A new file in the folder of the target. It has no name while it is written, where the file system
// can do that, so that a process that is killed leaves nothing; elsewhere it has a temporary one.
// It is removed with the object unless it has replaced the target.
class Beside {
 public:
  // The error is the system's number.
  static tl::expected<Beside, int> make(const Spot& spot) {
    const int folder = spot.folder.get();
    // It gets its name through /proc.
    static const bool canBeNamedLater = ::access("/proc/self/fd", X_OK) == 0;
    if (canBeNamedLater) {
      Descriptor unnamed(::openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
      if (unnamed.ok()) return Beside(spot, {}, std::move(unnamed));
    }
    auto [name, descriptor] = makeTemporary([folder](const char* each) {
      return ::openat(folder, each, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    });
    if (descriptor < 0) return tl::unexpected(errno);
    return Beside(spot, std::move(name), Descriptor(descriptor));
  }
  Beside(Beside&& other) noexcept
      : spot_(other.spot_),
        name_(std::exchange(other.name_, {})),
        descriptor_(std::move(other.descriptor_)) {}
  Beside& operator=(Beside&&) = delete;
  ~Beside() {
    if (!name_.empty()) ::unlinkat(spot_.folder.get(), name_.c_str(), 0);
  }

  // 0, or the system's error number.
  int replace(mode_t mode, std::string_view text, Durable durable) {
    if (::fchmod(descriptor_.get(), mode) != 0) return errno;  // private until now
    if (const int error = writeAll(descriptor_.get(), text); error != 0) return error;
    if (durable == Durable::Yes && ::fsync(descriptor_.get()) != 0) return errno;
    const int folder = spot_.folder.get();
    if (name_.empty()) {
      // No call can give it the name of an existing file.
      const std::string file = fmt::format("/proc/self/fd/{}", descriptor_.get());
      auto [name, made] = makeTemporary([&](const char* each) {
        return ::linkat(AT_FDCWD, file.c_str(), folder, each, AT_SYMLINK_FOLLOW);
      });
      if (made < 0) return errno;
      name_ = std::move(name);
    }
    if (!descriptor_.close()) return errno;
    if (::renameat(folder, name_.c_str(), folder, spot_.name.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  Beside(const Spot& spot, std::string name, Descriptor descriptor)
      : spot_(spot), name_(std::move(name)), descriptor_(std::move(descriptor)) {}
  const Spot& spot_;
  std::string name_;  // empty: it has none
  Descriptor descriptor_;
};

// Removes what processes that were killed have left in a folder: regular files of this user that
// have a temporary name and have not been written for an hour.
void removeLeftovers(int folder) {
  constexpr std::time_t kOld = 3600;
  const int readable = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (readable < 0) return;
  DIR* const listed = ::fdopendir(readable);
  if (listed == nullptr) {
    ::close(readable);
    return;
  }
  const std::time_t now = std::time(nullptr);
  while (const dirent* const entry = ::readdir(listed)) {
    struct stat info = {};
    if (isTemporaryName(entry->d_name) &&
        ::fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && now - info.st_mtime > kOld)
      ::unlinkat(folder, entry->d_name, 0);
  }
  ::closedir(listed);
}

// The same once in this process for each folder: reading one with a thousand files takes a
// millisecond, and an animation writes as many into one.
void removeLeftoversOnce(int folder, const fs::path& path) {
  using Known = std::tuple<dev_t, ino_t, std::string>;
  constexpr std::size_t kMostKnown = 32;
  static std::mutex mutex;
  static std::vector<Known> known;
  struct stat info = {};
  if (::fstat(folder, &info) != 0) return;
  Known here{info.st_dev, info.st_ino, path.string()};
  {
    const std::lock_guard lock(mutex);
    if (std::ranges::find(known, here) != known.end()) return;
    if (known.size() == kMostKnown) known.erase(known.begin());
    known.push_back(std::move(here));
  }
  removeLeftovers(folder);
}

}  // namespace

tl::unexpected<std::string> systemFailed(std::string_view verb, const fs::path& file, int error,
                                         std::string_view advice) {
  return tl::unexpected(fmt::format("cannot {} \"{}\" ({}): {}", verb, quotableFile(file),
                                    std::generic_category().message(error), advice));
}

tl::expected<std::string, std::string> readText(const fs::path& file, std::size_t most,
                                                Absent absent) {
  const Descriptor descriptor(openAtOnce(AT_FDCWD, file.c_str(), O_RDONLY));
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
  // Until the end and not by its size: a file may grow while it is read, and files of /proc have no
  // size.
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
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) return systemFailed("make the folder of", file, error.value(), advice);
  constexpr int kTries = 5;  // in case a link replaces the file between two calls
  Descriptor descriptor(-1);
  for (int i = 0; !descriptor.ok(); ++i) {
    const auto spot = followLinks(file);
    if (!spot) return notReached(verb, file, spot.error(), advice);
    descriptor = Descriptor(openAtOnce(spot->folder.get(), spot->name.c_str(),
                                       O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0644));
    if (!descriptor.ok() && (errno != ELOOP || i == kTries))
      return systemFailed(verb, file, errno, advice);
  }
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
  // Without the lock, another process may be writing: this may see half of its line and add one
  // newline too many. Readers ignore the blank line.
  const std::string text =
      fmt::format("{}{}\n", endsWithinALine(file_.descriptor(), info.st_size) ? "\n" : "", line);
  ssize_t written = 0;
  do {
    written = ::write(file_.descriptor(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  const int error = errno;
  if (written < 0) return systemFailed("add to", file_.file(), error, kMakeRoom);
  if (static_cast<std::size_t>(written) == text.size()) return {};
  // The rest must not follow in a second write: another process may have added a line. With the
  // lock nothing can follow the half line, so it can be removed.
  const bool gone = locked_ && ::ftruncate(file_.descriptor(), info.st_size) == 0;
  return tl::unexpected(
      fmt::format("there is no room to add {} bytes to \"{}\"{}: make room, and "
                  "add it again",
                  text.size(), quotableFile(file_.file()),
                  gone ? "" : ", which now has part of them as a broken line"));
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
  if (place->direct) return writeDirectly(file, place->spot, text);
  removeLeftoversOnce(place->spot.folder.get(), file.parent_path());
  auto beside = Beside::make(place->spot);
  if (!beside) return systemFailed("write", file, beside.error(), kChooseAnother);
  if (const int error = beside->replace(place->mode, text, durable); error != 0)
    return systemFailed("write", file, error, kMakeRoom);
  return {};
}

std::string whyNotReplaced(const fs::path& file) {
  const auto place = placeOf(file, Links::Followed);
  if (!place) return place.error();
  if (place->direct) return {};
  const auto beside = Beside::make(place->spot);
  return beside ? std::string()
                : systemFailed("write", file, beside.error(), kChooseAnother).value();
}

}  // namespace tileloom
