// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_examples.h"

#include <QCoreApplication>

namespace tileloom {
namespace {

QString titled(const char* source) {
  return QCoreApplication::translate("tileloom::PatternExamples", source);
}

}  // namespace

std::vector<PatternExample> patternExamples() {
  using enum own::PatternKind;
  constexpr auto kShared = own::PatternMemory::Shared, kGlobal = own::PatternMemory::Global;
  constexpr const char* kRows = "lane -> lane % 16 * 64 + lane / 16 * 8";
  return {
      {titled("A column of a tile with 32 columns"), {"lane -> lane * 32", Load, kShared, 4}},
      {titled("A column of a tile with 33 columns"), {"lane -> lane * 33", Load, kShared, 4}},
      {titled("16 bytes per lane at a stride of 128 bytes"),
       {"lane -> lane * 128", Load, kShared, 16, 1}},
      {titled("8 bytes per lane at a stride of 16 bytes"), {"lane -> lane * 2", Load, kShared, 8}},
      {titled("ldmatrix from rows of 64 elements"), {kRows, Ldmatrix4, kShared, 16, 2}},
      {titled("ldmatrix from swizzled rows"),
       {kRows, Ldmatrix4, kShared, 16, 2, "", "Swizzle<3,3,3>"}},
      {titled("A layout of CuTe"), {"Swizzle<3,3,3> o 0 o (8,8):(8,1)", Load, kShared, 4}},
      {titled("Four lanes per word (broadcast)"), {"lane -> lane / 4", Load, kShared, 4}},
      {titled("An asynchronous copy of a column"),
       {"lane -> lane from lane * 1024", AsyncCopy, kShared, 16}},
      {titled("Global memory: every second float"), {"lane -> lane * 2", Load, kGlobal, 4}},
      {titled("Global memory: a column of a matrix"), {"lane -> lane * 1024", Load, kGlobal, 4}},
  };
}

}  // namespace tileloom
