// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/operands.h"

#include <fmt/format.h>

namespace tileloom::gpu {
namespace {

std::size_t bytesOf(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * sizeof(float);
}

Result<void> fit(const Context& context, Buffer& buffer, std::size_t bytes) {
  if (buffer.bytes() == bytes) return {};
  buffer = Buffer();  // the old one first: both may not fit
  auto made = context.allocate(bytes);
  if (!made) return tl::unexpected(made.error());
  buffer = std::move(*made);
  return {};
}

Result<void> uploadRandom(const Context& context, const Buffer& to, std::uint32_t seed) {
  const std::vector<float> values = randomMatrix(to.bytes() / sizeof(float), seed);
  return context.upload(to, std::as_bytes(std::span(values)));
}

}  // namespace

std::vector<float> randomMatrix(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  std::uint32_t state = seed * 2654435761u + 1u;
  for (float& value : values) {
    state ^= state << 13;  // Marsaglia's xorshift, period 2^32 - 1
    state ^= state >> 17;
    state ^= state << 5;
    const float magnitude = 0.5f + static_cast<float>(state >> 9) * 0x1p-24f;
    value = (state & 1u) != 0 ? -magnitude : magnitude;
  }
  return values;
}

float toleranceOf(int k) {
  return 1e-5f + 0x1p-22f * 0.6f * static_cast<float>(k);
}

Result<bool> fillOperands(const Context& context, Operands& o, const Problem& p) {
  if (o.problem == p) return false;
  o.problem = o.padded = Problem{};  // whatever fails below leaves nothing that looks whole
  o.paddedA = Buffer();
  o.paddedB = Buffer();
  for (const auto& [buffer, rows, columns] : {std::tuple{&o.a, p.m, p.k},
                                              {&o.b, p.k, p.n},
                                              {&o.c, p.m, p.n},
                                              {&o.want, p.m, p.n},
                                              {&o.scratch, p.m, p.n}}) {
    if (const auto done = fit(context, *buffer, bytesOf(rows, columns)); !done)
      return tl::unexpected(done.error());
  }
  std::uint32_t seed = 1;
  for (const Buffer* buffer : {&o.a, &o.b, &o.c}) {
    if (const auto done = uploadRandom(context, *buffer, seed++); !done)
      return tl::unexpected(done.error());
  }
  if (const auto done = context.copy(o.want, o.c, o.c.bytes()); !done)
    return tl::unexpected(done.error());
  if (const auto done = context.copy(o.scratch, o.c, o.c.bytes()); !done)
    return tl::unexpected(done.error());
  o.problem = p;
  return true;
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
    if (const auto done = fit(context, to, bytesOf(newRows, newColumns)); !done) return done;
    if (const auto done = context.clear(to, to.bytes()); !done) return done;
    return context.copyRows(to, bytesOf(1, newColumns), from, bytesOf(1, columns),
                            bytesOf(1, columns), static_cast<std::size_t>(rows));
  };
  if (const auto done = pad(o.paddedA, o.a, p.m, p.k, padded.m, padded.k); !done) return done;
  if (const auto done = pad(o.paddedB, o.b, p.k, p.n, padded.k, padded.n); !done) return done;
  if (const auto done = fit(context, o.work, bytesOf(padded.m, padded.n)); !done) return done;
  o.padded = padded;
  return {};
}

Result<void> resetWork(const Context& context, const Operands& o) {
  if (o.padded == o.problem) return context.copy(o.work, o.c, o.c.bytes());
  if (const auto done = context.clear(o.work, o.work.bytes()); !done) return done;
  return context.copyRows(o.work, bytesOf(1, o.padded.n), o.c, bytesOf(1, o.problem.n),
                          bytesOf(1, o.problem.n), static_cast<std::size_t>(o.problem.m));
}

}  // namespace tileloom::gpu
