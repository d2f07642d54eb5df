// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/devices.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/counters/cupti.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/gpu/measure/cublas.h"

namespace tileloom::app {
namespace {

struct Part {
  std::string title;
  std::string key;
  std::string version;  // empty: not there
  std::string trouble;
};

template <class T, class Version>
Part part(std::string title, std::string key, const Result<T>& result, Version version) {
  Part p{std::move(title), std::move(key), "", ""};
  if (result) {
    p.version = version(*result);
  } else {
    p.trouble = result.error().text;
  }
  return p;
}

std::string cudaText(int version) {
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

void run(bool json, Outcome& outcome) {
  const auto driver = gpu::Driver::load();
  const auto nvrtc = gpu::Nvrtc::load();
  const auto itself = [](const std::string& text) { return text; };
  std::vector<Part> parts = {
      part("driver", "driver", driver, [](const auto& d) { return cudaText(d->version()); }),
      part("NVRTC", "nvrtc", nvrtc, [](const auto& n) { return n->version(); }),
      part("cuBLAS", "cublas", gpu::Cublas::version(), itself),
      part("cuBLASLt", "cublaslt", gpu::cublasLtVersion(), itself),
  };
  const std::vector<gpu::DeviceInfo> devices =
      driver ? (*driver)->devices() : std::vector<gpu::DeviceInfo>{};
  if (!devices.empty()) {
    parts.push_back(part("NVML", "nvml", gpu::Nvml::open(devices.front().bus),
                         [](const auto& n) { return "driver " + n->driverVersion(); }));
    parts.push_back(part("CUPTI", "cupti", gpu::Cupti::present(), itself));
  }
  if (devices.empty()) outcome.status = kNoGpu;
  if (json) {
    Json list = Json::array();
    for (const auto& d : devices) {
      list.push_back({{"index", d.index},
                      {"name", d.name},
                      {"arch", d.arch()},
                      {"sms", d.sms},
                      {"warps_per_sm", d.warpsPerSm},
                      {"blocks_per_sm", d.blocksPerSm},
                      {"registers_per_sm", d.registersPerSm},
                      {"shared_bytes_per_sm", d.sharedPerSm},
                      {"shared_bytes_per_block", d.sharedPerBlock},
                      {"l2_bytes", d.l2Bytes},
                      {"memory_bytes", d.memoryBytes},
                      {"clock_mhz", d.clockMHz},
                      {"fp32_peak_gflops", gpu::peakGflops(d, d.clockMHz)}});
    }
    Json libraries = Json::object();
    Json missing = Json::array();
    for (const Part& p : parts) {
      libraries[p.key] = p.version.empty() ? Json(nullptr) : Json(p.version);
      if (!p.trouble.empty()) missing.push_back(p.trouble);
    }
    outcome.output = jsonText({{"schema", "tileloom.devices/1"},
                               {"devices", std::move(list)},
                               {"libraries", std::move(libraries)},
                               {"missing", std::move(missing)}});
    return;
  }
  for (const auto& d : devices) {
    outcome.output += fmt::format(
        "{}: {}, {}\n     {} SMs of {} warps, {} blocks, {} KiB shared ({} per block); {} MiB L2; "
        "{:.1f} GiB\n"
        "     FP32 peak {:.1f} TFLOP/s at {} MHz\n",
        d.index, d.name, d.arch(), d.sms, d.warpsPerSm, d.blocksPerSm, d.sharedPerSm / 1024,
        d.sharedPerBlock / 1024, d.l2Bytes >> 20, double(d.memoryBytes) / double(1u << 30),
        gpu::peakGflops(d, d.clockMHz) / 1000, d.clockMHz);
  }
  if (devices.empty()) outcome.output = "No GPU can be used here.\n";
  outcome.output += "\n";
  Table table({{"library", Align::Left}, {"", Align::Left}});
  for (const Part& p : parts) table.add({p.title, p.version.empty() ? p.trouble : p.version});
  outcome.output += table.text();
  if (nvrtc) {
    std::string archs;
    for (const Architecture& arch : gpu::buildableFor(**nvrtc)) {
      archs += archs.empty() ? "" : ", ";
      archs += arch.name;
    }
    outcome.output += fmt::format("\nStages can be compiled for {}.\n", archs);
  }
}

}  // namespace

void addDevicesCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("devices", "List the GPUs and libraries here, and what is missing");
  const auto json = std::make_shared<bool>(false);
  addJsonOptions(command, *json, outcome);
  command.onRun([json, &outcome] { run(*json, outcome); });
}

}  // namespace tileloom::app
