// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to read and to write files of text and of bytes. Several processes may use the same
// file at the same time. Every error is one sentence without a full stop that names the file.
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

// A regular file opened for appending, which is made, with its folder, if it is not there. It is
// closed with the object. Links are followed, unless another user has made them. Errors begin
// "cannot `verb`" and end with the advice.
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

// A file that lines are added to, locked against the other processes that add lines. It and its
// folder are made if they are not there. Only regular files are written.
class LineFile {
 public:
  // Whether a line may be added without the lock, if another process keeps it for seconds; whoever
  // looks at the lines first and then adds those that are missing needs it.
  enum class Lock { IfFree, Needed };
  static tl::expected<LineFile, std::string> open(const std::filesystem::path& file,
                                                  Lock lock = Lock::IfFree);

  // Adds the line and a newline with one write. If the last line of the file has no newline, it
  // gets one in the same write. If there is no room, the file is as it was before.
  tl::expected<void, std::string> add(std::string_view line);

 private:
  LineFile(AppendedFile file, bool locked) : file_(std::move(file)), locked_(locked) {}
  AppendedFile file_;
  bool locked_;  // false: whoever has the lock keeps it too long
};

// Adds one line: LineFile::open and add.
tl::expected<void, std::string> appendLine(const std::filesystem::path& file,
                                           std::string_view line);

// Whether the bytes are on the disk when the function returns, so that they outlive a power cut.
// What can be made again need not wait for that.
enum class Durable { Yes, No };

// What happens to a symbolic link in the file's place. A person's own file may be one on purpose:
// what it leads to is replaced, unless another user has made the link. In a folder that is ours
// alone, a cache, no link is: it is replaced itself.
enum class Links { Followed, Replaced };

// Makes the file hold this text. Whoever reads it meanwhile sees the old one or the new one, whole,
// and if this fails, or the process is killed, the old one stays. A character device or a pipe with
// a reader, which have nothing to lose, are written directly where links are followed.
tl::expected<void, std::string> replaceText(const std::filesystem::path& file,
                                            std::string_view text, Durable durable = Durable::Yes);
tl::expected<void, std::string> replaceText(const std::filesystem::path& file,
                                            std::string_view text, Durable durable, Links links);

// Empty, or the sentence with which replaceText would refuse the file as things are now. To be
// asked before work that takes long.
std::string whyNotReplaced(const std::filesystem::path& file);

}  // namespace tileloom
