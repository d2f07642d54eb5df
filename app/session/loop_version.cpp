// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/loop_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"

namespace tileloom {
namespace {

template <class Visit>
void eachWord(rewrite::Version& version, const Visit& visit) {
  visit("order", version.changes.order, false);
  visit("loads", version.changes.loads, false);
  visit("barrier", version.changes.barrier, false);
  visit("pairs", version.pairedLoads, true);
}

}  // namespace

std::string versionWords(const rewrite::Version& version) {
  std::string words;
  rewrite::Version its = version;
  eachWord(its, [&words](std::string_view word, bool value, bool said) {
    if (value != said) return;
    words += words.empty() ? "" : ",";
    words += word;
  });
  return words;
}

tl::expected<rewrite::Version, std::string> parseVersion(std::string_view words) {
  rewrite::Version version;
  while (!words.empty()) {
    const std::string_view one = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), one.size() + 1));
    bool known = false;
    eachWord(version, [&](std::string_view word, bool& value, bool said) {
      if (word != one) return;
      value = said;
      known = true;
    });
    if (!known) {
      return tl::unexpected(fmt::format(
          "\"{}\" is not a change: choose from order, loads, barrier and pairs", quotable(one)));
    }
  }
  return version;
}

}  // namespace tileloom
