// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/kept_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/base/fnv.h"
#include "kernels/gpu/compile/cached_code.h"
#include "kernels/gpu/compile/included_files.h"

namespace tileloom::gpu {
namespace {

// Empty: the result cannot be kept.
std::string keyOf(const SourceJob& job, SourceLanguage language) {
  const auto included = hashOfIncluded(job.text, job.file, job.includes);
  if (!included) return {};
  Fnv text;
  text.add(job.text);
  return fmt::format("own 1 {} {} {} {} {:016x} {} -I {} -D {} -i {} {}",
                     language == SourceLanguage::Cuda ? "cu" : "ptx", job.arch, job.text.size(),
                     text.text(), *included, job.file.string(), fmt::join(job.includes, " "),
                     fmt::join(job.defines, " "), fmt::join(job.instances, ";"),
                     compilerIdentity());
}

// The first line has the compiler, the second one the names of the instances.
std::string entryLog(const SourceCode& code) {
  return fmt::format("{}\n{}\n{}", code.compiler, fmt::join(code.instances, " "), code.log);
}

SourceCode codeFrom(CacheEntry entry) {
  SourceCode code;
  code.cubin = std::move(entry.cubin);
  std::string_view rest = entry.log;
  const auto line = [&rest] {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return text;
  };
  code.compiler = line();
  std::string_view names = line();
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    code.instances.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  code.log = rest;
  return code;
}

}  // namespace

tl::expected<KeptCode, Complaint> keptCode(const SourceJob& job, SourceLanguage language,
                                           const BuildCache* cache) {
  const std::string key = cache == nullptr ? std::string() : keyOf(job, language);
  if (!key.empty())
    if (auto entry = cachedCode(cache, key)) {
      KeptCode kept{codeFrom(std::move(*entry)), true};
      if (kept.code.instances.size() == job.instances.size() || kept.code.instances.empty())
        return kept;
    }
  auto code = language == SourceLanguage::Ptx ? assemblePtx(job) : compileCuda(job);
  if (!code) return tl::unexpected(std::move(code.error()));
  if (!key.empty()) cache->write(key, {entryLog(*code), code->cubin});
  return KeptCode{std::move(*code), false};
}

}  // namespace tileloom::gpu
