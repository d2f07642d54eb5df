// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/same_bits.h"

#include <chrono>
#include <cstring>

#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/gpu/measure/loaded_stage.h"

namespace tileloom::gpu {
namespace {

constexpr std::chrono::seconds kLimit{20};

Result<Buffer> uploaded(const Context& context, const std::vector<std::uint8_t>& bytes) {
  if (bytes.empty()) return Buffer();
  auto buffer = context.allocate(bytes.size());
  if (!buffer) return buffer;
  if (const auto done = context.upload(*buffer, std::as_bytes(std::span(bytes))); !done)
    return tl::unexpected(done.error());
  return buffer;
}

}  // namespace

Result<SameBits> sameBits(const Context& context, const Build& build, const Problem& problem,
                          std::uint32_t seed) {
  auto host = RungLaunch::of(build, problem, context.device().sms);
  if (!host) return fail(Trouble::Unsupported, host.error());
  host->alpha = kAlpha;
  host->beta = kBeta;
  host->randomise(seed);

  auto loaded = loadStage(context, build, build.cubin, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  Operands operands;
  operands.format = build.format;
  operands.problem = operands.padded = host->padded();
  for (const auto& [from, to] : {std::pair(&host->a(), &operands.a),
                                 {&host->b(), &operands.b},
                                 {&host->c(), &operands.work},
                                 {&host->parts(), &operands.left}}) {
    auto buffer = uploaded(context, *from);
    if (!buffer) return tl::unexpected(buffer.error());
    *to = std::move(*buffer);
  }
  auto arguments = KernelArguments::of(context.driver(), *build.rung(), build.tile, operands);
  if (!arguments) return tl::unexpected(arguments.error());
  if (const auto done = launchStage(context, *loaded, *arguments); !done)
    return tl::unexpected(done.error());
  if (const auto done = context.wait(std::chrono::steady_clock::now() + kLimit); !done)
    return tl::unexpected(done.error());
  std::vector<std::uint8_t> device(host->c().size());
  if (const auto done = context.download(std::as_writable_bytes(std::span(device)), operands.work);
      !done)
    return tl::unexpected(done.error());

  if (const auto executed = host->execute(); !executed)
    return fail(Trouble::Unsupported, executed.error());
  SameBits result;
  const auto bytes = static_cast<std::size_t>(rowOf(build.format).bytesOf(1));
  for (std::size_t at = 0; at + bytes <= device.size(); at += bytes) {
    ++result.elements;
    if (std::memcmp(device.data() + at, host->c().data() + at, bytes) == 0) continue;
    if (result.different++ != 0) continue;
    result.first = at / bytes;
    std::memcpy(&result.device, device.data() + at, bytes);
    std::memcpy(&result.executed, host->c().data() + at, bytes);
  }
  return result;
}

}  // namespace tileloom::gpu
