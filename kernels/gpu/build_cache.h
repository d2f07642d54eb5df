// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled kernels on disk. An entry is one file, written beside its place and renamed, so that
// readers see all of it or nothing; several processes may share the folder. A cache that cannot be
// read or written costs time and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tileloom::gpu {

// $XDG_CACHE_HOME/tileloom/kernels, or ~/.cache/tileloom/kernels; TILELOOM_CACHE overrides it.
std::filesystem::path defaultCacheFolder();

struct CacheEntry {
  std::string log;
  std::vector<char> cubin;
};

class BuildCache {
 public:
  static constexpr std::uint64_t kBytes = 256ull << 20;

  explicit BuildCache(std::filesystem::path folder = defaultCacheFolder(),
                      std::uint64_t bytes = kBytes)
      : folder_(std::move(folder)), bytes_(bytes) {}

  // Nothing where there is no entry, or where it is damaged or of another key with the same hash.
  std::optional<CacheEntry> read(const std::string& key) const;
  // True if the entry is in place. Now and then the files longest unused are removed until the rest
  // fits into three quarters of `bytes`.
  bool write(const std::string& key, const CacheEntry& entry) const;
  void trim() const;

  std::filesystem::path fileOf(const std::string& key) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t bytes_;
};

}  // namespace tileloom::gpu
