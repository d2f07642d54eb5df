// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes files of text and of bytes. Several processes may use the same file at the same
// time. Every error is one sentence without a full stop that names the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tileloom {

enum class Absent { IsEmpty, IsAnError };

// The whole file, which has at most `most` bytes. Only regular files are read: a device or a pipe
// may never end, or never begin.
tl::expected<std::string, std::string> readText(const std::filesystem::path& file, std::size_t most,
                                                Absent absent = Absent::IsEmpty);

// A regular file opened for appending. It and its folder are created if missing. It is closed with
// the object. Links are followed, unless another user has made them. Errors begin "cannot `verb`"
// and end with the advice.
class AppendedFile {
 public:
  static tl::expected<AppendedFile, std::string> open(const std::filesystem::path& file,
                                                      std::string_view verb,
                                                      std::string_view advice);
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  ~AppendedFile();

  const std::filesystem::path& file() const { return file_; }
  int descriptor() const { return descriptor_; }

 private:
  AppendedFile(std::filesystem::path file, int descriptor);
  std::filesystem::path file_;
  int descriptor_;
};

// The sentence of a system call that failed: "cannot VERB "FILE" (the system's words): ADVICE".
tl::unexpected<std::string> systemFailed(std::string_view verb, const std::filesystem::path& file,
                                         int error, std::string_view advice);

// A file that lines are added to, locked against other processes that add lines. It and its folder
// are created if missing. Only regular files are written.
class LineFile {
 public:
  // Whether a line may be added without the lock, if another process keeps it for seconds. A caller
  // that reads the lines and then adds the missing ones needs the lock.
  enum class Lock { IfFree, Needed };
  static tl::expected<LineFile, std::string> open(const std::filesystem::path& file,
                                                  Lock lock = Lock::IfFree);

  // Adds the line and a newline with one write. If the last line of the file has no newline, it
  // gets one in the same write. If there is no room, the file is as it was before.
  tl::expected<void, std::string> add(std::string_view line);

 private:
  LineFile(AppendedFile file, bool locked) : file_(std::move(file)), locked_(locked) {}
  AppendedFile file_;
  bool locked_;  // false: another process has kept the lock too long
};

// Adds one line: LineFile::open and add.
tl::expected<void, std::string> appendLine(const std::filesystem::path& file,
                                           std::string_view line);

// Whether the bytes are on the disk when the function returns, so that they survive a power cut.
// Data that can be made again need not wait for that.
enum class Durable { Yes, No };

// What happens to a symbolic link in the file's place. A user's own file may be a link on purpose:
// its target is replaced, unless another user has made the link. In a folder that only Tileloom
// uses, such as a cache, the link itself is replaced.
enum class Links { Followed, Replaced };

// Replaces the text of the file. A concurrent reader sees the whole old text or the whole new one.
// If this fails, or the process is killed, the old text stays. A character device, or a pipe with a
// reader, is written directly if links are followed.
tl::expected<void, std::string> replaceText(const std::filesystem::path& file,
                                            std::string_view text, Durable durable = Durable::Yes);
tl::expected<void, std::string> replaceText(const std::filesystem::path& file,
                                            std::string_view text, Durable durable, Links links);

// Why replaceText would refuse the file now; empty: it would not. To be called before long work.
std::string whyNotReplaced(const std::filesystem::path& file);

}  // namespace tileloom
