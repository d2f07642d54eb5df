// SPDX-License-Identifier: GPL-3.0-or-later
// An entry of the kernel cache is machine code that will run: an accepted one has the bytes that
// were written, and one with a changed byte is refused. The input is tried as an entry, as an entry
// with a matching hash, and as the contents of one: two lengths and the bytes after them.
#include <cstring>

#include "kernels/gpu/compile/build_cache.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using gpu::CacheEntry;
using gpu::entryBytes;
using gpu::entryFrom;

constexpr std::size_t kLengths = 3 * sizeof(std::uint64_t);

void read(std::string_view bytes, std::string_view key) {
  const auto entry = entryFrom(bytes, key);
  if (entry) require(entryBytes(key, *entry) == bytes, "an entry is the bytes that were written");
}

// The beginning of an entry: the magic, the lengths and the hash of the contents.
std::string frontOf(std::string_view contents) {
  const std::string whole = entryBytes(contents, {});
  return whole.substr(0, whole.size() - contents.size());
}

// Lengths of the input, with a matching hash.
void readWithHash(std::string_view bytes) {
  if (bytes.size() < kLengths) return;
  const std::string_view contents = bytes.substr(kLengths);
  std::string front = frontOf(contents);
  const std::size_t lengths = front.size() - kLengths - sizeof(std::uint64_t);
  std::memcpy(front.data() + lengths, bytes.data(), kLengths);
  const std::string whole = front + std::string(contents);
  std::uint64_t key = 0;
  std::memcpy(&key, bytes.data(), sizeof key);
  read(whole, contents.substr(0, std::min<std::uint64_t>(key, contents.size())));
}

void writeAndRead(std::string_view bytes) {
  if (bytes.size() < 3) return;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t spoilt = at(2);
  const std::string_view rest = bytes.substr(3);
  const std::string_view key = rest.substr(0, at(0));
  const std::string_view log = rest.substr(key.size()).substr(0, at(1));
  const std::string_view code = rest.substr(key.size() + log.size());
  const CacheEntry entry{std::string(log), {code.begin(), code.end()}};
  std::string whole = entryBytes(key, entry);
  const auto again = entryFrom(whole, key);
  require(again && again->log == entry.log && again->cubin == entry.cubin,
          "an entry reads back as it was written");
  require(!entryFrom(whole, std::string(key) + "x"), "an entry of another key is refused");
  require(!entryFrom(std::string_view(whole).substr(0, whole.size() - 1), key),
          "an entry that is cut off is refused");
  char& byte = whole[spoilt * (whole.size() - 1) / 255];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1 + spoilt % 255));
  require(!entryFrom(whole, key), "an entry with a byte changed is refused");
}

}  // namespace

void attack(std::string_view bytes) {
  read(bytes, "key");
  readWithHash(bytes);
  writeAndRead(bytes);
}

}  // namespace tileloom::fuzz
