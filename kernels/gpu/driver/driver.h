// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver as values that own their resources. A Driver is loaded once. A Context belongs to
// one of its devices. It is made current on the thread that opens it and must be used on that
// thread only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/driver/device_info.h"
#include "kernels/gpu/driver/driver_api.h"
#include "kernels/gpu/driver/library.h"

namespace tileloom::gpu {

class Driver {
 public:
  // Loads and initialises the driver. Trouble::Missing: there is no driver or no device.
  static Result<std::shared_ptr<const Driver>> load();

  const cu::Table& api() const { return api_; }
  int version() const { return version_; }  // of the CUDA that it supports: 13000
  const std::string& path() const { return path_; }
  const std::vector<DeviceInfo>& devices() const { return devices_; }

  // The error of a failed call: its trouble, CUDA's name and text, and `doing` ("while measuring").
  Error error(cu::Result result, std::string_view doing) const;
  Result<void> check(cu::Result result, std::string_view doing) const;

  // To be called when a kernel does not end. From then on nothing is freed, because cuMemFree,
  // cuModuleUnload and the like would wait for the kernel. The driver's exit handlers would also
  // wait, so the process has to end by _exit or a signal (measured on an H100: exit() lasts as long
  // as the kernel, SIGKILL stops it at once).
  void abandon() const { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

 private:
  Result<DeviceInfo> describe(int index) const;

  cu::Table api_;
  int version_ = 0;
  std::string path_;
  std::vector<DeviceInfo> devices_;
  mutable std::atomic<bool> abandoned_ = false;
};

class Context;

// Device memory.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  cu::DevicePtr address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  explicit operator bool() const { return address_ != 0; }

 private:
  friend class Context;
  std::shared_ptr<const Driver> driver_;
  cu::DevicePtr address_ = 0;
  std::size_t bytes_ = 0;
};

// One kernel of a loaded cubin.
class Kernel {
 public:
  Kernel() = default;
  Kernel(Kernel&& other) noexcept { *this = std::move(other); }
  Kernel& operator=(Kernel&& other) noexcept;
  ~Kernel();

  int registers = 0;     // per thread
  int localBytes = 0;    // per thread: spills and stack
  int staticShared = 0;  // bytes per block
  int dynamicShared = 0;
  int blocksPerSm = 0;  // by the driver; 0: the block does not fit
  explicit operator bool() const { return function_ != nullptr; }

 private:
  friend class Context;
  std::shared_ptr<const Driver> driver_;
  cu::Module module_ = nullptr;
  cu::Function function_ = nullptr;
};

class Event {
 public:
  Event() = default;
  Event(Event&& other) noexcept { *this = std::move(other); }
  Event& operator=(Event&& other) noexcept;
  ~Event();

 private:
  friend class Context;
  std::shared_ptr<const Driver> driver_;
  cu::Event event_ = nullptr;
};

struct LaunchShape {
  unsigned gridX = 1, gridY = 1, blockX = 1, blockY = 1;
  unsigned gridZ = 1, blockZ = 1;
};

class Context {
 public:
  static Result<std::unique_ptr<Context>> open(std::shared_ptr<const Driver> driver, int device);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  const DeviceInfo& device() const { return device_; }
  const Driver& driver() const { return *driver_; }
  cu::Stream stream() const { return stream_; }
  cu::Context handle() const { return context_; }

  Result<std::size_t> freeBytes() const;
  Result<Buffer> allocate(std::size_t bytes) const;
  Result<Kernel> load(std::span<const char> cubin, const std::string& kernel, int threads,
                      int dynamicShared) const;
  // Writes a variable of the kernel's module. The size must be that of `value`.
  Result<void> set(const Kernel& kernel, const char* variable,
                   std::span<const std::byte> value) const;
  Result<Event> event() const;

  // In the order of the launches: a kernel that is launched afterwards finds the bytes.
  Result<void> upload(const Buffer& to, std::span<const std::byte> from) const;
  Result<void> download(std::span<std::byte> to, const Buffer& from) const;
  // From here on, in the stream: executed in the order of the calls.
  Result<void> copy(const Buffer& to, const Buffer& from, std::size_t bytes) const;
  Result<void> copyRows(const Buffer& to, std::size_t toPitch, const Buffer& from,
                        std::size_t fromPitch, std::size_t widthBytes, std::size_t rows) const;
  Result<void> clear(const Buffer& to, std::size_t bytes) const;
  Result<void> launch(const Kernel& kernel, const LaunchShape& shape,
                      std::span<void*> arguments) const;
  Result<void> record(const Event& event) const;
  Result<double> milliseconds(const Event& from, const Event& to) const;

  // Waits until the stream is idle. Trouble::TimedOut: it was not idle at `deadline`.
  Result<void> wait(std::chrono::steady_clock::time_point deadline) const;

 private:
  Context() = default;

  std::shared_ptr<const Driver> driver_;
  DeviceInfo device_;
  cu::Device handle_ = 0;
  cu::Context context_ = nullptr;
  cu::Stream stream_ = nullptr;
};

}  // namespace tileloom::gpu
