// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/toolkit.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "kernels/base/environment.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/sass/child.h"
#include "kernels/sass/tool_places.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kToolLimit{120};
constexpr std::size_t kMostMade = std::size_t{256} << 20;  // bytes

// A folder that only this user can read, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failed;
    std::string pattern = (fs::temp_directory_path(failed) / "tileloom-XXXXXX").string();
    if (!failed && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }  // empty: it could not be made

 private:
  fs::path path_;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

Result<fs::path> missing(std::string_view name) {
  return fail(Trouble::Missing,
              fmt::format("{} was not found: install it from the CUDA Toolkit (Debian and Ubuntu: "
                          "cuda-nvcc-13-0), or name nvcc with {}",
                          name, kNvccVariable));
}

}  // namespace

Result<fs::path> findNvcc() {
  const char* wanted = std::getenv(kNvccVariable);
  if (wanted == nullptr || *wanted == '\0') {
    const auto found = sass::toolNamed("nvcc");
    return found ? Result<fs::path>(*found) : missing("nvcc");
  }
  if (std::string_view(wanted) == "none")
    return fail(Trouble::Missing,
                fmt::format("nvcc is switched off by {}=none: unset it", kNvccVariable));
  if (!sass::isProgram(wanted))
    return fail(Trouble::Missing,
                fmt::format("{}={} is not a program: correct or unset the variable", kNvccVariable,
                            quotable(wanted)));
  return fs::path(wanted);
}

Result<fs::path> findPtxas() {
  const auto nvcc = findNvcc();
  if (!nvcc && std::getenv(kNvccVariable) != nullptr) return nvcc;
  if (nvcc && sass::isProgram(nvcc->parent_path() / "ptxas")) return nvcc->parent_path() / "ptxas";
  const auto found = sass::toolNamed("ptxas");
  return found ? Result<fs::path>(*found) : missing("ptxas, which assembles PTX,");
}

std::vector<fs::path> toolkitHeaders() {
  std::vector<fs::path> roots;
  if (const auto nvcc = findNvcc()) roots.push_back(nvcc->parent_path().parent_path());
  for (const fs::path& folder : sass::toolFolders()) roots.push_back(folder.parent_path());
  std::error_code ignored;
  for (const fs::path& root : roots) {
    const fs::path folder = root / "include";
    if (!fs::exists(folder / "cuda_fp16.h", ignored)) continue;
    std::vector<fs::path> found = {folder};
    if (fs::is_directory(folder / "cccl", ignored)) found.push_back(folder / "cccl");
    return found;
  }
  return {};
}

Result<ToolOutput> runTool(std::vector<std::string> words, const fs::path& name,
                           const std::string& text) {
  const TemporaryFolder folder;
  const auto noRoom = [] {
    return fail(Trouble::Failed,
                "a compiler needs a temporary folder that can be written: set TMPDIR to one");
  };
  if (folder.path().empty()) return noRoom();
  const fs::path from = folder.path() / ("kernel" + name.extension().string()),
                 to = folder.path() / "kernel.cubin";
  if (!replaceText(from, text, Durable::No)) return noRoom();
  words.insert(words.end(), {"-o", to.string(), from.string()});
  const auto said = sass::runChild(words, kToolLimit);
  if (!said) return tl::unexpected(said.error());
  ToolOutput output;
  output.log = replaced(said->errors + said->out, from.string(), name.string());
  if (said->status != 0) return output;
  const auto made = readText(to, kMostMade, Absent::IsEmpty);
  if (made) output.made.assign(made->begin(), made->end());
  return output;
}

}  // namespace tileloom::gpu
