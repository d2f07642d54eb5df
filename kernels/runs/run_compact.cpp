// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a sweep share most of their fields. This finds where a new "common" line pays for itself.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "kernels/base/json_text.h"
#include "kernels/runs/run_store.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::ordered_json;

// One run as texts: `"m":4096` for each key; empty where the run has no such key.
using Row = std::vector<std::string>;

struct Rows {
  std::vector<std::string> keys;
  std::vector<Row> rows;
  std::vector<std::size_t>
      starts;  // of groups: the same device, stage and problem; ends with the end

  std::size_t groups() const { return starts.size() - 1; }
};

auto groupOf(const RunRecord& r) {
  return std::tie(r.device, r.stage, r.problem.m, r.problem.n, r.problem.k);
}

Rows rowsOf(std::span<const RunRecord> runs) {
  std::vector<const RunRecord*> sorted;
  for (const RunRecord& run : runs) sorted.push_back(&run);
  std::ranges::stable_sort(sorted, [](const RunRecord* a, const RunRecord* b) {
    return std::tuple_cat(groupOf(*a), std::tie(a->when)) <
           std::tuple_cat(groupOf(*b), std::tie(b->when));
  });
  Rows all;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || groupOf(*sorted[i - 1]) != groupOf(*sorted[i])) all.starts.push_back(i);
    Row row(all.keys.size());
    const Json json = toJson(*sorted[i]);
    for (const auto& [key, value] : json.items()) {
      const auto known = std::ranges::find(all.keys, key);
      const auto column = static_cast<std::size_t>(known - all.keys.begin());
      if (known == all.keys.end()) {
        all.keys.push_back(key);
        for (Row& earlier : all.rows) earlier.emplace_back();
        row.emplace_back();
      }
      row[column] = fmt::format("\"{}\":{}", key, dumped(value));
    }
    all.rows.push_back(std::move(row));
  }
  all.starts.push_back(sorted.size());
  return all;
}

// A run of neighbours: what they have in common and how many bytes they take, grown row by row.
class Segment {
 public:
  explicit Segment(const Row& first) : shared_(first), bytes_(first.size(), 0) {}

  void add(const Row& row) {
    ++count_;
    for (std::size_t c = 0; c < row.size(); ++c) {
      bytes_[c] += row[c].size();
      if (row[c] != shared_[c]) shared_[c].clear();
    }
  }

  std::size_t cost() const {
    constexpr std::size_t kCommonLine = 40;  // bytes around the shared fields
    std::size_t cost = hasCommonLine() ? kCommonLine : 0;
    for (std::size_t c = 0; c < shared_.size(); ++c) {
      cost += shared_[c].empty() ? bytes_[c] : shared_[c].size();
    }
    return cost;
  }

  bool hasCommonLine() const { return count_ > 1; }
  const Row& shared() const { return shared_; }  // empty texts: not the same in all rows

 private:
  Row shared_;
  std::vector<std::size_t> bytes_;
  std::size_t count_ = 0;
};

// For each group, where the segment that starts there best ends: the shortest way to the end of the
// file, found from its end.
std::vector<std::size_t> bestEnds(const Rows& all) {
  constexpr std::size_t kLookAhead =
      256;  // groups; keeps a long history from taking quadratic time
  std::vector<std::size_t> best(all.groups() + 1, 0);
  std::vector<std::size_t> end(all.groups(), 0);
  for (std::size_t from = all.groups(); from-- > 0;) {
    Segment segment(all.rows[all.starts[from]]);
    best[from] = std::numeric_limits<std::size_t>::max();
    for (std::size_t to = from; to < std::min(all.groups(), from + kLookAhead); ++to) {
      for (std::size_t i = all.starts[to]; i < all.starts[to + 1]; ++i) segment.add(all.rows[i]);
      const std::size_t cost = segment.cost() + best[to + 1];
      if (cost >= best[from]) continue;
      best[from] = cost;
      end[from] = to + 1;
    }
  }
  return end;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += ',';
    text += part;
  }
  return text;
}

// What the row says beyond the common line; a shared field that it lacks must be taken back.
std::string lineOf(const Rows& all, const Row& row, const Row& common) {
  Row own(row.size());
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] == common[c]) continue;
    own[c] = row[c].empty() ? fmt::format("\"{}\":null", all.keys[c]) : row[c];
  }
  return fmt::format("{{{}}}\n", joined(own));
}

}  // namespace

std::string compactText(std::span<const RunRecord> runs) {
  if (runs.empty()) return {};
  const Rows all = rowsOf(runs);
  const std::vector<std::size_t> ends = bestEnds(all);
  std::string text;
  Row common(all.keys.size());
  for (std::size_t from = 0; from < all.groups(); from = ends[from]) {
    const std::span rows(all.rows.begin() + static_cast<std::ptrdiff_t>(all.starts[from]),
                         all.rows.begin() + static_cast<std::ptrdiff_t>(all.starts[ends[from]]));
    Segment segment(rows.front());
    for (const Row& row : rows) segment.add(row);
    if (segment.hasCommonLine()) {
      common = segment.shared();
      text += fmt::format("{{\"schema\":\"{}\",\"common\":{{{}}}}}\n", kRunsSchema, joined(common));
    }
    for (const Row& row : rows) text += lineOf(all, row, common);
  }
  return text;
}

}  // namespace tileloom::runs
