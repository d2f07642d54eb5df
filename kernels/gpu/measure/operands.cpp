// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/operands.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace tileloom::gpu {
namespace {

// Marsaglia's xorshift, period 2^32 - 1.
class Xorshift {
 public:
  explicit Xorshift(std::uint32_t seed) : state_(seed * 2654435761u + 1u) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

 private:
  std::uint32_t state_;
};

// A pool of normally distributed elements, from which larger matrices are drawn: computing each one
// again would take seconds for a matrix of 8192 x 8192.
std::vector<std::uint16_t> normalHalves(Format format) {
  constexpr std::size_t kStore = std::size_t{1} << 18;
  std::vector<std::uint16_t> store(kStore);
  Xorshift random(2026);
  for (std::size_t i = 0; i < kStore; i += 2) {  // Box and Muller's transform
    const double u = (random.next() + 1.0) * 0x1p-32, v = random.next() * 0x1p-32;
    const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
    store[i] = halfBits(format, static_cast<float>(radius * std::cos(angle)));
    store[i + 1] = halfBits(format, static_cast<float>(radius * std::sin(angle)));
  }
  return store;
}

Result<void> fit(const Context& context, Buffer& buffer, std::size_t bytes) {
  if (buffer.bytes() == bytes) return {};
  buffer = Buffer();  // the old one first: both may not fit
  auto made = context.allocate(bytes);
  if (!made) return tl::unexpected(made.error());
  buffer = std::move(*made);
  return {};
}

Result<void> uploadRandom(const Context& context, const Operands& o, const Buffer& to,
                          std::uint32_t seed) {
  if (o.format == Format::Fp32) {
    const std::vector<float> values = randomMatrix(to.bytes() / sizeof(float), seed);
    return context.upload(to, std::as_bytes(std::span(values)));
  }
  const auto values = randomHalves(to.bytes() / sizeof(std::uint16_t), seed, o.format, o.values);
  return context.upload(to, std::as_bytes(std::span(values)));
}

}  // namespace

std::vector<float> randomMatrix(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  Xorshift random(seed);
  for (float& value : values) {
    const std::uint32_t state = random.next();
    const float magnitude = 0.5f + static_cast<float>(state >> 9) * 0x1p-24f;
    value = (state & 1u) != 0 ? -magnitude : magnitude;
  }
  return values;
}

float toleranceOf(int k) {
  return 1e-5f + 0x1p-22f * 0.6f * static_cast<float>(k);
}

std::vector<std::uint16_t> randomHalves(std::size_t count, std::uint32_t seed, Format format,
                                        Values values) {
  std::vector<std::uint16_t> halves(count);
  Xorshift random(seed);
  if (values == Values::Signs) {
    const std::uint16_t plus = halfBits(format, 1.0f), minus = halfBits(format, -1.0f);
    for (std::uint16_t& half : halves) half = (random.next() & 1u << 16) != 0 ? minus : plus;
    return halves;
  }
  const std::vector<std::uint16_t> store = normalHalves(format);
  for (std::uint16_t& half : halves) half = store[(random.next() >> 8) % store.size()];
  return halves;
}

HalfTolerance toleranceOf(int depth, Format format, Values values) {
  if (values == Values::Signs) return {};
  // A tensor core adds 16 products at a time and truncates where FP32 rounds: each of K / 16
  // additions loses up to one unit of the sum, which is about sqrt(k) by then, always towards zero.
  // Two kernels that add in the same order lose the same; two that do not differ by this.
  const auto k = static_cast<float>(depth);
  return {1e-4f + 0x1p-22f * k / 16 * std::sqrt(k), format == Format::Bf16 ? 0x1p-7f : 0x1p-10f};
}

std::size_t Operands::bytesOf(int rows, int columns) const {
  return static_cast<std::size_t>(rowOf(format).bytesOf(columns)) * static_cast<std::size_t>(rows);
}

Result<void> fillOperands(const Context& context, Operands& o, const Problem& p, Format format,
                          Values values) {
  if (o.problem == p && o.format == format && o.values == values) return {};
  if (format != Format::Fp32 && rowOf(format).bits != 16) {
    return fail(Trouble::Unsupported,
                fmt::format("{} cannot be measured: operands, cuBLAS and the check of results know "
                            "fp32 and the 16-bit formats; choose one of these",
                            rowOf(format).name));
  }
  o.problem = o.padded = Problem{};  // an error below leaves nothing that looks complete
  o.format = format;
  o.values = values;
  o.wantedBy.clear();
  o.paddedA = Buffer();
  o.paddedB = Buffer();
  const bool addsC = format == Format::Fp32;
  if (!addsC) o.c = Buffer();
  std::vector<std::tuple<Buffer*, int, int>> sizes = {
      {&o.a, p.m, p.k}, {&o.b, p.k, p.n}, {&o.want, p.m, p.n}, {&o.scratch, p.m, p.n}};
  if (addsC) sizes.emplace_back(&o.c, p.m, p.n);
  for (const auto& [buffer, rows, columns] : sizes) {
    if (auto done = fit(context, *buffer, o.bytesOf(rows, columns)); !done) return done;
  }
  std::uint32_t seed = 1;
  for (const Buffer* buffer : {&o.a, &o.b, &o.c}) {
    if (!*buffer) continue;
    if (auto done = uploadRandom(context, o, *buffer, seed++); !done) return done;
  }
  for (const Buffer* buffer : {&o.want, &o.scratch}) {
    auto done =
        addsC ? context.copy(*buffer, o.c, o.c.bytes()) : context.clear(*buffer, buffer->bytes());
    if (!done) return done;
  }
  o.problem = p;
  return {};
}

Result<void> fillLeft(const Context& context, Operands& o, std::size_t bytes,
                      std::span<const std::uint32_t> head) {
  if (bytes == 0) {
    o.left = Buffer();
    return {};
  }
  if (auto done = fit(context, o.left, bytes); !done) return done;
  return head.empty() ? context.clear(o.left, bytes) : context.upload(o.left, std::as_bytes(head));
}

Result<void> padOperands(const Context& context, Operands& o, const Problem& padded) {
  if (o.padded == padded) return {};
  const Problem& p = o.problem;
  o.padded = Problem{};
  const auto pad = [&](Buffer& to, const Buffer& from, int rows, int columns, int newRows,
                       int newColumns) -> Result<void> {
    if (rows == newRows && columns == newColumns) {
      to = Buffer();
      return {};
    }
    if (const auto done = fit(context, to, o.bytesOf(newRows, newColumns)); !done) return done;
    if (const auto done = context.clear(to, to.bytes()); !done) return done;
    return context.copyRows(to, o.bytesOf(1, newColumns), from, o.bytesOf(1, columns),
                            o.bytesOf(1, columns), static_cast<std::size_t>(rows));
  };
  if (const auto done = pad(o.paddedA, o.a, p.m, p.k, padded.m, padded.k); !done) return done;
  if (const auto done = pad(o.paddedB, o.b, p.k, p.n, padded.k, padded.n); !done) return done;
  if (const auto done = fit(context, o.work, o.bytesOf(padded.m, padded.n)); !done) return done;
  o.padded = padded;
  return {};
}

Result<void> resetWork(const Context& context, const Operands& o) {
  if (o.c && o.padded == o.problem) return context.copy(o.work, o.c, o.c.bytes());
  if (auto done = context.clear(o.work, o.work.bytes()); !done || !o.c) return done;
  return context.copyRows(o.work, o.bytesOf(1, o.padded.n), o.c, o.bytesOf(1, o.problem.n),
                          o.bytesOf(1, o.problem.n), static_cast<std::size_t>(o.problem.m));
}

}  // namespace tileloom::gpu
