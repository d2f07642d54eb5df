// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/sass/cubin/code.h"

namespace tileloom::sass {
namespace {

constexpr std::string_view kConstantBank = ".nv.constant";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // of __device__ variables

std::vector<Relocation> relocationsOf(const Elf& elf, std::string_view section) {
  std::vector<Relocation> all;
  for (const ElfRelocation& each : elf.relocationsOf(section)) {
    const bool named = each.symbol < elf.symbols().size();
    all.push_back({each.at, each.type,
                   named ? std::string(elf.symbols()[each.symbol].name) : std::string(),
                   each.addend});
  }
  return all;
}

// ".nv.constant3" is of all kernels, ".nv.constant2.k" of one.
struct BankName {
  int bank = 0;
  std::string_view kernel;
};

std::optional<BankName> bankName(std::string_view section) {
  if (!section.starts_with(kConstantBank)) return std::nullopt;
  const std::string_view rest = section.substr(kConstantBank.size());
  BankName name;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), name.bank);
  if (error != std::errc() || name.bank < 0 || name.bank > 31) return std::nullopt;
  const std::string_view after = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (after.empty()) return name;
  if (after.front() != '.') return std::nullopt;
  name.kernel = after.substr(1);
  return name;
}

ConstantBank bankOf(const Elf& elf, const ElfSection& section, int bank) {
  const auto bytes = elf.contents(section);
  return {bank, {bytes.begin(), bytes.end()}, relocationsOf(elf, section.name)};
}

std::vector<Variable> variablesOf(const Elf& elf, std::string_view section, Variable::Space space,
                                  std::uint64_t from) {
  std::vector<Variable> all;
  for (const ElfSymbol& symbol : elf.symbols()) {
    if (symbol.section >= elf.sections().size() || symbol.name.empty() || symbol.size == 0)
      continue;
    if (elf.sections()[symbol.section].name == section)
      all.push_back({std::string(symbol.name), space, from + symbol.value, symbol.size});
  }
  std::ranges::sort(all, {}, &Variable::at);
  return all;
}

}  // namespace

const KernelImage* Module::named(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelImage::name);
  return found == kernels.end() ? nullptr : &*found;
}

tl::expected<Module, std::string> readModule(std::span<const char> file) {
  const auto elf = Elf::read(file);
  if (!elf) return tl::unexpected(elf.error());
  const auto codes = codesOf(*elf);
  if (!codes) return tl::unexpected(codes.error());
  Module module;
  module.capability = capabilityOf(*elf);
  std::vector<std::uint32_t> symbols;
  for (const Code& code : *codes) symbols.push_back(code.symbol);
  auto lines = lineTablesOf(*elf, symbols);
  for (std::size_t i = 0; i < codes->size(); ++i) {
    const Code& code = (*codes)[i];
    KernelImage kernel;
    kernel.name = code.kernel;
    kernel.words = wordsOf(*elf, code);
    auto info = kernelInfoOf(*elf, code.kernel, code.symbol);
    if (!info) return tl::unexpected(info.error());
    kernel.info = std::move(*info);
    const auto registers = registersOf(*elf, code);
    if (!registers) return tl::unexpected(registers.error());
    kernel.info.registers = *registers;
    kernel.sharedBytes = sharedBytesOf(*elf, code);
    const std::string shared = ".nv.shared." + kernel.name;
    if (const ElfSection* section = elf->named(shared))
      kernel.sharedAlign = static_cast<int>(std::clamp<std::uint64_t>(section->align, 1, 1 << 24));
    kernel.shared = variablesOf(*elf, shared, Variable::Space::Shared, 0);
    kernel.relocations = relocationsOf(*elf, code.section->name);
    kernel.lines = std::move(lines[i]);
    module.kernels.push_back(std::move(kernel));
  }
  for (const ElfSection& section : elf->sections()) {
    const auto name = bankName(section.name);
    if (!name) continue;
    ConstantBank bank = bankOf(*elf, section, name->bank);
    if (name->kernel.empty()) {
      module.constants.push_back(std::move(bank));
      const auto named = variablesOf(*elf, section.name, Variable::Space::Constant, 0);
      if (name->bank == 3)
        module.variables.insert(module.variables.end(), named.begin(), named.end());
      continue;
    }
    const auto kernel = std::ranges::find(module.kernels, name->kernel, &KernelImage::name);
    if (kernel != module.kernels.end()) kernel->constants.push_back(std::move(bank));
  }
  // Variables with an initial value lie behind the others.
  constexpr std::uint64_t kAlign = 256;
  if (const ElfSection* zero = elf->named(".nv.global")) {
    if (zero->bytes > kMostBytes)
      return tl::unexpected(
          fmt::format("the file has {} bytes of variables: the maximum is 4 GiB", zero->bytes));
    module.globalBytes = (zero->bytes + kAlign - 1) / kAlign * kAlign;
    const auto named = variablesOf(*elf, zero->name, Variable::Space::Global, 0);
    module.variables.insert(module.variables.end(), named.begin(), named.end());
  }
  if (const ElfSection* set = elf->named(".nv.global.init")) {
    const auto bytes = elf->contents(*set);
    module.globals.assign(bytes.begin(), bytes.end());
    module.globalRelocations = relocationsOf(*elf, set->name);
    const auto named = variablesOf(*elf, set->name, Variable::Space::Global, module.globalBytes);
    module.variables.insert(module.variables.end(), named.begin(), named.end());
  }
  return module;
}

}  // namespace tileloom::sass
