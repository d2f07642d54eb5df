// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/own_source_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"

namespace tileloom::app {
namespace {

gpu::SourceChoices choicesOf(const OwnSourceOptions& options, const std::string& kernel) {
  gpu::SourceChoices choices;
  choices.arch = options.arch;
  choices.includes = options.includes;
  choices.defines = options.defines;
  choices.instances = options.instances;
  // "gemm<128, 64>" is a kernel only once it is made.
  const bool isInstance = kernel.find('<') != std::string::npos && kernel.ends_with(">");
  if (isInstance && std::ranges::find(choices.instances, kernel) == choices.instances.end())
    choices.instances.push_back(kernel);
  choices.kernel = kernel;
  return choices;
}

std::string failed(gpu::Complaint complaint, Outcome& outcome) {
  outcome.log = std::move(complaint.log);
  return std::move(complaint.sentence);
}

}  // namespace

std::string OwnSourceOptions::given() const {
  if (!includes.empty()) return "--include";
  if (!defines.empty()) return "--define";
  return instances.empty() ? "" : "--instance";
}

void addOwnSourceOptions(Command command, OwnSourceOptions& options) {
  command.addOption("-I,--include", options.includes, "Of a .cu file: a folder with headers")
      .typeName("FOLDER")
      .repeatable();
  command.addOption("-D,--define", options.defines, "Of a .cu file: a macro, such as TILE=64")
      .typeName("NAME=VALUE")
      .repeatable();
  command
      .addOption("--instance", options.instances,
                 "Of a .cu file: an instance of a template, such as 'gemm<128, 64>'")
      .typeName("NAME<…>")
      .repeatable();
}

tl::expected<gpu::CompiledSource, std::string> ownSource(const std::string& file,
                                                         const OwnSourceOptions& options,
                                                         const std::string& kernel,
                                                         Outcome& outcome) {
  std::optional<gpu::BuildCache> cache;
  if (!options.noCache) cache.emplace();
  auto made =
      gpu::compiledSource({file, {}}, choicesOf(options, kernel), cache ? &*cache : nullptr);
  if (!made) return tl::unexpected(failed(std::move(made.error()), outcome));
  if (!made->compiler.empty())
    outcome.remarks.push_back(
        made->cached ? fmt::format("compiled by {}, from the cache", made->compiler)
                     : fmt::format("compiled by {} in {:.1f} s", made->compiler, made->seconds));
  if (!made->remark.empty()) outcome.remarks.push_back(made->remark);
  return std::move(*made);
}

tl::expected<std::vector<gpu::FoundCubin>, std::string> ownCubins(const std::string& file,
                                                                  const OwnSourceOptions& options,
                                                                  Outcome& outcome) {
  std::optional<gpu::BuildCache> cache;
  if (!options.noCache) cache.emplace();
  auto found = gpu::cubinsOf({file, {}}, choicesOf(options, {}), cache ? &*cache : nullptr);
  if (!found) return tl::unexpected(failed(std::move(found.error()), outcome));
  return std::move(*found);
}

}  // namespace tileloom::app
