// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/shared_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "app/commands/common/parse.h"
#include "kernels/model/limits/ceilings.h"
#include "kernels/runs/run_index.h"

namespace tileloom::app {
namespace {

constexpr const char* kSizeType = "M[xNxK]";

// The devices whose ceilings are known: the user's first, then the shipped ones.
std::vector<model::Ceilings> knownDevices() {
  std::vector<model::Ceilings> all;
  if (const auto own = model::readCeilings(model::defaultCeilingFile())) all = own->all;
  const auto shipped = model::shippedCeilings();
  all.insert(all.end(), shipped.begin(), shipped.end());
  return all;
}

std::string namesOf(const std::vector<model::Ceilings>& all) {
  std::set<std::string> names;
  for (const model::Ceilings& c : all) names.insert(c.device);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

tl::expected<model::Ceilings, std::string> deviceNamed(const std::string& name) {
  const std::vector<model::Ceilings> all = knownDevices();
  // A whole name before a part of another one.
  auto found = std::ranges::find(all, name, &model::Ceilings::device);
  if (found == all.end() && !name.empty() && !isNumber(name))
    found = std::ranges::find_if(
        all, [&](const model::Ceilings& c) { return runs::isDevice(c.device, name); });
  if (found != all.end()) return *found;
  if (isNumber(name)) {
    return tl::unexpected(
        fmt::format("--device {} is the number of a GPU, and this command uses none: give a part "
                    "of a name of {}",
                    quotable(name), namesOf(all)));
  }
  return tl::unexpected(
      fmt::format("the device \"{}\" is not known: measure its ceilings there with tileloom "
                  "ceilings, or choose one of {}",
                  quotable(name), namesOf(all)));
}

}  // namespace

Argument addSizeOption(Command command, std::string& size) {
  return command.addOption("--size", size, fmt::format("M, or MxNxK ({} by default)", size))
      .typeName(kSizeType);
}

Argument addSizeOption(Command command, std::optional<std::string>& size,
                       std::string_view otherwise) {
  return command.addOption("--size", size, fmt::format("M, or MxNxK ({})", otherwise))
      .typeName(kSizeType);
}

Argument addArchOption(Command command, std::string& arch) {
  return command.addOption("--arch", arch, fmt::format("Architecture ({} by default)", arch))
      .typeName("sm_NN");
}

void addTargetOptions(Command command, TargetOptions& options) {
  command
      .addOption("--arch", options.arch,
                 fmt::format("Architecture ({} by default)", defaultArchitecture().name))
      .typeName("sm_NN");
  command
      .addOption("--on,--device", options.device,
                 "The device, by a part of its name (the H100 by default)")
      .typeName("NAME");
}

tl::expected<Target, std::string> chosenTarget(const TargetOptions& options) {
  Target target;
  if (options.arch) {
    const auto arch = architectureNamed(quotable(*options.arch));
    if (!arch) return tl::unexpected(arch.error());
    target.arch = *arch;
  }
  if (!options.device) return target;
  const auto device = deviceNamed(*options.device);
  if (!device) return tl::unexpected(device.error());
  target.device = device->device;
  const auto its = architectureNamed(device->arch);
  if (!its) return tl::unexpected(its.error());
  if (options.arch && its->name != target.arch.name) {
    return tl::unexpected(fmt::format("{} is an {} and --arch says {}: leave one of the two out",
                                      device->device, its->name, target.arch.name));
  }
  target.arch = *its;
  return target;
}

tl::expected<std::string, std::string> deviceOf(const Target& target) {
  if (!target.device.empty()) return target.device;
  if (target.arch.name == defaultArchitecture().name) return std::string(kReferenceDevice);
  const auto all = knownDevices();
  const auto found = std::ranges::find(all, target.arch.name, &model::Ceilings::arch);
  if (found != all.end()) return found->device;
  return tl::unexpected(
      fmt::format("the ceilings of no device of {} are known: measure them there with tileloom "
                  "ceilings, or choose one of {}",
                  target.arch.name, namesOf(all)));
}

tl::expected<void, std::string> sameDevice(const Target& target, std::string_view known,
                                           std::string_view what) {
  if (target.device.empty() || target.device == known) return {};
  return tl::unexpected(
      fmt::format("{} for {} are known for {} only, and not for {}: leave the device out", what,
                  target.arch.name, known, target.device));
}

void addJsonFlag(Command command, bool& json, Outcome& outcome) {
  command.addFlag("--json", json, "Print JSON instead of text");
  command.addOldFile("--json", outcome.oldJson);
}

void addOutOption(Command command, Outcome& outcome) {
  command.addOption("--out", outcome.file, "Write the answer to this file instead of printing it")
      .file();
}

void addJsonOptions(Command command, bool& json, Outcome& outcome) {
  addJsonFlag(command, json, outcome);
  addOutOption(command, outcome);
}

}  // namespace tileloom::app
