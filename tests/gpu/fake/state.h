// SPDX-License-Identifier: GPL-3.0-or-later
// A fake GPU: one shared library with the functions of CUDA's driver, cuBLAS, cuBLASLt,
// NVML and NVRTC that kernels/gpu uses. Point TILELOOM_LIBCUDA, TILELOOM_CUBLAS, TILELOOM_CUBLASLT,
// TILELOOM_NVML and, without a toolkit, TILELOOM_NVRTC to it (tests/gpu/fake.h does).
//
// What it does: device memory is host memory, filled with NaN when allocated; a copy that leaves
// its allocation is kInvalidValue. Work in a stream is queued and happens when the stream is seen
// idle (cuStreamQuery, after a few answers of kNotReady) or by a call that waits on a real GPU too
// (cuCtxSynchronize, cuMemFree_v2, cuModuleUnload), so that a forgotten wait reads old data. A
// stage kernel computes C = alpha A B + beta C for its arguments, `check` compares as
// kernels/gpu/measure/check.cu does; both are named by cuModuleGetFunction. The rungs of the tensor
// ladder compute C = A B of 16-bit elements, in the format of the last call of cublasGemmEx. A
// kernel or cuBLAS that would leave an allocation is an illegal address. Launches are checked
// against the device's limits. Time is simulated: a kernel takes 2 M N K / (its rate), with jitter
// from a seeded generator; no measured figure depends on the host. Machine code is a cubin by its
// ELF header, real (NVRTC's) or of this library's own NVRTC, which compiles nothing: it looks for
// the kernel's name, and fails if the source has no kernel. Contexts, streams, events, modules,
// memory and handles are counted: see tileloom_fake_leaks.
//
// behaviour.h describes TILELOOM_FAKE, by which a test makes it misbehave. This file has what all
// of its functions share; fake_cupti.cpp and fake_sampling.cpp are part of the library, too.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/gpu/driver/driver_api.h"
#include "tests/gpu/fake/behaviour.h"

namespace tileloom::fake {

namespace cu = gpu::cu;
using cu::DevicePtr;
using Wall = std::chrono::steady_clock;

// The limits of compute capability 9.0.
inline constexpr int kThreadsPerSm = 2048, kBlocksPerSm = 32, kRegisters = 65536;
inline constexpr int kSharedPerSm = 233472, kSharedPerBlock = 232448, kStaticLimit = 49152;

inline constexpr std::size_t kStampsBytes = 16;  // an address and the number of a block

struct Allocation {
  std::size_t bytes = 0;
  unsigned version = 0;  // counts writes
  void* base = nullptr;
};

// What this library's cuTensorMapEncodeTiled writes.
struct FakeMap {
  static constexpr std::uint64_t kMark = 0x7e4502;
  std::uint64_t mark, address, columns, rows;
  std::uint32_t type, boxColumns, boxRows, swizzle;
};
static_assert(sizeof(FakeMap) <= sizeof(cu::TensorMap));
inline constexpr int kTypeBf16 = 14, kTypeFp16 = 2;  // cudaDataType_t

struct Product {  // A B, kept because timing repeats it
  DevicePtr a = 0, b = 0;
  unsigned versionA = 0, versionB = 0;
  int m = 0, n = 0, k = 0;
  std::vector<float> values;
};

struct EventState {
  double at = 0;
  bool recorded = false, done = false;
};

}  // namespace tileloom::fake

namespace tileloom::gpu::cu {
struct ContextTag {
  int device = 0;
};
struct StreamTag {
  std::deque<std::function<void()>> queue;
  int polls = 0;
  double clock = 0;  // simulated ms
  fake::Wall::time_point busyUntil{};
};
struct EventTag {
  std::shared_ptr<fake::EventState> state = std::make_shared<fake::EventState>();
};
struct FunctionTag {
  std::string name;
  int dynamicLimit = fake::kStaticLimit;
  double quality = 1;  // of the tile, by `landscape`
  ModuleTag* module = nullptr;
  bool sums = false;  // it sums its waits instead of recording timestamps
};
struct ModuleTag {
  const unsigned char* image = nullptr;
  void* variable = nullptr;  // where to write timestamps: kStampsBytes
  std::vector<std::unique_ptr<FunctionTag>> functions;
};
}  // namespace tileloom::gpu::cu

namespace tileloom::fake {

struct CublasHandle {
  cu::Stream stream = nullptr;
  int math = 0;
};

struct State {
  std::recursive_mutex mutex;
  bool known = false;
  Behaviour b;
  std::map<std::string, int> calls;
  std::map<DevicePtr, Allocation> memory;
  std::set<cu::Stream> streams;
  std::set<cu::Event> events;
  std::set<cu::Module> modules;
  std::set<CublasHandle*> handles;
  std::map<int, int> retained;  // by device
  std::map<int, cu::ContextTag> contexts;
  int nvml = 0, programs = 0;
  cu::Context current = nullptr;
  bool initialised = false, hanging = false;
  int sticky = 0;
  int launches = 0;  // of stages that may misbehave
  std::minstd_rand random{1};
  std::array<Product, 2> products;  // the latest, because two depths may be timed alternately
  std::size_t oldest = 0;
  Product halfProduct;
  int halfType = kTypeBf16;
  std::string log, leaks;

  void start();

  // The forced result of this call, or 0.
  int forced(const char* function);

  void note(const std::string& line);

  std::size_t used() const;

  // The allocation that holds all of [at, at + bytes), or nullptr.
  Allocation* holder(DevicePtr at, std::size_t bytes);

  void lose();

  // Approximately a normal deviate.
  double deviate();

  void pass(cu::Stream stream, const std::string& kernel, double m, double n, double k,
            double quality = 1);

  // Calls that wait for the device never return while a kernel hangs.
  void drainAll(std::unique_lock<std::recursive_mutex>& lock);

  void drain(cu::Stream stream);

  const std::vector<float>& multiplied(DevicePtr a, DevicePtr bAddress, int m, int n, int k);

  // C = alpha A B + beta C, row-major; nullptr if it would leave an allocation.
  float* gemm(int m, int n, int k, float alpha, DevicePtr a, DevicePtr bAddress, float beta,
              DevicePtr c);

  float halfValue(std::uint16_t bits) const;
  std::uint16_t halfBits(float value) const;

  // C = A B of 16-bit elements, row-major; nullptr if it would leave an allocation.
  std::uint16_t* gemmHalves(int m, int n, int k, DevicePtr a, DevicePtr bAddress, DevicePtr c);

  int leakCount();
};

State& state();

// Blocks of this many threads and bytes of shared memory that an SM holds at once.
int blocksThatFit(const Behaviour& b, int threads, int shared);

}  // namespace tileloom::fake

#define LOCK                                            \
  State& s = state();                                   \
  std::unique_lock<std::recursive_mutex> lock(s.mutex); \
  s.start()
// The beginning of most driver calls.
#define ENTER(name)                                                   \
  LOCK;                                                               \
  if (const int forced = s.forced(#name); forced != 0) return forced; \
  if (!s.initialised) return cu::kNotInitialized;                     \
  if (s.sticky != 0) return s.sticky
// Releases proceed whatever result is forced.
#define RELEASE(name) \
  LOCK;               \
  const int answer = s.forced(#name) != 0 ? s.b.failures.at(#name).result : s.sticky

// A fake with another signature than the called one would prove nothing.
#define SAME(name) \
  static_assert(std::is_same_v<decltype(&name), decltype(tileloom::gpu::cu::Table::name)>)
