// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/driver.h"

#include <fmt/format.h>

#include <array>

namespace tileloom::gpu {
namespace {

cu::Table tableOf(Library& library) {
  cu::Table t;
#define TILELOOM_BIND(name) library.bind(t.name, #name)
  TILELOOM_BIND(cuInit);
  TILELOOM_BIND(cuDriverGetVersion);
  TILELOOM_BIND(cuGetErrorName);
  TILELOOM_BIND(cuGetErrorString);
  TILELOOM_BIND(cuDeviceGetCount);
  TILELOOM_BIND(cuDeviceGet);
  TILELOOM_BIND(cuDeviceGetName);
  TILELOOM_BIND(cuDeviceTotalMem_v2);
  TILELOOM_BIND(cuDeviceGetAttribute);
  TILELOOM_BIND(cuDeviceGetPCIBusId);
  TILELOOM_BIND(cuDevicePrimaryCtxRetain);
  TILELOOM_BIND(cuDevicePrimaryCtxRelease_v2);
  TILELOOM_BIND(cuCtxSetCurrent);
  TILELOOM_BIND(cuCtxSynchronize);
  TILELOOM_BIND(cuMemGetInfo_v2);
  TILELOOM_BIND(cuMemAlloc_v2);
  TILELOOM_BIND(cuMemFree_v2);
  TILELOOM_BIND(cuMemcpyHtoDAsync_v2);
  TILELOOM_BIND(cuMemcpyDtoH_v2);
  TILELOOM_BIND(cuMemcpyDtoDAsync_v2);
  TILELOOM_BIND(cuMemcpy2DAsync_v2);
  TILELOOM_BIND(cuMemsetD32Async);
  TILELOOM_BIND(cuModuleLoadData);
  TILELOOM_BIND(cuModuleUnload);
  TILELOOM_BIND(cuModuleGetFunction);
  TILELOOM_BIND(cuModuleGetGlobal_v2);
  TILELOOM_BIND(cuFuncGetAttribute);
  TILELOOM_BIND(cuFuncSetAttribute);
  TILELOOM_BIND(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  TILELOOM_BIND(cuLaunchKernel);
  TILELOOM_BIND(cuStreamCreate);
  TILELOOM_BIND(cuStreamDestroy_v2);
  TILELOOM_BIND(cuStreamQuery);
  TILELOOM_BIND(cuEventCreate);
  TILELOOM_BIND(cuEventDestroy_v2);
  TILELOOM_BIND(cuEventRecord);
  TILELOOM_BIND(cuEventElapsedTime);
#undef TILELOOM_BIND
  library.bindIfThere(t.cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  return t;
}

// Errors that leave a context unusable: CUDA Driver API, CUresult, "This leaves the process in an
// inconsistent state".
Trouble troubleOf(cu::Result result) {
  switch (result) {
    case cu::kOutOfMemory:
      return Trouble::OutOfMemory;
    case cu::kNoDevice:
    case cu::kNotInitialized:
      return Trouble::Missing;
    case cu::kNoBinaryForGpu:
    case cu::kLaunchOutOfResources:
      return Trouble::Unsupported;
    case cu::kIllegalAddress:
    case cu::kLaunchTimeout:
    case cu::kContextIsDestroyed:
    case cu::kAssert:
    case cu::kHardwareStackError:
    case cu::kIllegalInstruction:
    case cu::kMisalignedAddress:
    case cu::kInvalidAddressSpace:
    case cu::kInvalidPc:
    case cu::kLaunchFailed:
    case cu::kEccUncorrectable:
      return Trouble::Lost;
    default:
      return Trouble::Failed;
  }
}

std::string_view adviceOf(cu::Result result, Trouble trouble) {
  if (result == cu::kNoBinaryForGpu) return "compile the kernel for this GPU's architecture";
  switch (trouble) {
    case Trouble::OutOfMemory:
      return "choose a smaller size, or end other programs on this GPU";
    case Trouble::Missing:
      return "check the driver with nvidia-smi";
    case Trouble::Unsupported:
      return "choose a smaller tile";
    case Trouble::Lost:
      return "the CUDA context is lost, so this needs a new process";
    default:
      return "try again, and check the driver with nvidia-smi";
  }
}

}  // namespace

Error Driver::error(cu::Result result, std::string_view doing) const {
  const char* id = nullptr;
  const char* words = nullptr;
  api_.cuGetErrorName(result, &id);
  api_.cuGetErrorString(result, &words);
  const Trouble trouble = troubleOf(result);
  return {trouble,
          fmt::format("the GPU said {} ({}) {}: {}", words != nullptr ? words : "an unknown error",
                      id != nullptr ? std::string(id) : std::to_string(result), doing,
                      adviceOf(result, trouble))};
}

Result<void> Driver::check(cu::Result result, std::string_view doing) const {
  if (result == cu::kSuccess) return {};
  return tl::unexpected(error(result, doing));
}

Result<std::shared_ptr<const Driver>> Driver::load() {
  auto library = Library::open(driverLibrary());
  if (!library) return tl::unexpected(library.error());
  auto driver = std::make_shared<Driver>();
  driver->api_ = tableOf(*library);
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  driver->path_ = library->path();
  const cu::Table& api = driver->api_;
  if (const auto done = driver->check(api.cuInit(0), "on start"); !done)
    return tl::unexpected(done.error());
  api.cuDriverGetVersion(&driver->version_);
  int count = 0;
  if (const auto done = driver->check(api.cuDeviceGetCount(&count), "while counting devices");
      !done) {
    return tl::unexpected(done.error());
  }
  if (count <= 0) {
    return fail(Trouble::Missing,
                "NVIDIA's driver is loaded but reports no GPU: check it with nvidia-smi");
  }
  for (int i = 0; i < count; ++i) {
    auto info = driver->describe(i);
    if (!info) return tl::unexpected(info.error());
    driver->devices_.push_back(std::move(*info));
  }
  return driver;
}

Result<DeviceInfo> Driver::describe(int index) const {
  constexpr std::string_view kDoing = "while querying a device";
  DeviceInfo info;
  info.index = index;
  cu::Device device = 0;
  std::array<char, 256> text{};
  if (const auto done = check(api_.cuDeviceGet(&device, index), kDoing); !done)
    return tl::unexpected(done.error());
  if (const auto done =
          check(api_.cuDeviceGetName(text.data(), int(text.size() - 1), device), kDoing);
      !done) {
    return tl::unexpected(done.error());
  }
  info.name = text.data();
  text.fill('\0');
  if (api_.cuDeviceGetPCIBusId(text.data(), int(text.size() - 1), device) == cu::kSuccess)
    info.bus = text.data();
  std::size_t bytes = 0;
  if (const auto done = check(api_.cuDeviceTotalMem_v2(&bytes, device), kDoing); !done) {
    return tl::unexpected(done.error());
  }
  info.memoryBytes = bytes;
  int threads = 0;
  const std::pair<int, int*> wanted[] = {
      {cu::kComputeCapabilityMajor, &info.major},
      {cu::kComputeCapabilityMinor, &info.minor},
      {cu::kMultiprocessorCount, &info.sms},
      {cu::kMaxThreadsPerMultiprocessor, &threads},
      {cu::kMaxBlocksPerMultiprocessor, &info.blocksPerSm},
      {cu::kMaxRegistersPerMultiprocessor, &info.registersPerSm},
      {cu::kMaxSharedPerMultiprocessor, &info.sharedPerSm},
      {cu::kMaxSharedPerBlockOptin, &info.sharedPerBlock},
      {cu::kL2CacheSize, &info.l2Bytes},
  };
  for (const auto& [attribute, value] : wanted) {
    if (const auto done = check(api_.cuDeviceGetAttribute(value, attribute, device), kDoing);
        !done) {
      return tl::unexpected(done.error());
    }
  }
  info.warpsPerSm = threads / 32;
  // Informational only; newer drivers may drop them.
  int kHz = 0;
  if (api_.cuDeviceGetAttribute(&kHz, cu::kClockRate, device) == cu::kSuccess)
    info.clockMHz = kHz / 1000;
  if (api_.cuDeviceGetAttribute(&kHz, cu::kMemoryClockRate, device) == cu::kSuccess)
    info.memoryClockMHz = kHz / 1000;
  api_.cuDeviceGetAttribute(&info.busBits, cu::kGlobalMemoryBusWidth, device);
  return info;
}

}  // namespace tileloom::gpu
