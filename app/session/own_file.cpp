// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/own_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/own_source.h"
#include "kernels/own/launch_search.h"
#include "kernels/sass/cubin/kernel_name.h"

namespace tileloom {
namespace {

constexpr std::size_t kMostSource = 4 << 20;  // bytes

// The file that most of the kernel's instructions were compiled from, as the compiler was given it.
std::string sourceFileOf(const sass::KernelImage& kernel) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < kernel.words.size(); ++i) {
    const auto places = kernel.lines.at(static_cast<std::uint32_t>(i * sass::kCodeWordBytes));
    if (!places.empty()) ++counts[std::string(places.back().file)];
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  return most == counts.end() ? std::string() : most->first;
}

// The source text of a kernel: as it was compiled, else of the file with this name where the
// compiler found it, or beside the machine code.
std::string sourceOf(const sass::KernelImage& kernel,
                     const std::map<std::string, std::string>& compiled,
                     const std::filesystem::path& file) {
  const std::string name = sourceFileOf(kernel);
  if (const auto text = compiled.find(name); text != compiled.end()) return text->second;
  if (compiled.size() == 1) return compiled.begin()->second;
  const std::filesystem::path named = name;
  if (named.empty()) return {};
  for (const auto& each : {named, file.parent_path() / named.filename()}) {
    if (auto text = readText(each, kMostSource, Absent::IsAnError)) return *std::move(text);
  }
  return {};
}

// The only kernel with this name, or the only one.
tl::expected<const sass::KernelImage*, std::string> imageOf(const sass::Module& module,
                                                            const std::string& name) {
  const auto found = sass::kernelsNamed(module, name);
  if (found.size() == 1) return found.front();
  constexpr std::size_t kMostNamed = 6, kLongest = 80;
  const auto listed = found.empty() ? sass::kernelsNamed(module, {}) : found;
  std::string names;
  for (std::size_t i = 0; i < std::min(listed.size(), kMostNamed); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ",
                         quotable(sass::kernelTitle(listed[i]->name), kLongest));
  if (listed.size() > kMostNamed) names += ", …";
  if (found.empty())
    return tl::unexpected(
        fmt::format("no kernel of the file has the name \"{}\": it has {}", quotable(name), names));
  return tl::unexpected(fmt::format(
      "the file has {} such kernels: name one of them as \"kernel\" in its launch file: {}",
      found.size(), names));
}

std::filesystem::path launchFileOf(std::filesystem::path file) {
  file.replace_extension();
  file += own::LaunchFile::kEnding;
  return file;
}

}  // namespace

std::vector<std::string> filesOf(const own::OwnInput& input) {
  return {input.path, launchFileOf(input.path).string()};
}

bool namesKernelFile(const std::filesystem::path& file) {
  constexpr std::array kEndings = {".cu", ".ptx", ".cubin", ".fatbin"};
  return std::ranges::find(kEndings, file.extension()) != kEndings.end();
}

tl::expected<std::shared_ptr<const own::OwnKernel>, std::string> ownKernelFrom(
    const std::filesystem::path& file, std::string_view kernel) {
  const std::filesystem::path beside = launchFileOf(file);
  std::error_code unreadable;
  std::string name(kernel);
  std::optional<own::LaunchFile> launch;
  if (std::filesystem::exists(beside, unreadable)) {
    const auto text = readText(beside, kRecordBounds.bytes, Absent::IsAnError);
    if (!text) return tl::unexpected(text.error());
    auto from = own::launchFileFrom(*text);
    if (!from) return tl::unexpected(fmt::format("{}: {}", quotableFile(beside), from.error()));
    if (name.empty()) name = from->kernel;
    launch = std::move(*from);
  }
  const gpu::BuildCache cache;
  gpu::SourceChoices choices;
  choices.kernel = name;
  if (name.find('<') != std::string::npos) choices.instances = {name};
  auto source = gpu::compiledSource({file, std::nullopt}, choices, &cache);
  if (!source) return tl::unexpected(source.error().sentence);
  const auto image = imageOf(source->module, source->nameOf(name));
  if (!image) return tl::unexpected(image.error());
  own::OwnInput input;
  input.kernel = (*image)->name;
  input.source = sourceOf(**image, source->texts, file);
  if (!launch) {
    const std::string title = sass::kernelTitle((*image)->name);
    const own::SourceHints hints =
        own::hintsFrom(input.source, own::baseName(title), (*image)->info.parameters.size());
    auto found = own::foundLaunch(source->module, **image, hints);
    if (!found) return tl::unexpected(found.error());
    launch = std::move(found->file);
  }
  input.module = std::make_shared<const sass::Module>(std::move(source->module));
  input.file = quotableFile(file.filename());
  input.path = file.string();
  input.compiler = source->compiler;
  input.launch = std::move(*launch);
  return own::openKernel(std::move(input));
}

}  // namespace tileloom
