// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/access_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/commands/common/table.h"
#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/own/access_cells.h"
#include "kernels/own/cute_text.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using own::AccessHint;
using own::AccessPattern;
using own::PatternAccess;
using own::PatternKind;

constexpr std::size_t kMostTableRows = 64;
constexpr std::uint32_t kBanksPerBlock = 16;  // two blocks fit into 80 columns
constexpr std::uint32_t kMostShownWavefronts = 32;
constexpr std::size_t kMostShownLines = 32;

std::string wordsOf(PatternKind kind) {
  switch (kind) {
    case PatternKind::Load:
      return "load";
    case PatternKind::Store:
      return "store";
    case PatternKind::AsyncCopy:
      return "asynchronous copy (cp.async)";
    default:
      return std::string(own::kPatternKindNames[static_cast<std::size_t>(kind)]);
  }
}

// "Swizzle<3,3,3> on elements = Swizzle<3,2,3> on words = Swizzle<3,4,3> on bytes"
std::string inAllUnits(const analysis::Swizzle& bytes, std::uint32_t element) {
  std::string text;
  const auto add = [&](std::uint32_t unit, std::string_view name) {
    const auto swizzle = own::inUnitsOf(bytes, 1, unit);
    if (!swizzle) return;
    text += fmt::format("{}{} on {}", text.empty() ? "" : " = ", own::swizzleText(*swizzle), name);
  };
  if (element != 1) add(element, "elements");
  if (element != 4) add(4, "words");
  add(1, "bytes");
  return text;
}

std::string headText(const AccessPattern& p) {
  const own::PatternRequest& r = p.request;
  std::string text =
      fmt::format("{}\n\n  {} of {} memory, {} per lane; the pattern counts {}\n", r.text,
                  wordsOf(r.kind), p.shared() ? "shared" : "global", counted(r.bytes, "byte"),
                  r.element == 1 ? std::string("bytes")
                                 : fmt::format("elements of {}", counted(r.element, "byte")));
  if (r.padding)
    text += fmt::format("  padding: {} after each {}\n", counted(r.padding->pad, "element"),
                        counted(r.padding->row, "element"));
  if (p.swizzle) text += fmt::format("  swizzle: {}\n", inAllUnits(*p.swizzle, r.element));
  return text;
}

// The sum of all accesses, as sentences.
std::string sumText(const AccessPattern& p) {
  const own::PatternSum& s = p.sum;
  const std::string of =
      s.requests == 1 ? std::string() : fmt::format(" for {} accesses of a warp", s.requests);
  if (s.requests == 0) return "No lane is active.\n";
  if (!p.shared()) {
    return fmt::format(
        "{} in {} of 128 bytes{}; {} would hold the {} that lanes access.\n"
        "{} of the bytes in these sectors are used.\n"
        "L1 takes {} for a store, or for a load that hits.\n",
        counted(s.sectors, "sector"), counted(s.lines, "line"), of, s.idealSectors,
        counted(s.usedBytes, "byte"),
        percentText(static_cast<double>(s.usedBytes) / static_cast<double>(s.fetchedBytes), 0),
        counted(s.wavefronts, "wavefront"));
  }
  std::string text =
      fmt::format("{}{}; {} without conflicts.", counted(s.wavefronts, "wavefront"), of, s.ideal);
  if (s.extra() > 0)
    text += fmt::format(" Conflicts add {}.", s.extra());
  else
    text += " There are no conflicts.";
  std::uint64_t counter = 0;
  for (const PatternAccess& access : p.accesses) counter += access.cost.conflicts();
  if (counter != s.extra())
    text += fmt::format("\nThe counter of conflicts shows {} for such copies.", counter);
  return text + "\n";
}

std::string hintText(const AccessPattern& p, const AccessHint& hint) {
  if (!hint.searched) return {};
  std::string text = "\n";
  if (hint.padding) {
    text +=
        fmt::format("Padding of {} after each {} removes them (--pad {},{}).\n",
                    counted(hint.padding->pad, "element"), counted(hint.padding->row, "element"),
                    hint.padding->row, hint.padding->pad);
  } else {
    text += "No padding of up to 128 bytes after rows of a likely length removes them.\n";
  }
  if (hint.swizzle) {
    text += fmt::format("A swizzle removes them, too:\n  {}\n",
                        inAllUnits(*hint.swizzle, p.request.element));
    if (!hint.padding) text.replace(text.rfind("them, too"), 9, "them");
  } else {
    text += "No swizzle removes them.\n";
  }
  return text +
         "Both were tried and counted for this pattern: count the other accesses to the "
         "array, too.\n";
}

std::string accessTable(const AccessPattern& p) {
  if (p.accesses.size() < 2) return {};
  Table table(
      p.shared()
          ? std::vector<Column>{{"step"}, {"warp"}, {"lanes"}, {"wavefronts"}, {"ideal"}, {"extra"}}
          : std::vector<Column>{
                {"step"}, {"warp"}, {"lanes"}, {"sectors"}, {"ideal"}, {"lines"}, {"bytes used"}});
  for (std::size_t i = 0; i < p.accesses.size() && i < kMostTableRows; ++i) {
    const PatternAccess& a = p.accesses[i];
    std::vector<std::string> row = {fmt::format("{}", a.step), fmt::format("{}", a.warp),
                                    fmt::format("{}", std::popcount(a.mask))};
    if (p.shared()) {
      for (const std::uint32_t n : {a.cost.wavefronts(), a.ideal(), a.extra()})
        row.push_back(fmt::format("{}", n));
    } else {
      const auto& g = a.cost.global;
      for (const std::uint32_t n : {g.sectors, g.idealSectors(), g.lines, g.usefulBytes})
        row.push_back(fmt::format("{}", n));
    }
    table.add(std::move(row));
  }
  std::string text = "\n" + table.text();
  if (p.accesses.size() > kMostTableRows)
    text += fmt::format("  … and {} more, which --json has\n", p.accesses.size() - kMostTableRows);
  return text;
}

// The access that wastes most, of equal ones the first.
const PatternAccess& telling(const AccessPattern& p) {
  return *std::ranges::max_element(p.accesses, {}, [&](const PatternAccess& a) {
    return p.shared() ? a.extra() : a.cost.global.sectors - a.cost.global.idealSectors();
  });
}

std::string titleOf(const AccessPattern& p, const PatternAccess& a) {
  return p.accesses.size() < 2 ? std::string()
                               : fmt::format(" of step {}, warp {}", a.step, a.warp);
}

// Lanes by wavefront and bank. A + means that several lanes access the word.
std::string bankGrid(const std::vector<own::BankCell>& cells, std::uint32_t first) {
  std::vector<Column> columns = {{"wavefront \\ bank"}};
  for (std::uint32_t b = 0; b < kBanksPerBlock; ++b)
    columns.push_back({fmt::format("{}", first + b)});
  std::vector<std::vector<std::string>> rows;
  for (const own::BankCell& cell : cells) {
    if (cell.bank < first || cell.bank >= first + kBanksPerBlock) continue;
    if (cell.wavefront >= kMostShownWavefronts) continue;
    if (rows.size() <= cell.wavefront) rows.resize(cell.wavefront + 1);
    auto& row = rows[cell.wavefront];
    row.resize(kBanksPerBlock + 1);
    row[cell.bank - first + 1] =
        fmt::format("{}{}", cell.firstLane(), std::has_single_bit(cell.lanes) ? "" : "+");
  }
  if (rows.empty()) return {};
  Table table(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].empty()) continue;
    rows[i][0] = fmt::format("{}", i + 1);
    table.add(std::move(rows[i]));
  }
  return "\n" + table.text();
}

// Conflicts of the same lanes, bank by bank, as one line each.
std::string conflictText(const PatternAccess& access, std::uint32_t bytes) {
  struct Line {
    std::uint32_t banks, ways, lanes;
  };
  std::vector<Line> lines;
  for (const own::BankConflict& c : own::bankConflicts(access, bytes)) {
    const auto same = std::ranges::find_if(
        lines, [&](const Line& l) { return l.ways == c.ways && l.lanes == c.lanes; });
    if (same != lines.end())
      same->banks |= 1u << c.bank;
    else
      lines.push_back({1u << c.bank, c.ways, c.lanes});
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMostShownLines; ++i) {
    const bool one = std::has_single_bit(lines[i].banks);
    text += fmt::format("  bank{} {}: {} words{} for lanes {}\n", one ? "" : "s",
                        own::bitsText(lines[i].banks), lines[i].ways, one ? "" : " each",
                        own::bitsText(lines[i].lanes));
  }
  return text;
}

std::string sharedText(const AccessPattern& p) {
  const PatternAccess& access = telling(p);
  const auto cells = own::bankCells(access, p.request.bytes);
  std::string text =
      fmt::format("\nLanes by wavefront and bank{} (+: several lanes)\n", titleOf(p, access));
  for (std::uint32_t first = 0; first < analysis::kBanks; first += kBanksPerBlock)
    text += bankGrid(cells, first);
  if (const std::string conflicts = conflictText(access, p.request.bytes); !conflicts.empty())
    text += fmt::format("\nConflicts{}\n\n{}", titleOf(p, access), conflicts);
  return text;
}

std::string globalText(const AccessPattern& p) {
  const PatternAccess& access = telling(p);
  Table table({{"line at byte"}, {"sector"}, {"bytes used"}, {"lanes", Align::Left}});
  const auto cells = own::sectorCells(access, p.request.bytes);
  for (std::size_t i = 0; i < cells.size() && i < kMostShownLines; ++i) {
    table.add({fmt::format("{}", cells[i].line() * 128), fmt::format("{}", cells[i].column()),
               fmt::format("{}", cells[i].bytes), own::bitsText(cells[i].lanes)});
  }
  std::string text = fmt::format("\nSectors{}\n\n{}", titleOf(p, access), table.text());
  if (cells.size() > kMostShownLines)
    text += fmt::format("  … and {} more\n", cells.size() - kMostShownLines);
  return text;
}

Json swizzleJson(const std::optional<analysis::Swizzle>& bytes, std::uint32_t element) {
  if (!bytes) return nullptr;
  const auto of = [&](std::uint32_t unit) -> Json {
    const auto swizzle = own::inUnitsOf(*bytes, 1, unit);
    return swizzle ? Json(own::swizzleText(*swizzle)) : Json(nullptr);
  };
  return {{"elements", of(element)}, {"words", of(4)}, {"bytes", of(1)}};
}

Json paddingJson(const std::optional<own::PatternPadding>& padding) {
  if (!padding) return nullptr;
  return {{"row", padding->row}, {"pad", padding->pad}};
}

Json lanesOf(std::uint32_t mask) {
  Json list = Json::array();
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) != 0) list.push_back(lane);
  }
  return list;
}

Json accessJson(const AccessPattern& p, const PatternAccess& a) {
  const std::uint32_t bytes = p.request.bytes;
  Json lanes = Json::array();
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((a.mask >> lane & 1u) == 0) continue;
    Json entry = {{"lane", lane}, {"index", a.index[lane]}, {"address", a.address[lane]}};
    if (p.request.kind == PatternKind::AsyncCopy) entry["source"] = a.source[lane];
    if (p.shared()) {
      Json banks = Json::array(), in = Json::array();
      for (std::uint32_t w = 0; w < std::max(1u, bytes / 4); ++w) {
        banks.push_back((a.cost.addresses[lane] + w) % analysis::kBanks);
        in.push_back(a.cost.shared.servedIn[lane * analysis::kMostWidth + w]);
      }
      entry["banks"] = std::move(banks);
      entry["wavefronts"] = std::move(in);
    }
    lanes.push_back(std::move(entry));
  }
  Json json = {{"step", a.step}, {"warp", a.warp}};
  if (p.shared()) {
    Json conflicts = Json::array();
    for (const own::BankConflict& c : own::bankConflicts(a, bytes))
      conflicts.push_back({{"bank", c.bank}, {"words", c.ways}, {"lanes", lanesOf(c.lanes)}});
    json.update({{"wavefronts", a.cost.wavefronts()},
                 {"ideal_wavefronts", a.ideal()},
                 {"extra_wavefronts", a.extra()},
                 {"counted_conflicts", a.cost.conflicts()},
                 {"lanes_at_once", a.cost.shared.lanesAtOnce},
                 {"bank_conflicts", std::move(conflicts)}});
  } else {
    const analysis::Coalescing& g = a.cost.global;
    Json sectors = Json::array();
    for (const own::SectorCell& cell : own::sectorCells(a, bytes))
      sectors.push_back(
          {{"address", cell.address}, {"bytes_used", cell.bytes}, {"lanes", lanesOf(cell.lanes)}});
    json.update({{"sectors", g.sectors},
                 {"ideal_sectors", g.idealSectors()},
                 {"lines", g.lines},
                 {"l1_wavefronts", g.wavefronts},
                 {"bytes_used", g.usefulBytes},
                 {"touched", std::move(sectors)}});
  }
  json["lanes"] = std::move(lanes);
  return json;
}

}  // namespace

std::string accessReportText(const AccessPattern& p, const AccessHint& hint) {
  return headText(p) + "\n" + sumText(p) + hintText(p, hint) + accessTable(p) +
         (p.sum.requests == 0 ? std::string()
          : p.shared()        ? sharedText(p)
                              : globalText(p));
}

Json accessReportJson(const AccessPattern& p, const AccessHint& hint) {
  const own::PatternRequest& r = p.request;
  Json accesses = Json::array();
  for (const PatternAccess& access : p.accesses) accesses.push_back(accessJson(p, access));
  Json sum = {{"requests", p.sum.requests}};
  if (p.shared()) {
    sum.update({{"wavefronts", p.sum.wavefronts},
                {"ideal_wavefronts", p.sum.ideal},
                {"extra_wavefronts", p.sum.extra()}});
  } else {
    sum.update({{"sectors", p.sum.sectors},
                {"ideal_sectors", p.sum.idealSectors},
                {"lines", p.sum.lines},
                {"l1_wavefronts", p.sum.wavefronts},
                {"bytes_used", p.sum.usedBytes},
                {"bytes_fetched", p.sum.fetchedBytes}});
  }
  return {{"schema", "tileloom.access/1"},
          {"pattern", r.text},
          {"kind", own::kPatternKindNames[static_cast<std::size_t>(r.kind)]},
          {"memory", own::kPatternMemoryNames[static_cast<std::size_t>(r.memory)]},
          {"bytes", r.bytes},
          {"element_bytes", r.element},
          {"padding", paddingJson(r.padding)},
          {"swizzle", swizzleJson(p.swizzle, r.element)},
          {"sum", std::move(sum)},
          {"hint",
           {{"searched", hint.searched},
            {"padding", paddingJson(hint.padding)},
            {"swizzle", swizzleJson(hint.swizzle, r.element)}}},
          {"accesses", std::move(accesses)}};
}

}  // namespace tileloom::app
