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

#include "kernels/gpu/build.h"
#include "kernels/gpu/build_cache.h"
#include "kernels/gpu/cublas.h"
#include "kernels/gpu/cupti.h"
#include "kernels/gpu/driver.h"
#include "kernels/gpu/kernel_arguments.h"
#include "kernels/gpu/nvml.h"
#include "kernels/gpu/operands.h"
#include "kernels/runs/run_record.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/timeline/measured.h"

namespace tileloom::gpu {

struct MeasureOptions {
  int minRounds = 5;  // of kernel, cuBLAS, cuBLAS, kernel; each round is one sample
  int maxRounds = 200;
  double spread = 0.003;   // of the ratio, at which it ends: see runs::Interval::spread
  double budgetMs = 600;   // after this time no round is begun, once there are minRounds
  double limitMs = 30000;  // longest time of a round; no round is begun after it in any case
};

struct RatioOptions {
  int pairs = 5;  // of kernel and cuBLAS, one after the other, and which comes first changes
  double settleMs = 1000;  // of each turn, that are not timed: power and clock follow slowly
  double turnMs = 2000;    // of each turn, that are timed
  double batchMs = 200;    // that are queued together
  double limitMs = 30000;  // longest time of a launch
};

class Bench {
 public:
  static Result<std::unique_ptr<Bench>> open(std::shared_ptr<const Driver> driver, int device,
                                             std::shared_ptr<const Nvrtc> nvrtc,
                                             const BuildCache* cache);

  // What is missing on this machine, one sentence each. Without cuBLAS results are checked against
  // another rung and there is no ratio; without NVML there are no clocks, watts and throttle
  // reasons.
  const std::vector<std::string>& remarks() const { return remarks_; }
  const Context& context() const { return *context_; }

  // Called after every round with the results so far; it returns false to cancel.
  using Progress = std::function<bool(const runs::RunRecord&)>;

  // Checks the result of one launch (Trouble::WrongResult names the first wrong element), and of a
  // 16-bit arithmetic first of one with operands of +1 and -1, which has to be equal bit for bit;
  // then times rounds of kernel, cuBLAS, cuBLAS, kernel with events until the interval of the ratio
  // is narrow or the budget is spent. A short kernel is launched several times within a sample.
  // After a fatal error (isFatal) this Bench and this process cannot measure any more.
  Result<runs::RunRecord> measure(const Build& build, const Problem& problem,
                                  const MeasureOptions& options, const Progress& progress = {});

  // Checks the result, then reads what the hardware counts during a launch of the kernel: a record
  // with counters and without times, because counting slows a kernel down. The kernel is launched
  // once for each pass that the counters need. `goOn` is asked before each launch and returns false
  // to cancel. Counters that this GPU does not have are left out; Trouble::Missing and
  // ::Unsupported say why none can be read.
  Result<runs::RunRecord> count(const Build& build, const Problem& problem,
                                std::span<const runs::Counter> which, double limitMs = 30000,
                                const std::function<bool()>& goOn = {});

  // Checks the result, then samples where the warps of one launch stand, often enough for some
  // hundred thousand samples. Once per process: see PcSampler. Trouble::Missing and ::Unsupported
  // say why nothing can be sampled.
  Result<runs::StallSamples> sample(const Build& build, const Problem& problem,
                                    double limitMs = 30000);

  // Checks the results of the kernels that stamp, reads what one block of one of them has stamped
  // and what all warps of the other one have added up, and times launches of all three by turns;
  // `stamped` and `summed` are buildStamped() of `plain`. The block is one in the middle of a wave:
  // of the second one if there are so many blocks, else of the first. Trouble::Unsupported: the
  // kernel has no word that is stamped.
  Result<timeline::Measured> stamp(const Build& plain, const Build& stamped, const Build& summed,
                                   const Problem& problem, double limitMs = 30000);

  // Two more ratios to cuBLAS, each of them after the result has been checked. Where there is no
  // cuBLAS, both are Trouble::Missing.
  //
  // At full load for seconds: kernel and cuBLAS by turns, with the SMs' clock and the board's watts
  // while each of them runs, where NVML is there.
  Result<runs::SideBySide> sustained(const Build& build, const Problem& problem,
                                     const RatioOptions& options);
  // Elapsed cycles of the SMs, which no clock changes: counted in single launches of kernel and
  // cuBLAS by turns, each after one that is not counted. Needs what count() needs.
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
  // How many elements of two matrices of m x n floats differ, be it by the last bit.
  Result<unsigned long long> differing(const Buffer& one, const Buffer& other, unsigned m,
                                       unsigned n);
  // Before the first use of a rewritten kernel: runs it and the untouched one on operands_, and
  // takes the untouched one from then on if their results differ.
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
  // Of each rewritten cubin that has been judged, by its hash: why it is not used; empty: it is.
  std::map<std::size_t, std::string> judged_;
};

}  // namespace tileloom::gpu
