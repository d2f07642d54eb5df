// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/own_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/common/parse.h"
#include "app/commands/common/table.h"

namespace tileloom::app {
namespace {

using gpu::TimedLaunch;
using gpu::TimedQuestion;

int sizeOf(const own::Names& values, const char* name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : static_cast<int>(found->second);
}

// What cuBLAS needs of the launch; std::nullopt: it cannot multiply these matrices.
std::optional<TimedQuestion::Product> productOf(const OwnMeasured& asked) {
  TimedQuestion::Product product;
  for (const auto& [name, place] :
       {std::pair("A", &TimedQuestion::Product::a), std::pair("B", &TimedQuestion::Product::b),
        std::pair("C", &TimedQuestion::Product::c)}) {
    const own::MatrixPlace* matrix = asked.launch.resolved.matrix(name);
    const auto buffer =
        std::ranges::find(asked.launch.arguments.buffers, name, &executor::Buffer::name);
    if (matrix == nullptr || !matrix->isPlain() || matrix->type != "f32" ||
        buffer == asked.launch.arguments.buffers.end())
      return std::nullopt;
    product.*place = static_cast<std::size_t>(buffer - asked.launch.arguments.buffers.begin());
  }
  if (asked.launch.resolved.matrix("D") != nullptr) return std::nullopt;
  product.alpha = static_cast<float>(asked.launch.resolved.alpha);
  product.beta = static_cast<float>(asked.launch.resolved.beta);
  return product;
}

Json timesJson(const TimedLaunch::Times& times, const Problem& problem) {
  return {{"milliseconds", times.median},
          {"least", times.least},
          {"most", times.most},
          {"gflops", times.gflops(problem)}};
}

}  // namespace

Result<MeasuredReport> measuredReport(const gpu::Context& context, const OwnMeasured& asked) {
  MeasuredReport report;
  report.device = context.device().name;
  report.problem = {sizeOf(asked.launch.resolved.values, "M"),
                    sizeOf(asked.launch.resolved.values, "N"),
                    sizeOf(asked.launch.resolved.values, "K")};
  TimedQuestion question;
  question.cubin = asked.cubin;
  question.launch = &asked.launch.launch;
  question.arguments = &asked.launch.arguments;
  question.problem = report.problem;
  question.product = productOf(asked);
  question.limit = asked.limit;
  auto timed = gpu::timedLaunch(context, question);
  if (!timed) return tl::unexpected(timed.error());
  report.timed = std::move(*timed);
  return report;
}

std::string measuredText(const MeasuredReport& r) {
  Table table({{"", Align::Left}, {"ms"}, {"from"}, {"to"}, {"GFLOP/s"}});
  const auto add = [&](const char* name, const TimedLaunch::Times& times) {
    table.add({name, fmt::format("{:.4f}", times.median), fmt::format("{:.4f}", times.least),
               fmt::format("{:.4f}", times.most),
               grouped(static_cast<std::uint64_t>(times.gflops(r.problem)))});
  };
  add("kernel", r.timed.kernel);
  if (r.timed.cublas) add("cuBLAS", *r.timed.cublas);
  std::string text = fmt::format("{} on {}, medians of launches in turn:\n\n{}",
                                 toString(r.problem), r.device, table.text());
  if (r.timed.cublas) {
    text += fmt::format("\n  {:.1f} % of cuBLAS\n",
                        100 * r.timed.cublas->median / r.timed.kernel.median);
    text += r.timed.different == 0
                ? fmt::format("  all {} elements of C are those of cuBLAS, bit for bit\n",
                              grouped(r.timed.elements))
                : fmt::format("  {} of {} elements of C differ from cuBLAS\n",
                              grouped(r.timed.different), grouped(r.timed.elements));
  } else {
    text += fmt::format("\n  without cuBLAS: {}\n", r.timed.whyNoCublas);
  }
  return text + fmt::format("  {} blocks per SM\n", r.timed.blocksPerSm);
}

Json measuredJson(const MeasuredReport& r) {
  Json json = {{"schema", "tileloom.own_measured/1"},
               {"device", r.device},
               {"problem", {{"m", r.problem.m}, {"n", r.problem.n}, {"k", r.problem.k}}},
               {"kernel", timesJson(r.timed.kernel, r.problem)},
               {"blocks_per_sm", r.timed.blocksPerSm}};
  if (r.timed.cublas) {
    json["cublas"] = timesJson(*r.timed.cublas, r.problem);
    json["elements"] = r.timed.elements;
    json["different_elements"] = r.timed.different;
  } else {
    json["why_no_cublas"] = r.timed.whyNoCublas;
  }
  return json;
}

}  // namespace tileloom::app
