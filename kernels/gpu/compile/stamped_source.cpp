// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/stamped_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernels/tile/stage.h"
#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::gpu {
namespace {

constexpr std::string_view kFile = "kernels/device/stamps.cuh";

}  // namespace

Result<std::string> stampedSource(std::string_view text) {
  const auto none = [](std::string_view what) {
    return fail(
        Trouble::Failed,
        fmt::format(
            "this kernel's source has no {}, so timestamps cannot be inserted: choose another rung",
            what));
  };
  constexpr std::ptrdiff_t kMostLines = 0xFFFF;  // a timestamp has 16 bits for its line
  if (const auto lines = std::ranges::count(text, '\n'); lines > kMostLines) {
    return fail(Trouble::Unsupported,
                fmt::format("this kernel's source has {} lines, but timestamps can name only {}: "
                            "choose another rung",
                            lines, kMostLines));
  }
  const std::size_t include = text.rfind("\n#include ");
  if (include == std::string_view::npos) return none("#include of a device file");
  const std::size_t behind = std::min(text.find('\n', include + 1), text.size() - 1) + 1;
  // "KERNEL(id, threads)\n(parameters) {"
  std::size_t kernel = text.find("KERNEL", behind);
  while (kernel != std::string_view::npos) {
    const std::size_t line = text.rfind('\n', kernel) + 1;
    const std::string_view before = text.substr(line, kernel - line);
    if (std::ranges::all_of(before, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); }))
      break;
    kernel = text.find("KERNEL", kernel + 1);
  }
  if (kernel == std::string_view::npos) return none("line that begins with KERNEL");
  const std::size_t brace = text.find(") {", kernel);
  if (brace == std::string_view::npos) return none("\") {\" after its parameters");
  const std::size_t body = brace + 3;
  const auto next = 1 + std::ranges::count(text.substr(0, behind), '\n');
  return fmt::format("{}#include \"{}\"\n#line {}\n{} TILELOOM_STAMPING;{}", text.substr(0, behind),
                     kFile, next, text.substr(behind, body - behind), text.substr(body));
}

std::vector<std::string> stampOptions(Stamping stamping) {
  std::vector<std::string> options = timeline::stampWordOptions();
  if (stamping == Stamping::Sums) options.emplace_back("-DTILELOOM_SUMMING=1");
  options.push_back(fmt::format("-DTILELOOM_STAMPS={}u", kStampsPerWarp));
  return options;
}

std::string_view stampsFile() {
  for (const SourceFile& file : deviceFiles()) {
    if (file.name == kFile) return file.text;
  }
  return {};
}

Result<Stamps> readStamps(std::span<const StampRecord> records, int k, int stepK) {
  Stamps all;
  const auto broken = [] {
    return fail(Trouble::Failed, "the timestamps are not valid: recompile with --no-cache");
  };
  // The clock has 32 bits and may wrap around during a block.
  std::optional<std::uint32_t> origin;
  std::int64_t earliest = 0;
  const auto sinceOrigin = [&](std::uint32_t clock) {
    return static_cast<std::int64_t>(static_cast<std::int32_t>(clock - *origin));
  };
  struct Read {
    timeline::Stamp stamp;
    std::int64_t begin = 0, end = 0;
  };
  std::vector<std::vector<Read>> warps;
  for (std::size_t first = 0; first + kStampsPerWarp <= records.size(); first += kStampsPerWarp) {
    auto of = records.subspan(first, kStampsPerWarp);
    if (of.back().what != 0) {  // overwritten by all that did not fit
      all.full = true;
      of = of.first(of.size() - 1);
    }
    std::vector<Read>& warp = warps.emplace_back();
    for (const StampRecord& r : of) {
      if (r.what == 0) break;
      if (!origin) origin = r.begin;
      Read read;
      read.begin = sinceOrigin(r.begin);
      read.end = sinceOrigin(r.end);
      const std::uint32_t word = r.what >> 16 & 0xFF;
      const bool inOrder =
          read.begin <= read.end && (warp.empty() || warp.back().end <= read.begin);
      if (timeline::stampWord(word) == nullptr || !inOrder) return broken();
      read.stamp.word = static_cast<std::uint8_t>(word);
      read.stamp.groups = static_cast<std::uint8_t>(r.what >> 24);
      read.stamp.line = static_cast<std::uint16_t>(r.what & 0xFFFF);
      if (r.k0 < static_cast<std::uint32_t>(k))
        read.stamp.kTile = r.k0 / static_cast<std::uint32_t>(std::max(1, stepK));
      earliest = std::min(earliest, read.begin);
      warp.push_back(read);
    }
  }
  if (!origin) {
    return fail(Trouble::Unsupported,
                "this kernel has no operation that is timestamped: choose a rung with K tiles");
  }
  for (const auto& warp : warps) {
    auto& stamps = all.warps.emplace_back();
    for (const Read& read : warp) {
      timeline::Stamp stamp = read.stamp;
      stamp.begin = static_cast<std::uint32_t>(read.begin - earliest);
      stamp.end = static_cast<std::uint32_t>(read.end - earliest);
      stamps.push_back(stamp);
    }
  }
  return all;
}

Result<std::vector<timeline::WarpTime>> readSums(std::span<const SumRecord> records,
                                                 std::size_t warps) {
  std::vector<timeline::WarpTime> times(warps);
  const auto blocks = static_cast<double>(records.size() / std::max<std::size_t>(1, warps));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const SumRecord& r = records[i];
    timeline::WarpTime& its = times[i % warps];
    std::uint64_t waits = 0;
    for (std::size_t sum = 0; sum < r.on.size(); ++sum) {
      waits += r.on[sum];
      its.on[sum] += r.on[sum] / blocks;
    }
    its.all += r.all / blocks;
    if (r.all == 0 || waits > r.all) {
      return fail(Trouble::Failed,
                  "the sums of waiting times are not valid: recompile with --no-cache");
    }
  }
  return times;
}

}  // namespace tileloom::gpu
