// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/disassemble.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

Result<sass::MachineCode> disassembleStage(const Nvrtc& nvrtc, const BuildCache* cache,
                                           const sass::ListingReader& reader,
                                           const Subject& subject, const Architecture& arch) {
  const auto build = buildStage(nvrtc, cache, subject, arch, SourceLines::Kept);
  if (!build) return tl::unexpected(build.error());
  auto read = reader.read(build->cubin);
  if (!read) return tl::unexpected(read.error());
  sass::Listing& listing = read->listing;
  const bool rewritten = build->rewriting && build->rewriting->done();
  if (rewritten) {
    // The file's line table is that of the untouched loop.
    const auto before = reader.read(build->rewriting->untouched);
    if (!before) return tl::unexpected(before.error());
    sass::takeLines(listing, before->listing, build->rewriting->origins);
  }
  sass::MachineCode code;
  code.subject() = subject;
  code.arch = build->arch;
  code.nvrtc = build->nvrtc;
  code.fingerprint = build->fingerprint;
  code.tool = std::move(read->tool);
  code.rewritten = rewritten;
  if (rewritten) {
    // Without lines it is a third as large, and usually in the cache.
    const auto plain = buildStage(nvrtc, cache, subject, arch, SourceLines::Left);
    constexpr std::size_t kMost = 44 * 1024;  // bytes that a listing's header has room for
    if (plain && plain->rewriting && plain->rewriting->untouched.size() <= kMost)
      code.untouched = plain->rewriting->untouched;
  }
  if (build->rewriting) code.whyNotRewritten = build->rewriting->whyNot;
  code.registers = build->resources.registers;
  code.spillBytes = build->resources.spillStores + build->resources.spillLoads;
  code.listing = std::move(listing);
  return code;
}

}  // namespace tileloom::gpu
