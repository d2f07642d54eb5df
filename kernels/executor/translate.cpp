// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/executor/follow.h"
#include "kernels/executor/memory.h"
#include "kernels/executor/translator.h"
#include "kernels/executor/variables.h"

namespace tileloom::executor {

std::string Translator::translate(Operation& o) {
  const Instruction* found = nullptr;
  for (const auto table :
       {integerInstructions(), laneInstructions(), numberInstructions(), halfInstructions(),
        tensorInstructions(), memoryInstructions(), controlInstructions(), asyncInstructions()}) {
    const auto row = std::ranges::find(table, words.base(), &Instruction::name);
    if (row != table.end()) found = &*row;
  }
  if (found == nullptr) return std::string(kNotExecuted);
  o.execute = found->execute;
  o.uniform = found->uniform;
  o.guard = {static_cast<std::uint8_t>(decoded.guard.predicate), decoded.guard.negated,
             decoded.form->uniformGuard};
  o.isSigned = !words.has("U32") && !words.has("U64");
  o.relation = relationOf(words);
  o.combine = combineOf(words);
  o.rounding = roundingOf(words);
  o.saturates = words.has("SAT");
  o.flushes = words.has("FTZ");
  o.extended = words.has("X") || words.has("EX");
  if (found->operands == Operands::Sorted) sortOperands(o);
  if (found->operands == Operands::Access) sortAccess(o);
  if (found->complete != nullptr) {
    if (std::string why = found->complete(*this, o); !why.empty()) return why;
  }
  followResult(*this, o);
  return trouble_;
}

namespace {

// What a kernel reads of its cluster (hardware.md, rule 93): whether it has one, its blocks along
// each axis, their FP32 reciprocals, the clusters of the grid, the blocks of all axes.
template <class Put>
void putCluster(const Launch& launch, Put&& put) {
  constexpr std::size_t kExplicit = 0x140, kSides = 0x144, kReciprocals = 0x150, kClusters = 0x15c,
                        kBlocks = 0x188;
  const sass::Sizes& cluster = launch.kernel->info.cluster;
  std::uint32_t blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t side = std::max(1u, cluster[axis]);
    put(kSides + 4 * axis, side);
    put(kReciprocals + 4 * axis, std::bit_cast<std::uint32_t>(1.0f / static_cast<float>(side)));
    put(kClusters + 4 * axis, launch.grid[axis] / side);
    blocks *= side;
  }
  put(kExplicit, cluster[0] != 0 ? 1 : 0);
  put(kBlocks, blocks);
}

std::vector<std::uint8_t> launchBank(const Launch& launch) {
  const sass::KernelInfo& info = launch.kernel->info;
  std::vector<std::uint8_t> bank(static_cast<std::size_t>(info.parametersAt) +
                                 launch.parameters.size());
  const auto put = [&bank](std::size_t at, std::uint32_t value) {
    if (at + 4 <= bank.size()) std::memcpy(bank.data() + at, &value, 4);
  };
  const LaunchFields fields = launchFieldsOf(launch.module->capability);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(fields.blockSize + 4 * axis, launch.block[axis]);
    put(fields.gridSize + 4 * axis, launch.grid[axis]);
  }
  put(fields.stack, stackBytes(launch));
  if (launch.module->capability == 90) putCluster(launch, put);
  // The generic address of the parameters (hardware.md, rule 91).
  constexpr std::uint32_t kParametersAddress = 0x198;
  if (launch.module->capability == 90 &&
      kParametersAddress + 8 <= static_cast<std::uint32_t>(std::max(0, info.parametersAt))) {
    put(kParametersAddress, 0);
    put(kParametersAddress + 4, kParameterWindow);
  }
  std::ranges::copy(launch.parameters, bank.begin() + info.parametersAt);
  return bank;
}

}  // namespace

// Whether an operand has registers behind the last one (R254), which no compiler makes.
bool leavesRegisters(const sass::Decoded& decoded) {
  return std::ranges::any_of(decoded.operands, [](const sass::DecodedOperand& each) {
    const bool named =
        each.kind == sass::OperandKind::Register || each.kind == sass::OperandKind::UniformRegister;
    return named && !each.isZero() && each.number + each.registers > sass::kZeroRegister;
  });
}

std::uint32_t stackBytes(const Launch& launch) {
  constexpr std::uint32_t kUsual = 1024, kAlign = 16;
  const auto frame = static_cast<std::uint32_t>(launch.kernel->info.frameBytes);
  return (std::max(frame, kUsual) + kAlign - 1) / kAlign * kAlign;
}

Program translated(const Launch& launch) {
  Program program;
  program.stackBytes = stackBytes(launch);
  constexpr std::size_t kBanks = 5;
  program.constants.resize(kBanks);
  const auto take = [&](const std::vector<sass::ConstantBank>& banks) {
    for (const sass::ConstantBank& each : banks) {
      if (each.bank <= 0 || static_cast<std::size_t>(each.bank) >= kBanks) continue;
      auto& bytes = program.constants[static_cast<std::size_t>(each.bank)];
      bytes.assign(each.bytes.begin(), each.bytes.end());
      writeAddresses(*launch.module, each.relocations, bytes);
    }
  };
  take(launch.module->constants);
  take(launch.kernel->constants);
  program.constants[0] = launchBank(launch);
  const std::size_t count = launch.kernel->words.size();
  program.operations.resize(count);
  program.unknown.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    const auto decoded = sass::decode(launch.kernel->words[i], address, launch.module->capability);
    Operation& operation = program.operations[i];
    if (!decoded) {
      program.unknown[i] = decoded.error();
      continue;
    }
    program.unknown[i] = leavesRegisters(*decoded)
                             ? std::string("it has registers behind R254")
                             : Translator(program, *decoded).translate(operation);
    if (program.unknown[i].empty()) continue;
    program.unknown[i] = fmt::format("{}: {}", decoded->text(), program.unknown[i]);
    operation.execute = nullptr;
  }
  return program;
}

}  // namespace tileloom::executor
