// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/base/fnv.h"
#include "kernels/base/plain_text.h"
#include "kernels/gpu/compile/assembler_remarks.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/cached_code.h"
#include "kernels/gpu/compile/paired_lanes.h"
#include "kernels/gpu/compile/stamped_source.h"
#include "kernels/rewrite/rewrite.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {
namespace {

// The number in front of `words`, or nothing.
std::optional<int> numberBefore(const std::string& log, std::string_view words) {
  const std::size_t at = log.find(words);
  if (at == std::string::npos) return std::nullopt;
  std::size_t begin = at;
  while (begin > 0 && log[begin - 1] >= '0' && log[begin - 1] <= '9') --begin;
  int value = 0;
  const auto [end, error] = std::from_chars(log.data() + begin, log.data() + at, value);
  if (error != std::errc() || end != log.data() + at) return std::nullopt;
  return value;
}

// TMA boxes and mbarriers share one array, which is dynamic whatever its size.
int dynamicSharedOf(const Stage& stage, const TileShape& tile) {
  const int bytes = derive(stage, tile).sharedBytes;
  return stage.features().tma || bytes > Architecture::kStaticShared ? bytes : 0;
}

analysis::BlockNeeds needsOf(const Build& build) {
  const Derived d = derive(*build.rung(), build.tile);
  return {d.threads, build.resources.registers, d.sharedBytes};
}

int blocksPerSm(const Build& build, const Architecture& arch) {
  return analysis::occupancy(arch, needsOf(build)).blocks;
}

// Rewrites the main loop, or says why it stays as compiled.
void rewriteLoop(Build& build, const Architecture& arch) {
  Rewriting& rewriting = build.rewriting.emplace();
  if (build.resources.spillStores > 0) {
    rewriting.whyNot = "it spills registers, so its loop accesses local memory";
    return;
  }
  rewrite::Request request;
  request.registerLimit = analysis::mostRegisters(arch, needsOf(build));
  auto rewritten = rewrite::rewriteMainLoop(build.cubin, request);
  if (!rewritten) {
    // The error may quote two instructions, but run records and listings hold short sentences only.
    constexpr std::size_t kLongest = 150;
    rewriting.whyNot = quotable(rewritten.error(), kLongest);
    return;
  }
  rewriting.untouched = std::move(build.cubin);
  rewriting.untouchedRegisters = build.resources.registers;
  rewriting.untouchedLoop = build.loop;
  rewriting.origins = std::move(rewritten->origins);
  build.cubin = std::move(rewritten->cubin);
  build.resources.registers = rewritten->registers;
  build.loop = sass::loopSize(build.cubin, build.rung()->mma()).value_or(sass::LoopSize{});
}

// From the cache, or compiled. `keyTail` names what neither fingerprint nor options include.
Result<Build> compiled(const Nvrtc& nvrtc, const BuildCache* cache, Build build,
                       const std::string& source, const std::vector<std::string>& options,
                       std::string_view keyTail) {
  const std::string key = fmt::format("{} {} nvrtc {} {}{}", build.rung()->id, build.fingerprint,
                                      nvrtc.identity(), fmt::join(options, " "), keyTail);
  const auto take = [&build](const std::string& log, std::vector<char> cubin) {
    build.resources = resourcesOf(log);
    build.remarks = assemblerRemarks(log);
    build.cubin = std::move(cubin);
    build.loop = sass::loopSize(build.cubin, build.rung()->mma()).value_or(sass::LoopSize{});
  };
  // Entries without registers were made by earlier versions from NVRTC's own cache.
  if (auto entry = cachedCode(cache, key); entry && resourcesOf(entry->log).registers >= 0) {
    take(entry->log, std::move(entry->cubin));
    build.milliseconds = 0;
    build.cached = true;
    return build;
  }
  const auto started = std::chrono::steady_clock::now();
  auto output = nvrtc.compile(source, std::string(build.rung()->file), deviceFiles(), options);
  if (!output) return tl::unexpected(output.error());
  build.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  build.cached = false;
  take(output->log, std::move(output->cubin));
  if (cache != nullptr) cache->write(key, {output->log, build.cubin});
  return build;
}

bool compilesFor(const Nvrtc& nvrtc, const Architecture& arch) {
  const auto& known = nvrtc.architectures();  // empty: it does not say
  return known.empty() || std::ranges::find(known, arch.major * 10 + arch.minor) != known.end();
}

}  // namespace

Resources resourcesOf(const std::string& log) {
  Resources r;
  if (const std::size_t used = log.find("Used "); used != std::string::npos) {
    r.registers = numberBefore(log, " registers").value_or(-1);
  }
  r.spillStores = numberBefore(log, " bytes spill stores").value_or(0);
  r.spillLoads = numberBefore(log, " bytes spill loads").value_or(0);
  r.stackBytes = numberBefore(log, " bytes stack frame").value_or(0);
  r.staticShared = numberBefore(log, " bytes smem").value_or(0);
  return r;
}

std::vector<std::string> compileOptions(const Subject& subject, std::string_view arch) {
  const Stage& stage = *subject.rung();
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}", compilerTarget(stage, arch)), "--std=c++17",
      "--ptxas-options=-v"};
  if (const std::string told = assemblerOption(stage); !told.empty())
    options.push_back(fmt::format("--ptxas-options={}", told));
  for (const ParameterSpec& spec : stage.parameters) {
    options.push_back(fmt::format("-D{}={}", name(spec.parameter), subject.tile[spec.parameter]));
  }
  if (subject.format != Format::Fp32)
    options.push_back(fmt::format("-DELEMENT={}", rowOf(subject.format).name));
  if (dynamicSharedOf(stage, subject.tile) > 0) options.emplace_back("-DDYNAMIC_SHARED");
  return options;
}

std::string loopText(const Build& build) {
  if (!build.rewriting) return {};
  const Rewriting& its = *build.rewriting;
  const std::string text = mainLoopText(its.done(), its.whyNot);
  if (!its.done()) return text;
  return fmt::format("{}: {} instructions per iteration, {} as compiled", text,
                     build.loop.instructions, its.untouchedLoop.instructions);
}

Build asCompiled(Build build) {
  if (!build.rewriting || !build.rewriting->done()) return build;
  build.cubin = std::move(build.rewriting->untouched);
  build.resources.registers = build.rewriting->untouchedRegisters;
  build.loop = build.rewriting->untouchedLoop;
  build.rewriting.reset();
  return build;
}

std::vector<Architecture> buildableFor(const Nvrtc& nvrtc) {
  std::vector<Architecture> all;
  for (const Architecture& arch : architectures()) {
    if (compilesFor(nvrtc, arch)) all.push_back(arch);
  }
  return all;
}

Result<Build> buildStage(const Nvrtc& nvrtc, const BuildCache* cache, const Subject& subject,
                         const Architecture& arch, SourceLines lines) {
  const Stage& stage = *subject.rung();
  if (std::string why = whyNotFor(stage, subject.format, arch); !why.empty())
    return fail(Trouble::Unsupported, std::move(why));
  if (const std::string why = explainTile(stage, subject.tile, std::nullopt, arch); !why.empty()) {
    return fail(Trouble::BadRequest, why);
  }
  constexpr int kFirstForHopper = 12;  // which knows sm_90a
  const bool tooOld = stage.features().tma && nvrtc.major() < kFirstForHopper;
  if (tooOld || !compilesFor(nvrtc, arch)) {
    return fail(Trouble::Unsupported,
                fmt::format("NVRTC {} cannot compile for {}: install another version of the "
                            "CUDA Toolkit, or choose another architecture",
                            nvrtc.version(), compilerTarget(stage, arch.name)));
  }
  Build build;
  build.subject() = subject;
  build.arch = fmt::format("sm_{}{}", arch.major, arch.minor);
  build.nvrtc = nvrtc.version();
  build.fingerprint = fingerprintOf(stage);
  build.dynamicShared = dynamicSharedOf(stage, subject.tile);
  std::vector<std::string> options = compileOptions(subject, build.arch);
  const std::string source(sourceText(stage));
  std::string keyTail;
  if (lines == SourceLines::Kept) {
    options.emplace_back("--generate-line-info");
    // A table of lines belongs to this text, whatever its code is.
    Fnv text;
    text.add(source);
    keyTail = fmt::format(" text {}", text.text());
  }
  auto made = compiled(nvrtc, cache, std::move(build), source, options, keyTail);
  if (made && stage.rewriter > 0) rewriteLoop(*made, arch);
  return made;
}

Result<Build> buildStamped(const Nvrtc& nvrtc, const BuildCache* cache, const Build& plain,
                           const Architecture& arch, Stamping stamping) {
  const auto source = stampedSource(sourceText(*plain.rung()));
  if (!source) return tl::unexpected(source.error());
  std::vector<std::string> options = compileOptions(plain, plain.arch);
  std::ranges::copy(stampOptions(stamping), std::back_inserter(options));
  const auto build = [&] {
    Build stamped = plain;
    stamped.stamping = stamping;
    // A timestamped kernel is compiled again, and its loop is not rewritten.
    stamped.rewriting.reset();
    // The fingerprint includes neither the device file nor what has been added to the source.
    return compiled(nvrtc, cache, std::move(stamped), *source, options,
                    fmt::format(" {} {} {}", stamping == Stamping::Sums ? "summed" : "stamped",
                                *source, stampsFile()));
  };
  auto stamped = build();
  const int wanted = blocksPerSm(plain, arch);
  if (!stamped || blocksPerSm(*stamped, arch) >= wanted) return stamped;
  options.push_back(fmt::format("{}{}", kStampedBlocksOption, wanted));
  auto narrow = build();
  const auto spilled = [](const Build& b) { return b.resources.spillStores; };
  return narrow && spilled(*narrow) <= spilled(plain) ? narrow : stamped;
}

Result<Build> buildPaired(const Nvrtc& nvrtc, const BuildCache* cache, const Build& plain) {
  const auto source = pairedLanes(sourceText(*plain.rung()));
  if (!source) return tl::unexpected(source.error());
  Build paired = plain;
  paired.rewriting.reset();
  return compiled(nvrtc, cache, std::move(paired), *source, compileOptions(plain, plain.arch),
                  fmt::format(" paired {}", *source));
}

}  // namespace tileloom::gpu
