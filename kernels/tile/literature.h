// SPDX-License-Identifier: GPL-3.0-or-later
// What the literature measured for its rungs, to show beside our own measurements.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/tile/stage.h"

namespace tileloom {

// S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance: a Worklog" (2022):
// its table of results, square FP32 of 4092, on an NVIDIA RTX A6000.
inline constexpr std::string_view kLiterature =
    "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance (2022)";
inline constexpr std::string_view kLiteratureDevice = "NVIDIA RTX A6000";
inline constexpr int kLiteratureSize = 4092;
inline constexpr double kLiteratureCublas = 23250;  // GFLOP/s, in its table

struct LiteratureFigure {
  double gflops = 0;
  double percentOfCublas = 0;
  bool operator==(const LiteratureFigure&) const = default;
};

// "Unweaving Warp Specialization" (10 September 2025) asks what warp specialisation gains, with two
// kernels without it: v1 waits for each wgmma at once, v2 keeps one in flight. FP16, with tiles of
// 256 x 256, M = N = K = 8192, on an H100, each beside cuBLAS in the same call.
inline constexpr std::string_view kRolesArticle = "Unweaving Warp Specialization (2025)";
inline constexpr int kRolesArticleSize = 8192;
struct RolesFigure {
  std::string_view version;  // "v1"
  double gflops = 0;
  double cublas = 0;  // GFLOP/s
  bool operator==(const RolesFigure&) const = default;
};
// For the rung that does the same as that kernel; nothing for all others.
std::optional<RolesFigure> rolesFigureOf(const Stage& stage);

// Nothing for the rungs that go beyond the literature. Rung 7's tile is the one that was tuned for
// the A6000.
std::optional<LiteratureFigure> literatureOf(const Stage& stage);

// How the SASS of the rung's main loop differs from that of the literature's kernel: its published
// source with the same tile (kLiteratureSource), both compiled by CUDA 13.0 for sm_86 and sm_90.
// One or several sentences; empty for the rungs that go beyond the literature.
inline constexpr std::string_view kLiteratureSource = "github.com/siboehm/SGEMM_CUDA, 60cba6f9";
std::string_view literatureDifference(const Stage& stage);

}  // namespace tileloom
