// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/analysis/counts/totals.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/renamed_keys.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::lecture {
namespace {

using Value = std::optional<double>;

// derive() gives 0 for counts that this rung does not have.
Value known(double count) {
  return count > 0 ? Value(count) : std::nullopt;
}

Value ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// A count; a condition may compare it with a fraction.
std::string whole(double value) {
  if (value != std::floor(value)) return fmt::format("{:.1f}", value);
  const std::string digits = grouped(static_cast<std::uint64_t>(std::abs(value)));
  return value < 0 ? "-" + digits : digits;
}
std::string percent(double value) {
  return value < 10 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}
std::string oneDigit(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}
std::string teraflops(double value) {
  return value < 10 ? fmt::format("{:.2f} TFLOP/s", value) : fmt::format("{:.1f} TFLOP/s", value);
}
std::string yesOrNo(double value) {
  return value != 0 ? "legal" : "not legal";
}

const runs::RunRecord* runOf(const TileFacts& f) {
  return runs::recordedRun(f, f.problem, kReferenceDevice);
}

// FLOPs per byte that each block loads from global memory: a block tile of BM x BN loads BM + BN
// elements for each k and does 2 * BM * BN FLOPs with them.
Value intensity(const TileFacts& f) {
  const double m = f.derived.blockM, n = f.derived.blockN;
  return m > 0 && n > 0 ? Value(2 * m * n / rowOf(f.format).bytesOf(m + n)) : std::nullopt;
}

constexpr Quantity kQuantities[] = {
    {"legal", "1 where the tile breaks no rule, else 0",
     [](const TileFacts& f) { return Value(f.legal ? 1 : 0); }, yesOrNo},
    {"threads", "threads per block", [](const TileFacts& f) { return known(f.derived.threads); },
     whole},
    {"warps", "warps per block", [](const TileFacts& f) { return known(f.derived.warps); }, whole},
    {"results", "elements of C per thread",
     [](const TileFacts& f) { return known(f.derived.results); }, whole},
    {"subtiles", "subtiles of a warp tile",
     [](const TileFacts& f) { return known(f.derived.wmiter * f.derived.wniter); }, whole},
    {"WMITER", "subtiles down a warp tile",
     [](const TileFacts& f) { return known(f.derived.wmiter); }, whole},
    {"fragments", "values of A and B that a thread holds at one k",
     [](const TileFacts& f) { return known(f.derived.fragments); }, whole},
    {"shared bytes", "shared memory per block",
     [](const TileFacts& f) { return known(f.derived.sharedBytes); }, whole},
    {"registers", "registers per thread: compiled, recorded or estimated",
     [](const TileFacts& f) { return known(f.registers); }, whole},
    {"blocks per SM", "blocks that one SM holds at once",
     [](const TileFacts& f) { return f.legal ? Value(f.occupancy.blocks) : std::nullopt; }, whole},
    {"warps per SM", "warps that one SM holds at once",
     [](const TileFacts& f) { return f.legal ? Value(f.occupancy.warps) : std::nullopt; }, whole},
    {"occupancy", "warps per SM, in percent of the maximum",
     [](const TileFacts& f) {
       return f.legal ? Value(100 * f.occupancy.fraction()) : std::nullopt;
     },
     percent},
    {"FLOPs per byte", "of A and B, as a block loads them from global memory", intensity, oneDigit},
    {"sectors per load", "sectors of 32 bytes per instruction that loads from global memory",
     [](const TileFacts& f) {
       return f.block ? ratio(f.block->fetchSectors(), f.block->fetchRequests()) : std::nullopt;
     },
     oneDigit, true},
    {"wavefronts per load", "wavefronts per instruction that loads from shared memory",
     [](const TileFacts& f) {
       return f.block ? ratio(f.block->sharedLoadWavefronts, f.block->sharedLoadInstructions)
                      : std::nullopt;
     },
     oneDigit, true},
    {"wavefronts per store", "wavefronts per instruction that stores to shared memory",
     [](const TileFacts& f) {
       return f.block ? ratio(f.block->fillWavefronts(), f.block->fillInstructions())
                      : std::nullopt;
     },
     oneDigit, true},
    {"load conflicts",
     "wavefronts that bank conflicts add to loads from shared memory, in the K tiles of a block "
     "that the window records",
     [](const TileFacts& f) {
       return f.block ? Value(static_cast<double>(f.block->sharedLoadConflicts)) : std::nullopt;
     },
     whole, true},
    {"store conflicts",
     "wavefronts that bank conflicts add to stores to shared memory, in the K tiles of a block "
     "that the window records",
     [](const TileFacts& f) {
       return f.block ? Value(static_cast<double>(f.block->fillConflicts())) : std::nullopt;
     },
     whole, true},
    {"speed", "recorded on an H100",
     [](const TileFacts& f) {
       const auto* run = runOf(f);
       return run != nullptr ? Value(run->gflops.median / 1000) : std::nullopt;
     },
     teraflops},
    {"percent",
     "of cuBLAS, the median of the ratios of short interleaved rounds, recorded on an H100",
     [](const TileFacts& f) {
       const auto* run = runOf(f);
       return run != nullptr ? Value(100 * run->ratio.median) : std::nullopt;
     },
     percent},
    {"cuBLAS", "the speed of cuBLAS in the same runs",
     [](const TileFacts& f) {
       const auto* run = runOf(f);
       return run != nullptr ? Value(run->cublas.median / 1000) : std::nullopt;
     },
     teraflops},
};

}  // namespace

TileFacts factsOf(const Subject& subject, const Problem& problem, std::optional<int> registers,
                  const analysis::Totals* block) {
  const Stage& stage = *subject.rung();
  TileFacts f;
  f.subject() = subject;
  f.problem = problem;
  const Architecture& arch = defaultArchitecture();
  f.legal = isLegal(stage, subject.tile, arch);
  f.derived = derive(stage, subject.tile);
  if (!f.legal) return f;
  f.block = block;
  if (!registers) {
    if (const auto* run = runs::recordedCode(subject, problem, arch)) registers = run->registers;
  }
  f.registers = registers.value_or(expectedRegisters(stage, subject.tile));
  f.occupancy = analysis::occupancy(arch, {f.derived.threads, f.registers, f.derived.sharedBytes});
  return f;
}

std::span<const Quantity> quantities() {
  return kQuantities;
}

tl::expected<Named, std::string> Named::find(std::string_view name) {
  Named found;
  const auto row = std::ranges::find(kQuantities, currentWord(name), &Quantity::name);
  if (row != std::end(kQuantities)) {
    found.row_ = &*row;
    return found;
  }
  if (const auto parameter = parameterNamed(name)) {
    found.parameter_ = *parameter;
    return found;
  }
  return tl::unexpected(fmt::format(
      "there is no quantity \"{}\": \"tileloom lecture quantities\" lists them", quotable(name)));
}

std::string Named::name() const {
  return std::string(row_ != nullptr ? row_->name : tileloom::name(parameter_));
}

std::optional<double> Named::value(const TileFacts& facts) const {
  if (row_ != nullptr) return row_->value(facts);
  const bool has = facts.rung()->spec(parameter_) != nullptr;
  return has ? std::optional<double>(facts.tile[parameter_]) : std::nullopt;
}

std::string Named::text(double value) const {
  return row_ != nullptr ? row_->text(value) : whole(value);
}

}  // namespace tileloom::lecture
