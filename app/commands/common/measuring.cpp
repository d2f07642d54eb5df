// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/measuring.h"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/gpu/measure/counting.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {

void failWith(Outcome& outcome, const Error& error) {
  outcome.fail(error.text);
  switch (error.trouble) {
    case Trouble::BadRequest:
      outcome.status = kUserError;
      break;
    case Trouble::WrongResult:
      outcome.status = kFoundFaults;
      break;
    default:
      outcome.status = kNoGpu;
  }
}

void addGpuOptions(Command command, GpuOptions& options) {
  command.addOption("--device", options.device, "Number of the GPU (0 by default): see devices")
      .typeName("N");
  command
      .addOption("--limit", options.limit,
                 "Seconds after which a kernel counts as hanging (30 by default)")
      .typeName("S");
}

void addCacheOption(Command command, bool& noCache) {
  command.addFlag("--no-cache", noCache, "Recompile, and keep nothing on disk");
}

Result<std::unique_ptr<Measuring>> Measuring::open(int device, bool useCache) {
  auto measuring = std::make_unique<Measuring>();
  auto driver = gpu::Driver::load();
  if (!driver) return tl::unexpected(driver.error());
  auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  measuring->nvrtc_ = *nvrtc;
  if (useCache) measuring->cache_.emplace();
  auto bench = gpu::Bench::open(*driver, device, *nvrtc, measuring->cache());
  if (!bench) return tl::unexpected(bench.error());
  measuring->bench_ = std::move(*bench);
  return measuring;
}

Result<gpu::Build> Measuring::build(const Subject& subject) const {
  return gpu::buildStage(*nvrtc_, cache(), subject, arch());
}

Result<runs::RunRecord> Measuring::run(const Subject& subject, const Problem& problem,
                                       const gpu::MeasureOptions& options) {
  const auto built = build(subject);
  if (!built) return tl::unexpected(built.error());
  return gpu::measureSpeed(*bench_, *built, problem, options);
}

Result<runs::RunRecord> Measuring::count(const Subject& subject, const Problem& problem,
                                         std::span<const runs::Counter> which, double limitMs) {
  const auto built = build(subject);
  if (!built) return tl::unexpected(built.error());
  return gpu::readCounters(*bench_, *built, problem, which, limitMs);
}

std::string libraryText(Format format) {
  return format == Format::Fp32 ? "cuBLAS in pedantic FP32"
                                : fmt::format("cuBLAS (cublasGemmEx) in {}", rowOf(format).words);
}

std::string Measuring::driverVersion() const {
  const auto nvml = gpu::Nvml::open(device().bus);
  return nvml ? (*nvml)->driverVersion() : "";
}

void Measuring::abandon(std::unique_ptr<Measuring> measuring, Outcome& outcome) {
  [[maybe_unused]] Measuring* const left = measuring.release();
  outcome.leaveAtOnce = true;
}

std::string thisProgram() {
  std::error_code unreadable;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? std::string("tileloom") : path.string();
}

std::string figureText(const runs::Interval& gflops) {
  if (!gflops.known()) return "";
  return gflops.median < 100 ? fmt::format("{:.1f}", gflops.median) : wholeText(gflops.median);
}

std::string spreadText(const runs::Interval& interval) {
  if (!interval.known()) return "";
  const double percent = 100 * interval.spread();
  return fmt::format("{}+-{:.{}f} %", interval.spread() > runs::kNoisySpread ? "noisy, " : "",
                     percent, percent < 1 ? 1 : 0);
}

}  // namespace tileloom::app
