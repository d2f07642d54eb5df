// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver: memory and copies.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tests/gpu/fake/state.h"

using namespace tileloom::fake;

extern "C" {

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

// The bytes are written at once: no test copies them behind a launch that reads what was there.
int cuMemcpyHtoDAsync_v2(DevicePtr to, const void* from, std::size_t bytes, cu::Stream stream) {
  ENTER(cuMemcpyHtoDAsync_v2);
  if (s.streams.count(stream) == 0) return 400;
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

}  // extern "C"

SAME(cuMemGetInfo_v2);
SAME(cuMemAlloc_v2);
SAME(cuMemFree_v2);
SAME(cuMemcpyHtoDAsync_v2);
SAME(cuMemcpyDtoH_v2);
SAME(cuMemcpyDtoDAsync_v2);
SAME(cuMemcpy2DAsync_v2);
SAME(cuMemsetD32Async);
