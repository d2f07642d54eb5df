// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/fake/state.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "kernels/base/half_formats.h"
#include "tests/gpu/fake/words.h"

namespace tileloom::fake {
namespace {

// sum = keep * sum + factor * values. Most of the work of this library: not checked access by
// access under sanitizers, because the caller has checked that the memory exists.
__attribute__((no_sanitize("address"), no_sanitize("undefined"), noinline)) void accumulate(
    float* sum, float keep, float factor, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] = keep * sum[i] + factor * values[i];
}

}  // namespace

void State::start() {
  if (known) return;
  known = true;
  b = behaviourFromEnvironment();
  random.seed(b.seed);
}

int State::forced(const char* function) {
  start();
  const int call = ++calls[function];
  const auto it = b.failures.find(function);
  return it != b.failures.end() && call >= it->second.from ? it->second.result : 0;
}

void State::note(const std::string& line) {
  if (log.size() < (8u << 20)) log += line + "\n";
}

std::size_t State::used() const {
  std::size_t bytes = 0;
  for (const auto& [at, allocation] : memory) bytes += allocation.bytes;
  return bytes;
}

Allocation* State::holder(DevicePtr at, std::size_t bytes) {
  auto it = memory.upper_bound(at);
  if (it == memory.begin()) return nullptr;
  --it;
  const std::size_t offset = at - it->first;
  if (offset > it->second.bytes || bytes > it->second.bytes - offset) return nullptr;
  return &it->second;
}

void State::lose() {
  if (sticky == 0) sticky = cu::kIllegalAddress;
}

double State::deviate() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 2147483647.0;
  return sum;
}

void State::pass(cu::Stream stream, const std::string& kernel, double m, double n, double k,
                 double quality) {
  const auto it = b.rates.find(kernel);
  const double gflops = (it != b.rates.end() ? it->second : 1000) * quality;
  const double slower = 1 + b.drift * stream->clock;
  stream->clock +=
      2 * m * n * k / (gflops * 1e6) * slower * std::max(0.1, 1 + b.jitter * deviate());
  stream->polls = b.polls;
}

void State::drainAll(std::unique_lock<std::recursive_mutex>& lock) {
  while (hanging) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lock.lock();
  }
  for (const cu::Stream stream : streams) {
    while (Wall::now() < stream->busyUntil) std::this_thread::sleep_until(stream->busyUntil);
    drain(stream);
  }
}

void State::drain(cu::Stream stream) {
  stream->polls = 0;
  while (!stream->queue.empty()) {
    const auto work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (sticky == 0) work();
  }
}

const std::vector<float>& State::multiplied(DevicePtr a, DevicePtr bAddress, int m, int n, int k) {
  const Allocation& inA = *holder(a, 4);
  const Allocation& inB = *holder(bAddress, 4);
  for (const Product& made : products) {
    if (made.a == a && made.b == bAddress && made.m == m && made.n == n && made.k == k &&
        made.versionA == inA.version && made.versionB == inB.version) {
      return made.values;
    }
  }
  Product& p = products[oldest];
  oldest = (oldest + 1) % products.size();
  p.a = a, p.b = bAddress, p.m = m, p.n = n, p.k = k;
  p.versionA = inA.version, p.versionB = inB.version;
  const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n),
             depth = static_cast<std::size_t>(k);
  p.values.assign(rows * columns, 0.0f);
  const float* x = reinterpret_cast<const float*>(a);
  const float* y = reinterpret_cast<const float*>(bAddress);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t t = 0; t < depth; ++t)
      accumulate(p.values.data() + i * columns, 1, x[i * depth + t], y + t * columns, columns);
  }
  return p.values;
}

float* State::gemm(int m, int n, int k, float alpha, DevicePtr a, DevicePtr bAddress, float beta,
                   DevicePtr c) {
  const auto floats = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * sizeof(float);
  };
  Allocation* result = holder(c, floats(m, n));
  if (result == nullptr || holder(a, floats(m, k)) == nullptr ||
      holder(bAddress, floats(k, n)) == nullptr) {
    lose();
    return nullptr;
  }
  const std::vector<float>& values = multiplied(a, bAddress, m, n, k);
  float* out = reinterpret_cast<float*>(c);
  accumulate(out, beta, alpha, values.data(), values.size());
  ++result->version;
  return out;
}

float State::halfValue(std::uint16_t bits) const {
  return halfType == kTypeFp16 ? tileloom::fromFp16(bits) : tileloom::fromBf16(bits);
}

std::uint16_t State::halfBits(float value) const {
  return halfType == kTypeFp16 ? tileloom::toFp16(value) : tileloom::toBf16(value);
}

std::uint16_t* State::gemmHalves(int m, int n, int k, DevicePtr a, DevicePtr bAddress,
                                 DevicePtr c) {
  const auto bytes = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * 2;
  };
  Allocation* result = holder(c, bytes(m, n));
  const Allocation* inA = holder(a, bytes(m, k));
  const Allocation* inB = holder(bAddress, bytes(k, n));
  if (result == nullptr || inA == nullptr || inB == nullptr) {
    lose();
    return nullptr;
  }
  Product& p = halfProduct;
  const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n),
             depth = static_cast<std::size_t>(k);
  if (p.a != a || p.b != bAddress || p.m != m || p.n != n || p.k != k ||
      p.versionA != inA->version || p.versionB != inB->version) {
    p = {a, bAddress, inA->version, inB->version, m, n, k, {}};
    p.values.assign(rows * columns, 0.0f);
    const auto* x = reinterpret_cast<const std::uint16_t*>(a);
    const auto* y = reinterpret_cast<const std::uint16_t*>(bAddress);
    std::vector<float> row(columns);
    for (std::size_t t = 0; t < depth; ++t) {
      for (std::size_t j = 0; j < columns; ++j) row[j] = halfValue(y[t * columns + j]);
      for (std::size_t i = 0; i < rows; ++i)
        accumulate(p.values.data() + i * columns, 1, halfValue(x[i * depth + t]), row.data(),
                   columns);
    }
  }
  auto* out = reinterpret_cast<std::uint16_t*>(c);
  for (std::size_t i = 0; i < p.values.size(); ++i) out[i] = halfBits(p.values[i]);
  ++result->version;
  return out;
}

int State::leakCount() {
  leaks.clear();
  int count = 0;
  const auto add = [&](std::size_t n, const char* what) {
    if (n == 0) return;
    count += static_cast<int>(n);
    leaks += text("%zu %s ", n, what);
  };
  std::size_t contextsHeld = 0;
  for (const auto& [device, n] : retained) contextsHeld += static_cast<std::size_t>(n);
  add(memory.size(), "allocations");
  add(streams.size(), "streams");
  add(events.size(), "events");
  add(modules.size(), "modules");
  add(handles.size(), "cuBLAS handles");
  add(contextsHeld, "contexts");
  add(static_cast<std::size_t>(nvml), "NVML starts");
  add(static_cast<std::size_t>(programs), "NVRTC programs");
  return count;
}

State& state() {
  static State* s = new State;  // outlives destructors of the program's statics
  return *s;
}

int blocksThatFit(const Behaviour& b, int threads, int shared) {
  if (threads <= 0 || threads > 1024) return 0;
  const int warps = (threads + 31) / 32;
  const int perWarp = (b.registers * 32 + 255) / 256 * 256;
  const int byRegisters = kRegisters / 4 / perWarp * 4 / warps;
  const int byShared = kSharedPerSm / ((shared + 1024 + 127) / 128 * 128);
  return std::min({kBlocksPerSm, kThreadsPerSm / 32 / warps, byRegisters, byShared});
}

}  // namespace tileloom::fake
