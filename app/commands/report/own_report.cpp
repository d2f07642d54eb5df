// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/own_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/base/plain_text.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

// "C = 1.5 A B + 0.5 C".
std::string formulaOf(const OwnReport& r) {
  std::string text = fmt::format("{} = ", r.check.result);
  if (r.launch.alpha != 1) text += fmt::format("{} ", r.launch.alpha);
  text += "A B";
  if (r.launch.beta != 0)
    text += fmt::format(" + {}C", r.launch.beta == 1 ? "" : fmt::format("{} ", r.launch.beta));
  return text;
}

// "M 256, N 384, K 128, BM 64".
std::string valuesOf(const own::ResolvedLaunch& launch) {
  std::string text;
  for (const char* size : {"M", "N", "K"})
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", size, launch.values.find(size)->second);
  for (const auto& [name, value] : launch.values)
    if (name != "M" && name != "N" && name != "K") text += fmt::format(", {} {}", name, value);
  return text;
}

std::string checkText(const OwnReport& r) {
  const own::ProductCheck& check = r.check;
  if (!check.whyNot.empty()) return fmt::format("The result was not checked: {}.\n", check.whyNot);
  if (check.right())
    return fmt::format("Right: {} in all {} elements, with whole numbers from -2 to 2.\n",
                       formulaOf(r), grouped(check.elements));
  std::string text = fmt::format(
      "Wrong: {} of {} elements are not {}. The first is row {}, column {}: {} where {} is "
      "right.\n",
      grouped(check.wrong), grouped(check.elements), formulaOf(r), check.row, check.column,
      check.got, check.wanted);
  if (!check.rightWith.empty())
    text += fmt::format("It would be right with {}: write \"layout\" in the launch file.\n",
                        check.rightWith);
  return text;
}

}  // namespace

tl::expected<OwnReport, std::string> ownReport(const sass::Module& module,
                                               const sass::KernelImage& kernel,
                                               const own::ResolvedLaunch& launch,
                                               const std::string& file) {
  OwnReport report;
  report.launch = launch;
  LaunchQuery query;
  query.module = &module;
  query.kernel = &kernel;
  query.grid = launch.launch.grid;
  query.block = launch.launch.block;
  query.dynamicShared = launch.launch.dynamicShared;
  query.arguments = launch.launch.arguments;
  query.file = file;
  const auto crooked =
      std::ranges::find_if(launch.matrices, [](const auto& matrix) { return !matrix.isPlain(); });
  if (crooked != launch.matrices.end())
    query.whyNotRecorded = fmt::format(
        "the elements of {} are not followed, because it is not stored by rows without gaps",
        crooked->name);
  auto costs = launchReport(query);
  if (!costs) return tl::unexpected(costs.error());
  report.check = own::checkProduct(launch, costs->before, costs->after);
  report.costs = std::move(*costs);
  return report;
}

std::string ownText(const OwnReport& r) {
  return fmt::format("{}\n{}\n{}", valuesOf(r.launch), checkText(r), launchText(r.costs));
}

Json ownJson(const OwnReport& r) {
  Json values = Json::object();
  for (const auto& [name, value] : r.launch.values) values[name] = value;
  Json check = {{"why_not", r.check.whyNot},
                {"formula", r.check.whyNot.empty() ? formulaOf(r) : std::string()},
                {"elements", r.check.elements},
                {"wrong", r.check.wrong},
                {"right_with", r.check.rightWith}};
  if (r.check.wrong != 0)
    check["first"] = {{"row", r.check.row},
                      {"column", r.check.column},
                      {"got", r.check.got},
                      {"wanted", r.check.wanted}};
  return {{"schema", "tileloom.kernel/1"},
          {"values", std::move(values)},
          {"check", std::move(check)},
          {"launch", launchJson(r.costs)}};
}

}  // namespace tileloom::app
