// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/build_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "kernels/base/environment.h"
#include "kernels/base/fnv.h"
#include "kernels/base/temporary_name.h"
#include "kernels/base/text_file.h"
#include "kernels/base/user_folders.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tileloom.kernel/1\n";
constexpr std::string_view kSuffix = ".kernel";

std::uint64_t fnv1a(std::string_view text) {
  Fnv hash;
  hash.add(text);
  return hash.value();
}

// A file is the magic, three lengths and the hash of what follows: key, log, machine code.
struct Header {
  std::uint64_t key, log, cubin, hash;
};

// Whether only this user can have written it. `kind` is S_IFDIR or S_IFREG.
bool isOnlyOurs(const struct stat& info, mode_t kind) {
  return (info.st_mode & S_IFMT) == kind && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool isOurs(const fs::path& file, mode_t kind) {
  struct stat info = {};
  return ::lstat(file.c_str(), &info) == 0 && isOnlyOurs(info, kind);
}

// Whether fileOf() made this name. A folder that the user has chosen may hold other files, which
// are left alone.
bool isEntryName(std::string_view name) {
  constexpr std::size_t kDigits = 16;
  return name.size() == kDigits + kSuffix.size() && name.ends_with(kSuffix) &&
         name.find_first_not_of("0123456789abcdef") == kDigits;
}

// Makes the folder if it does not exist. A folder of this user that a careless umask has left open
// is closed; files that other users may have put into it are neither read nor followed. A folder
// with the sticky bit, such as /tmp, is open on purpose and stays so, without a cache.
bool openFolder(const fs::path& folder) {
  if (folder.empty()) return false;
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) return false;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct stat info = {};
  // A link to a folder of this user is accepted.
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid())
    return false;
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return true;
  return (info.st_mode & S_ISVTX) == 0 && ::chmod(folder.c_str(), info.st_mode & 0755u) == 0;
}

bool isOurFolder(const fs::path& folder) {
  struct stat info = {};
  return !folder.empty() && ::stat(folder.c_str(), &info) == 0 && isOnlyOurs(info, S_IFDIR);
}

}  // namespace

fs::path defaultCacheFolder() {
  const char* chosen = std::getenv(kCacheVariable);
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return userCacheFile("kernels");
}

std::string entryBytes(std::string_view key, const CacheEntry& entry) {
  std::string body(key);
  body += entry.log;
  body.append(entry.cubin.begin(), entry.cubin.end());
  const Header h{key.size(), entry.log.size(), entry.cubin.size(), fnv1a(body)};
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&h), sizeof h);
  return bytes + body;
}

std::optional<CacheEntry> entryFrom(std::string_view bytes, std::string_view key) {
  Header h{};
  const std::size_t front = kMagic.size() + sizeof h;
  if (bytes.size() < front || !bytes.starts_with(kMagic)) return std::nullopt;
  std::memcpy(&h, bytes.data() + kMagic.size(), sizeof h);
  const std::size_t rest = bytes.size() - front;
  if (h.key != key.size() || h.key > rest || h.log > rest - h.key ||
      h.cubin != rest - h.key - h.log)
    return std::nullopt;
  const std::string_view body = bytes.substr(front);
  if (fnv1a(body) != h.hash || body.substr(0, h.key) != key) return std::nullopt;
  CacheEntry entry;
  entry.log = body.substr(h.key, h.log);
  const std::string_view code = body.substr(h.key + h.log);
  entry.cubin.assign(code.begin(), code.end());
  return entry;
}

fs::path BuildCache::fileOf(const std::string& key) const {
  return folder_ / fmt::format("{:016x}{}", fnv1a(key), kSuffix);
}

std::optional<CacheEntry> BuildCache::read(const std::string& key) const {
  const fs::path file = fileOf(key);
  if (!isOurFolder(folder_) || !isOurs(file, S_IFREG)) return std::nullopt;
  const auto bytes = readText(file, kLargestEntry);
  if (!bytes) return std::nullopt;
  auto entry = entryFrom(*bytes, key);
  std::error_code ignored;  // the time of the last use decides what is removed first
  if (entry) fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
  return entry;
}

bool BuildCache::write(const std::string& key, const CacheEntry& entry) const {
  static std::atomic<unsigned> count{0};
  if (!openFolder(folder_)) return false;
  const std::string bytes = entryBytes(key, entry);
  // A power cut may leave a truncated entry: its hash shows that.
  if (bytes.size() > kLargestEntry ||
      !replaceText(fileOf(key), bytes, Durable::No, Links::Replaced))
    return false;
  // Counting the folder costs a millisecond per thousand files, so it is not done at every write.
  if (count++ % 32 == 0) trim();
  return true;
}

void BuildCache::trim() const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& e : fs::directory_iterator(folder_, error)) {
    const std::string name = e.path().filename().string();
    const bool isEntry = isEntryName(name), isLeft = isTemporaryName(name);
    struct stat info =
        {};  // of the link itself, which is not an entry; another process may have removed it
    if ((!isEntry && !isLeft) || ::lstat(e.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != ::geteuid())
      continue;
    std::error_code gone;
    const auto used = fs::last_write_time(e.path(), gone);
    if (gone) continue;
    if (isLeft) {
      // What a process left that was killed while writing.
      if (now - used > std::chrono::hours(1)) fs::remove(e.path(), gone);
      continue;
    }
    entries.push_back({e.path(), used, static_cast<std::uint64_t>(info.st_size)});
    total += entries.back().bytes;
  }
  if (total <= bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& e : entries) {
    if (total <= bytes_ / 4 * 3) break;
    std::error_code gone;
    fs::remove(e.path, gone);
    total -= e.bytes;
  }
}

}  // namespace tileloom::gpu
