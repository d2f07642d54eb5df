// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/launch_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/common/parse.h"
#include "app/commands/common/table.h"
#include "app/commands/report/cubin_report.h"
#include "app/commands/report/faults_json.h"
#include "kernels/executor/arguments.h"
#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/executor/recorded/machine_recorder.h"
#include "kernels/executor/recorded/roles.h"
#include "kernels/executor/several.h"
#include "kernels/runs/counters.h"
#include "kernels/sass/cubin/kernel_name.h"
#include "kernels/sass/decode.h"

namespace tileloom::app {
namespace {

using analysis::MachineCost;
using analysis::Totals;
using executor::Extent3;
using executor::InstructionCount;

constexpr std::size_t kMostShown = 24;  // of the table of instructions

std::string eachOf(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(b));
}

std::string extentText(const Extent3& extent) {
  return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
}

MachineCost costOf(const LaunchReport& r, std::size_t number) {
  return number < r.costs.size() ? r.costs[number] : MachineCost{};
}

std::string sharedText(const Totals& t) {
  Table table({{"shared memory", Align::Left},
               {"instructions"},
               {"wavefronts"},
               {"conflicts"},
               {"wavefronts/access"}});
  const auto add = [&](const char* label, std::uint64_t n, std::uint64_t w, std::uint64_t c,
                       std::uint64_t off = 0) {
    if (n > 0) table.add({label, grouped(n), grouped(w), grouped(c), eachOf(w, n - off)});
  };
  add("loads", t.sharedLoadInstructions, t.sharedLoadWavefronts, t.sharedLoadConflicts);
  add("stores", t.sharedStoreInstructions, t.sharedStoreWavefronts, t.sharedStoreConflicts,
      t.sharedStoreInstructionsOff);
  add("async copies", t.asyncInstructions, t.asyncWavefronts, t.asyncConflicts,
      t.asyncInstructionsOff);
  add("matrix loads", t.matrixLoadInstructions, t.matrixLoadWavefronts, t.matrixLoadConflicts);
  add("matrix stores", t.matrixStoreInstructions, t.matrixStoreWavefronts, t.matrixStoreConflicts);
  const bool any = t.sharedLoadInstructions + t.fillInstructions() + t.matrixLoadInstructions > 0;
  return any ? fmt::format("{}{}\n", table.text(), runs::kArbitration)
             : std::string("  No access to shared memory.\n");
}

std::string globalText(const Totals& t) {
  Table table({{"global memory", Align::Left}, {"requests"}, {"sectors"}, {"sectors/request"}});
  const auto add = [&](const char* label, std::uint64_t n, std::uint64_t s) {
    if (n > 0) table.add({label, grouped(n), grouped(s), eachOf(s, n)});
  };
  add("loads", t.globalLoadRequests, t.globalLoadSectors);
  add("async copies", t.asyncRequests(), t.asyncSectors);
  add("stores", t.globalStoreRequests, t.globalStoreSectors);
  return t.fetchRequests() + t.globalStoreRequests > 0
             ? table.text()
             : std::string("  No load or store of global memory.\n");
}

std::string otherText(const LaunchReport& r) {
  std::string text;
  const auto line = [&](std::uint64_t count, const char* what) {
    if (count > 0) text += fmt::format("  {} {}\n", grouped(count), what);
  };
  line(r.totals.ffmaThreadInstructions, "multiply-adds (FFMA, thread instructions)");
  line(r.totals.tensorInstructions, "tensor core instructions");
  line(r.local, "accesses to local memory: spilled registers, or arrays that are indexed");
  line(r.atomics, "atomic operations and reductions");
  return text;
}

std::string assemblyOf(const LaunchQuery& q, std::size_t number) {
  const auto address = static_cast<std::uint32_t>(number * sass::kCodeWordBytes);
  const auto decoded = sass::decode(q.kernel->words[number], address, q.module->capability);
  return decoded ? decoded->text() : std::string("unknown");
}

// The instructions that take most of the two memories, in the order of the kernel.
std::string instructionsText(const LaunchReport& r) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < r.costs.size(); ++i)
    if (r.costs[i].wavefronts + r.costs[i].sectors > 0) numbers.push_back(i);
  if (numbers.empty()) return {};
  const std::size_t all = numbers.size();
  std::ranges::stable_sort(numbers, std::greater(), [&](std::size_t i) {
    return r.costs[i].wavefronts + r.costs[i].sectors;
  });
  numbers.resize(std::min(numbers.size(), kMostShown));
  std::ranges::sort(numbers);
  Table table({{"address"},
               {"issued"},
               {"wavefronts"},
               {"conflicts"},
               {"sectors"},
               {"ideal"},
               {"instruction", Align::Left}});
  for (const std::size_t i : numbers) {
    const MachineCost& cost = r.costs[i];
    const auto places = r.query.kernel->lines.at(static_cast<std::uint32_t>(16 * i));
    const std::string text = assemblyOf(r.query, i);
    table.add({fmt::format("{:05x}", 16 * i), grouped(r.executed.counts[i].issued),
               cost.wavefronts == 0 ? "" : grouped(cost.wavefronts),
               cost.conflicts == 0 ? "" : grouped(cost.conflicts),
               cost.sectors == 0 ? "" : grouped(cost.sectors),
               cost.sectors == 0 ? "" : grouped(cost.idealSectors),
               places.empty() ? text : fmt::format("{}  {}", text, placesText(places))});
  }
  const std::string which =
      all > kMostShown ? fmt::format("The {} accesses of {} that cost most:", kMostShown, all)
                       : std::string("Each access:");
  return fmt::format("\n{}\n\n{}", which, table.text());
}

std::string percentOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

// What block (0, 0, 0) does to the three matrices.
std::string blockText(const BlockReport& b) {
  if (!b.whyNot.empty())
    return fmt::format("\nThe tiles of A, B and C are not known: {}.\n", b.whyNot);
  const analysis::BlockProduct& p = b.product;
  std::string text = "\nBlock (0, 0, 0), recorded:\n";
  if (p.elements == 0) {
    text += "  No element of C that it stores is known to be a sum of products.\n";
  } else {
    text += fmt::format("  {} elements of C, rows {} to {} and columns {} to {}{}\n",
                        grouped(p.elements), p.firstRow, p.lastRow, p.firstColumn, p.lastColumn,
                        p.isRectangle() ? "" : ", but not all of this rectangle");
    text +=
        fmt::format("  {} of them are the sum of all {} products along K, each once\n",
                    p.complete == p.elements && p.repeated == 0 ? "all" : grouped(p.complete), b.k);
  }
  if (p.foreign > 0)
    text +=
        fmt::format("  {} products are of another row of A or column of B\n", grouped(p.foreign));
  if (p.repeated > 0)
    text += fmt::format("  {} products are added once more\n", grouped(p.repeated));
  text += fmt::format(
      "  known origin: {} of the multiplications are of an element of A and one of B; the others "
      "scale, or are not known\n"
      "                {} of the stored elements of C are sums\n",
      percentOf(b.known.multiplied, b.known.ofMultiplied),
      percentOf(b.known.stored, b.known.ofStored));
  return text;
}

Json blockJson(const BlockReport& b) {
  if (!b.whyNot.empty()) return {{"why_not", b.whyNot}};
  const analysis::BlockProduct& p = b.product;
  return {{"elements", p.elements},
          {"rows", {p.firstRow, p.lastRow}},
          {"columns", {p.firstColumn, p.lastColumn}},
          {"rectangle", p.elements > 0 && p.isRectangle()},
          {"products", p.products},
          {"complete_elements", p.complete},
          {"foreign_products", p.foreign},
          {"repeated_products", p.repeated},
          {"multiply_adds", b.known.ofMultiplied},
          {"multiply_adds_of_known_origin", b.known.multiplied},
          {"stored_elements", b.known.ofStored},
          {"stored_sums", b.known.stored}};
}

std::string faultsText(const LaunchReport& r) {
  std::string text;
  if (!r.whyNotJudged.empty()) text += fmt::format("\nNot judged: {}.\n", r.whyNotJudged);
  if (r.faults.empty()) return text;
  text += fmt::format(
      "\nThe kernel does {} wrong:\n",
      r.faults.total == 1 ? "one thing" : fmt::format("{} things", grouped(r.faults.total)));
  for (const emulator::Fault& fault : r.faults.kept)
    text += fmt::format("  {}\n", emulator::describe(fault));
  return text;
}

Json gridJson(const Extent3& e) {
  return {{"x", e[0]}, {"y", e[1]}, {"z", e[2]}};
}

}  // namespace

tl::expected<Extent3, std::string> parseExtent(const std::string& option, const std::string& text) {
  Extent3 extent{1, 1, 1};
  std::size_t number = 0, begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (number == extent.size())
      return tl::unexpected(
          fmt::format("{} \"{}\" has more than three sizes: give X,Y,Z", option, quotable(text)));
    const auto size = parseNumber(option, text.substr(begin, end - begin), 1, 0x7fffffff);
    if (!size) return tl::unexpected(size.error());
    extent[number++] = static_cast<std::uint32_t>(*size);
    begin = end + 1;
  }
  return extent;
}

namespace {

// After the launch: what a block multiplies does not depend on the values. `instructions` of warps
// that each block has executed.
BlockReport recordedBlock(executor::Launch launch, executor::Arguments& arguments,
                          std::uint64_t instructions) {
  BlockReport report;
  const executor::recorded::Roles roles = executor::recorded::rolesOf(arguments);
  if (report.whyNot = roles.whyNot; !report.whyNot.empty()) return report;
  // A recording of these has less than 1 GB.
  constexpr std::uint64_t kMostInstructions = 2'000'000;
  if (instructions > kMostInstructions) {
    report.whyNot = fmt::format(
        "a block executes {} instructions of warps, and at most {} are recorded: choose a smaller "
        "K",
        grouped(instructions), grouped(kMostInstructions));
    return report;
  }
  // Those of 16-bit elements are followed.
  for (std::size_t i = 0; i < launch.kernel->words.size(); ++i) {
    const auto decoded =
        sass::decode(launch.kernel->words[i], static_cast<std::uint32_t>(i * sass::kCodeWordBytes),
                     launch.module->capability);
    if (!decoded || !decoded->base().ends_with("GMMA")) continue;
    const std::string mnemonic = decoded->mnemonic();
    if (mnemonic.starts_with("HGMMA") && !mnemonic.ends_with(".TF32")) continue;
    report.whyNot =
        fmt::format("the kernel multiplies with {}, whose sums are not followed here", mnemonic);
    return report;
  }
  launch.only = Extent3{0, 0, 0};
  executor::recorded::MachineRecorder recorder({&launch, arguments.buffers, roles.each});
  if (auto executed =
          executor::execute(launch, arguments.buffers, {2 * kMostInstructions}, &recorder);
      !executed) {
    report.whyNot = std::move(executed.error());
    return report;
  }
  report.known = recorder.known();
  report.k = roles.each[0].columns;
  report.product = analysis::blockProductOf(recorder.take());
  return report;
}

}  // namespace

tl::expected<LaunchReport, std::string> launchReport(const LaunchQuery& query) {
  LaunchReport report;
  report.query = query;
  auto arguments = executor::argumentsFrom(query.kernel->info, query.arguments);
  if (!arguments) return tl::unexpected(arguments.error());
  for (std::size_t i = 0; i < arguments->buffers.size(); ++i) {
    const executor::Buffer& buffer = arguments->buffers[i];
    report.buffers.push_back(fmt::format("{}: {}, {} bytes", buffer.name, arguments->shapes[i],
                                         grouped(buffer.bytes.size())));
  }
  executor::Launch launch{
      query.module,     query.kernel,           query.grid, query.block, query.dynamicShared,
      arguments->bytes, arguments->tensorMaps()};
  report.before = arguments->buffers;
  analysis::MachineTotals totals;
  executor::recorded::MachineJudges judges(launch, quotable(sass::kernelTitle(query.kernel->name)),
                                           query.file);
  executor::Several both({&totals, &judges});
  auto executed = executor::execute(launch, arguments->buffers, {}, &both);
  report.faults = judges.faults();
  report.whyNotJudged = judges.whyNot();
  if (!executed) {
    // What was wrong before may be the cause.
    return tl::unexpected(report.faults.empty()
                              ? executed.error()
                              : fmt::format("{}; before it: {}", executed.error(),
                                            emulator::describe(report.faults.kept.front())));
  }
  report.after = arguments->buffers;
  totals.finish(*query.kernel, query.module->capability, executed->counts);
  const std::uint64_t blocks = std::uint64_t{query.grid[0]} * query.grid[1] * query.grid[2];
  report.block.whyNot = query.whyNotRecorded;
  if (report.block.whyNot.empty())
    report.block = recordedBlock(launch, *arguments, executed->instructions / blocks);
  report.executed = std::move(*executed);
  report.totals = totals.totals();
  report.costs = totals.costs();
  report.local = totals.localInstructions();
  report.atomics = totals.atomicInstructions();
  return report;
}

std::string launchText(const LaunchReport& r) {
  const LaunchQuery& q = r.query;
  std::uint64_t threads = 0;
  for (const InstructionCount& each : r.executed.counts) threads += each.threads;
  std::string buffers;
  for (const std::string& each : r.buffers) buffers += fmt::format("  {}\n", each);
  return fmt::format(
      "{}\n  grid {}, blocks of {} threads, compute capability {}.{}\n{}"
      "  executed on this computer: {} instructions of warps, {} of threads\n\n{}\n{}\n{}{}{}{}",
      quotable(sass::demangled(q.kernel->name), 4096), extentText(q.grid), extentText(q.block),
      q.module->capability / 10, q.module->capability % 10, buffers,
      grouped(r.executed.instructions), grouped(threads), sharedText(r.totals),
      globalText(r.totals), otherText(r), blockText(r.block), faultsText(r), instructionsText(r));
}

Json launchJson(const LaunchReport& r) {
  const LaunchQuery& q = r.query;
  Json instructions = Json::array();
  for (std::size_t i = 0; i < r.executed.counts.size(); ++i) {
    const InstructionCount& count = r.executed.counts[i];
    if (count.issued == 0) continue;
    const MachineCost cost = costOf(r, i);
    instructions.push_back(
        {{"address", 16 * i},
         {"text", assemblyOf(q, i)},
         {"issued", count.issued},
         {"all_lanes_off", count.off},
         {"threads", count.threads},
         {"wavefronts", cost.wavefronts},
         {"conflicts", cost.conflicts},
         {"sectors", cost.sectors},
         {"ideal_sectors", cost.idealSectors},
         {"source", placesJson(q.kernel->lines.at(static_cast<std::uint32_t>(16 * i)))}});
  }
  Json totals = analysis::toJson(r.totals);
  totals["local_instructions"] = r.local;
  totals["atomic_instructions"] = r.atomics;
  return {{"schema", "tileloom.launch/1"},
          {"kernel", quotable(q.kernel->name, q.kernel->name.size())},
          {"compute_capability",
           fmt::format("{}.{}", q.module->capability / 10, q.module->capability % 10)},
          {"grid", gridJson(q.grid)},
          {"block", gridJson(q.block)},
          {"dynamic_shared_bytes", q.dynamicShared},
          {"buffers", r.buffers},
          {"warp_instructions", r.executed.instructions},
          {"totals", std::move(totals)},
          {"recorded_block", blockJson(r.block)},
          {"faults", faultsJson(r.faults)},
          {"why_not_judged", r.whyNotJudged},
          {"instructions", std::move(instructions)}};
}

}  // namespace tileloom::app
