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
// TILELOOM_FAKE is a list of behaviours, separated by commas, read at the first call and again by
// tileloom_fake_reset:
//   the device
//     name=TEXT arch=90 sms=132    another device ("Fake H100", 9.0, 132 SMs, limits of an H100)
//     devices=2 memory=64M         more of them; less memory (K, M, G)
//     no-device init-fails=999     cuInit says kNoDevice, or this CUresult
//   calls
//     fail=FUNCTION:NUMBER[@n]     this function (of any of the five libraries) returns NUMBER,
//                                  from its n-th call on; may be repeated. A function that releases
//                                  something still releases it.
//     cublas-fails=13              short for fail=cublasSgemm_v2:13
//   kernels
//     only=STAGE                   what follows, down to slow-stage, is of this stage only
//     wrong=17[@n]                 element 17 of the result is off by 1, from the n-th launch on
//     nan=5 zero                   element 5 is NaN; all are 0
//     illegal-address[=n]          the (n-th and every later) launch fails: cuStreamQuery says
//                                  kIllegalAddress, and so does every later call
//     hang=launch[@n]              the (n-th) launch never ends: cuStreamQuery says kNotReady
//                                  forever, and calls that wait for the device do not return; nor
//                                  does exit(), as on a GPU: only _exit and signals end the process
//     abort=launch[@n]             the process dies by SIGABRT in the (n-th) launch
//     slow-stage=STAGE:MS          each launch of the stage takes MS of real time
//     registers=64 spill=0 static=0    what NVRTC's log and cuFuncGetAttribute say
//     registers-with=TEXT:256 spill-with=TEXT
//                                  what that log says about sources that contain this text
//     remark=C7511                 NVRTC's log has this remark of the assembler
//     stamps=WORD:LINE:STEP        a timestamped kernel writes one record per warp and STEP of K:
//                                  1,000 cycles after each other, each warp 10 cycles after the
//                                  last, 43 cycles long; STEP 0: none
//     spill-above=64               tiles with TM*TN above this spill 8 bytes, says this NVRTC
//   time
//     rate=STAGE:GFLOPS            how fast a stage, or "cublas", is; may be repeated; of
//                                  ceiling_dram, ceiling_l2 and ceiling_shared in 1e9 bytes a
//                                  second
//     landscape=0.5                tiles differ: the rate is multiplied by 1 down to 1 - 0.5, by
//                                  the tile parameters given to this library's NVRTC (a hill and
//                                  ripples)
//     jitter=0.002 seed=1          relative standard deviation of a launch's time; its generator
//     drift=0.001                  how much slower everything is after each simulated millisecond
//     polls=2                      answers of kNotReady before a stream is idle
//   NVML
//     throttle=4 clock=1755 watts=350
//   NVRTC (this library's own)
//     nvrtc=13.0
//     cubin=FILE                   its output for each stage is this file, for the requested
//                                  architecture; the driver finds any kernel in it
// An unknown behaviour ends the process with a message: a test must not pass by a misspelling.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernels/base/half_formats.h"
#include "kernels/gpu/driver/driver_api.h"
#include "tests/support/micro_template.h"

namespace cu = tileloom::gpu::cu;
using cu::DevicePtr;

namespace {

using Wall = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "fake_cuda: %s\n", why.c_str());
  std::abort();
}

std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

double number(const std::string& value, const std::string& of) {
  char* end = nullptr;
  double n = std::strtod(value.c_str(), &end);
  switch (*end) {
    case 'K':
      n *= 1024, ++end;
      break;
    case 'M':
      n *= 1 << 20, ++end;
      break;
    case 'G':
      n *= 1 << 30, ++end;
      break;
    default:
      break;
  }
  if (value.empty() || *end != '\0') die("TILELOOM_FAKE: no number in " + of);
  return n;
}

int integer(const std::string& value, const std::string& of) {
  return static_cast<int>(number(value, of));
}

// "left<separator>right"; right is empty if there is no separator.
std::pair<std::string, std::string> split(const std::string& whole, char separator) {
  const std::size_t at = whole.find(separator);
  if (at == std::string::npos) return {whole, ""};
  return {whole.substr(0, at), whole.substr(at + 1)};
}

struct Failure {
  int result = 0;
  int from = 1;
};

struct Behaviour {
  std::string name = "Fake H100";
  int arch = 90, sms = 132, devices = 1;
  double memory = 80.0 * (1 << 30);
  int initFails = 0;
  std::map<std::string, Failure> failures;
  std::string only;
  long long wrong = -1, nan = -1;
  int wrongFrom = 1;
  bool zero = false;
  int illegalFrom = 0, hangFrom = 0, abortFrom = 0;  // 0: never
  std::string slowStage, remark, cubin;
  std::string manyRegistersWith, spillWith;  // empty: no source
  int manyRegisters = 0;
  unsigned stampWord = 1, stampLine = 1, stampStep = 0;
  double slowMs = 0;
  int registers = 64, spill = 0, staticShared = 0;
  std::map<std::string, double> rates = {
      {"naive", 300},         {"coalesced", 3000},    {"shared", 5000},
      {"blocktile1d", 12000}, {"blocktile2d", 20000}, {"vectorized", 25000},
      {"autotuned", 28000},   {"warptiled", 35000},   {"cublas", 40000}};
  double jitter = 0.002, drift = 0, landscape = 0;
  int spillAbove = 0;  // 0: never
  unsigned seed = 1;
  int polls = 2;
  unsigned long long throttle = 0;
  unsigned clock = 1755;
  double watts = 350;
  int nvrtcMajor = 13, nvrtcMinor = 0;
};

int launchNumber(const std::string& value, const std::string& of) {
  const auto [what, n] = split(value, '@');
  if (what != "launch") die("TILELOOM_FAKE: " + of + " wants \"launch\"");
  return n.empty() ? 1 : integer(n, of);
}

Behaviour behaviourFromEnvironment() {
  Behaviour b;
  const char* list = std::getenv("TILELOOM_FAKE");
  std::string rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const auto [item, more] = split(rest, ',');
    rest = more;
    if (item.empty()) continue;
    const auto [key, value] = split(item, '=');
    if (key == "name") {
      b.name = value;
    } else if (key == "arch") {
      b.arch = integer(value, item);
    } else if (key == "sms") {
      b.sms = integer(value, item);
    } else if (key == "devices") {
      b.devices = integer(value, item);
    } else if (key == "memory") {
      b.memory = number(value, item);
    } else if (key == "no-device") {
      b.initFails = cu::kNoDevice;
    } else if (key == "init-fails") {
      b.initFails = integer(value, item);
    } else if (key == "fail") {
      const auto [function, how] = split(value, ':');
      const auto [result, from] = split(how, '@');
      b.failures[function] = {integer(result, item), from.empty() ? 1 : integer(from, item)};
    } else if (key == "cublas-fails") {
      b.failures["cublasSgemm_v2"] = {integer(value, item), 1};
    } else if (key == "only") {
      b.only = value;
    } else if (key == "wrong") {
      const auto [element, from] = split(value, '@');
      b.wrong = integer(element, item);
      b.wrongFrom = from.empty() ? 1 : integer(from, item);
    } else if (key == "nan") {
      b.nan = integer(value, item);
    } else if (key == "zero") {
      b.zero = true;
    } else if (key == "illegal-address") {
      b.illegalFrom = value.empty() ? 1 : integer(value, item);
    } else if (key == "hang") {
      b.hangFrom = launchNumber(value, item);
    } else if (key == "abort") {
      b.abortFrom = launchNumber(value, item);
    } else if (key == "slow-stage") {
      const auto [stage, ms] = split(value, ':');
      b.slowStage = stage;
      b.slowMs = number(ms, item);
    } else if (key == "registers") {
      b.registers = integer(value, item);
    } else if (key == "spill") {
      b.spill = integer(value, item);
    } else if (key == "registers-with") {
      const auto [text, count] = split(value, ':');
      b.manyRegistersWith = text;
      b.manyRegisters = integer(count, item);
    } else if (key == "spill-with") {
      b.spillWith = value;
    } else if (key == "static") {
      b.staticShared = integer(value, item);
    } else if (key == "rate") {
      const auto [stage, gflops] = split(value, ':');
      b.rates[stage] = number(gflops, item);
    } else if (key == "landscape") {
      b.landscape = number(value, item);
    } else if (key == "remark") {
      b.remark = value;
    } else if (key == "stamps") {
      const auto [word, where] = split(value, ':');
      const auto [line, step] = split(where, ':');
      b.stampWord = static_cast<unsigned>(integer(word, item));
      b.stampLine = static_cast<unsigned>(integer(line, item));
      b.stampStep = static_cast<unsigned>(integer(step, item));
    } else if (key == "spill-above") {
      b.spillAbove = integer(value, item);
    } else if (key == "jitter") {
      b.jitter = number(value, item);
    } else if (key == "drift") {
      b.drift = number(value, item);
    } else if (key == "seed") {
      b.seed = static_cast<unsigned>(integer(value, item));
    } else if (key == "polls") {
      b.polls = integer(value, item);
    } else if (key == "throttle") {
      b.throttle = static_cast<unsigned long long>(number(value, item));
    } else if (key == "clock") {
      b.clock = static_cast<unsigned>(integer(value, item));
    } else if (key == "watts") {
      b.watts = number(value, item);
    } else if (key == "cubin") {
      b.cubin = value;
    } else if (key == "nvrtc") {
      const auto [major, minor] = split(value, '.');
      b.nvrtcMajor = integer(major, item);
      b.nvrtcMinor = integer(minor, item);
    } else {
      die("TILELOOM_FAKE: unknown behaviour " + item);
    }
  }
  return b;
}

// The limits of compute capability 9.0.
constexpr int kThreadsPerSm = 2048, kBlocksPerSm = 32, kRegisters = 65536;
constexpr int kSharedPerSm = 233472, kSharedPerBlock = 232448, kStaticLimit = 49152;

constexpr std::size_t kStampsBytes = 16;  // an address and the number of a block

struct Allocation {
  std::size_t bytes = 0;
  unsigned version = 0;  // counts writes
  void* base = nullptr;
};

// Kernels whose elements have 16 bits.
constexpr std::string_view kHalfStages[] = {
    "mma",         "swizzled",  "mmaring",    "tma",     "wgmma",  "multistage", "overlapped",
    "specialised", "consumers", "persistent", "cluster", "stored", "hopper"};
// Those of them that take A and B as tensor maps.
constexpr std::string_view kBoxStages[] = {"tma",         "wgmma",     "multistage", "overlapped",
                                           "specialised", "consumers", "persistent", "cluster",
                                           "stored",      "hopper"};
// And those of them that take C as one, too.
constexpr std::string_view kStoredStages[] = {"stored", "hopper"};

template <std::size_t N>
bool isAmong(std::string_view name, const std::string_view (&all)[N]) {
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

// What this library's cuTensorMapEncodeTiled writes.
struct FakeMap {
  static constexpr std::uint64_t kMark = 0x7e4502;
  std::uint64_t mark, address, columns, rows;
  std::uint32_t type, boxColumns, boxRows, swizzle;
};
static_assert(sizeof(FakeMap) <= sizeof(cu::TensorMap));
constexpr int kTypeBf16 = 14, kTypeFp16 = 2;  // cudaDataType_t

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

}  // namespace

namespace tileloom::gpu::cu {
struct ContextTag {
  int device = 0;
};
struct StreamTag {
  std::deque<std::function<void()>> queue;
  int polls = 0;
  double clock = 0;  // simulated ms
  Wall::time_point busyUntil{};
};
struct EventTag {
  std::shared_ptr<EventState> state = std::make_shared<EventState>();
};
struct FunctionTag {
  std::string name;
  int dynamicLimit = kStaticLimit;
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

namespace {

struct CublasHandle {
  cu::Stream stream = nullptr;
  int math = 0;
};

// sum = keep * sum + factor * values. Most of the work of this library: not checked access by
// access under sanitizers, because the caller has checked that the memory exists.
__attribute__((no_sanitize("address"), no_sanitize("undefined"), noinline)) void accumulate(
    float* sum, float keep, float factor, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] = keep * sum[i] + factor * values[i];
}

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

  void start() {
    if (known) return;
    known = true;
    b = behaviourFromEnvironment();
    random.seed(b.seed);
  }

  // The forced result of this call, or 0.
  int forced(const char* function) {
    start();
    const int call = ++calls[function];
    const auto it = b.failures.find(function);
    return it != b.failures.end() && call >= it->second.from ? it->second.result : 0;
  }

  void note(const std::string& line) {
    if (log.size() < (8u << 20)) log += line + "\n";
  }

  std::size_t used() const {
    std::size_t bytes = 0;
    for (const auto& [at, allocation] : memory) bytes += allocation.bytes;
    return bytes;
  }

  // The allocation that holds all of [at, at + bytes), or nullptr.
  Allocation* holder(DevicePtr at, std::size_t bytes) {
    auto it = memory.upper_bound(at);
    if (it == memory.begin()) return nullptr;
    --it;
    const std::size_t offset = at - it->first;
    if (offset > it->second.bytes || bytes > it->second.bytes - offset) return nullptr;
    return &it->second;
  }

  void lose() {
    if (sticky == 0) sticky = cu::kIllegalAddress;
  }

  // Approximately a normal deviate.
  double deviate() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 2147483647.0;
    return sum;
  }

  void pass(cu::Stream stream, const std::string& kernel, double m, double n, double k,
            double quality = 1) {
    const auto it = b.rates.find(kernel);
    const double gflops = (it != b.rates.end() ? it->second : 1000) * quality;
    const double slower = 1 + b.drift * stream->clock;
    stream->clock +=
        2 * m * n * k / (gflops * 1e6) * slower * std::max(0.1, 1 + b.jitter * deviate());
    stream->polls = b.polls;
  }

  // Calls that wait for the device never return while a kernel hangs.
  void drainAll(std::unique_lock<std::recursive_mutex>& lock) {
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

  void drain(cu::Stream stream) {
    stream->polls = 0;
    while (!stream->queue.empty()) {
      const auto work = std::move(stream->queue.front());
      stream->queue.pop_front();
      if (sticky == 0) work();
    }
  }

  const std::vector<float>& multiplied(DevicePtr a, DevicePtr bAddress, int m, int n, int k) {
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

  // C = alpha A B + beta C, row-major; nullptr if it would leave an allocation.
  float* gemm(int m, int n, int k, float alpha, DevicePtr a, DevicePtr bAddress, float beta,
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

  float halfValue(std::uint16_t bits) const {
    return halfType == kTypeFp16 ? tileloom::fromFp16(bits) : tileloom::fromBf16(bits);
  }
  std::uint16_t halfBits(float value) const {
    return halfType == kTypeFp16 ? tileloom::toFp16(value) : tileloom::toBf16(value);
  }

  // C = A B of 16-bit elements, row-major; nullptr if it would leave an allocation.
  std::uint16_t* gemmHalves(int m, int n, int k, DevicePtr a, DevicePtr bAddress, DevicePtr c) {
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

  int leakCount() {
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
};

State& state() {
  static State* s = new State;  // outlives destructors of the program's statics
  return *s;
}

// ELF64, limited to what is needed:
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
struct ElfHeader {
  unsigned char ident[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, programs, sections;
  std::uint32_t flags;
  std::uint16_t headerSize, programSize, programCount, sectionSize, sectionCount, names;
};
struct ElfSection {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t align, entrySize;
};
static_assert(sizeof(ElfHeader) == 64 && sizeof(ElfSection) == 64);

// The kernels of kernels/gpu/measure/ceilings.cu; their work in a launch is described there.
constexpr const char* kCeilings[] = {"ceiling_fma", "ceiling_dram", "ceiling_l2", "ceiling_shared",
                                     "ceiling_mma"};

// The kernel of kernels/gpu/measure/micro_case.cu, whatever its instructions.
constexpr const char* kMicroCase = "micro_case";
constexpr double kMicroCycles = 1.25;  // per slot

double ceilingWork(const std::string& kernel, double blocks, double threads, double bytes,
                   double rounds) {
  constexpr double kStep = 16;
  if (kernel == "ceiling_fma") return blocks * threads * 2 * kStep * kStep * rounds;
  if (kernel == "ceiling_mma") return blocks * threads / 32 * 4096 * kStep * kStep * rounds;
  if (kernel == "ceiling_dram") return 2 * bytes * rounds;
  if (kernel == "ceiling_l2") return blocks * bytes * rounds;
  return blocks * threads * kStep * 16 * rounds;
}

constexpr std::uint32_t kOwnFlags = 0x7a3e10;  // marks the images of this library's NVRTC
constexpr std::size_t kNamedAt = 15;  // in ident: 1 where names of kernels follow the header

// Such an image: names and tile parameters, and the code of one kernel that ends at once.
std::vector<char> namedImage(ElfHeader h, const std::string& name, const std::string& parameters) {
  const std::string kernel = name.substr(0, name.find(' '));
  const std::string texts = std::string(1, '\0') + ".text." + kernel + '\0' + ".shstrtab" + '\0';
  constexpr std::uint64_t kExit[] = {0x94d | 7 << 12, 0x000fea0003800000};
  std::string rest = name + '\0' + parameters + '\0';
  const std::size_t code = sizeof h + rest.size();
  rest.append(reinterpret_cast<const char*>(kExit), sizeof kExit);
  const std::size_t named = sizeof h + rest.size();
  rest += texts;
  h.ident[kNamedAt] = 1;
  h.sections = sizeof h + rest.size();
  h.sectionSize = sizeof(ElfSection);
  h.sectionCount = 3;
  h.names = 2;
  const ElfSection sections[3] = {{},
                                  {1, 1, 6, 0, code, sizeof kExit, 0, 0, 0, 0},
                                  {static_cast<std::uint32_t>(texts.find(".shstrtab")), 3, 0, 0,
                                   named, texts.size(), 0, 0, 0, 0}};
  std::vector<char> image(sizeof h);
  std::memcpy(image.data(), &h, sizeof h);
  image.insert(image.end(), rest.begin(), rest.end());
  const char* const table = reinterpret_cast<const char*>(sections);
  image.insert(image.end(), table, table + sizeof sections);
  return image;
}

bool hasKernel(const unsigned char* image, const std::string& name, bool any) {
  ElfHeader h;
  std::memcpy(&h, image, sizeof h);
  if (any && h.flags != kOwnFlags) return true;
  if (h.flags == kOwnFlags && h.ident[kNamedAt] != 0) {
    // The tile parameters follow these names.
    const std::string names = reinterpret_cast<const char*>(image) + sizeof h;
    return (" " + names + " ").find(" " + name + " ") != std::string::npos;
  }
  const auto section = [&](std::size_t i) {
    ElfSection s;
    std::memcpy(&s, image + h.sections + i * sizeof s, sizeof s);
    return s;
  };
  const ElfSection names = section(h.names);
  for (std::size_t i = 0; i < h.sectionCount; ++i) {
    const char* of = reinterpret_cast<const char*>(image) + names.offset + section(i).name;
    if (".text." + name == of) return true;
  }
  return false;
}

// A cubin for compute capability 9.0 as one for `arch`.
std::vector<char> fileFor(const std::string& path, std::uint32_t arch) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < sizeof(ElfHeader)) die("no cubin in " + path);
  for (std::size_t i = 0; i < sizeof(ElfHeader::flags); ++i) {
    char& byte = bytes[offsetof(ElfHeader, flags) + i];
    if (byte == 90) byte = static_cast<char>(arch);
  }
  return bytes;
}

// From 1 down to 1 - spread: how far each tile parameter is from a best value, in factors of two,
// and some ripple. `parameters` is "-DBM=128 -DBN=64 …".
double qualityOf(const std::string& parameters, double spread) {
  const std::map<std::string, double> best = {{"BM", 128}, {"BN", 64}, {"BK", 16}, {"WM", 64},
                                              {"WN", 32},  {"TM", 8},  {"TN", 4},  {"WNITER", 2}};
  double far = 0;
  unsigned hash = 2166136261u;
  for (std::size_t at = parameters.find("-D"); at != std::string::npos;
       at = parameters.find("-D", at + 2)) {
    const std::string one = parameters.substr(at + 2, parameters.find(' ', at) - at - 2);
    for (const char c : one) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const auto [name, value] = split(one, '=');
    if (const auto it = best.find(name); it != best.end() && !value.empty())
      far += std::abs(std::log2(std::max(1.0, number(value, one)) / it->second));
  }
  hash = (hash ^ (hash >> 15)) * 2246822519u;
  const double ripple = static_cast<double>((hash >> 8) % 1000) / 1000;
  return 1 - spread * std::min(1.0, 0.8 * far / 12 + 0.2 * ripple);
}

int blocksThatFit(const Behaviour& b, int threads, int shared) {
  if (threads <= 0 || threads > 1024) return 0;
  const int warps = (threads + 31) / 32;
  const int perWarp = (b.registers * 32 + 255) / 256 * 256;
  const int byRegisters = kRegisters / 4 / perWarp * 4 / warps;
  const int byShared = kSharedPerSm / ((shared + 1024 + 127) / 128 * 128);
  return std::min({kBlocksPerSm, kThreadsPerSm / 32 / warps, byRegisters, byShared});
}

}  // namespace

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

extern "C" {

// --- the test's own interface ----------------------------------------------------------------

// Resets everything, including leaks, and reads TILELOOM_FAKE again.
void tileloom_fake_reset() {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  for (const auto& [at, allocation] : s.memory) std::free(allocation.base);
  for (const cu::Stream x : s.streams) delete x;
  for (const cu::Event x : s.events) delete x;
  for (const cu::Module x : s.modules) delete x;
  for (CublasHandle* x : s.handles) delete x;
  s.memory.clear(), s.streams.clear(), s.events.clear(), s.modules.clear(), s.handles.clear();
  s.retained.clear(), s.contexts.clear(), s.calls.clear(), s.log.clear();
  s.nvml = s.programs = s.sticky = s.launches = 0;
  s.current = nullptr;
  s.initialised = s.hanging = s.known = false;
  s.products = {};
  s.start();
}

// How many things are not released; *what (if given) lists them.
int tileloom_fake_leaks(const char** what) {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  const int count = s.leakCount();
  if (what != nullptr) *what = s.leaks.c_str();
  return count;
}

// One line for each entry of a stream, in order: "launch STAGE GRID BLOCK SHARED", "sgemm MxNxK
// MATH", "record". Valid until the next call of this library.
const char* tileloom_fake_log() {
  return state().log.c_str();
}

int tileloom_fake_calls(const char* function) {
  State& s = state();
  std::unique_lock<std::recursive_mutex> lock(s.mutex);
  const auto it = s.calls.find(function);
  return it != s.calls.end() ? it->second : 0;
}

// --- driver ------------------------------------------------------------------------------------

int cuInit(unsigned) {
  LOCK;
  if (const int forced = s.forced("cuInit"); forced != 0) return forced;
  if (s.b.initFails != 0) return s.b.initFails;
  s.initialised = true;
  static const int registered = std::atexit([] {
    while (state().hanging) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  if (registered != 0) die("no exit handler");
  return cu::kSuccess;
}

int cuDriverGetVersion(int* version) {
  LOCK;
  if (const int forced = s.forced("cuDriverGetVersion"); forced != 0) return forced;
  *version = 13000;
  return cu::kSuccess;
}

int cuGetErrorName(int error, const char** name) {
  LOCK;
  if (const int forced = s.forced("cuGetErrorName"); forced != 0) return forced;
  static std::map<int, std::string> names;
  switch (error) {
    case cu::kOutOfMemory:
      *name = "CUDA_ERROR_OUT_OF_MEMORY";
      return cu::kSuccess;
    case cu::kNoDevice:
      *name = "CUDA_ERROR_NO_DEVICE";
      return cu::kSuccess;
    case cu::kIllegalAddress:
      *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return cu::kSuccess;
    default:
      break;
  }
  std::string& made = names[error];
  made = text("CUDA_ERROR_%d", error);
  *name = made.c_str();
  return cu::kSuccess;
}

int cuGetErrorString(int error, const char** words) {
  LOCK;
  if (const int forced = s.forced("cuGetErrorString"); forced != 0) return forced;
  *words = error == cu::kOutOfMemory      ? "out of memory"
           : error == cu::kNoDevice       ? "no CUDA-capable device is detected"
           : error == cu::kIllegalAddress ? "an illegal memory access was encountered"
                                          : "an error of the fake driver";
  return cu::kSuccess;
}

int cuDeviceGetCount(int* count) {
  ENTER(cuDeviceGetCount);
  *count = s.b.devices;
  return cu::kSuccess;
}

int cuDeviceGet(int* device, int index) {
  ENTER(cuDeviceGet);
  if (index < 0 || index >= s.b.devices) return 101;
  *device = index;
  return cu::kSuccess;
}

int cuDeviceGetName(char* name, int bytes, int) {
  ENTER(cuDeviceGetName);
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", s.b.name.c_str());
  return cu::kSuccess;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  ENTER(cuDeviceTotalMem_v2);
  *bytes = static_cast<std::size_t>(s.b.memory);
  return cu::kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  ENTER(cuDeviceGetAttribute);
  const std::map<int, int> values = {{cu::kMaxThreadsPerBlock, 1024},
                                     {cu::kClockRate, 1980000},
                                     {cu::kMultiprocessorCount, s.b.sms},
                                     {cu::kMemoryClockRate, 2619000},
                                     {cu::kGlobalMemoryBusWidth, 5120},
                                     {cu::kL2CacheSize, 50 << 20},
                                     {cu::kMaxThreadsPerMultiprocessor, kThreadsPerSm},
                                     {cu::kComputeCapabilityMajor, s.b.arch / 10},
                                     {cu::kComputeCapabilityMinor, s.b.arch % 10},
                                     {cu::kMaxSharedPerMultiprocessor, kSharedPerSm},
                                     {cu::kMaxRegistersPerMultiprocessor, kRegisters},
                                     {cu::kMaxSharedPerBlockOptin, kSharedPerBlock},
                                     {cu::kMaxBlocksPerMultiprocessor, kBlocksPerSm}};
  const auto it = values.find(attribute);
  if (it == values.end()) return cu::kInvalidValue;
  *value = it->second;
  return cu::kSuccess;
}

int cuDeviceGetPCIBusId(char* id, int bytes, int device) {
  ENTER(cuDeviceGetPCIBusId);
  std::snprintf(id, static_cast<std::size_t>(bytes), "0000:%02x:00.0", 0x17 + device);
  return cu::kSuccess;
}

int cuDevicePrimaryCtxRetain(cu::Context* context, int device) {
  ENTER(cuDevicePrimaryCtxRetain);
  ++s.retained[device];
  cu::ContextTag& made = s.contexts[device];
  made.device = device;
  *context = &made;
  return cu::kSuccess;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  RELEASE(cuDevicePrimaryCtxRelease_v2);
  s.drainAll(lock);
  if (s.retained[device] <= 0) return 201;
  --s.retained[device];
  return answer;
}

int cuCtxSetCurrent(cu::Context context) {
  ENTER(cuCtxSetCurrent);
  s.current = context;
  return cu::kSuccess;
}

int cuCtxSynchronize() {
  ENTER(cuCtxSynchronize);
  if (s.current == nullptr) return 201;
  s.drainAll(lock);
  return s.sticky;
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  ENTER(cuMemGetInfo_v2);
  if (s.current == nullptr) return 201;
  *total = static_cast<std::size_t>(s.b.memory);
  *free = *total - s.used();
  return cu::kSuccess;
}

int cuMemAlloc_v2(DevicePtr* address, std::size_t bytes) {
  ENTER(cuMemAlloc_v2);
  if (s.current == nullptr) return 201;
  if (bytes == 0) return cu::kInvalidValue;
  if (bytes + s.used() > static_cast<std::size_t>(s.b.memory)) return cu::kOutOfMemory;
  // A gap after it, so that an overrun never reaches the next one.
  void* base = std::aligned_alloc(256, (bytes + 511) / 256 * 256);
  if (base == nullptr) return cu::kOutOfMemory;
  std::memset(base, 0xff, bytes);
  *address = reinterpret_cast<DevicePtr>(base);
  s.memory[*address] = {bytes, 0, base};
  return cu::kSuccess;
}

int cuMemFree_v2(DevicePtr address) {
  RELEASE(cuMemFree_v2);
  s.drainAll(lock);
  const auto it = s.memory.find(address);
  if (it == s.memory.end()) return cu::kInvalidValue;
  for (Product& p : s.products)
    if (p.a == address || p.b == address) p = Product();
  std::free(it->second.base);
  s.memory.erase(it);
  return answer;
}

int cuMemcpyHtoD_v2(DevicePtr to, const void* from, std::size_t bytes) {
  ENTER(cuMemcpyHtoD_v2);
  Allocation* into = s.holder(to, bytes);
  if (into == nullptr) return cu::kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  ++into->version;
  return cu::kSuccess;
}

int cuMemcpyDtoH_v2(void* to, DevicePtr from, std::size_t bytes) {
  ENTER(cuMemcpyDtoH_v2);
  if (s.holder(from, bytes) == nullptr) return cu::kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return cu::kSuccess;
}

int cuMemcpyDtoDAsync_v2(DevicePtr to, DevicePtr from, std::size_t bytes, cu::Stream stream) {
  ENTER(cuMemcpyDtoDAsync_v2);
  if (s.streams.count(stream) == 0) return 400;
  if (s.holder(to, bytes) == nullptr || s.holder(from, bytes) == nullptr) return cu::kInvalidValue;
  stream->polls = s.b.polls;
  stream->queue.emplace_back([&s, to, from, bytes] {
    Allocation* into = s.holder(to, bytes);
    if (into == nullptr || s.holder(from, bytes) == nullptr) return s.lose();
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    ++into->version;
  });
  return cu::kSuccess;
}

int cuMemcpy2DAsync_v2(const cu::Memcpy2D* copy, cu::Stream stream) {
  ENTER(cuMemcpy2DAsync_v2);
  if (s.streams.count(stream) == 0) return 400;
  const cu::Memcpy2D c = *copy;
  if (c.srcMemoryType != 2 || c.dstMemoryType != 2 || c.srcXInBytes != 0 || c.srcY != 0 ||
      c.dstXInBytes != 0 || c.dstY != 0 || c.WidthInBytes > c.srcPitch ||
      c.WidthInBytes > c.dstPitch) {
    return cu::kInvalidValue;
  }
  if (c.Height == 0 || c.WidthInBytes == 0) return cu::kSuccess;
  const std::size_t from = c.srcPitch * (c.Height - 1) + c.WidthInBytes;
  const std::size_t to = c.dstPitch * (c.Height - 1) + c.WidthInBytes;
  if (s.holder(c.srcDevice, from) == nullptr || s.holder(c.dstDevice, to) == nullptr)
    return cu::kInvalidValue;
  stream->polls = s.b.polls;
  stream->queue.emplace_back([&s, c, from, to] {
    Allocation* into = s.holder(c.dstDevice, to);
    if (into == nullptr || s.holder(c.srcDevice, from) == nullptr) return s.lose();
    for (std::size_t row = 0; row < c.Height; ++row) {
      std::memmove(reinterpret_cast<char*>(c.dstDevice) + row * c.dstPitch,
                   reinterpret_cast<const char*>(c.srcDevice) + row * c.srcPitch, c.WidthInBytes);
    }
    ++into->version;
  });
  return cu::kSuccess;
}

int cuMemsetD32Async(DevicePtr to, unsigned value, std::size_t count, cu::Stream stream) {
  ENTER(cuMemsetD32Async);
  if (s.streams.count(stream) == 0) return 400;
  if (s.holder(to, count * 4) == nullptr) return cu::kInvalidValue;
  stream->polls = s.b.polls;
  stream->queue.emplace_back([&s, to, value, count] {
    Allocation* into = s.holder(to, count * 4);
    if (into == nullptr) return s.lose();
    std::fill_n(reinterpret_cast<unsigned*>(to), count, value);
    ++into->version;
  });
  return cu::kSuccess;
}

int cuModuleLoadData(cu::Module* module, const void* image) {
  ENTER(cuModuleLoadData);
  if (s.current == nullptr) return 201;
  if (std::memcmp(image, "\177ELF\2", 5) != 0) return 200;
  auto* made = new cu::ModuleTag;
  made->image = static_cast<const unsigned char*>(image);
  ElfHeader h;
  std::memcpy(&h, image, sizeof h);
  if (h.flags == kOwnFlags && h.version / 10 != static_cast<unsigned>(s.b.arch) / 10) {
    delete made;
    return cu::kNoBinaryForGpu;
  }
  s.modules.insert(made);
  *module = made;
  return cu::kSuccess;
}

int cuModuleUnload(cu::Module module) {
  RELEASE(cuModuleUnload);
  s.drainAll(lock);
  if (s.modules.erase(module) == 0) return cu::kInvalidValue;
  if (module->variable != nullptr) {
    s.memory.erase(reinterpret_cast<DevicePtr>(module->variable));
    std::free(module->variable);
  }
  delete module;
  return answer;
}

int cuModuleGetFunction(cu::Function* function, cu::Module module, const char* name) {
  ENTER(cuModuleGetFunction);
  if (s.modules.count(module) == 0) return cu::kInvalidValue;
  if (!hasKernel(module->image, name, !s.b.cubin.empty())) return 500;
  module->functions.push_back(std::make_unique<cu::FunctionTag>());
  module->functions.back()->name = name;
  module->functions.back()->module = module;
  ElfHeader h;
  std::memcpy(&h, module->image, sizeof h);
  if (h.flags == kOwnFlags && s.b.landscape > 0) {
    const char* names = reinterpret_cast<const char*>(module->image) + sizeof h;
    const char* parameters = names + std::strlen(names) + 1;
    if (*parameters != '\0')
      module->functions.back()->quality = qualityOf(parameters, s.b.landscape);
  }
  if (h.flags == kOwnFlags) {
    const char* names = reinterpret_cast<const char*>(module->image) + sizeof h;
    module->functions.back()->sums =
        std::strstr(names + std::strlen(names) + 1, "-DTILELOOM_SUMMING=1") != nullptr;
  }
  *function = module->functions.back().get();
  return cu::kSuccess;
}

int cuModuleGetGlobal_v2(DevicePtr* address, std::size_t* bytes, cu::Module module,
                         const char* name) {
  ENTER(cuModuleGetGlobal_v2);
  if (s.modules.count(module) == 0) return cu::kInvalidValue;
  if (std::string_view(name) != "tileloom_stamps") return 500;
  if (module->variable == nullptr) {
    module->variable = std::calloc(1, kStampsBytes);
    const auto at = reinterpret_cast<DevicePtr>(module->variable);
    s.memory[at] = {kStampsBytes, 0, module->variable};
  }
  *address = reinterpret_cast<DevicePtr>(module->variable);
  *bytes = kStampsBytes;
  return cu::kSuccess;
}

int cuFuncGetAttribute(int* value, int attribute, cu::Function function) {
  ENTER(cuFuncGetAttribute);
  switch (attribute) {
    case cu::kFuncNumRegs:
      *value = s.b.registers;
      return cu::kSuccess;
    case cu::kFuncLocalSizeBytes:
      *value = s.b.spill;
      return cu::kSuccess;
    case cu::kFuncSharedSizeBytes:
      *value = s.b.staticShared;
      return cu::kSuccess;
    case cu::kFuncMaxDynamicSharedSizeBytes:
      *value = function->dynamicLimit;
      return cu::kSuccess;
    default:
      return cu::kInvalidValue;
  }
}

int cuFuncSetAttribute(cu::Function function, int attribute, int value) {
  ENTER(cuFuncSetAttribute);
  if (attribute == cu::kFuncPreferredSharedCarveout) return cu::kSuccess;
  if (attribute != cu::kFuncMaxDynamicSharedSizeBytes || value < 0 ||
      value > kSharedPerBlock - s.b.staticShared) {
    return cu::kInvalidValue;
  }
  function->dynamicLimit = value;
  return cu::kSuccess;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, cu::Function, int threads,
                                                std::size_t dynamic) {
  ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  *blocks = blocksThatFit(s.b, threads, s.b.staticShared + static_cast<int>(dynamic));
  return cu::kSuccess;
}

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
  const auto argument = [arguments]<class T>(int i, T& to) {
    std::memcpy(&to, arguments[i], sizeof to);
  };
  if (function->name == "check" || function->name == "check_halves") {
    const bool halves = function->name == "check_halves";
    unsigned m = 0, n = 0, ld = 0;
    DevicePtr got = 0, want = 0, out = 0;
    float absolute = 0, relative = 0;
    argument(0, m), argument(1, n), argument(2, got), argument(3, ld), argument(4, want),
        argument(5, absolute);
    if (halves) argument(6, relative);
    argument(halves ? 8 : 6, out);
    stream->polls = s.b.polls;
    stream->queue.emplace_back([&s, m, n, ld, got, want, absolute, relative, out, halves] {
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

  if (std::find(std::begin(kCeilings), std::end(kCeilings), function->name) !=
      std::end(kCeilings)) {
    DevicePtr from = 0, to = 0;
    unsigned long long count = 0;
    unsigned rounds = 0;
    argument(0, from), argument(1, to), argument(2, count), argument(3, rounds);
    if (s.holder(from, count * 16) == nullptr || s.holder(to, count * 16) == nullptr) s.lose();
    const bool meant = s.b.only.empty() || s.b.only == function->name;
    if (meant && s.b.hangFrom > 0 && ++s.launches >= s.b.hangFrom) s.hanging = true;
    // pass() counts 2 M N K for a launch.
    s.pass(stream, function->name, 0.5,
           ceilingWork(function->name, gridX, double(threads), double(count) * 16, rounds), 1);
    return cu::kSuccess;
  }

  if (function->name == kMicroCase) {
    DevicePtr addresses = 0, clocks = 0;
    int turns = 0;
    argument(0, addresses), argument(1, clocks), argument(2, turns);
    const bool meant = s.b.only.empty() || s.b.only == kMicroCase;
    if (meant && s.b.hangFrom > 0 && ++s.launches >= s.b.hangFrom) s.hanging = true;
    stream->polls = s.b.polls;
    stream->queue.emplace_back([&s, addresses, clocks, turns, gridX, threads] {
      const std::size_t warps = std::size_t{gridX} * threads / 32;
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

  unsigned m = 0, n = 0, k = 0;
  float alpha = 0, beta = 0;
  DevicePtr a = 0, bAddress = 0, c = 0;
  const bool halves = isAmong(function->name, kHalfStages);
  argument(0, m), argument(1, n), argument(2, k);
  if (isAmong(function->name, kBoxStages)) {
    FakeMap mapA{}, mapB{};
    argument(3, mapA), argument(4, mapB);
    const auto isOf = [](const FakeMap& map, unsigned rows, unsigned columns) {
      return map.mark == FakeMap::kMark && map.rows == rows && map.columns == columns;
    };
    // Another matrix, or none: a GPU faults or multiplies something else.
    if (!isOf(mapA, m, k) || !isOf(mapB, k, n) || shared == 0) return cu::kInvalidValue;
    a = mapA.address, bAddress = mapB.address;
    if (isAmong(function->name, kStoredStages)) {
      FakeMap mapC{};
      argument(5, mapC);
      if (!isOf(mapC, m, n)) return cu::kInvalidValue;
      c = mapC.address;
    } else {
      argument(5, c);
    }
  } else if (halves) {
    argument(3, a), argument(4, bAddress), argument(5, c);
  } else {
    argument(3, alpha), argument(4, a), argument(5, bAddress), argument(6, beta), argument(7, c);
  }
  const bool misbehaves = s.b.only.empty() || s.b.only == function->name;
  if (misbehaves) ++s.launches;
  const auto due = [&](int from) { return misbehaves && from > 0 && s.launches >= from; };
  if (due(s.b.abortFrom)) die("aborts in a launch, as told");
  if (due(s.b.hangFrom)) s.hanging = true;
  const bool illegal = due(s.b.illegalFrom);
  const long long wrong = due(s.b.wrongFrom) ? s.b.wrong : -1;
  if (function->name == s.b.slowStage) {
    stream->busyUntil = std::max(stream->busyUntil, Wall::now()) +
                        std::chrono::microseconds(static_cast<long long>(s.b.slowMs * 1e3));
  }
  s.pass(stream, function->name, m, n, k, function->quality);
  if (function->module->variable != nullptr && s.b.stampStep > 0) {
    DevicePtr records = 0;
    unsigned block = 0;
    const auto* variable = static_cast<const char*>(function->module->variable);
    std::memcpy(&records, variable, sizeof records);
    std::memcpy(&block, variable + sizeof records, sizeof block);
    const unsigned warps = static_cast<unsigned>(threads) / 32;
    constexpr std::size_t kPerWarp = 4096, kRecord = 16, kSums = 32;
    const bool sums = function->sums;
    stream->queue.emplace_back([&s, records, block, warps, k, gridX, gridY, sums] {
      if (sums) {
        // Block b, warp w: 10,000 + 2 b + 100 w cycles. They include waits: 1,000 for warps, 2,000
        // for a phase and 3,000 for products.
        const std::size_t all = std::size_t{gridX} * gridY * warps;
        if (s.holder(records, all * kSums) == nullptr) return s.lose();
        auto* out = reinterpret_cast<std::uint32_t*>(records);
        for (std::size_t i = 0; i < all; ++i) {
          const auto its = static_cast<std::uint32_t>(10'000 + 2 * (i / warps) + 100 * (i % warps));
          const std::uint32_t record[kSums / 4] = {its, 1'000, 2'000, 0, 3'000};
          std::memcpy(out + i * (kSums / 4), record, sizeof record);
        }
        return;
      }
      if (s.holder(records, warps * kPerWarp * kRecord) == nullptr || block >= gridX * gridY)
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
  stream->queue.emplace_back(
      [&s, m, n, k, alpha, a, bAddress, beta, c, misbehaves, illegal, wrong, halves] {
        if (illegal) return s.lose();
        if (halves) {
          std::uint16_t* out = s.gemmHalves(static_cast<int>(m), static_cast<int>(n),
                                            static_cast<int>(k), a, bAddress, c);
          if (out == nullptr || !misbehaves) return;
          const long long count = static_cast<long long>(m) * n;
          if (s.b.zero) std::fill_n(out, count, std::uint16_t{0});
          // One ulp: the least effect of a lost product.
          if (wrong >= 0 && wrong < count) out[wrong] ^= 1u;
          if (s.b.nan >= 0 && s.b.nan < count) out[s.b.nan] = 0x7FFF;
          return;
        }
        float* out = s.gemm(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), alpha, a,
                            bAddress, beta, c);
        if (out == nullptr || !misbehaves) return;
        const long long count = static_cast<long long>(m) * n;
        if (s.b.zero) std::fill_n(out, count, 0.0f);
        if (wrong >= 0 && wrong < count) out[wrong] += 1.0f;
        if (s.b.nan >= 0 && s.b.nan < count) out[s.b.nan] = std::numeric_limits<float>::quiet_NaN();
      });
  return cu::kSuccess;
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

int cuStreamCreate(cu::Stream* stream, unsigned) {
  ENTER(cuStreamCreate);
  if (s.current == nullptr) return 201;
  *stream = new cu::StreamTag;
  s.streams.insert(*stream);
  return cu::kSuccess;
}

int cuStreamDestroy_v2(cu::Stream stream) {
  RELEASE(cuStreamDestroy_v2);
  if (s.streams.erase(stream) == 0) return 400;
  if (!s.hanging) s.drain(stream);
  delete stream;
  return answer;
}

int cuStreamQuery(cu::Stream stream) {
  ENTER(cuStreamQuery);
  if (s.streams.count(stream) == 0) return 400;
  if (s.hanging || Wall::now() < stream->busyUntil) return cu::kNotReady;
  if (stream->polls > 0) {
    --stream->polls;
    return cu::kNotReady;
  }
  s.drain(stream);
  return s.sticky;
}

int cuEventCreate(cu::Event* event, unsigned) {
  ENTER(cuEventCreate);
  if (s.current == nullptr) return 201;
  *event = new cu::EventTag;
  s.events.insert(*event);
  return cu::kSuccess;
}

int cuEventDestroy_v2(cu::Event event) {
  RELEASE(cuEventDestroy_v2);
  if (s.events.erase(event) == 0) return 400;
  delete event;
  return answer;
}

int cuEventRecord(cu::Event event, cu::Stream stream) {
  ENTER(cuEventRecord);
  if (s.events.count(event) == 0 || s.streams.count(stream) == 0) return 400;
  s.note("record");
  event->state->recorded = true;
  event->state->done = false;
  event->state->at = stream->clock;
  stream->polls = s.b.polls;
  stream->queue.emplace_back([state = event->state] { state->done = true; });
  return cu::kSuccess;
}

int cuEventElapsedTime(float* ms, cu::Event from, cu::Event to) {
  ENTER(cuEventElapsedTime);
  if (s.events.count(from) == 0 || s.events.count(to) == 0) return 400;
  if (!from->state->recorded || !to->state->recorded) return 400;
  if (!from->state->done || !to->state->done) return cu::kNotReady;
  *ms = static_cast<float>(to->state->at - from->state->at);
  return cu::kSuccess;
}

// --- cuBLAS ------------------------------------------------------------------------------------

int cublasCreate_v2(void** handle) {
  LOCK;
  if (const int forced = s.forced("cublasCreate_v2"); forced != 0) return forced;
  if (s.current == nullptr || s.sticky != 0) return 1;  // NOT_INITIALIZED
  auto* made = new CublasHandle;
  s.handles.insert(made);
  *handle = made;
  return 0;
}

int cublasDestroy_v2(void* handle) {
  LOCK;
  const int answer = s.forced("cublasDestroy_v2");
  s.drainAll(lock);  // it gives memory back
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.erase(known) == 0) return 1;
  delete known;
  return answer;
}

int cublasSetStream_v2(void* handle, cu::Stream stream) {
  LOCK;
  if (const int forced = s.forced("cublasSetStream_v2"); forced != 0) return forced;
  static_cast<CublasHandle*>(handle)->stream = stream;
  return 0;
}

int cublasSetMathMode(void* handle, int mode) {
  LOCK;
  if (const int forced = s.forced("cublasSetMathMode"); forced != 0) return forced;
  static_cast<CublasHandle*>(handle)->math = mode;
  return 0;
}

int cublasGetProperty(int type, int* value) {
  LOCK;
  if (const int forced = s.forced("cublasGetProperty"); forced != 0) return forced;
  if (type < 0 || type > 2) return 7;
  *value = type == 0 ? 13 : type == 1 ? 1 : 2;
  return 0;
}

const char* cublasGetStatusName(int status) {
  switch (status) {
    case 0:
      return "CUBLAS_STATUS_SUCCESS";
    case 1:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case 3:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case 7:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case 8:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case 13:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case 15:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_OF_THE_FAKE";
  }
}

// Column-major: C (m x n) = alpha A (m x k) B (k x n) + beta C. No transposition and no gaps: this
// program needs nothing else.
int cublasSgemm_v2(void* handle, int transA, int transB, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc) {
  LOCK;
  if (const int forced = s.forced("cublasSgemm_v2"); forced != 0) return forced;
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.count(known) == 0 || s.streams.count(known->stream) == 0) return 1;
  if (transA != 0 || transB != 0 || lda != m || ldb != k || ldc != m) return 15;
  if (m < 0 || n < 0 || k < 0) return 7;
  if (s.sticky != 0) return 13;
  s.note(text("sgemm %dx%dx%d %d", n, m, k, known->math));
  s.pass(known->stream, "cublas", m, n, k);
  // The same row-major is C^T = B^T A^T.
  known->stream->queue.emplace_back([&s, m, n, k, x = *alpha, y = *beta, a, b, c] {
    s.gemm(n, m, k, x, reinterpret_cast<DevicePtr>(b), reinterpret_cast<DevicePtr>(a), y,
           reinterpret_cast<DevicePtr>(c));
  });
  return 0;
}

int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes) {
  LOCK;
  if (const int forced = s.forced("cublasSetWorkspace_v2"); forced != 0) return forced;
  if (s.handles.count(static_cast<CublasHandle*>(handle)) == 0) return 1;
  return s.holder(reinterpret_cast<DevicePtr>(workspace), bytes) != nullptr ? 0 : 7;
}

// As above, for 16-bit elements with FP32 sums, alpha 1 and beta 0: again all that is needed.
int cublasGemmEx(void* handle, int transA, int transB, int m, int n, int k, const void* alpha,
                 const void* a, int typeA, int lda, const void* b, int typeB, int ldb,
                 const void* beta, void* c, int typeC, int ldc, int compute, int algorithm) {
  LOCK;
  if (const int forced = s.forced("cublasGemmEx"); forced != 0) return forced;
  auto* known = static_cast<CublasHandle*>(handle);
  if (s.handles.count(known) == 0 || s.streams.count(known->stream) == 0) return 1;
  const bool types = (typeA == kTypeBf16 || typeA == kTypeFp16) && typeB == typeA && typeC == typeA;
  if (transA != 0 || transB != 0 || lda != m || ldb != k || ldc != m || !types || compute != 68 ||
      algorithm != -1 || *static_cast<const float*>(alpha) != 1.0f ||
      *static_cast<const float*>(beta) != 0.0f) {
    return 15;
  }
  if (s.sticky != 0) return 13;
  s.note(text("gemmex %dx%dx%d type %d math %d", n, m, k, typeA, known->math));
  s.halfType = typeA;
  s.pass(known->stream, "cublas", m, n, k);
  known->stream->queue.emplace_back([&s, m, n, k, a, b, c] {
    s.gemmHalves(n, m, k, reinterpret_cast<DevicePtr>(b), reinterpret_cast<DevicePtr>(a),
                 reinterpret_cast<DevicePtr>(c));
  });
  return 0;
}

std::size_t cublasLtGetVersion() {
  return 130102;  // 13.1.2
}

// --- NVML --------------------------------------------------------------------------------------

int nvmlInit_v2() {
  LOCK;
  if (const int forced = s.forced("nvmlInit_v2"); forced != 0) return forced;
  ++s.nvml;
  return 0;
}

int nvmlShutdown() {
  LOCK;
  const int answer = s.forced("nvmlShutdown");
  if (s.nvml <= 0) return 1;
  --s.nvml;
  return answer;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetHandleByPciBusId_v2"); forced != 0) return forced;
  if (s.nvml <= 0) return 1;
  for (int i = 0; i < s.b.devices; ++i) {
    if (text("0000:%02x:00.0", 0x17 + i) != bus) continue;
    *device = &s;
    return 0;
  }
  return 6;  // NOT_FOUND
}

int nvmlSystemGetDriverVersion(char* version, unsigned bytes) {
  LOCK;
  if (const int forced = s.forced("nvmlSystemGetDriverVersion"); forced != 0) return forced;
  std::snprintf(version, bytes, "0.0.fake");
  return 0;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetClockInfo"); forced != 0) return forced;
  if (type != 1) return 2;  // the SMs' clock only
  *mhz = s.b.clock;
  return 0;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetPowerUsage"); forced != 0) return forced;
  *milliwatts = static_cast<unsigned>(s.b.watts * 1000);
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetCurrentClocksThrottleReasons"); forced != 0)
    return forced;
  *bits = s.b.throttle;
  return 0;
}

// --- NVRTC -------------------------------------------------------------------------------------

struct FakeProgram {
  std::string source, log;
  std::vector<char> image;
};

int nvrtcVersion(int* major, int* minor) {
  LOCK;
  if (const int forced = s.forced("nvrtcVersion"); forced != 0) return forced;
  *major = s.b.nvrtcMajor;
  *minor = s.b.nvrtcMinor;
  return 0;
}

const char* nvrtcGetErrorString(int result) {
  return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE";
}

static const int kArchs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

int nvrtcGetNumSupportedArchs(int* count) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetNumSupportedArchs"); forced != 0) return forced;
  *count = static_cast<int>(std::size(kArchs));
  return 0;
}

int nvrtcGetSupportedArchs(int* archs) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetSupportedArchs"); forced != 0) return forced;
  std::copy(std::begin(kArchs), std::end(kArchs), archs);
  return 0;
}

int nvrtcCreateProgram(FakeProgram** program, const char* source, const char*, int,
                       const char* const*, const char* const*) {
  LOCK;
  if (const int forced = s.forced("nvrtcCreateProgram"); forced != 0) return forced;
  *program = new FakeProgram{source, "", {}};
  ++s.programs;
  return 0;
}

int nvrtcDestroyProgram(FakeProgram** program) {
  LOCK;
  const int answer = s.forced("nvrtcDestroyProgram");
  delete *program;
  *program = nullptr;
  --s.programs;
  return answer;
}

int nvrtcCompileProgram(FakeProgram* program, int count, const char* const* options) {
  LOCK;
  if (const int forced = s.forced("nvrtcCompileProgram"); forced != 0) {
    program->log = "fake.cu(1): error: as told\n";
    return forced;
  }
  ElfHeader h{};
  std::memcpy(h.ident, "\177ELF\2\1\1", 7);
  h.flags = kOwnFlags;
  std::string parameters;
  int results = 1;        // TM*TN
  bool compiles = false;  // it bypasses its own cache, which has no logs
  for (int i = 0; i < count; ++i) {
    const std::string_view option = options[i];
    if (option == "--no-cache" && s.b.nvrtcMajor < 13) {
      program->log = "nvrtc: error: unrecognized option --no-cache found\n";
      return 5;
    }
    compiles = compiles || option == "--no-cache" || s.b.nvrtcMajor < 13;
    if (option.substr(0, 2) == "-D" && option.find('=') != option.npos)
      parameters += std::string(option) + " ";
    if (option.substr(0, 5) == "-DTM=" || option.substr(0, 5) == "-DTN=")
      results *= std::atoi(options[i] + 5);
    constexpr std::string_view kArch = "--gpu-architecture=sm_";
    if (option.substr(0, kArch.size()) == kArch)
      h.version = static_cast<std::uint32_t>(std::atoi(options[i] + kArch.size()));
  }
  const std::string& source = program->source;
  std::size_t at = std::string::npos, skip = 0;
  for (const std::string_view word : {"KERNEL(", "KERNEL16(", "__global__ void "}) {
    if (at == std::string::npos) at = source.find(word), skip = word.size();
  }
  // A source of several kernels: ceilings.cu.
  std::string ceilings;
  for (const char* kernel : kCeilings) {
    if (source.find(std::string(kernel) + "(") != std::string::npos)
      ceilings += (ceilings.empty() ? "" : " ") + std::string(kernel);
  }
  if (at == std::string::npos || h.version == 0) {
    program->log = "fake.cu(1): error: no kernel\n";
    return 6;
  }
  // Another one: check.cu.
  std::string found;
  for (; at != std::string::npos; at = source.find("__global__ void ", at + skip)) {
    const std::size_t end = source.find_first_of(",(", at + skip);
    found += (found.empty() ? "" : " ") + source.substr(at + skip, end - at - skip);
    skip = std::string_view("__global__ void ").size();
  }
  const std::string name = ceilings.empty() ? found : ceilings;
  // Machine code that can be changed: micro_case.cu.
  if (source.find(std::string(kMicroCase) + "(") != std::string::npos) {
    const std::string file = tileloom::test::MicroTemplate().file();
    program->image.assign(file.begin(), file.end());
    return 0;
  }
  if (!s.b.cubin.empty() && source.find("KERNEL(") != std::string::npos) {
    program->image = fileFor(s.b.cubin, h.version);
  } else {
    program->image = namedImage(h, name, parameters);
  }
  const auto has = [&source](const std::string& text) {
    return !text.empty() && source.find(text) != std::string::npos;
  };
  const bool spills = (s.b.spillAbove > 0 && results > s.b.spillAbove) || has(s.b.spillWith);
  const int spill = spills ? 8 : s.b.spill;
  const int registers = has(s.b.manyRegistersWith) ? s.b.manyRegisters : s.b.registers;
  program->log = text(
      "ptxas info    : Function properties for %s\n"
      "    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads\n"
      "ptxas info    : Used %d registers, used 1 barriers, %d bytes smem\n",
      name.c_str(), spill, spill, spill, registers, s.b.staticShared);
  if (!s.b.remark.empty()) {
    program->log += text(
        "ptxas info    : (%s) Potential Performance Loss: wgmma.mma_async instructions are "
        "serialized due to insufficient register resources for the function '%s'\n",
        s.b.remark.c_str(), name.c_str());
  }
  if (!compiles) program->log.clear();
  return 0;
}

int nvrtcGetProgramLogSize(FakeProgram* program, std::size_t* bytes) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetProgramLogSize"); forced != 0) return forced;
  *bytes = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(FakeProgram* program, char* log) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetProgramLog"); forced != 0) return forced;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}

int nvrtcGetCUBINSize(FakeProgram* program, std::size_t* bytes) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetCUBINSize"); forced != 0) return forced;
  *bytes = program->image.size();
  return 0;
}

int nvrtcGetCUBIN(FakeProgram* program, char* image) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetCUBIN"); forced != 0) return forced;
  std::copy(program->image.begin(), program->image.end(), image);
  return 0;
}

}  // extern "C"

// A fake with another signature than the called one would prove nothing.
#define SAME(name) static_assert(std::is_same_v<decltype(&name), decltype(cu::Table::name)>)
SAME(cuInit);
SAME(cuDriverGetVersion);
SAME(cuGetErrorName);
SAME(cuGetErrorString);
SAME(cuDeviceGetCount);
SAME(cuDeviceGet);
SAME(cuDeviceGetName);
SAME(cuDeviceTotalMem_v2);
SAME(cuDeviceGetAttribute);
SAME(cuDeviceGetPCIBusId);
SAME(cuDevicePrimaryCtxRetain);
SAME(cuDevicePrimaryCtxRelease_v2);
SAME(cuCtxSetCurrent);
SAME(cuCtxSynchronize);
SAME(cuMemGetInfo_v2);
SAME(cuMemAlloc_v2);
SAME(cuMemFree_v2);
SAME(cuMemcpyHtoD_v2);
SAME(cuMemcpyDtoH_v2);
SAME(cuMemcpyDtoDAsync_v2);
SAME(cuMemcpy2DAsync_v2);
SAME(cuMemsetD32Async);
SAME(cuModuleLoadData);
SAME(cuModuleUnload);
SAME(cuModuleGetFunction);
SAME(cuModuleGetGlobal_v2);
SAME(cuFuncGetAttribute);
SAME(cuFuncSetAttribute);
SAME(cuOccupancyMaxActiveBlocksPerMultiprocessor);
SAME(cuLaunchKernel);
SAME(cuStreamCreate);
SAME(cuStreamDestroy_v2);
SAME(cuStreamQuery);
SAME(cuEventCreate);
SAME(cuEventDestroy_v2);
SAME(cuEventRecord);
SAME(cuEventElapsedTime);
SAME(cuTensorMapEncodeTiled);
