// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver: launches and their tensor maps.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/gpu/fake/kernels.h"
#include "tests/gpu/fake/state.h"
#include "tests/gpu/fake/words.h"

namespace tileloom::fake {
namespace {

struct LaunchOf {
  cu::Function function;
  unsigned gridX, gridY, threads, shared;
  cu::Stream stream;
  void** arguments;

  template <class T>
  void argument(int i, T& to) const {
    std::memcpy(&to, arguments[i], sizeof to);
  }
};

// It compares two matrices, as kernels/gpu/measure/check.cu does.
int launchCheck(State& s, const LaunchOf& launch) {
  const bool halves = launch.function->name == "check_halves";
  unsigned m = 0, n = 0, ld = 0;
  DevicePtr got = 0, want = 0, out = 0;
  float absolute = 0, relative = 0;
  launch.argument(0, m), launch.argument(1, n), launch.argument(2, got), launch.argument(3, ld),
      launch.argument(4, want), launch.argument(5, absolute);
  if (halves) launch.argument(6, relative);
  launch.argument(halves ? 8 : 6, out);
  launch.stream->polls = s.b.polls;
  launch.stream->queue.emplace_back([&s, m, n, ld, got, want, absolute, relative, out, halves] {
    const std::size_t bytes = halves ? 2 : 4;
    const auto value = [&s, halves](DevicePtr at, std::size_t i) {
      return halves ? s.halfValue(reinterpret_cast<const std::uint16_t*>(at)[i])
                    : reinterpret_cast<const float*>(at)[i];
    };
    struct {
      unsigned long long wrong, first;
      float largest;
      unsigned padding;
    } verdict;
    Allocation* into = s.holder(out, sizeof verdict);
    if (into == nullptr || ld < n ||
        s.holder(got, (std::size_t{m} * ld - ld + n) * bytes) == nullptr ||
        s.holder(want, std::size_t{m} * n * bytes) == nullptr) {
      return s.lose();
    }
    std::memcpy(&verdict, reinterpret_cast<const void*>(out), sizeof verdict);
    for (std::size_t i = 0; i < std::size_t{m} * n; ++i) {
      const float x = value(got, i / n * ld + i % n), y = value(want, i);
      const float difference = std::fabs(x - y);
      verdict.largest = std::fmax(verdict.largest, difference);
      if (difference <= absolute + relative * std::fmax(std::fabs(x), std::fabs(y))) continue;
      ++verdict.wrong;
      verdict.first = std::min<unsigned long long>(verdict.first, i);
    }
    std::memcpy(reinterpret_cast<void*>(out), &verdict, sizeof verdict);
    ++into->version;
  });
  return cu::kSuccess;
}

int launchCeiling(State& s, const LaunchOf& launch) {
  DevicePtr from = 0, to = 0;
  unsigned long long count = 0;
  unsigned rounds = 0;
  launch.argument(0, from), launch.argument(1, to), launch.argument(2, count),
      launch.argument(3, rounds);
  if (s.holder(from, count * 16) == nullptr || s.holder(to, count * 16) == nullptr) s.lose();
  const bool meant = s.b.only.empty() || s.b.only == launch.function->name;
  if (meant && s.b.hangFrom > 0 && ++s.launches >= s.b.hangFrom) s.hanging = true;
  // pass() counts 2 M N K for a launch.
  s.pass(launch.stream, launch.function->name, 0.5,
         ceilingWork(launch.function->name, launch.gridX, double(launch.threads),
                     double(count) * 16, rounds),
         1);
  return cu::kSuccess;
}

int launchMicroCase(State& s, const LaunchOf& launch) {
  DevicePtr addresses = 0, clocks = 0;
  int turns = 0;
  launch.argument(0, addresses), launch.argument(1, clocks), launch.argument(2, turns);
  const bool meant = s.b.only.empty() || s.b.only == kMicroCase;
  if (meant && s.b.hangFrom > 0 && ++s.launches >= s.b.hangFrom) s.hanging = true;
  launch.stream->polls = s.b.polls;
  launch.stream->queue.emplace_back(
      [&s, addresses, clocks, turns, blocks = launch.gridX, threads = launch.threads] {
        const std::size_t warps = std::size_t{blocks} * threads / 32;
        if (s.holder(addresses, 32 * 4) == nullptr || s.holder(clocks, warps * 16) == nullptr)
          return s.lose();
        auto* const to = reinterpret_cast<std::int64_t*>(clocks);
        for (std::size_t warp = 0; warp < warps; ++warp) {
          to[2 * warp] = 1000;
          to[2 * warp + 1] = 1000 + static_cast<std::int64_t>(kMicroCycles * 256 * turns *
                                                              (static_cast<double>(threads) / 128));
        }
      });
  return cu::kSuccess;
}

// C = alpha A B + beta C, or C = A B of 16-bit elements.
struct Operands {
  unsigned m = 0, n = 0, k = 0;
  float alpha = 0, beta = 0;
  DevicePtr a = 0, b = 0, c = 0;
  bool halves = false;
};

// False: a tensor map describes another matrix, or none. A GPU faults or multiplies something else.
bool readOperands(const LaunchOf& launch, Operands& of) {
  of.halves = isAmong(launch.function->name, kHalfStages);
  launch.argument(0, of.m), launch.argument(1, of.n), launch.argument(2, of.k);
  if (isAmong(launch.function->name, kBoxStages)) {
    FakeMap mapA{}, mapB{};
    launch.argument(3, mapA), launch.argument(4, mapB);
    const auto isOf = [](const FakeMap& map, unsigned rows, unsigned columns) {
      return map.mark == FakeMap::kMark && map.rows == rows && map.columns == columns;
    };
    if (!isOf(mapA, of.m, of.k) || !isOf(mapB, of.k, of.n) || launch.shared == 0) return false;
    of.a = mapA.address, of.b = mapB.address;
    if (isAmong(launch.function->name, kStoredStages)) {
      FakeMap mapC{};
      launch.argument(5, mapC);
      if (!isOf(mapC, of.m, of.n)) return false;
      of.c = mapC.address;
    } else {
      launch.argument(5, of.c);
    }
  } else if (of.halves) {
    launch.argument(3, of.a), launch.argument(4, of.b), launch.argument(5, of.c);
  } else {
    launch.argument(3, of.alpha), launch.argument(4, of.a), launch.argument(5, of.b),
        launch.argument(6, of.beta), launch.argument(7, of.c);
  }
  return true;
}

// The records of a timestamped kernel, or the sums of its waits.
void recordStamps(State& s, const LaunchOf& launch, unsigned k) {
  DevicePtr records = 0;
  unsigned block = 0;
  const auto* variable = static_cast<const char*>(launch.function->module->variable);
  std::memcpy(&records, variable, sizeof records);
  std::memcpy(&block, variable + sizeof records, sizeof block);
  const unsigned warps = launch.threads / 32;
  constexpr std::size_t kPerWarp = 4096, kRecord = 16, kSums = 32;
  const bool sums = launch.function->sums;
  launch.stream->queue.emplace_back([&s, records, block, warps, k,
                                     blocks = std::size_t{launch.gridX} * launch.gridY, sums] {
    if (sums) {
      // Block b, warp w: 10,000 + 2 b + 100 w cycles. They include waits: 1,000 for warps, 2,000
      // for a phase and 3,000 for products.
      const std::size_t all = blocks * warps;
      if (s.holder(records, all * kSums) == nullptr) return s.lose();
      auto* out = reinterpret_cast<std::uint32_t*>(records);
      for (std::size_t i = 0; i < all; ++i) {
        const auto its = static_cast<std::uint32_t>(10'000 + 2 * (i / warps) + 100 * (i % warps));
        const std::uint32_t record[kSums / 4] = {its, 1'000, 2'000, 0, 3'000};
        std::memcpy(out + i * (kSums / 4), record, sizeof record);
      }
      return;
    }
    if (s.holder(records, warps * kPerWarp * kRecord) == nullptr || block >= blocks)
      return s.lose();
    auto* out = reinterpret_cast<std::uint32_t*>(records);
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (std::uint32_t i = 0; i * s.b.stampStep < k; ++i) {
        // Close to the end of the 32-bit range.
        const std::uint32_t begin = 0xFFFFF000u + i * 1000 + warp * 10;
        const std::uint32_t record[] = {s.b.stampWord << 16 | s.b.stampLine, begin, begin + 43,
                                        i * s.b.stampStep};
        const std::size_t at = warp * kPerWarp + std::min<std::size_t>(i, kPerWarp - 1);
        std::memcpy(out + at * 4, record, sizeof record);
      }
    }
  });
}

int launchStage(State& s, const LaunchOf& launch) {
  Operands of;
  if (!readOperands(launch, of)) return cu::kInvalidValue;
  const bool misbehaves = s.b.only.empty() || s.b.only == launch.function->name;
  if (misbehaves) ++s.launches;
  const auto due = [&](int from) { return misbehaves && from > 0 && s.launches >= from; };
  if (due(s.b.abortFrom)) die("aborts in a launch, as told");
  if (due(s.b.hangFrom)) s.hanging = true;
  const bool illegal = due(s.b.illegalFrom);
  const long long wrong = due(s.b.wrongFrom) ? s.b.wrong : -1;
  if (launch.function->name == s.b.slowStage) {
    launch.stream->busyUntil = std::max(launch.stream->busyUntil, Wall::now()) +
                               std::chrono::microseconds(static_cast<long long>(s.b.slowMs * 1e3));
  }
  s.pass(launch.stream, launch.function->name, of.m, of.n, of.k, launch.function->quality);
  if (launch.function->module->variable != nullptr && s.b.stampStep > 0)
    recordStamps(s, launch, of.k);
  launch.stream->queue.emplace_back([&s, of, misbehaves, illegal, wrong] {
    if (illegal) return s.lose();
    const int m = static_cast<int>(of.m), n = static_cast<int>(of.n), k = static_cast<int>(of.k);
    if (of.halves) {
      std::uint16_t* out = s.gemmHalves(m, n, k, of.a, of.b, of.c);
      if (out == nullptr || !misbehaves) return;
      const std::int64_t count = std::int64_t{m} * n;
      if (s.b.zero) std::fill_n(out, count, std::uint16_t{0});
      // One ulp: the least effect of a lost product.
      if (wrong >= 0 && wrong < count) out[wrong] ^= 1u;
      if (s.b.nan >= 0 && s.b.nan < count) out[s.b.nan] = 0x7FFF;
      return;
    }
    float* out = s.gemm(m, n, k, of.alpha, of.a, of.b, of.beta, of.c);
    if (out == nullptr || !misbehaves) return;
    const std::int64_t count = std::int64_t{m} * n;
    if (s.b.zero) std::fill_n(out, count, 0.0f);
    if (wrong >= 0 && wrong < count) out[wrong] += 1.0f;
    if (s.b.nan >= 0 && s.b.nan < count) out[s.b.nan] = std::numeric_limits<float>::quiet_NaN();
  });
  return cu::kSuccess;
}

}  // namespace
}  // namespace tileloom::fake

using namespace tileloom::fake;

extern "C" {

int cuLaunchKernel(cu::Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                   cu::Stream stream, void** arguments, void** extra) {
  ENTER(cuLaunchKernel);
  if (s.streams.count(stream) == 0) return 400;
  if (function == nullptr || arguments == nullptr || extra != nullptr) return cu::kInvalidValue;
  const std::uint64_t threads = std::uint64_t{blockX} * blockY * blockZ;
  if (gridX == 0 || gridY == 0 || gridZ != 1 || gridX > 2147483647u || gridY > 65535 ||
      threads == 0 || threads > 1024 || blockZ > 64 ||
      shared > static_cast<unsigned>(function->dynamicLimit)) {
    return cu::kInvalidValue;
  }
  if (blocksThatFit(s.b, static_cast<int>(threads), s.b.staticShared + static_cast<int>(shared)) ==
      0) {
    return cu::kLaunchOutOfResources;
  }
  s.note(text("launch %s %ux%u %ux%u %u", function->name.c_str(), gridX, gridY, blockX, blockY,
              shared));
  const LaunchOf launch = {function, gridX,  gridY,    static_cast<unsigned>(threads),
                           shared,   stream, arguments};
  if (function->name == "check" || function->name == "check_halves") return launchCheck(s, launch);
  if (std::find(std::begin(kCeilings), std::end(kCeilings), function->name) != std::end(kCeilings))
    return launchCeiling(s, launch);
  if (function->name == kMicroCase) return launchMicroCase(s, launch);
  return launchStage(s, launch);
}

// The invalid cases of cuda.h, for two dimensions and 16-bit elements only.
int cuTensorMapEncodeTiled(cu::TensorMap* map, int type, unsigned rank, void* address,
                           const unsigned long long* sizes, const unsigned long long* strides,
                           const unsigned* box, const unsigned* steps, int interleave, int swizzle,
                           int promotion, int fill) {
  ENTER(cuTensorMapEncodeTiled);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const bool types = type == cu::kTensorMapBfloat16 || type == cu::kTensorMapFloat16;
  const unsigned span = swizzle == 0 ? 512u : 16u << swizzle;  // bytes of a row of the box
  const auto isSide = [](unsigned side) { return side > 0 && side <= 256; };
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || at == 0 || at % 16 != 0 || !types ||
      rank != 2 || sizes[0] == 0 || sizes[1] == 0 || sizes[0] >> 32 != 0 || sizes[1] >> 32 != 0 ||
      strides[0] % 16 != 0 || strides[0] != 2 * sizes[0] || !isSide(box[0]) || !isSide(box[1]) ||
      2 * box[0] % 16 != 0 || 2 * box[0] > span || steps[0] != 1 || steps[1] != 1 ||
      interleave != 0 || swizzle < 0 || swizzle > 3 || promotion < 0 || promotion > 3 ||
      fill != cu::kTensorMapZeros) {
    return cu::kInvalidValue;
  }
  const FakeMap made = {FakeMap::kMark,
                        at,
                        sizes[0],
                        sizes[1],
                        static_cast<std::uint32_t>(type),
                        box[0],
                        box[1],
                        static_cast<std::uint32_t>(swizzle)};
  std::memcpy(map->opaque, &made, sizeof made);
  s.note(text("map %llux%llu box %ux%u swizzle %d type %d", sizes[1], sizes[0], box[1], box[0],
              swizzle, type));
  return cu::kSuccess;
}

}  // extern "C"

SAME(cuLaunchKernel);
SAME(cuTensorMapEncodeTiled);
