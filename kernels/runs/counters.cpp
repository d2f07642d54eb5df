// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/counters.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"

namespace tileloom::runs {
namespace {

constexpr double kPercent = 0.01;

constexpr auto kSpecs = std::to_array<CounterSpec>({
    {Counter::SmBusy, "sm_busy", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed", kPercent},
    {Counter::FmaPipe, "fma_pipe", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
     kPercent},
    {Counter::InstructionsPerCycle, "instructions_per_cycle",
     "sm__inst_executed.avg.per_cycle_active"},
    {Counter::AchievedOccupancy, "achieved_occupancy",
     "sm__warps_active.avg.pct_of_peak_sustained_active", kPercent},
    {Counter::DramBytes, "dram_bytes", "dram__bytes.sum"},
    {Counter::L2Bytes, "l2_bytes", "lts__t_bytes.sum"},
    {Counter::TensorPipe, "tensor_pipe",
     "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active", kPercent},
    {Counter::StalledGmma, "stalled_gmma",
     "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"},
    {Counter::StalledBarrier, "stalled_barrier",
     "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    {Counter::StalledLongScoreboard, "stalled_long_scoreboard",
     "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    {Counter::StalledShortScoreboard, "stalled_short_scoreboard",
     "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"},
    {Counter::StalledMioThrottle, "stalled_mio_throttle",
     "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"},
    {Counter::StalledLgThrottle, "stalled_lg_throttle",
     "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"},
    {Counter::StalledMathPipe, "stalled_math_pipe",
     "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"},
    {Counter::StalledDispatch, "stalled_dispatch",
     "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio"},
    {Counter::StalledWait, "stalled_wait",
     "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"},
    {Counter::StalledNoInstruction, "stalled_no_instruction",
     "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"},
    {Counter::StalledNotSelected, "stalled_not_selected",
     "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"},
    {Counter::StalledSelected, "stalled_selected",
     "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"},
    // Only those that some lane executes: before a wait for asynchronous copies, the compiler puts
    // three dummy loads, and the hardware's counters include some or all of them.
    {Counter::SharedLoadInstructions, "shared_load_instructions",
     "smsp__sass_inst_executed_op_shared_ld.sum"},
    {Counter::SharedLoadWavefronts, "shared_load_wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {Counter::SharedLoadConflicts, "shared_load_conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {Counter::SharedStoreInstructions, "shared_store_instructions",
     "smsp__inst_executed_op_shared_st.sum"},
    {Counter::SharedStoreWavefronts, "shared_store_wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {Counter::SharedStoreConflicts, "shared_store_conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {Counter::GlobalFetchRequests, "global_fetch_requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {Counter::GlobalFetchSectors, "global_fetch_sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {Counter::GlobalStoreRequests, "global_store_requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {Counter::GlobalStoreSectors, "global_store_sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {Counter::FfmaThreadInstructions, "ffma_thread_instructions",
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {Counter::TensorInstructions, "tensor_instructions",
     "sm__inst_executed_pipe_tensor_op_hmma.sum"},
    {Counter::MatrixLoadInstructions, "matrix_load_instructions",
     "smsp__inst_executed_op_ldsm.sum"},
    {Counter::MatrixLoadWavefronts, "matrix_load_wavefronts",
     "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum"},
    {Counter::MatrixLoadConflicts, "matrix_load_conflicts",
     "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum"},
    {Counter::ProductInstructions, "wgmma_instructions",
     "smsp__sass_inst_executed_op_shared_gmma.sum"},
    {Counter::ProductWavefronts, "wgmma_wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum"},
    {Counter::ProductConflicts, "wgmma_conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum"},
    {Counter::BoxInstructions, "tma_load_instructions", "smsp__inst_executed_op_tma_ld.sum"},
    {Counter::BoxBytes, "tma_load_bytes",
     "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"},
    {Counter::AsyncInstructions, "async_copy_instructions", "smsp__inst_executed_op_ldgsts.sum"},
    {Counter::AsyncSectors, "async_copy_sectors",
     "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"},
    {Counter::AsyncWavefronts, "async_copy_wavefronts",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"},
    {Counter::AsyncConflicts, "async_copy_conflicts",
     "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"},
    {Counter::SharedLoadWavefrontsAlone, "shared_load_wavefronts_alone",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {Counter::SharedStoreWavefrontsAlone, "shared_store_wavefronts_alone",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
});
constexpr std::size_t kCounterCount = kSpecs.size();

constexpr bool inOrder() {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    if (static_cast<std::size_t>(kSpecs[i].counter) != i) return false;
  }
  return true;
}
static_assert(inOrder());

constexpr auto kLive = std::to_array<Counter>({Counter::SmBusy,
                                               Counter::FmaPipe,
                                               Counter::InstructionsPerCycle,
                                               Counter::AchievedOccupancy,
                                               Counter::DramBytes,
                                               Counter::L2Bytes,
                                               Counter::TensorPipe,
                                               Counter::StalledGmma,
                                               Counter::SharedLoadConflicts,
                                               Counter::SharedStoreConflicts,
                                               Counter::StalledBarrier,
                                               Counter::StalledLongScoreboard,
                                               Counter::StalledShortScoreboard,
                                               Counter::StalledMioThrottle,
                                               Counter::StalledLgThrottle,
                                               Counter::StalledMathPipe,
                                               Counter::StalledDispatch,
                                               Counter::StalledWait,
                                               Counter::StalledNoInstruction,
                                               Counter::StalledNotSelected,
                                               Counter::StalledSelected});

constexpr auto kExact = [] {
  constexpr auto kFirst = static_cast<std::size_t>(Counter::SharedLoadInstructions);
  std::array<Counter, kCounterCount - kFirst> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<Counter>(kFirst + i);
  return list;
}();

nlohmann::ordered_json figure(double value) {
  if (!std::isfinite(value)) return nullptr;
  constexpr double kExactly = 9e15;  // every whole number up to here is a double
  if (std::abs(value) < kExactly && value == std::trunc(value))
    return static_cast<std::int64_t>(value);
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

}  // namespace

std::span<const CounterSpec> counterSpecs() {
  return kSpecs;
}

const CounterSpec& specOf(Counter counter) {
  return kSpecs[static_cast<std::size_t>(counter)];
}

std::span<const Counter> liveCounters() {
  return kLive;
}

std::span<const Counter> exactCounters() {
  return kExact;
}

nlohmann::ordered_json toJson(const Counters& counters) {
  auto json = nlohmann::ordered_json::object();
  for (const CounterSpec& spec : kSpecs) {
    if (const auto value = counters[spec.counter]) json[std::string(spec.key)] = figure(*value);
  }
  return json;
}

tl::expected<Counters, std::string> countersFrom(const nlohmann::json& json) {
  constexpr double kMost = 1e18;
  JsonReader reader(json, {.before = "", .after = " of \"counters\"", .whole = "\"counters\""});
  Counters counters;
  for (const CounterSpec& spec : kSpecs) {
    if (reader.find(spec.key) != nullptr)
      counters.set(spec.counter, reader.number(spec.key, 0, kMost));
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return counters;
}

}  // namespace tileloom::runs
