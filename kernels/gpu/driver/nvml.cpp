// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/nvml.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "kernels/gpu/driver/library.h"

namespace tileloom::gpu {
namespace {

constexpr int kClockSm = 1;  // nvml.h: NVML_CLOCK_SM

}  // namespace

std::vector<std::string> throttleReasons(unsigned long long bits) {
  // nvml.h: nvmlClocksEventReason…
  static constexpr std::array<std::pair<unsigned long long, const char*>, 6> kReasons = {{
      {0x4, "power cap"},
      {0x8, "hardware slowdown"},
      {0x10, "sync boost"},
      {0x20, "software thermal slowdown"},
      {0x40, "hardware thermal slowdown"},
      {0x80, "power brake"},
  }};
  std::vector<std::string> words;
  for (const auto& [bit, text] : kReasons) {
    if ((bits & bit) != 0) words.emplace_back(text);
  }
  return words;
}

Result<std::unique_ptr<Nvml>> Nvml::open(const std::string& bus) {
  auto library = Library::open(nvmlLibrary());
  if (!library) return tl::unexpected(library.error());
  std::unique_ptr<Nvml> nvml(new Nvml);
  int (*init)() = nullptr;
  int (*byBus)(const char*, Device*) = nullptr;
  int (*version)(char*, unsigned) = nullptr;
  library->bind(init, "nvmlInit_v2");
  library->bind(nvml->shutdown_, "nvmlShutdown");
  library->bind(byBus, "nvmlDeviceGetHandleByPciBusId_v2");
  library->bind(version, "nvmlSystemGetDriverVersion");
  library->bind(nvml->clock_, "nvmlDeviceGetClockInfo");
  library->bind(nvml->power_, "nvmlDeviceGetPowerUsage");
  library->bind(nvml->throttle_, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  if (const int result = init(); result != 0) {
    return fail(
        Trouble::Failed,
        fmt::format("NVML does not start (error {}): clocks and watts stay unknown", result));
  }
  nvml->initialised_ = true;
  if (const int result = byBus(bus.c_str(), &nvml->device_); result != 0) {
    return fail(Trouble::Failed,
                fmt::format("NVML does not know the device {} (error {}): clocks and watts stay "
                            "unknown",
                            bus, result));
  }
  std::array<char, 96> text{};
  if (version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0)
    nvml->driverVersion_ = text.data();
  return nvml;
}

Nvml::~Nvml() {
  if (initialised_) shutdown_();
}

Vitals Nvml::read() const {
  Vitals v;
  unsigned value = 0;
  if (clock_(device_, kClockSm, &value) == 0) v.smClockMHz = static_cast<int>(value);
  if (power_(device_, &value) == 0) v.watts = value / 1000.0;
  unsigned long long bits = 0;
  if (throttle_(device_, &bits) == 0) v.throttle = bits;
  return v;
}

}  // namespace tileloom::gpu
