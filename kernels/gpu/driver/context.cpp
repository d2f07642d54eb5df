// SPDX-License-Identifier: GPL-3.0-or-later
// One device: memory, kernels, events, and waiting with a deadline.
#include <fmt/format.h>

#include <thread>

#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Buffer::~Buffer() {
  if (address_ != 0 && !driver_->abandoned()) driver_->api().cuMemFree_v2(address_);
}

Kernel& Kernel::operator=(Kernel&& other) noexcept {
  registers = other.registers;
  localBytes = other.localBytes;
  staticShared = other.staticShared;
  dynamicShared = other.dynamicShared;
  blocksPerSm = other.blocksPerSm;
  std::swap(driver_, other.driver_);
  std::swap(module_, other.module_);
  std::swap(function_, other.function_);
  return *this;
}

Kernel::~Kernel() {
  if (module_ != nullptr && !driver_->abandoned()) driver_->api().cuModuleUnload(module_);
}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(event_, other.event_);
  return *this;
}

Event::~Event() {
  if (event_ != nullptr && !driver_->abandoned()) driver_->api().cuEventDestroy_v2(event_);
}

Result<std::unique_ptr<Context>> Context::open(std::shared_ptr<const Driver> driver, int device) {
  if (device < 0 || device >= static_cast<int>(driver->devices().size())) {
    return fail(Trouble::BadRequest, fmt::format("there is no device {}: choose one from 0 to {}",
                                                 device, driver->devices().size() - 1));
  }
  std::unique_ptr<Context> context(new Context);
  const cu::Table& api = driver->api();
  context->driver_ = driver;
  context->device_ = driver->devices()[static_cast<std::size_t>(device)];
  constexpr std::string_view kDoing = "while opening the device";
  cu::Device handle = 0;
  if (const auto done = driver->check(api.cuDeviceGet(&handle, device), kDoing); !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done =
          driver->check(api.cuDevicePrimaryCtxRetain(&context->context_, handle), kDoing);
      !done) {
    return tl::unexpected(done.error());
  }
  context->handle_ = handle;
  if (const auto done = driver->check(api.cuCtxSetCurrent(context->context_), kDoing); !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = driver->check(api.cuStreamCreate(&context->stream_, 1), kDoing); !done) {
    return tl::unexpected(done.error());
  }
  return context;
}

Context::~Context() {
  if (driver_->abandoned()) return;
  if (stream_ != nullptr) driver_->api().cuStreamDestroy_v2(stream_);
  if (context_ != nullptr) driver_->api().cuDevicePrimaryCtxRelease_v2(handle_);
}

Result<std::size_t> Context::freeBytes() const {
  std::size_t free = 0, total = 0;
  if (const auto done =
          driver_->check(driver_->api().cuMemGetInfo_v2(&free, &total), "while allocating memory");
      !done) {
    return tl::unexpected(done.error());
  }
  return free;
}

Result<Buffer> Context::allocate(std::size_t bytes) const {
  Buffer buffer;
  const cu::Result result = driver_->api().cuMemAlloc_v2(&buffer.address_, bytes);
  if (result != cu::kSuccess) {
    buffer.address_ = 0;
    return tl::unexpected(
        driver_->error(result, fmt::format("for {:.1f} MiB", double(bytes) / (1 << 20))));
  }
  buffer.driver_ = driver_;
  buffer.bytes_ = bytes;
  return buffer;
}

Result<Kernel> Context::load(std::span<const char> cubin, const std::string& name, int threads,
                             int dynamicShared) const {
  const cu::Table& api = driver_->api();
  constexpr std::string_view kDoing = "while loading the kernel";
  Kernel kernel;
  if (const auto done = driver_->check(api.cuModuleLoadData(&kernel.module_, cubin.data()), kDoing);
      !done) {
    return tl::unexpected(done.error());
  }
  kernel.driver_ = driver_;
  if (const auto done = driver_->check(
          api.cuModuleGetFunction(&kernel.function_, kernel.module_, name.c_str()), kDoing);
      !done) {
    return tl::unexpected(done.error());
  }
  if (dynamicShared > 0) {
    const cu::Result opted =
        api.cuFuncSetAttribute(kernel.function_, cu::kFuncMaxDynamicSharedSizeBytes, dynamicShared);
    if (const auto done = driver_->check(opted, kDoing); !done) return tl::unexpected(done.error());
  }
  for (const auto& [attribute, value] : {std::pair{cu::kFuncNumRegs, &kernel.registers},
                                         {cu::kFuncLocalSizeBytes, &kernel.localBytes},
                                         {cu::kFuncSharedSizeBytes, &kernel.staticShared}}) {
    if (const auto done =
            driver_->check(api.cuFuncGetAttribute(value, attribute, kernel.function_), kDoing);
        !done) {
      return tl::unexpected(done.error());
    }
  }
  kernel.dynamicShared = dynamicShared;
  const cu::Result counted = api.cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &kernel.blocksPerSm, kernel.function_, threads, static_cast<std::size_t>(dynamicShared));
  if (const auto done = driver_->check(counted, kDoing); !done) return tl::unexpected(done.error());
  return kernel;
}

Result<void> Context::set(const Kernel& kernel, const char* variable,
                          std::span<const std::byte> value) const {
  const std::string doing = fmt::format("while setting the kernel's variable {}", variable);
  cu::DevicePtr address = 0;
  std::size_t bytes = 0;
  if (auto done = driver_->check(
          driver_->api().cuModuleGetGlobal_v2(&address, &bytes, kernel.module_, variable), doing);
      !done) {
    return done;
  }
  if (bytes != value.size()) {
    return fail(
        Trouble::Failed,
        fmt::format(
            "the kernel's variable {} has {} bytes instead of {}: recompile with --no-cache",
            variable, bytes, value.size()));
  }
  return driver_->check(
      driver_->api().cuMemcpyHtoDAsync_v2(address, value.data(), value.size(), stream_), doing);
}

Result<Event> Context::event() const {
  Event event;
  if (const auto done =
          driver_->check(driver_->api().cuEventCreate(&event.event_, 0), "while creating an event");
      !done) {
    return tl::unexpected(done.error());
  }
  event.driver_ = driver_;
  return event;
}

Result<void> Context::upload(const Buffer& to, std::span<const std::byte> from) const {
  return driver_->check(
      driver_->api().cuMemcpyHtoDAsync_v2(to.address(), from.data(), from.size(), stream_),
      "while copying to the device");
}

Result<void> Context::download(std::span<std::byte> to, const Buffer& from) const {
  return driver_->check(driver_->api().cuMemcpyDtoH_v2(to.data(), from.address(), to.size()),
                        "while copying from the device");
}

Result<void> Context::copy(const Buffer& to, const Buffer& from, std::size_t bytes) const {
  return driver_->check(
      driver_->api().cuMemcpyDtoDAsync_v2(to.address(), from.address(), bytes, stream_),
      "while copying on the device");
}

Result<void> Context::copyRows(const Buffer& to, std::size_t toPitch, const Buffer& from,
                               std::size_t fromPitch, std::size_t widthBytes,
                               std::size_t rows) const {
  cu::Memcpy2D c;
  c.srcDevice = from.address();
  c.srcPitch = fromPitch;
  c.dstDevice = to.address();
  c.dstPitch = toPitch;
  c.WidthInBytes = widthBytes;
  c.Height = rows;
  return driver_->check(driver_->api().cuMemcpy2DAsync_v2(&c, stream_), "while padding a matrix");
}

Result<void> Context::clear(const Buffer& to, std::size_t bytes) const {
  return driver_->check(driver_->api().cuMemsetD32Async(to.address(), 0, bytes / 4, stream_),
                        "while clearing device memory");
}

Result<void> Context::launch(const Kernel& kernel, const LaunchShape& s,
                             std::span<void*> arguments) const {
  return driver_->check(
      driver_->api().cuLaunchKernel(kernel.function_, s.gridX, s.gridY, s.gridZ, s.blockX, s.blockY,
                                    s.blockZ, static_cast<unsigned>(kernel.dynamicShared), stream_,
                                    arguments.data(), nullptr),
      "while launching the kernel");
}

Result<void> Context::record(const Event& event) const {
  return driver_->check(driver_->api().cuEventRecord(event.event_, stream_), "while timing");
}

Result<double> Context::milliseconds(const Event& from, const Event& to) const {
  float ms = 0;
  if (const auto done = driver_->check(
          driver_->api().cuEventElapsedTime(&ms, from.event_, to.event_), "while timing");
      !done) {
    return tl::unexpected(done.error());
  }
  return static_cast<double>(ms);
}

Result<void> Context::wait(std::chrono::steady_clock::time_point deadline) const {
  using namespace std::chrono;
  const auto started = steady_clock::now();
  while (true) {
    const cu::Result state = driver_->api().cuStreamQuery(stream_);
    if (state != cu::kNotReady) return driver_->check(state, "while running the kernel");
    const auto now = steady_clock::now();
    if (now >= deadline) {
      driver_->abandon();
      return fail(
          Trouble::TimedOut,
          "the kernel did not end within the time limit: choose a smaller size or a longer limit");
    }
    // Spinning pays for short kernels but not for a long one.
    if (now - started > std::chrono::milliseconds(2))
      std::this_thread::sleep_for(microseconds(100));
  }
}

}  // namespace tileloom::gpu
