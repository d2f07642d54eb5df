// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/variables.h"

#include <algorithm>
#include <cstring>

namespace tileloom::executor {
namespace {

// Below all buffers (placeBuffers). Variables have at most 4 GiB, and a constant bank has less.
constexpr std::uint64_t kGlobals = 0x7e0000000000, kConstants = 0x7e8000000000;
constexpr std::uint64_t kNowhere = 0x7d0000000000;
constexpr int kConstantBank = 3;  // of __constant__

std::uint64_t addressOf(const sass::Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.variables, name, &sass::Variable::name);
  if (found == module.variables.end() || found->space == sass::Variable::Space::Shared)
    return kNowhere;
  return (found->space == sass::Variable::Space::Global ? kGlobals : kConstants) + found->at;
}

}  // namespace

void writeAddresses(const sass::Module& module, std::span<const sass::Relocation> relocations,
                    std::vector<std::uint8_t>& bytes, std::uint64_t from) {
  constexpr std::uint32_t kInBank = 2, kInInitialValues = 4;  // 64-bit addresses
  for (const sass::Relocation& each : relocations) {
    if (each.type != kInBank && each.type != kInInitialValues) continue;
    const std::uint64_t address =
        addressOf(module, each.symbol) + static_cast<std::uint64_t>(each.addend);
    if (from > bytes.size() || each.at > bytes.size() - from) continue;
    const auto at = static_cast<std::size_t>(from + each.at);
    if (bytes.size() - at < sizeof address) continue;
    std::memcpy(bytes.data() + at, &address, sizeof address);
  }
}

std::vector<Buffer> variablesOf(const sass::Module& module) {
  std::vector<Buffer> made;
  if (const std::uint64_t all = module.globalBytes + module.globals.size(); all > 0) {
    Buffer globals{"the variables of the module", {}, kGlobals};
    globals.bytes.resize(static_cast<std::size_t>(all));
    std::ranges::copy(module.globals,
                      globals.bytes.begin() + static_cast<std::ptrdiff_t>(module.globalBytes));
    writeAddresses(module, module.globalRelocations, globals.bytes, module.globalBytes);
    made.push_back(std::move(globals));
  }
  const auto bank = std::ranges::find(module.constants, kConstantBank, &sass::ConstantBank::bank);
  if (bank != module.constants.end() && !bank->bytes.empty()) {
    Buffer constants{"the constants of the module", {}, kConstants};
    constants.bytes.assign(bank->bytes.begin(), bank->bytes.end());
    writeAddresses(module, bank->relocations, constants.bytes);
    made.push_back(std::move(constants));
  }
  return made;
}

}  // namespace tileloom::executor
