// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/included_files.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

#include "kernels/base/fnv.h"
#include "kernels/base/text_file.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 400;
constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of a file

std::string_view afterSpaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// The names behind #include. False: one of them is a macro.
bool takeNames(std::string_view text, std::vector<std::string>& names) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = afterSpaces(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with("#")) continue;
    line = afterSpaces(line.substr(1));
    constexpr std::string_view kWord = "include";
    if (!line.starts_with(kWord)) continue;
    line = afterSpaces(line.substr(kWord.size()));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return false;
    const std::size_t close = line.find(line.front() == '"' ? '"' : '>', 1);
    if (close == line.npos) return false;
    names.emplace_back(line.substr(1, close - 1));
  }
  return true;
}

class Scan {
 public:
  explicit Scan(std::span<const std::string> folders) : folders_(folders) {}

  bool add(std::string_view text, const fs::path& folder) {
    std::vector<std::string> names;
    if (!takeNames(text, names)) return false;
    for (const std::string& name : names) {
      const fs::path file = placeOf(name, folder);
      if (file.empty()) continue;  // the compiler's own
      if (!seen_.insert(file.string()).second) continue;
      if (seen_.size() > kMostFiles) return false;
      const auto read = readText(file, kMostBytes, Absent::IsAnError);
      if (!read) return false;
      hash_.add(file.string());
      hash_.add(read->size());
      hash_.add(*read);
      if (!add(*read, file.parent_path())) return false;
    }
    return true;
  }
  std::uint64_t hash() const { return hash_.value(); }

 private:
  fs::path placeOf(const std::string& name, const fs::path& folder) const {
    std::error_code failed;
    if (fs::is_regular_file(folder / name, failed)) return (folder / name).lexically_normal();
    for (const std::string& each : folders_)
      if (fs::is_regular_file(fs::path(each) / name, failed))
        return (fs::path(each) / name).lexically_normal();
    return {};
  }

  std::span<const std::string> folders_;
  std::set<std::string> seen_;
  Fnv hash_;
};

}  // namespace

std::optional<std::uint64_t> hashOfIncluded(std::string_view text, const fs::path& file,
                                            std::span<const std::string> folders) {
  Scan scan(folders);
  if (!scan.add(text, file.parent_path())) return std::nullopt;
  return scan.hash();
}

}  // namespace tileloom::gpu
