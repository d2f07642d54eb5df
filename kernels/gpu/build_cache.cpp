// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/build_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tileloom.kernel/1\n";
constexpr std::string_view kSuffix = ".kernel";

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return hash;
}

// A file is the magic, three lengths and the hash of what follows: key, log, machine code.
struct Header {
  std::uint64_t key, log, cubin, hash;
};

}  // namespace

fs::path defaultCacheFolder() {
  const auto from = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? fs::path(value) : fs::path();
  };
  if (const fs::path chosen = from("TILELOOM_CACHE"); !chosen.empty()) return chosen;
  if (const fs::path cache = from("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "tileloom/kernels";
  if (const fs::path home = from("HOME"); !home.empty()) return home / ".cache/tileloom/kernels";
  return fs::path("/tmp") / fmt::format("tileloom-{}", getuid()) / "kernels";
}

fs::path BuildCache::fileOf(const std::string& key) const {
  return folder_ / fmt::format("{:016x}{}", fnv1a(key), kSuffix);
}

std::optional<CacheEntry> BuildCache::read(const std::string& key) const {
  const fs::path file = fileOf(key);
  std::error_code none;
  const std::uintmax_t bytes = fs::is_regular_file(file, none) ? fs::file_size(file, none) : 0;
  std::ifstream in(file, std::ios::binary);
  if (none || !in) return std::nullopt;
  std::string all(bytes, '\0');
  if (!in.read(all.data(), static_cast<std::streamsize>(bytes))) return std::nullopt;
  Header h{};
  const std::size_t front = kMagic.size() + sizeof h;
  if (all.size() < front || !all.starts_with(kMagic)) return std::nullopt;
  std::memcpy(&h, all.data() + kMagic.size(), sizeof h);
  const std::size_t rest = all.size() - front;
  if (h.key != key.size() || h.key > rest || h.log > rest - h.key ||
      h.cubin != rest - h.key - h.log)
    return std::nullopt;
  const std::string_view body = std::string_view(all).substr(front);
  if (fnv1a(body) != h.hash || body.substr(0, h.key) != key) return std::nullopt;
  CacheEntry entry;
  entry.log = body.substr(h.key, h.log);
  const std::string_view code = body.substr(h.key + h.log);
  entry.cubin.assign(code.begin(), code.end());
  std::error_code ignored;  // when it was last used decides what is removed first
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
  return entry;
}

bool BuildCache::write(const std::string& key, const CacheEntry& entry) const {
  static std::atomic<unsigned> count{0};
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return false;
  const fs::path file = fileOf(key);
  const fs::path beside =
      folder_ / fmt::format(".{}.{}.{}", file.stem().string(), getpid(), count++);
  {
    std::string body = key + entry.log;
    body.append(entry.cubin.begin(), entry.cubin.end());
    const Header h{key.size(), entry.log.size(), entry.cubin.size(), fnv1a(body)};
    std::ofstream out(beside, std::ios::binary);
    out.write(kMagic.data(), static_cast<std::streamsize>(kMagic.size()));
    out.write(reinterpret_cast<const char*>(&h), sizeof h);
    out.write(body.data(), static_cast<std::streamsize>(body.size()));
    out.close();
    if (!out) {
      fs::remove(beside, error);
      return false;
    }
  }
  fs::rename(beside, file, error);
  if (error) {
    fs::remove(beside, error);
    return false;
  }
  // Counting the folder costs a millisecond in a thousand files: not at every write.
  if (count % 32 == 1) trim();
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
    std::error_code gone;  // another process may be quicker
    const auto bytes = e.file_size(gone);
    const auto used = e.last_write_time(gone);
    if (gone) continue;
    const std::string name = e.path().filename().string();
    if (!name.ends_with(kSuffix)) {
      // What a process left that was killed while writing.
      if (name.starts_with('.') && now - used > std::chrono::hours(1)) fs::remove(e.path(), gone);
      continue;
    }
    entries.push_back({e.path(), used, bytes});
    total += bytes;
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
