// SPDX-License-Identifier: GPL-3.0-or-later
// One device on which compiled stages are measured. It loads a stage, fills its operands and checks
// its result. Each measurement is a function of a Bench: measureSpeed() in speed.h, readCounters()
// in counting.h, sampleStalls() in stall_sampling.h, stampStage() in stamping.h, sustainedRatio()
// in sustained_ratio.h and cycleRatio() in cycle_ratio.h.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/counters/cupti.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/gpu/measure/cublas.h"
#include "kernels/gpu/measure/loaded_stage.h"
#include "kernels/gpu/measure/operands.h"
#include "kernels/gpu/measure/result_check.h"
#include "kernels/runs/run_record.h"

namespace tileloom::gpu {

// Of a launch: useful ones, without the padding.
inline double flopsOf(const Problem& p) {
  return 2.0 * p.m * p.n * p.k;
}

// After a fatal error (isFatal) a Bench and its process cannot measure any more.
class Bench {
 public:
  static Result<std::unique_ptr<Bench>> open(std::shared_ptr<const Driver> driver, int device,
                                             std::shared_ptr<const Nvrtc> nvrtc,
                                             const BuildCache* cache);

  // What is missing on this machine, one sentence each. Without cuBLAS, results are checked against
  // another rung and there is no ratio. Without NVML there are no clocks, watts and throttle
  // reasons.
  const std::vector<std::string>& remarks() const { return remarks_; }
  const Context& context() const { return *context_; }

  // ---- for the measurements
  bool hasCublas() const { return cublas_ != nullptr; }
  const Nvml* nvml() const { return nvml_.get(); }  // nullptr: it is missing
  // Opened by the first call, and kept. CUPTI instruments the kernels that are loaded afterwards.
  Result<const Cupti*> cupti();

  // From now on, what does not end within this time counts as hanging.
  void allow(double limitMs);
  // Until the GPU has done everything. Trouble::TimedOut: the time of allow() is over.
  Result<void> wait() const;

  // The kernel is loaded, the operands are filled, the reference is known, C has its initial
  // values. A rewritten kernel is compared with the untouched one before its first use; if their
  // results differ, the untouched one is loaded from then on.
  Result<LoadedStage> prepare(const Build& build, const Problem& problem);
  // The same after allow(limitMs), and the result of a launch is correct.
  Result<LoadedStage> prepareChecked(const Build& build, const Problem& problem, double limitMs);
  Result<LoadedStage> load(const Build& build, const Problem& problem) const;
  // What is known about a run before its first launch.
  runs::RunRecord describe(const Build& build, const Problem& problem,
                           const LoadedStage& loaded) const;

  // Queues a launch on the operands, or `times` products of cuBLAS of the same operands.
  Result<void> launch(const LoadedStage& loaded) const;
  Result<void> library(int times) const;

  // Compares the result of the last launch with the reference: `record` gets the largest error.
  // Trouble::WrongResult names the first wrong element.
  Result<void> checkResult(runs::RunRecord& record) const;
  // For a 16-bit arithmetic: the same of a launch of its own, with operands of +1 and -1, which
  // must be equal bit for bit.
  Result<void> checkSigns(const Build& build, const Problem& problem, const LoadedStage& loaded,
                          runs::RunRecord& record);

  // Events in the stream, by number: as many as a round of measureSpeed() needs.
  static constexpr std::size_t kEvents = 5;
  Result<void> record(std::size_t event) const;
  Result<double> milliseconds(std::size_t from, std::size_t to) const;
  // The milliseconds of what `work` queues, by the first two events.
  Result<double> timed(const std::function<Result<void>()>& work) const;

 private:
  Bench() = default;

  Result<void> makeReference(Operands& o, const Stage& measured);
  Result<void> checkOperands(const Operands& o, runs::RunRecord& record) const;
  Result<void> judgeRewritten(const Build& build, LoadedStage& loaded);
  // Operands and reference are ready, and C has its initial values.
  Result<void> fill(Operands& o, const Build& build, const Problem& problem, Values values,
                    const Problem& padded);
  Result<void> multiply(const Operands& o, const Buffer& into) const;  // by cuBLAS

  std::unique_ptr<Context> context_;  // first, so that it outlives the members below
  std::shared_ptr<const Nvrtc> nvrtc_;
  const BuildCache* cache_ = nullptr;
  std::unique_ptr<Cublas> cublas_;
  std::unique_ptr<Nvml> nvml_;
  std::unique_ptr<Cupti> cupti_;
  std::unique_ptr<ResultCheck> check_;
  std::array<Event, kEvents> events_;
  Operands operands_;  // that are timed
  Operands signs_;     // of a 16-bit arithmetic, for which results are exact
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::string> remarks_;
  // For each rewritten cubin that has been compared, by its hash: why it is not used. Empty: it is
  // used.
  std::map<std::size_t, std::string> judged_;
};

}  // namespace tileloom::gpu
