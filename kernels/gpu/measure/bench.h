// SPDX-License-Identifier: GPL-3.0-or-later
// Measures compiled stages on one device: it checks the result first, then it measures the speed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/counters/cupti.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/gpu/measure/cublas.h"
#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/gpu/measure/operands.h"
#include "kernels/runs/run_record.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::gpu {

struct MeasureOptions {
  int minRounds = 5;  // of kernel, cuBLAS, cuBLAS, kernel; each round is one sample
  int maxRounds = 200;
  double spread = 0.003;   // of the ratio, at which it ends: see runs::Interval::spread
  double budgetMs = 600;   // no round begins after this time, once there are minRounds
  double limitMs = 30000;  // longest time of a round; no round begins after it in any case
};

struct RatioOptions {
  int pairs = 5;           // of kernel and cuBLAS, alternately; the order changes
  double settleMs = 1000;  // untimed part of each turn: power and clock follow slowly
  double turnMs = 2000;    // timed part of each turn
  double batchMs = 200;    // launches that are queued together
  double limitMs = 30000;  // longest time of a launch
};

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

  // Called after every round with the results so far. It returns false to cancel.
  using Progress = std::function<bool(const runs::RunRecord&)>;

  // Checks the result of one launch (Trouble::WrongResult names the first wrong element). For a
  // 16-bit arithmetic it first checks a launch with operands of +1 and -1, which must be equal bit
  // for bit. Then it times rounds of kernel, cuBLAS, cuBLAS, kernel with events until the interval
  // of the ratio is narrow or the budget is spent. A short kernel is launched several times within
  // a sample. After a fatal error (isFatal) this Bench and this process cannot measure any more.
  Result<runs::RunRecord> measure(const Build& build, const Problem& problem,
                                  const MeasureOptions& options, const Progress& progress = {});

  // Checks the result, then reads the hardware counters of a launch. The record has counters but no
  // times, because counting slows a kernel down. The kernel is launched once for each pass that the
  // counters need. `goOn` is called before each launch and returns false to cancel. Counters that
  // this GPU does not have are left out. Trouble::Missing and ::Unsupported say why none can be
  // read.
  Result<runs::RunRecord> count(const Build& build, const Problem& problem,
                                std::span<const runs::Counter> which, double limitMs = 30000,
                                const std::function<bool()>& goOn = {});

  // Checks the result, then samples the program counters of the warps in one launch, often enough
  // for some hundred thousand samples. Once per process: see PcSampler. Trouble::Missing and
  // ::Unsupported say why sampling is not possible.
  Result<runs::StallSamples> sample(const Build& build, const Problem& problem,
                                    double limitMs = 30000);

  // Checks the results of the timestamped kernels, reads what one block of `stamped` has recorded
  // and what all warps of `summed` have added up, and times launches of all three kernels
  // alternately. `stamped` and `summed` are buildStamped() of `plain`. The block is in the middle
  // of a wave: of the second one if there are enough blocks, else of the first.
  // Trouble::Unsupported: the kernel has no operation that is timestamped.
  Result<timeline::Measured> stamp(const Build& plain, const Build& stamped, const Build& summed,
                                   const Problem& problem, double limitMs = 30000);

  // Two more ratios to cuBLAS, each measured after the result has been checked. Without cuBLAS both
  // are Trouble::Missing.
  //
  // At full load for seconds: kernel and cuBLAS alternately, with the SM clock and the board's
  // watts while each of them runs, if NVML is available.
  Result<runs::SideBySide> sustained(const Build& build, const Problem& problem,
                                     const RatioOptions& options);
  // Elapsed SM cycles, which do not depend on the clock: counted in single launches of kernel and
  // cuBLAS alternately, each after a launch that is not counted. Needs what count() needs.
  Result<runs::SideBySide> cycles(const Build& build, const Problem& problem,
                                  const RatioOptions& options);

 private:
  Bench() = default;
  struct Loaded {
    Kernel kernel;
    Launch shape;
    Problem padded;
    KernelArguments arguments;  // for operands_, once these are filled
    bool rewritten = false;     // see runs::RunRecord
    std::string whyNotRewritten;
  };

  Result<void> makeReference(Operands& o, const Stage& measured);
  Result<void> checkResult(const Operands& o, runs::RunRecord& record);
  // The number of elements in which two matrices of m x n floats differ, even by the last bit only.
  Result<unsigned long long> differing(const Buffer& one, const Buffer& other, unsigned m,
                                       unsigned n);
  // Before the first use of a rewritten kernel: runs it and the untouched one on operands_, and
  // uses the untouched one from then on if their results differ.
  Result<void> judgeRewritten(const Build& build, Loaded& loaded);
  Result<Loaded> loadKernel(const Build& build, std::span<const char> cubin,
                            const Problem& problem) const;
  Result<void> checkSigns(const Build& build, const Problem& problem, const Loaded& loaded,
                          runs::RunRecord& record);
  Result<Loaded> prepare(const Build& build, const Problem& problem);
  Result<void> fill(Operands& o, const Build& build, const Problem& problem, Values values,
                    const Problem& padded);
  Result<Loaded> prepareChecked(const Build& build, const Problem& problem, double limitMs);
  Result<void> openCupti();
  Result<double> timed(const std::function<Result<void>()>& work);  // ms
  struct Turn;
  Result<Turn> turn(const std::function<Result<void>()>& work, const RatioOptions& options);
  runs::RunRecord describe(const Build& build, const Problem& problem, const Loaded& loaded) const;
  Result<Loaded> loadStage(const Build& build, const Problem& problem) const;
  Result<void> launch(const Loaded& loaded) const;  // on operands_
  Result<void> launch(const Loaded& loaded, KernelArguments arguments) const;
  Result<void> multiply(const Operands& o, const Buffer& into) const;  // by cuBLAS
  Result<void> library(int times) const;

  std::unique_ptr<Context> context_;  // first, so that it outlives the members below
  std::shared_ptr<const Nvrtc> nvrtc_;
  const BuildCache* cache_ = nullptr;
  std::unique_ptr<Cublas> cublas_;
  std::unique_ptr<Nvml> nvml_;
  std::unique_ptr<Cupti> cupti_;  // opened by the first call of count()
  Kernel check_, checkHalves_;
  Buffer verdict_;
  std::array<Event, 5> events_;
  Operands operands_;  // that are timed
  Operands signs_;     // of a 16-bit arithmetic, for which results are exact
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::string> remarks_;
  // For each rewritten cubin that has been compared, by its hash: why it is not used. Empty: it is
  // used.
  std::map<std::size_t, std::string> judged_;
};

}  // namespace tileloom::gpu
