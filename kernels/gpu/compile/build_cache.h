// SPDX-License-Identifier: GPL-3.0-or-later
// A cache of compiled kernels on disk. An entry is one file, which is written under a temporary
// name and then renamed, so that a reader sees either all of it or no file. Several processes may
// share the folder. If the cache cannot be read or written, kernels are compiled again, and nothing
// else fails. Entries are machine code that will run: folder and entries must belong to this user,
// and no other user may be able to write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom::gpu {

// $XDG_CACHE_HOME/tileloom/kernels, or ~/.cache/tileloom/kernels; TILELOOM_CACHE overrides it.
// Empty for a user without a home folder: there is no cache then.
std::filesystem::path defaultCacheFolder();

struct CacheEntry {
  std::string log;
  std::vector<char> cubin;
};

// An entry as the bytes of its file, and back. std::nullopt: the bytes are damaged, or have another
// key.
std::string entryBytes(std::string_view key, const CacheEntry& entry);
std::optional<CacheEntry> entryFrom(std::string_view bytes, std::string_view key);

class BuildCache {
 public:
  static constexpr std::uint64_t kBytes = 256ull << 20;
  static constexpr std::size_t kLargestEntry = 32u << 20;

  explicit BuildCache(std::filesystem::path folder = defaultCacheFolder(),
                      std::uint64_t bytes = kBytes)
      : folder_(std::move(folder)), bytes_(bytes) {}

  // std::nullopt: there is no entry, or it is damaged, has another key with the same hash, or could
  // have been written by another user.
  std::optional<CacheEntry> read(const std::string& key) const;
  // Returns whether the entry was written. A link with this name is replaced and never followed.
  // From time to time it removes the least recently used files until the rest fits into three
  // quarters of `bytes`.
  bool write(const std::string& key, const CacheEntry& entry) const;
  // Touches only files that the cache has made: entries, and leftovers of killed writers.
  void trim() const;

  std::filesystem::path fileOf(const std::string& key) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t bytes_;
};

}  // namespace tileloom::gpu
