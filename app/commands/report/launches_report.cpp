// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/launches_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/commands/common/parse.h"
#include "app/commands/report/cubin_report.h"
#include "kernels/base/text_file.h"

namespace tileloom::app {
namespace {

using executor::ListedLaunch;

constexpr std::size_t kMostList = std::size_t{4} << 20, kMostCubin = std::size_t{256} << 20;
constexpr std::size_t kLongestName = 200;

// The cubins of a list: each is read once.
class Cubins {
 public:
  struct Cubin {
    std::string bytes;
    sass::Module module;
  };

  explicit Cubins(std::filesystem::path folder) : folder_(std::move(folder)) {}

  tl::expected<const Cubin*, std::string> named(const std::string& name) {
    const auto known = all_.find(name);
    if (known != all_.end()) return &known->second;
    const std::string file = (folder_ / name).string();
    auto module = moduleFrom(file);
    if (!module) return tl::unexpected(module.error());
    auto bytes = readText(file, kMostCubin, Absent::IsAnError);
    if (!bytes) return tl::unexpected(bytes.error());
    return &all_.emplace(name, Cubin{std::move(*bytes), std::move(*module)}).first->second;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, Cubin> all_;
};

// One launch with one set of random numbers. The error is fatal.
Result<void> addInstance(const LaunchesQuery& query, const Cubins::Cubin& cubin,
                         const sass::KernelImage& kernel, const ListedLaunch& listed,
                         unsigned instance, LaunchRow& row) {
  const auto host = gpu::executedOnHost(cubin.module, kernel, listed, query.seed + instance);
  if (!host) {
    row.whyNot = host.error();
    return {};
  }
  row.instructions += host->executed.instructions;
  row.elements += host->elements();
  if (query.context == nullptr) return {};
  const auto same = gpu::compareOnDevice(*query.context, cubin.bytes, *host, query.limit);
  if (!same) {
    if (isFatal(same.error().trouble))
      return fail(same.error().trouble, fmt::format("\"{}\": {}", row.name, same.error().text));
    row.whyNotRun = same.error().text;
    return {};
  }
  row.compared = true;
  row.different += same->different;
  if (same->different > 0)
    row.differences.push_back(fmt::format("buffer {}, element {} is {:x}, executed {:x}",
                                          same->buffer, same->first, same->device, same->executed));
  return {};
}

Result<LaunchRow> rowOf(const LaunchesQuery& query, Cubins& cubins, const ListedLaunch& listed) {
  LaunchRow row;
  row.name = quotable(listed.name, kLongestName);
  const auto cubin = cubins.named(listed.cubin);
  if (!cubin) {
    row.whyNot = cubin.error();
    return row;
  }
  const auto kernel = kernelNamed((*cubin)->module, listed.kernel);
  if (!kernel) {
    row.whyNot = kernel.error();
    return row;
  }
  for (int i = 0; i < listed.instances && row.whyNot.empty() && row.whyNotRun.empty(); ++i) {
    const auto added = addInstance(query, **cubin, **kernel, listed, static_cast<unsigned>(i), row);
    if (!added) return tl::unexpected(added.error());
  }
  row.compared = row.compared && row.whyNot.empty() && row.whyNotRun.empty();
  return row;
}

}  // namespace

std::size_t LaunchesReport::executed() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const LaunchRow& r) { return r.whyNot.empty(); }));
}

std::size_t LaunchesReport::compared() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, &LaunchRow::compared));
}

std::uint64_t LaunchesReport::different() const {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0},
                         [](std::uint64_t n, const LaunchRow& r) { return n + r.different; });
}

tl::expected<std::vector<ListedLaunch>, std::string> launchesIn(const std::string& file) {
  const auto text = readText(file, kMostList, Absent::IsAnError);
  if (!text) return tl::unexpected(text.error());
  auto list = executor::launchesFrom(*text);
  if (!list)
    return tl::unexpected(fmt::format("\"{}\" is not a list of launches that can be read: {}",
                                      quotable(file, kLongestName), list.error()));
  return list;
}

Result<LaunchesReport> launchesReport(const LaunchesQuery& query,
                                      const std::vector<ListedLaunch>& list) {
  LaunchesReport report;
  if (query.context != nullptr) report.device = query.context->device().name;
  Cubins cubins(std::filesystem::path(query.file).parent_path());
  for (const ListedLaunch& listed : list) {
    auto row = rowOf(query, cubins, listed);
    if (!row) return tl::unexpected(row.error());
    report.rows.push_back(std::move(*row));
  }
  return report;
}

std::string launchesText(const LaunchesReport& report) {
  const bool device = !report.device.empty();
  std::string text =
      device ? "| launch | instructions | elements | different |\n|---|---:|---:|---:|\n"
             : "| launch | instructions | elements |\n|---|---:|---:|\n";
  std::string remarks;
  std::uint64_t elements = 0;
  for (const LaunchRow& row : report.rows) {
    const bool executed = row.whyNot.empty();
    if (row.compared || (executed && !device)) elements += row.elements;
    text += fmt::format("| {} | {} | {} |", row.name,
                        executed ? grouped(row.instructions) : "not executed",
                        executed ? grouped(row.elements) : "");
    if (device)
      text += fmt::format(" {} |", row.compared ? grouped(row.different)
                                   : executed   ? "not run"
                                                : "");
    text += "\n";
    for (const std::string& why : {row.whyNot, row.whyNotRun})
      if (!why.empty()) remarks += fmt::format("* {}: {}\n", row.name, why);
    for (const std::string& each : row.differences)
      remarks += fmt::format("* {}: {}\n", row.name, each);
  }
  if (!remarks.empty()) text += "\n" + remarks;
  text += fmt::format("\n{} of {} launches executed", report.executed(), report.rows.size());
  if (!device) return text + fmt::format(": {} elements of buffers\n", grouped(elements));
  return text + fmt::format("; {} compared with {}: {} elements of buffers, {} different\n",
                            report.compared(), report.device, grouped(elements),
                            grouped(report.different()));
}

Json launchesJson(const LaunchesReport& report) {
  Json launches = Json::array();
  for (const LaunchRow& row : report.rows) {
    Json each = {{"name", row.name}, {"executed", row.whyNot.empty()}};
    if (!row.whyNot.empty()) {
      each["why_not"] = row.whyNot;
    } else {
      each["warp_instructions"] = row.instructions;
      each["elements"] = row.elements;
    }
    if (row.compared) each["different"] = row.different;
    if (!row.whyNotRun.empty()) each["why_not_run"] = row.whyNotRun;
    if (!row.differences.empty()) each["differences"] = row.differences;
    launches.push_back(std::move(each));
  }
  return {{"schema", "tileloom.launches/1"},
          {"device", report.device.empty() ? Json(nullptr) : Json(report.device)},
          {"executed", report.executed()},
          {"compared", report.compared()},
          {"different", report.different()},
          {"launches", std::move(launches)}};
}

}  // namespace tileloom::app
