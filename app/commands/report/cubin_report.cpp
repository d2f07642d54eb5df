// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/cubin_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/common/table.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/sass/cubin/kernel_name.h"
#include "kernels/sass/decode.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

constexpr std::size_t kLongestName = 60, kWholeName = 4096;
constexpr std::size_t kMostCubin = std::size_t{256} << 20;  // bytes of a file

struct Counts {
  std::size_t instructions = 0;
  std::size_t unknown = 0;
};

// Without the padding at the end: a branch to itself, then NOP.
std::size_t codeLength(const sass::Module& module, const sass::KernelImage& kernel) {
  std::size_t length = kernel.words.size();
  while (length > 0) {
    const auto last = sass::decode(kernel.words[length - 1], 0, module.capability);
    if (!last || last->base() != "NOP") break;
    --length;
  }
  return length;
}

Counts countsOf(const sass::Module& module, const sass::KernelImage& kernel) {
  Counts counts{codeLength(module, kernel), 0};
  for (std::size_t i = 0; i < counts.instructions; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    if (!sass::decode(kernel.words[i], address, module.capability)) ++counts.unknown;
  }
  return counts;
}

std::string bytesText(int bytes) {
  return grouped(static_cast<std::uint64_t>(bytes));
}

std::string sizesText(const sass::Sizes& sizes) {
  return sizes[0] == 0 ? "" : fmt::format("{} x {} x {}", sizes[0], sizes[1], sizes[2]);
}

std::string placeText(const sass::SourcePlace& place) {
  const auto slash = place.file.rfind('/');
  return fmt::format(
      "{}:{}",
      quotable(slash == std::string_view::npos ? place.file : place.file.substr(slash + 1)),
      place.line);
}

Json sizesJson(const sass::Sizes& sizes) {
  return sizes[0] == 0 ? Json() : Json{{"x", sizes[0]}, {"y", sizes[1]}, {"z", sizes[2]}};
}

std::vector<std::string> kernelCells(const sass::Module& module, const sass::KernelImage& kernel) {
  const Counts counts = countsOf(module, kernel);
  return {std::to_string(kernel.info.registers),
          bytesText(kernel.sharedBytes),
          bytesText(kernel.info.frameBytes),
          std::to_string(kernel.info.parameters.size()),
          sizesText(kernel.info.mostThreads),
          sizesText(kernel.info.cluster),
          grouped(counts.instructions),
          counts.unknown == 0 ? "" : grouped(counts.unknown),
          quotable(sass::kernelTitle(kernel.name), kLongestName)};
}

Json summaryJson(const sass::Module& module, const sass::KernelImage& kernel) {
  const Counts counts = countsOf(module, kernel);
  Json parameters = Json::array();
  for (const sass::KernelParameter& each : kernel.info.parameters)
    parameters.push_back({{"offset", each.at}, {"bytes", each.bytes}});
  const std::string title = sass::kernelTitle(kernel.name);
  return {{"name", quotable(kernel.name, kernel.name.size())},
          {"title", quotable(title, title.size())},
          {"registers", kernel.info.registers},
          {"shared_bytes", kernel.sharedBytes},
          {"local_bytes", kernel.info.frameBytes},
          {"barriers", kernel.info.barriers},
          {"most_threads", sizesJson(kernel.info.mostThreads)},
          {"cluster", sizesJson(kernel.info.cluster)},
          {"parameters", parameters},
          {"instructions", counts.instructions},
          {"unknown", counts.unknown},
          {"has_lines", !kernel.lines.empty()}};
}

}  // namespace

std::string placesText(const std::vector<sass::SourcePlace>& places) {
  std::string text;
  for (const sass::SourcePlace& each : places) text += (text.empty() ? "" : ", ") + placeText(each);
  return text;
}

Json placesJson(const std::vector<sass::SourcePlace>& places) {
  Json all = Json::array();
  for (const sass::SourcePlace& each : places)
    all.push_back({{"file", quotable(each.file, each.file.size())}, {"line", each.line}});
  return all;
}

tl::expected<sass::Module, std::string> moduleFrom(const std::string& file) {
  const auto bytes = readText(file, kMostCubin, Absent::IsAnError);
  if (!bytes) return tl::unexpected(bytes.error());
  return moduleOf(*bytes, file);
}

tl::expected<sass::Module, std::string> moduleOf(std::span<const char> bytes,
                                                 const std::string& file) {
  auto module = sass::readModule(bytes);
  if (!module) {
    return tl::unexpected(
        fmt::format("\"{}\" is not a cubin that can be read: {}: nvcc -cubin makes one",
                    quotableFile(file), module.error()));
  }
  return std::move(*module);
}

std::string cubinText(const sass::Module& module, const std::string& file) {
  Table table({{"registers"},
               {"shared"},
               {"local"},
               {"parameters"},
               {"launch bounds"},
               {"cluster"},
               {"instructions"},
               {"unknown"},
               {"kernel", Align::Left}});
  for (const sass::KernelImage& kernel : module.kernels) table.add(kernelCells(module, kernel));
  const std::size_t kernels = module.kernels.size();
  return fmt::format(
      "{}: {} for compute capability {}.{}\n\n{}\n"
      "Shared and local memory are in bytes, per block and per thread. For the instructions of a "
      "kernel: --kernel NAME.\n",
      quotableFile(file), kernels == 1 ? "1 kernel" : fmt::format("{} kernels", kernels),
      module.capability / 10, module.capability % 10, table.text());
}

Json cubinJson(const sass::Module& module) {
  Json kernels = Json::array();
  for (const sass::KernelImage& kernel : module.kernels)
    kernels.push_back(summaryJson(module, kernel));
  return {
      {"schema", "tileloom.cubin/1"},
      {"compute_capability", fmt::format("{}.{}", module.capability / 10, module.capability % 10)},
      {"kernels", kernels}};
}

std::string cubinsText(std::span<const gpu::FoundCubin> cubins, const std::string& file) {
  Table table({{"architecture", Align::Left},
               {"registers"},
               {"shared"},
               {"local"},
               {"parameters"},
               {"instructions"},
               {"unknown"},
               {"kernel", Align::Left},
               {"cubin", Align::Left}});
  std::size_t kernels = 0;
  for (const gpu::FoundCubin& cubin : cubins) {
    const std::string arch = fmt::format("sm_{}", cubin.capability),
                      where = quotableFile(cubin.file);
    const auto module = sass::readModule(cubin.cubin);
    if (!module) {
      table.add({arch, "", "", "", "", "", "", fmt::format("cannot be read: {}", module.error()),
                 cubin.file.empty() ? "" : where});
      continue;
    }
    for (const sass::KernelImage& kernel : module->kernels) {
      ++kernels;
      auto cells = kernelCells(*module, kernel);
      cells.erase(cells.begin() + 4, cells.begin() + 6);  // launch bounds and cluster
      cells.insert(cells.begin(), arch);
      cells.push_back(cubin.file.empty() ? "" : where);
      table.add(std::move(cells));
    }
  }
  return fmt::format(
      "{}: {} cubins with {}\n\n{}\n"
      "Shared and local memory are in bytes, per block and per thread. For the instructions of a "
      "kernel: --kernel NAME, and --arch sm_NN where several architectures have it.\n",
      quotableFile(file), cubins.size(),
      kernels == 1 ? "1 kernel" : fmt::format("{} kernels", kernels), table.text());
}

Json cubinsJson(std::span<const gpu::FoundCubin> cubins) {
  Json all = Json::array();
  for (const gpu::FoundCubin& cubin : cubins) {
    const auto module = sass::readModule(cubin.cubin);
    Json each = {{"file", cubin.file.empty() ? Json() : Json(quotableFile(cubin.file))},
                 {"arch", fmt::format("sm_{}", cubin.capability)},
                 {"why_not", module ? std::string() : module.error()},
                 {"kernels", Json::array()}};
    if (module)
      for (const sass::KernelImage& kernel : module->kernels)
        each["kernels"].push_back(summaryJson(*module, kernel));
    all.push_back(std::move(each));
  }
  return {{"schema", "tileloom.cubins/1"}, {"cubins", std::move(all)}};
}

std::string kernelText(const sass::Module& module, const sass::KernelImage& kernel) {
  const std::size_t length = codeLength(module, kernel);
  std::string text = fmt::format(
      "{}: {} instructions for compute capability {}.{}, {} registers, {} bytes of shared "
      "memory\n\n",
      quotable(sass::demangled(kernel.name), kWholeName), grouped(length), module.capability / 10,
      module.capability % 10, kernel.info.registers, bytesText(kernel.sharedBytes));
  for (std::size_t i = 0; i < length; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    const sass::CodeWord& word = kernel.words[i];
    const auto decoded = sass::decode(word, address, module.capability);
    const std::string said =
        decoded ? decoded->text() : fmt::format("unknown: 0x{:016x}{:016x}", word.high, word.low);
    const std::string places = placesText(kernel.lines.at(address));
    text += fmt::format("  {:05x}  {:{}}{}\n", address, said, places.empty() ? 0 : 62,
                        places.empty() ? "" : "  " + places);
  }
  return text;
}

Json kernelJson(const sass::Module& module, const sass::KernelImage& kernel) {
  Json json = {
      {"schema", "tileloom.cubin/1"},
      {"compute_capability", fmt::format("{}.{}", module.capability / 10, module.capability % 10)},
      {"kernels", Json::array({summaryJson(module, kernel)})}};
  Json listing = Json::array();
  const std::size_t length = codeLength(module, kernel);
  for (std::size_t i = 0; i < length; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    const auto decoded = sass::decode(kernel.words[i], address, module.capability);
    listing.push_back(
        {{"address", address},
         {"bits", fmt::format("{:016x}{:016x}", kernel.words[i].high, kernel.words[i].low)},
         {"text", decoded ? Json(decoded->text()) : Json()},
         {"source", placesJson(kernel.lines.at(address))}});
  }
  json["kernels"][0]["listing"] = std::move(listing);
  return json;
}

tl::expected<const sass::KernelImage*, std::string> kernelNamed(const sass::Module& module,
                                                                const std::string& name) {
  if (name.empty() && module.kernels.size() == 1) return &module.kernels.front();
  if (name.empty()) {
    constexpr std::size_t kMostNamed = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(module.kernels.size(), kMostNamed); ++i)
      names += fmt::format("{}{}", i == 0 ? "" : ", ",
                           quotable(sass::kernelTitle(module.kernels[i].name), kLongestName));
    return tl::unexpected(fmt::format("the file has {} kernels: choose one with --kernel: {}{}",
                                      module.kernels.size(), names,
                                      module.kernels.size() > kMostNamed ? ", …" : ""));
  }
  const auto found = sass::kernelsNamed(module, name);
  if (found.size() > 1)
    return tl::unexpected(fmt::format(
        "--kernel: more than one kernel has \"{}\" in its name: {} and {}: give more of it",
        quotable(name), quotable(sass::kernelTitle(found[0]->name), kLongestName),
        quotable(sass::kernelTitle(found[1]->name), kLongestName)));
  if (found.empty())
    return tl::unexpected(fmt::format(
        "--kernel: no kernel has \"{}\" in its name: without --kernel, the names of all "
        "{} are listed",
        quotable(name), module.kernels.size()));
  return found.front();
}

}  // namespace tileloom::app
