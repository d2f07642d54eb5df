// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/found_cubins.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <system_error>

#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/sass/cubin/elf.h"
#include "kernels/sass/cubin/embedded_cubins.h"
#include "kernels/tile/words.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;
using sass::EmbeddedCode;
using Found = std::vector<FoundCubin>;

constexpr std::size_t kMostCubins = std::size_t{1} << 30;  // bytes of all
constexpr std::size_t kMostEntries = 20'000;               // of a folder
constexpr int kDeepest = 3;

tl::unexpected<std::string> refuse(std::string sentence) {
  return tl::unexpected<std::string>(std::move(sentence));
}

std::string listed(const std::set<int>& capabilities) {
  std::string text;
  for (const int each : capabilities)
    text += fmt::format("{}sm_{}", text.empty() ? "" : ", ", each);
  return text;
}

// Those of the capability, or a sentence that names the others.
tl::expected<Found, std::string> ofCapability(Found found, const std::string& name,
                                              int capability) {
  if (capability == 0) return found;
  std::set<int> others;
  for (const FoundCubin& each : found) others.insert(each.capability);
  std::erase_if(found, [&](const FoundCubin& each) { return each.capability != capability; });
  if (found.empty())
    return refuse(fmt::format("{} has no cubin for sm_{}: it has some for {}", name, capability,
                              listed(others)));
  return found;
}

FoundCubin wholeCubin(std::string_view bytes, std::string file) {
  const auto parts = sass::embeddedIn(bytes);
  return {
      std::move(file), parts.empty() ? 0 : parts.front().capability, {bytes.begin(), bytes.end()}};
}

}  // namespace

// nvcc also puts cubins without kernels into executables.
bool hasKernel(std::span<const char> cubin) {
  const auto elf = sass::Elf::read(cubin);
  return !elf || std::ranges::any_of(elf->sections(), [](const sass::ElfSection& section) {
    return section.name.starts_with(".text.");
  });
}

tl::expected<Found, std::string> cubinOf(std::string_view bytes, const std::string& name,
                                         int capability) {
  Found found;
  found.push_back(wholeCubin(bytes, {}));
  return ofCapability(std::move(found), name, capability);
}

tl::expected<Found, std::string> cubinsOfBytes(std::string_view bytes, const std::string& name,
                                               int capability) {
  if (sass::isCubin(bytes)) return cubinOf(bytes, name, capability);
  Found found;
  std::set<int> ptx;
  std::size_t size = 0;
  for (const EmbeddedCode& code : sass::embeddedIn(bytes)) {
    if (code.kind == EmbeddedCode::Kind::Ptx) {
      ptx.insert(code.capability);
      continue;
    }
    FoundCubin each{{}, code.capability, {}};
    // Others are only named.
    if (capability == 0 || capability == code.capability) {
      auto cubin = sass::unpacked(bytes, code);
      if (!cubin) return refuse(fmt::format("{}: {}", name, cubin.error()));
      each.cubin = std::move(*cubin);
      if (!hasKernel(each.cubin)) continue;
    }
    size += each.cubin.size();
    if (size > kMostCubins)
      return refuse(
          fmt::format("the cubins of {} have more than {} bytes: choose an architecture "
                      "with --arch",
                      name, grouped(kMostCubins)));
    found.push_back(std::move(each));
  }
  if (!found.empty()) return ofCapability(std::move(found), name, capability);
  if (!ptx.empty())
    return refuse(fmt::format(
        "{} has PTX for {} and no cubin: compile it again with -gencode arch=compute_90,code=sm_90",
        name, listed(ptx)));
  return refuse(fmt::format(
      "{} has no machine code of a GPU that can be read: give CUDA C++ (.cu), PTX, a cubin (nvcc "
      "-cubin makes one), or a file with cubins",
      name));
}

tl::expected<Found, std::string> cubinsOfFolder(const fs::path& folder, int capability) {
  const std::string name = quotableFile(folder);
  std::vector<fs::path> files;
  std::error_code failed;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator
           at(folder, fs::directory_options::skip_permission_denied, failed),
       end;
       !failed && at != end && seen < kMostEntries; at.increment(failed), ++seen) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    if (at->path().extension() == ".cubin") files.push_back(at->path());
  }
  std::ranges::sort(files);
  Found found;
  std::size_t size = 0;
  for (const fs::path& file : files) {
    const auto bytes = readText(file, kMostCubinFile, Absent::IsAnError);
    if (!bytes) return refuse(bytes.error());
    size += bytes->size();
    if (size > kMostCubins)
      return refuse(fmt::format("the cubins of {} have more than {} bytes: name one of them", name,
                                grouped(kMostCubins)));
    found.push_back(wholeCubin(*bytes, file.lexically_relative(folder).string()));
  }
  if (found.empty())
    return refuse(fmt::format("the folder {} has no file with the ending .cubin", name));
  return ofCapability(std::move(found), name, capability);
}

}  // namespace tileloom::gpu
