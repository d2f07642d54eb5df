// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/disassembler.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "kernels/base/environment.h"
#include "kernels/base/plain_text.h"
#include "kernels/sass/child.h"
#include "kernels/sass/tool_places.h"
#include "kernels/tile/words.h"

namespace tileloom::sass {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoTool = "none";

// As the environment says; empty: it says nothing.
std::string wantedTool() {
  const char* wanted = std::getenv(kDisassemblerVariable);
  return wanted != nullptr ? wanted : "";
}

// The cubin as a file in memory: it has a path for a child process but no name in any folder, so a
// process that is killed leaves nothing behind.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const char> bytes)
      : descriptor_(memfd_create("tileloom-cubin", 0)) {  // which the child inherits
    while (descriptor_ >= 0 && error_ == 0 && !bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) error_ = errno != 0 ? errno : EIO;
      if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    if (descriptor_ < 0) error_ = errno;
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
  int error() const { return error_; }

 private:
  int descriptor_;
  int error_ = 0;
};

// The last line with any text, as part of a sentence.
std::string lastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  const auto begin = text.rfind('\n');
  return quotable(begin == std::string_view::npos ? text : text.substr(begin + 1));
}

}  // namespace

bool Disassembler::isNamed() {
  const std::string wanted = wantedTool();
  return !wanted.empty() && wanted != kNoTool;
}

Result<Disassembler> Disassembler::find() {
  Disassembler found;
  const std::string wanted = wantedTool();
  if (wanted == kNoTool) {
    return fail(Trouble::Missing, fmt::format("nvdisasm is switched off by {}=none: unset it",
                                              kDisassemblerVariable));
  }
  if (!wanted.empty()) {
    if (!isProgram(wanted)) {
      return fail(Trouble::Missing,
                  fmt::format("{}={} is not a program: correct or unset the variable",
                              kDisassemblerVariable, quotable(wanted)));
    }
    found.path_ = wanted;
    found.cuobjdump_ = fs::path(wanted).filename().string().find("cuobjdump") != std::string::npos;
    return found;
  }
  for (const char* name : {"nvdisasm", "cuobjdump"}) {
    for (const fs::path& folder : toolFolders()) {
      if (!isProgram(folder / name)) continue;
      found.path_ = (folder / name).string();
      found.cuobjdump_ = std::string_view(name) == "cuobjdump";
      return found;
    }
  }
  return fail(Trouble::Missing,
              "nvdisasm was not found: install it from the CUDA Toolkit (Debian and Ubuntu: "
              "cuda-nvdisasm-13-0)");
}

std::string Disassembler::name() const {
  return cuobjdump_ ? "cuobjdump" : "nvdisasm";
}

std::string Disassembler::tool() const {
  const auto said = runChild({path_, "--version"}, kLimit);
  if (!said) return name();
  // "Cuda compilation tools, release 13.0, V13.0.85"
  const std::string& text = said->out;
  const auto at = text.find(", V");
  if (at == std::string::npos) return name();
  const auto end = text.find_first_not_of("0123456789.", at + 3);
  const std::string version = text.substr(at + 3, end == std::string::npos ? end : end - at - 3);
  return version.empty() ? name() : name() + " " + version;
}

Result<Listing> Disassembler::disassemble(std::span<const char> cubin,
                                          std::chrono::milliseconds limit) const {
  const MemoryFile file(cubin);
  if (file.error() != 0) {
    return fail(
        Trouble::Failed,
        fmt::format("there is no memory to pass a cubin of {} to {} ({}): close some programs",
                    counted(cubin.size(), "byte"), name(),
                    std::generic_category().message(file.error())));
  }
  std::vector<std::string> words = {path_};
  if (cuobjdump_) {
    words.insert(words.end(), {"-sass", file.path()});
  } else {
    words.insert(words.end(), {"-c", "-lrm", "count", file.path()});
  }
  auto said = runChild(words, limit);
  if (!said) return tl::unexpected(said.error());
  const bool counted = said->status == 0 && !cuobjdump_;
  if (said->status != 0 && !cuobjdump_) {
    // Older versions do not support life ranges, or fail.
    said = runChild({path_, "-c", file.path()}, limit);
    if (!said) return tl::unexpected(said.error());
  }
  if (said->status != 0) {
    const std::string line = lastLine(said->errors.empty() ? said->out : said->errors);
    return fail(
        Trouble::Failed,
        fmt::format("{} cannot read the kernel's machine code (status {}{}): use the one of the "
                    "CUDA Toolkit that compiles the kernels",
                    quotableFile(path_), said->status, line.empty() ? std::string() : ": " + line));
  }
  auto listing = parseListing(said->out);
  if (!listing || !counted) return listing;
  // It prints either live registers or source lines, so it runs twice.
  if (const auto again = runChild({path_, "-c", "-gi", file.path()}, limit);
      again && again->status == 0) {
    if (const auto lines = parseListing(again->out)) takeLines(*listing, *lines);
  }
  return listing;
}

}  // namespace tileloom::sass
