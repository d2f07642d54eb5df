// SPDX-License-Identifier: GPL-3.0-or-later
// How any kernel is launched: a JSON file beside it, gemm.launch.json for gemm.cubin
// (docs/own-kernels.md).
//
//   {"tileloom_launch": 1,
//    "kernel": "sgemm",
//    "sizes": {"M": 256, "N": 384, "K": 128},
//    "values": {"BM": 128, "BN": 64},
//    "grid": ["cdiv(N, BN)", "cdiv(M, BM)"], "threads": ["256"], "shared": "0",
//    "alpha": 1.5, "beta": 0.5,
//    "parameters": ["M", "N", "K", "alpha", {"matrix": "A", "type": "f32"}, {"matrix": "B"},
//                   "beta", {"matrix": "C", "stride": "N"}]}
//
// Numbers of the launch are expressions (expression.h) of the sizes and of the named values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/own/expression.h"

namespace tileloom::own {

enum class Layout : std::uint8_t { Row, Column };

// One parameter of the kernel, in their order.
struct Parameter {
  enum class Kind : std::uint8_t {
    Whole,   // a whole number: `text` is its expression
    Alpha,   // the factor of A times B
    Beta,    // the factor of C
    Real,    // another real number: `text`
    Matrix,  // a pointer to A, B, C or D
    Buffer,  // a pointer to other memory
    Bytes,   // a structure: `text` has its bytes in hexadecimal digits
  };
  Kind kind = Kind::Whole;
  std::string text;
  std::string name;              // of a matrix or buffer
  std::string type = "f32";      // of its elements
  Layout layout = Layout::Row;   // of a matrix
  std::string stride;            // of a matrix: elements from a row (a column) to the next one
  std::string elements;          // of a buffer: their number
  std::string content = "zero";  // of a buffer: zero, one, index or random
  // A tensor map instead of a pointer: the sides of its box, the outer one first, and its swizzle
  // in bytes. `pointed`: a pointer to a map in global memory.
  std::vector<std::string> box;
  std::string swizzle;
  bool pointed = false;
  bool operator==(const Parameter&) const = default;
};

struct LaunchFile {
  static constexpr int kVersion = 1;
  static constexpr std::string_view kEnding = ".launch.json";

  std::string kernel;  // a part of its name; empty: the only one of the file
  Names sizes = {{"M", 256}, {"N", 384}, {"K", 128}};
  Names values;  // named ones, such as sides of a tile
  std::array<std::string, 3> grid = {"1", "1", "1"}, threads = {"1", "1", "1"};
  std::string shared = "0";  // bytes that the launch adds
  double alpha = 1, beta = 0;
  std::vector<Parameter> parameters;
  bool operator==(const LaunchFile&) const = default;
};

// The error is one sentence without a full stop: which member, what is wrong, what to write.
tl::expected<LaunchFile, std::string> launchFileFrom(std::string_view text);
// What launchFileFrom() reads as the same value.
std::string textOf(const LaunchFile& file);

}  // namespace tileloom::own
