// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that need a compiler or a GPU share.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/commands/common/outcome.h"
#include "app/commands/common/parse.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/speed.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

// Sets the exit status that belongs to the trouble: kUserError for a bad request, kFoundFaults for
// a wrong result, kNoGpu for what this machine lacks or could not do.
void failWith(Outcome& outcome, const Error& error);

struct GpuOptions {
  std::string device = "0";
  std::string limit = "30";  // seconds
  bool noCache = false;
};
void addGpuOptions(Command command, GpuOptions& options);  // --device and --limit
void addCacheOption(Command command, bool& noCache);       // --no-cache

// A device that is ready to measure, with compiler and cache.
class Measuring {
 public:
  static Result<std::unique_ptr<Measuring>> open(int device, bool useCache);

  gpu::Bench& bench() { return *bench_; }
  const gpu::DeviceInfo& device() const { return bench_->context().device(); }
  const gpu::Nvrtc& nvrtc() const { return *nvrtc_; }
  const gpu::BuildCache* cache() const { return cache_ ? &*cache_ : nullptr; }
  std::string driverVersion() const;  // as a run record has it; empty: unknown
  Architecture arch() const { return gpu::architectureOf(device()); }

  Result<gpu::Build> build(const Subject& subject) const;

  Result<runs::RunRecord> run(const Subject& subject, const Problem& problem,
                              const gpu::MeasureOptions& options);

  // A record without times: see gpu::readCounters.
  Result<runs::RunRecord> count(const Subject& subject, const Problem& problem,
                                std::span<const runs::Counter> which, double limitMs);

  // A hanging kernel or a lost context cannot be cleaned up: the caller must end the process.
  static void abandon(std::unique_ptr<Measuring> measuring, Outcome& outcome);

 private:
  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  std::optional<gpu::BuildCache> cache_;
  std::unique_ptr<gpu::Bench> bench_;
};

// The path of this executable, to start another process of it.
std::string thisProgram();

// What a run is compared with: "cuBLAS in pedantic FP32".
std::string libraryText(Format format);

// "36,339" with "± 0.4 %", or with "noisy, ± 5 %"; "" and "" where nothing is known.
std::string figureText(const runs::Interval& gflops);
std::string spreadText(const runs::Interval& interval);

}  // namespace tileloom::app
