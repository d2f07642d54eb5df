// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/access.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/report/access_report.h"
#include "kernels/own/access_hint.h"
#include "kernels/own/access_pattern.h"
#include "kernels/own/cute_text.h"

namespace tileloom::app {
namespace {

struct Options {
  std::string pattern;
  std::optional<std::string> bytes, element, ldmatrix, pad, swizzle, unit, warps, steps;
  std::string memory = "shared";
  bool load = false, store = false, copy = false;
  bool json = false;
};

// The place of a word in a list of names.
template <class Names>
std::optional<std::size_t> placeOf(const Names& names, std::string_view word) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

// Without an option: a load. The error is one sentence.
tl::expected<own::PatternKind, std::string> kindOf(const Options& o) {
  const int chosen = int{o.load} + int{o.store} + int{o.copy} + int{o.ldmatrix.has_value()};
  if (chosen > 1)
    return tl::unexpected<std::string>(
        "--load, --store, --cp.async and --ldmatrix are of different accesses: leave one of them");
  if (o.store) return own::PatternKind::Store;
  if (o.copy) return own::PatternKind::AsyncCopy;
  if (!o.ldmatrix) return own::PatternKind::Load;
  // A transposed ldmatrix reads the same rows.
  std::string_view form = *o.ldmatrix;
  if (form.ends_with(".trans")) form.remove_suffix(6);
  const auto place = placeOf(own::kPatternKindNames, fmt::format("ldmatrix.{}", form));
  if (!place)
    return tl::unexpected(fmt::format(
        "--ldmatrix \"{}\" is unknown: choose x1, x2 or x4, with or without .trans behind it",
        quotable(*o.ldmatrix)));
  return static_cast<own::PatternKind>(*place);
}

// Sets `into` if the option is given; the error is one sentence.
std::string takeNumber(const std::optional<std::string>& text, std::string_view option, int least,
                       int most, std::uint32_t& into) {
  if (!text) return {};
  const auto number = parseNumber(option, *text, least, most);
  if (!number) return number.error();
  into = static_cast<std::uint32_t>(*number);
  return {};
}

tl::expected<own::PatternRequest, std::string> requestOf(const Options& o) {
  own::PatternRequest request{.text = o.pattern};
  const auto kind = kindOf(o);
  if (!kind) return tl::unexpected(kind.error());
  request.kind = *kind;
  if (own::isLdmatrix(*kind)) request.bytes = 16;
  const auto memory = placeOf(own::kPatternMemoryNames, o.memory);
  if (!memory)
    return tl::unexpected(
        fmt::format("--memory \"{}\" is unknown: choose shared or global", quotable(o.memory)));
  request.memory = static_cast<own::PatternMemory>(*memory);
  for (const std::string& why :
       {takeNumber(o.bytes, "--bytes", 1, 16, request.bytes),
        takeNumber(o.element, "--element", 1, 16, request.element),
        takeNumber(o.warps, "--warps", 1, own::kMostPatternWarps, request.warps),
        takeNumber(o.steps, "--steps", 1, own::kMostPatternSteps, request.steps)}) {
    if (!why.empty()) return tl::unexpected(why);
  }
  if (o.pad) {
    const auto padding = own::parsePadding(*o.pad);
    if (!padding) return tl::unexpected(padding.error());
    request.padding = *padding;
  }
  if (o.swizzle) {
    const auto swizzle = own::parseSwizzle(*o.swizzle);
    if (!swizzle) return tl::unexpected(swizzle.error());
    request.swizzle = *swizzle;
  }
  if (o.unit) {
    const auto unit = placeOf(own::kSwizzleUnitNames, *o.unit);
    if (!unit)
      return tl::unexpected(fmt::format("--swizzle-of \"{}\" is unknown: choose one of {}",
                                        quotable(*o.unit),
                                        fmt::join(own::kSwizzleUnitNames, ", ")));
    if (!o.swizzle)
      return tl::unexpected<std::string>("--swizzle-of counts a swizzle: give --swizzle, too");
    request.unit = static_cast<own::SwizzleUnit>(*unit);
  }
  return request;
}

void run(const Options& options, Outcome& outcome) {
  const auto request = requestOf(options);
  if (!request) return outcome.fail(request.error());
  const auto pattern = own::accessPattern(*request);
  if (!pattern) return outcome.fail(pattern.error());
  const own::AccessHint hint = own::accessHint(*pattern);
  outcome.output =
      options.json ? jsonText(accessReportJson(*pattern, hint)) : accessReportText(*pattern, hint);
}

}  // namespace

void addAccessCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "access", "Count bank conflicts and sectors of a formula for the addresses of a warp");
  const auto options = std::make_shared<Options>();
  command
      .addOption("PATTERN", options->pattern,
                 "\"lane -> (lane % 8) * 33 + lane / 8\", a CuTe layout such as \"(8,4):(33,1)\", "
                 "or a list of 32 indices or addresses")
      .required();
  command.addOption("--bytes", options->bytes, "Bytes that a lane accesses: 1, 2, 4, 8, 16 (4)")
      .typeName("N");
  command
      .addOption("--element", options->element,
                 "Bytes of an element, which the pattern counts (as --bytes; ldmatrix: 2)")
      .typeName("N");
  command.addFlag("--load", options->load, "The access is a load (the default)");
  command.addFlag("--store", options->store, "It is a store");
  command.addFlag("--cp.async", options->copy,
                  "It is an asynchronous copy to shared memory, \"PLACE from SOURCE\"");
  command
      .addOption("--ldmatrix", options->ldmatrix,
                 "It is ldmatrix: x1, x2 or x4; the pattern gives the rows of 8 elements")
      .typeName("FORM");
  command.addOption("--memory", options->memory, "Which memory: shared or global")
      .typeName("MEMORY")
      .showDefault();
  command.addOption("--pad", options->pad, "PAD elements of padding after each ROW elements")
      .typeName("ROW,PAD");
  command.addOption("--swizzle", options->swizzle, "A swizzle as CuTe writes it, Swizzle<3,3,3>")
      .typeName("SWIZZLE");
  command
      .addOption("--swizzle-of", options->unit,
                 "What it counts: elements, words or bytes (elements)")
      .typeName("UNIT");
  command.addOption("--warps", options->warps, "Number of warps, for patterns with warp (1)")
      .typeName("N");
  command.addOption("--steps", options->steps, "Number of steps, for patterns with step (1)")
      .typeName("N");
  // Without the old form --json FILE: a pattern behind --json may have a slash or a dot.
  command.addFlag("--json", options->json, "Print JSON instead of text");
  addOutOption(command, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
