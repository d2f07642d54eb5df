// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/sass_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using sass::Class;

// What text and JSON have in common.
struct Report {
  const sass::MachineCode& code;
  sass::Loop loop;
  sass::Mix inLoop, inKernel;
  sass::PairedLoads paired;
  sass::LoopCost cost;
  std::vector<sass::Lost> lost;
  bool tensor;  // it uses tensor cores, for which there is no rule of register banks

  explicit Report(const sass::MachineCode& c)
      : code(c),
        loop(sass::mainLoop(c.listing)),
        inLoop(sass::mixOf(c.listing, loop.range)),
        inKernel(sass::mixOf(c.listing, {0, c.listing.instructions.size()})),
        paired(analysis::pairedLoads(c)),
        cost(sass::loopCost(c.listing, loop.range, paired)),
        lost(sass::lostCycles(c.listing, loop.range, paired)),
        tensor(inLoop.onTensorCores()) {}

  std::uint32_t first() const { return code.listing.instructions[loop.range.begin].address; }
  std::uint32_t last() const { return code.listing.instructions[loop.range.end - 1].address; }
};

// " in bf16", where there is a choice.
std::string formatText(const sass::MachineCode& c) {
  return c.rung()->formats.size() > 1 ? fmt::format(" in {}", rowOf(c.format).name) : "";
}

std::string originText(const sass::MachineCode& c) {
  const std::string loop = mainLoopText(c.rewritten, c.whyNotRewritten);
  const std::string made =
      fmt::format("{}{}{}, {}", compilerText(*c.rung(), c.nvrtc), loop.empty() ? "" : ", ", loop,
                  c.readByThisProgram() ? "read by Tileloom" : c.tool);
  if (!c.recorded) return "live: " + made;
  return fmt::format("recorded {}: {}{}", c.when, made,
                     c.stale() ? "; STALE: the rung's source has changed since" : "");
}

// Classes that some kernels never have are shown only where they occur.
bool isShown(const Report& r, Class c) {
  if (c == Class::Hmma || c == Class::Hgmma || c == Class::Ldsm) return r.inKernel.of(c) > 0;
  if (c == Class::Ffma) return r.inKernel.of(c) > 0 || !r.tensor;
  return true;
}

std::string mixTable(const Report& r) {
  std::string text = fmt::format("  {:<10}{:>10}{:>9}{:>10}\n", "", r.loop.whole ? "" : "loop",
                                 r.loop.whole ? "" : "%", "kernel");
  for (std::size_t i = 0; i < sass::kClasses; ++i) {
    const auto c = static_cast<Class>(i);
    if (!isShown(r, c)) continue;
    const int here = r.inLoop.of(c);
    const std::string copies =
        c == Class::Ldg && r.inLoop.asyncCopies > 0
            ? fmt::format("   {} of the loop's are asynchronous copies", r.inLoop.asyncCopies)
            : "";
    text += r.loop.whole ? fmt::format("  {:<10}{:>29}\n", name(c), r.inKernel.of(c))
                         : fmt::format("  {:<10}{:>10}{:>9.1f}{:>10}{}\n", name(c), here,
                                       100.0 * here / r.inLoop.total, r.inKernel.of(c), copies);
  }
  return text;
}

std::string listingText(const Report& r, bool loopOnly) {
  const auto& all = r.code.listing.instructions;
  std::string text =
      fmt::format("  {:>7} {:>5} {:>5} {}\n", "address", "live", r.tensor ? "" : "lost", "class");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool inside = i >= r.loop.range.begin && i < r.loop.range.end;
    if (loopOnly && !inside) continue;
    const int lost = inside ? r.lost[i - r.loop.range.begin].cycles() : 0;
    text += fmt::format(
        "{} {:>7} {:>5} {:>5} {:<5} {}\n", inside && !r.loop.whole ? '|' : ' ',
        fmt::format("{:04x}", all[i].address), all[i].live ? fmt::format("{}", *all[i].live) : "",
        lost > 0 ? fmt::format("+{}", lost) : "", letter(classOf(all[i])), all[i].text());
  }
  return text;
}

// What feeds the FMA units, and what their register banks cost.
std::string ffmaText(const Report& r) {
  std::string text = r.inLoop.of(Class::Lds) > 0
                         ? fmt::format("  {:.1f} FFMA per LDS\n", r.inLoop.ffmaPerLds())
                         : std::string("  no shared load\n");
  text += fmt::format(
      "  {} lost to register banks and {} to paired shared loads, predicted by rules: {} + {} "
      "= {} per warp, {} of them FFMA\n",
      counted(r.cost.lostToBanks, "cycle"), r.cost.lostToLoads, r.cost.instructions, r.cost.lost(),
      counted(r.cost.cycles(), "cycle"), percentText(r.cost.share()));
  if (r.cost.unknownLoads > 0)
    text += fmt::format(
        "  for {} wide shared loads it is unknown whether their lanes share addresses in pairs: "
        "{}\n",
        r.cost.unknownLoads,
        r.code.stale() ? "the rung's source has changed since"
                       : "the listing has no lines for them");
  text += "\n";
  return text;
}

// What feeds the tensor cores.
std::string hmmaText(const Report& r) {
  const int products = r.inLoop.tensorProducts();
  const std::string_view which = name(r.inLoop.tensorProduct());
  std::string text = fmt::format("  {} {}: {:.1f} % of the loop's issue slots", products, which,
                                 100.0 * products / r.inLoop.total);
  text += r.inLoop.of(Class::Ldsm) > 0 ? fmt::format(", {:.1f} per LDSM\n", r.inLoop.hmmaPerLdsm())
                                       : std::string("; no matrix load\n");
  text += fmt::format(
      "  {} multiply-adds per instruction of a warp, {} per {}\n"
      "  cycles lost to register banks are not predicted: the rule was derived from FFMA and not "
      "tested with {}\n\n",
      wholeText(r.inLoop.multiplyAddsPerInstruction()),
      grouped(static_cast<std::uint64_t>(r.inLoop.multiplyAdds / products)), which, which);
  return text;
}

}  // namespace

std::string sassText(const sass::MachineCode& c, bool loopOnly) {
  const Report r(c);
  const std::string live =
      c.listing.hasLive() ? fmt::format(", {} live at most", c.listing.mostLive()) : "";
  const std::string spills =
      c.spillBytes > 0 ? fmt::format(", SPILLS: {} bytes per thread", c.spillBytes) : ", no spills";
  std::string text = fmt::format("{}\n{}{} on {} ({})\n\n  {} registers per thread{}{}\n",
                                 stageHeading(*c.rung()), tileText(*c.rung(), c.tile),
                                 formatText(c), c.arch, originText(c), c.registers, live, spills);
  text += r.loop.whole
              ? fmt::format("  no loop holds a multiply-add: all {} instructions of the kernel\n",
                            r.inKernel.total)
              : fmt::format("  main loop {:04x} to {:04x}: {} of {} instructions\n", r.first(),
                            r.last(), r.inLoop.total, r.inKernel.total);
  text += r.tensor ? hmmaText(r) : ffmaText(r);
  return text + mixTable(r) + "\n" + listingText(r, loopOnly);
}

Json sassJson(const sass::MachineCode& c, bool loopOnly) {
  const Report r(c);
  const auto mixJson = [](const sass::Mix& mix) {
    Json json = Json::object();
    for (std::size_t i = 0; i < sass::kClasses; ++i) {
      const auto each = static_cast<Class>(i);
      json[std::string(name(each))] = mix.of(each);
    }
    json["total"] = mix.total;
    json["async_copies"] = mix.asyncCopies;
    return json;
  };
  Json instructions = Json::array();
  const auto& all = c.listing.instructions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool inside = i >= r.loop.range.begin && i < r.loop.range.end;
    if (loopOnly && !inside) continue;
    Json one = {{"address", all[i].address},
                {"text", all[i].text()},
                {"class", name(classOf(all[i]))},
                {"in_loop", inside && !r.loop.whole}};
    if (all[i].live) one["live"] = *all[i].live;
    if (inside && !r.tensor) {
      one["lost_cycles"] = r.lost[i - r.loop.range.begin].cycles();
      one["lost_to_loads"] = r.lost[i - r.loop.range.begin].loads;
    }
    instructions.push_back(std::move(one));
  }
  Json json = {{"schema", "tileloom.sass/1"},
               {"stage", c.rung()->id},
               {"tile", tileJson(*c.rung(), c.tile)},
               {"arithmetic", rowOf(c.format).name},
               {"arch", c.arch},
               {"origin", c.recorded ? "recorded" : "live"},
               {"stale", c.stale()},
               {"nvrtc", c.nvrtc},
               {"assembler_option", assemblerOption(*c.rung())},
               {"tool", c.tool},
               {"fingerprint", c.fingerprint},
               {"registers", c.registers},
               {"spill_bytes", c.spillBytes},
               {"loop", Json()},
               {"loop_mix", mixJson(r.inLoop)},
               {"kernel_mix", mixJson(r.inKernel)},
               {"ffma_per_lds", Json()},
               {"hmma_per_ldsm", Json()},
               {"multiply_adds_per_instruction", r.inLoop.multiplyAddsPerInstruction()},
               {"lost_cycles_predicted", Json()},
               {"lost_to_loads_predicted", Json()},
               {"loads_of_unknown_pairing", Json()},
               {"cycles_predicted", Json()},
               {"ffma_share_predicted", Json()},
               {"instructions", std::move(instructions)}};
  if (c.recorded) json["when"] = c.when;
  if (!r.loop.whole)
    json["loop"] = {{"first", r.first()}, {"last", r.last()}, {"instructions", r.inLoop.total}};
  if (!r.tensor) {
    json["lost_cycles_predicted"] = r.cost.lost();
    json["lost_to_loads_predicted"] = r.cost.lostToLoads;
    json["loads_of_unknown_pairing"] = r.cost.unknownLoads;
    json["cycles_predicted"] = r.cost.cycles();
    json["ffma_share_predicted"] = r.cost.share();
    if (r.inLoop.of(Class::Lds) > 0) json["ffma_per_lds"] = r.inLoop.ffmaPerLds();
  }
  if (r.inLoop.of(Class::Ldsm) > 0) json["hmma_per_ldsm"] = r.inLoop.hmmaPerLdsm();
  if (c.listing.hasLive()) json["most_live"] = c.listing.mostLive();
  return json;
}

}  // namespace tileloom::app
