// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/rung_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/format.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom::own {
namespace {

constexpr std::string_view kInclude = "#include \"";

// The text with what it includes from this program instead of the lines that include it, once
// each. Headers of the host's reading are left out.
class Flattened {
 public:
  std::string of(std::string_view text) {
    add(text);
    return std::move(text_);
  }

 private:
  void add(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  void line(std::string_view its) {
    const std::size_t at = its.find(kInclude);
    if (its == "#pragma once") return;
    if (at == its.npos || its.find_first_not_of(" \t") != at) {
      text_ += its;
      text_ += '\n';
      return;
    }
    const std::string_view quoted = its.substr(at + kInclude.size());
    const std::string_view name = quoted.substr(0, quoted.find('"'));
    const auto file = std::ranges::find(deviceFiles(), name, &SourceFile::name);
    if (file != deviceFiles().end() && seen_.insert(name).second) add(file->text);
  }

  std::set<std::string_view> seen_;
  std::string text_;
};

Parameter whole(std::string text) {
  Parameter made;
  made.text = std::move(text);
  return made;
}

Parameter factor(Parameter::Kind kind) {
  Parameter made;
  made.kind = kind;
  return made;
}

Parameter matrix(const Subject& subject, std::string_view name, std::span<const Box> boxes) {
  Parameter made;
  made.kind = Parameter::Kind::Matrix;
  made.name = name;
  made.type = subject.format == Format::Fp32   ? "f32"
              : subject.format == Format::Fp16 ? "f16"
                                               : "bf16";
  for (const Box& box : boxes) {
    if (std::string_view("ABC").substr(static_cast<std::size_t>(box.matrix), 1) != name) continue;
    made.box = {fmt::format("{}", box.rows), fmt::format("{}", box.columns)};
    made.swizzle = fmt::format("{}", box.swizzle);
  }
  return made;
}

}  // namespace

tl::expected<RungCopy, std::string> copyOfRung(const Subject& subject) {
  const Stage& stage = *subject.rung();
  const KernelForm form = familyOf(stage).form(stage);
  const bool floats = form == KernelForm::Floats;
  if (form == KernelForm::FloatsAndParts || form == KernelForm::SplitBoxes)
    return tl::unexpected(fmt::format(
        "{} splits tiles along K and needs memory for their parts, which a launch file cannot "
        "describe: copy another rung",
        stage.id));
  if (stage.features().persistent)
    return tl::unexpected(fmt::format(
        "{} is persistent: its grid follows from the GPU, which a launch file cannot say: copy "
        "another rung",
        stage.id));
  if (subject.format != Format::Fp32 && subject.format != Format::Fp16 &&
      subject.format != Format::Bf16)
    return tl::unexpected(fmt::format("a launch file has no matrices of {}: choose f16 or bf16",
                                      rowOf(subject.format).name));
  const Derived d = derive(stage, subject.tile);
  RungCopy copy;
  copy.source = fmt::format("// Rung {} of Tileloom as one file.\n", rungLabel(stage));
  for (const ParameterSpec& spec : stage.parameters)
    copy.source +=
        fmt::format("#define {} {}\n", name(spec.parameter), subject.tile[spec.parameter]);
  if (subject.format != Format::Fp32)
    copy.source += fmt::format("#define ELEMENT {}\n", rowOf(subject.format).name);
  const bool dynamic = stage.features().tma || d.sharedBytes > Architecture::kStaticShared;
  if (dynamic) copy.source += "#define DYNAMIC_SHARED\n";
  copy.source += '\n' + Flattened().of(sourceText(stage));

  LaunchFile& launch = copy.launch;
  launch.kernel = stage.id;
  const int m = 2 * d.blockM, n = 3 * d.blockN, k = 4 * d.stepK;
  launch.sizes = {{"M", m}, {"N", n}, {"K", k}};
  const std::string down = fmt::format("cdiv(M, {})", d.blockM),
                    across = fmt::format("cdiv(N, {})", d.blockN);
  const int cluster = clusterOf(stage, subject.tile);
  const std::string rows =
      cluster > 1 ? fmt::format("cdiv(M, {0}) * {1}", d.blockM * cluster, cluster) : down;
  launch.grid = {stage.rowsAlongX ? rows : across, stage.rowsAlongX ? across : rows, "1"};
  const Launch blocks = launchOf(stage, subject.tile, {m, n, k});
  launch.threads = {fmt::format("{}", blocks.block.x), fmt::format("{}", blocks.block.y), "1"};
  if (dynamic) launch.shared = fmt::format("{}", d.sharedBytes);
  if (floats) {
    launch.alpha = 1.5;
    launch.beta = 0.5;
  }
  const std::vector<Box> boxes =
      stage.boxes != nullptr ? stage.boxes(subject.tile) : std::vector<Box>();
  launch.parameters = {whole("M"), whole("N"), whole("K")};
  if (floats) launch.parameters.push_back(factor(Parameter::Kind::Alpha));
  launch.parameters.push_back(matrix(subject, "A", boxes));
  launch.parameters.push_back(matrix(subject, "B", boxes));
  if (floats) launch.parameters.push_back(factor(Parameter::Kind::Beta));
  launch.parameters.push_back(matrix(subject, "C", boxes));
  return copy;
}

}  // namespace tileloom::own
