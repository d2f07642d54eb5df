// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/analysis/counts/occupancy.h"

namespace tileloom::app {
namespace {

using analysis::BlockNeeds;
using analysis::Occupancy;
using analysis::Resource;

struct Options {
  std::string arch{defaultArchitecture().name};
  std::string threads;
  std::string registers;
  std::string shared = "0";
  bool json = false;
};

constexpr Resource kResources[] = {Resource::Warps, Resource::Blocks, Resource::Registers,
                                   Resource::SharedMemory};

const char* keyOf(Resource resource) {
  switch (resource) {
    case Resource::Warps:
      return "warps";
    case Resource::Blocks:
      return "blocks";
    case Resource::Registers:
      return "registers";
    case Resource::SharedMemory:
      return "shared_memory";
  }
  return "";
}

bool limits(const Occupancy& o, Resource resource) {
  return std::ranges::find(o.limiting, resource) != o.limiting.end();
}

std::string needOf(const BlockNeeds& needs, Resource resource) {
  switch (resource) {
    case Resource::Warps:
      return counted((needs.threads + 31) / 32, "warp") + " per block";
    case Resource::Blocks:
      return "1 slot per block";
    case Resource::Registers:
      return counted(needs.registers, "register") + " per thread";
    case Resource::SharedMemory:
      return counted(needs.sharedBytes, "byte") + " per block";
  }
  return "";
}

std::string occupancyText(const Architecture& arch, const BlockNeeds& needs, const Occupancy& o) {
  Table table({{"resource", Align::Left},
               {"need", Align::Right},
               {"admits blocks", Align::Right},
               {"", Align::Left}});
  for (const Resource resource : kResources) {
    table.add({std::string(name(resource)), needOf(needs, resource),
               std::to_string(o.blocksBy[static_cast<std::size_t>(resource)]),
               limits(o, resource) ? "<- limits" : ""});
  }
  return fmt::format(
      "{}: {} per block, {} per thread, {} of shared memory per block\n\n"
      "  {} per SM, {} of {} warps: {:.2f} % occupancy\n\n{}\nNext step: {}.\n",
      arch.name, counted(needs.threads, "thread"), counted(needs.registers, "register"),
      counted(needs.sharedBytes, "byte"), counted(o.blocks, "block"), o.warps, o.mostWarps,
      100 * o.fraction(), table.text(), nextStep(o, needs));
}

Json occupancyJson(const Architecture& arch, const BlockNeeds& needs, const Occupancy& o) {
  Json admitted = Json::object();
  Json limiting = Json::array();
  for (const Resource resource : kResources) {
    admitted[keyOf(resource)] = o.blocksBy[static_cast<std::size_t>(resource)];
    if (limits(o, resource)) limiting.push_back(keyOf(resource));
  }
  return {{"schema", "tileloom.occupancy/1"},
          {"arch", arch.name},
          {"threads", needs.threads},
          {"registers", needs.registers},
          {"shared_bytes", needs.sharedBytes},
          {"blocks_per_sm", o.blocks},
          {"warps_per_sm", o.warps},
          {"max_warps_per_sm", o.mostWarps},
          {"occupancy_percent", 100 * o.fraction()},
          {"occupancy", o.fraction()},
          {"limits", std::move(admitted)},
          {"limiting", std::move(limiting)},
          {"next_step", nextStep(o, needs)}};
}

void run(const Options& options, Outcome& outcome) {
  for (const auto& [option, example, text] :
       {std::tuple{"--threads", 128, &options.threads}, {"--registers", 168, &options.registers}}) {
    if (!text->empty()) continue;
    return outcome.fail(
        fmt::format("occupancy needs {}: give a number, such as {} {}", option, option, example));
  }
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  const auto threads = parseNumber("--threads", options.threads, 1, Architecture::kThreadsPerBlock);
  if (!threads) return outcome.fail(threads.error());
  const auto registers =
      parseNumber("--registers", options.registers, 1, Architecture::kRegistersPerThread);
  if (!registers) return outcome.fail(registers.error());
  const auto shared = parseNumber(fmt::format("--shared on {}:", arch->name), options.shared, 0,
                                  arch->sharedPerBlock);
  if (!shared) return outcome.fail(shared.error());
  const BlockNeeds needs{*threads, *registers, *shared};
  const Occupancy o = analysis::occupancy(*arch, needs);
  outcome.output =
      options.json ? jsonText(occupancyJson(*arch, needs, o)) : occupancyText(*arch, needs, o);
}

}  // namespace

void addOccupancyCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("occupancy", "Show how many blocks an SM holds, and what limits them");
  const auto options = std::make_shared<Options>();
  addArchOption(command, options->arch);
  command.addOption("--threads", options->threads, "Threads per block").typeName("N");
  command.addOption("--registers", options->registers, "Registers per thread").typeName("N");
  command.addOption("--shared", options->shared, "Bytes of shared memory per block (0 by default)")
      .typeName("N");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
