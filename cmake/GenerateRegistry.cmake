# SPDX-License-Identifier: GPL-3.0-or-later
# Lists every stage descriptor of kernels/stages/ and embeds the stages' sources, so that a new rung is one .cuh and one
# descriptor beside it. It also embeds the headers and kernels that are compiled at run time. Arguments: STAGES (the
# .cuh files, from SOURCE_DIR), FILES (paths from the root), ROOT_DIR, SOURCE_DIR, OUTPUT.
set(declarations "")
set(calls "")
set(texts "")
foreach(source IN LISTS STAGES)
  get_filename_component(id ${source} NAME_WE)
  file(READ "${SOURCE_DIR}/${source}" text)
  string(APPEND declarations "Stage describe_${id}();\n")
  string(APPEND calls "  made.push_back(ladder::describe_${id}());\n")
  string(APPEND texts "  if (stage.id == \"${id}\") return R\"stage(${text})stage\";\n")
endforeach()
set(files "")
foreach(path IN LISTS FILES)
  file(READ "${ROOT_DIR}/${path}" text)
  string(APPEND files "      {\"${path}\", R\"file(${text})file\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [=[
// Made by cmake/GenerateRegistry.cmake from kernels/stages/.
#include <algorithm>

#include "kernels/tile/stage.h"

namespace tileloom {
namespace ladder {
@declarations@}  // namespace ladder

static std::vector<Stage> ofLadder(Ladder ladder) {
  std::vector<Stage> made;
@calls@  std::erase_if(made, [ladder](const Stage& stage) { return stage.ladder != ladder; });
  std::ranges::sort(made, {}, &Stage::rung);
  return made;
}

std::span<const Stage> stages() {
  static const std::vector<Stage> all = ofLadder(Ladder::Fp32);
  return all;
}

std::span<const Stage> tensorStages() {
  static const std::vector<Stage> all = ofLadder(Ladder::Tensor);
  return all;
}

std::span<const Stage* const> everyStage() {
  static const std::vector<const Stage*> all = [] {
    std::vector<const Stage*> both;
    for (const auto ladder : {stages(), tensorStages()})
      for (const Stage& stage : ladder) both.push_back(&stage);
    return both;
  }();
  return all;
}

std::string_view sourceText(const Stage& stage) {
  if (!stage.isRung()) return stage.text;
@texts@  return {};
}

std::span<const SourceFile> deviceFiles() {
  static constexpr SourceFile all[] = {
@files@  };
  return all;
}

}  // namespace tileloom
]=])
