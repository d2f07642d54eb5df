// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/tile/knobs.h"
#include "kernels/tile/round_values.h"
#include "kernels/tile/words.h"

namespace tileloom::tuning {
namespace {

// The knobs by their part. Set in this order, the rows that name several knobs can be asked early:
// block and thread tiles before warp tiles, whose rows name both, and what is legal or not by
// itself at the end.
constexpr std::array<Knob, kKnobCount> kOrder = [] {
  std::array<Knob, kKnobCount> order = kAllKnobs;
  std::ranges::sort(order, {}, [](Knob knob) { return std::pair(rowOf(knob).part, knob); });
  return order;
}();

struct Row {
  const Constraint* constraint;
  std::size_t rejection;  // its place in the counts
};

class Enumeration {
 public:
  Enumeration(const Stage& stage, const Architecture& arch, Space& space,
              std::span<const Knob> order = kOrder)
      : stage_(stage), arch_(arch), space_(space) {
    for (const Knob knob : order) {
      const auto it = std::ranges::find(space.knobs, knob, &KnobValues::knob);
      if (it != space.knobs.end()) levels_.push_back({&*it, {}, 1});
    }
    for (std::size_t i = levels_.size(); i-- > 1;)
      levels_[i - 1].below = levels_[i].below * levels_[i].values->values.size();
    space.generated = levels_.empty() ? 0 : levels_[0].below * levels_[0].values->values.size();
    for (const Constraint& row : constraintTable()) {
      if (row.traits != 0 && (row.traits & stage.traits) == 0) continue;
      std::size_t last = 0;
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        if (std::ranges::find(row.knobs, levels_[i].values->knob) != row.knobs.end()) last = i;
      }
      levels_[last].rows.push_back({&row, space.rejected.size()});
      space.rejected.push_back({row.id, 0});
    }
  }

  // The first that is found when values are tried in their order.
  std::optional<TileShape> first() {
    first_ = true;
    visit(0);
    return space_.legal.empty() ? std::nullopt : std::optional(space_.legal.front());
  }

  void run() {
    visit(0);
    // The stage's own order of knobs, as if they had been turned like an odometer.
    std::ranges::sort(space_.legal, [this](const TileShape& a, const TileShape& b) {
      for (const KnobSpec& spec : stage_.knobs) {
        if (a[spec.knob] != b[spec.knob]) return a[spec.knob] < b[spec.knob];
      }
      return false;
    });
    std::erase_if(space_.rejected, [](const Rejection& r) { return r.tiles == 0; });
  }

 private:
  struct Level {
    const KnobValues* values;
    std::vector<Row> rows;  // whose last knob this is
    std::uint64_t below;    // combinations of the knobs that follow
  };

  void visit(std::size_t i) {
    if (i == levels_.size()) {
      space_.legal.push_back(tile_);
      return;
    }
    const Level& level = levels_[i];
    for (const int value : level.values->values) {
      tile_[level.values->knob] = value;
      if (holds(level)) visit(i + 1);
      if (first_ && !space_.legal.empty()) break;
    }
    tile_[level.values->knob] = 0;
  }

  bool holds(const Level& level) {
    if (level.rows.empty()) return true;
    const Derived derived = derive(stage_, tile_);
    const Candidate candidate{stage_, tile_, derived, arch_};
    for (const Row& row : level.rows) {
      ++space_.judged;
      if (row.constraint->holds(candidate)) continue;
      space_.rejected[row.rejection].tiles += level.below;
      return false;
    }
    return true;
  }

  const Stage& stage_;
  const Architecture& arch_;
  Space& space_;
  std::vector<Level> levels_;
  TileShape tile_;
  bool first_ = false;
};

std::string whyNotListed(const Stage& stage, const KnobValues& listed) {
  const KnobSpec* spec = stage.spec(listed.knob);
  if (spec == nullptr) {
    return fmt::format("{} has no knob {}: choose from {}", stage.id, name(listed.knob),
                       knobNames(stage));
  }
  if (listed.values.empty()) {
    return fmt::format("no value is listed for {}: name some, such as {}", name(listed.knob),
                       spec->standard);
  }
  for (const int value : listed.values) {
    if (value < spec->min || value > spec->max) {
      return fmt::format("{} = {} is not between {} and {}", name(spec->knob), value, spec->min,
                         spec->max);
    }
  }
  return {};
}

}  // namespace

SpaceOptions optionsFor(const Stage& stage, SpaceOptions options) {
  std::erase_if(options.listed,
                [&](const KnobValues& listed) { return stage.spec(listed.knob) == nullptr; });
  return options;
}

std::vector<int> searchValues(const KnobSpec& spec, bool threes) {
  if (!isLate(spec.knob)) return roundValues(spec, threes);
  std::vector<int> values;
  for (const int value : {spec.min, spec.standard, 2 * spec.standard}) {
    if (value <= spec.max && (values.empty() || value > values.back())) values.push_back(value);
  }
  return values;
}

tl::expected<Space, std::string> spaceOf(const Stage& stage, const SpaceOptions& options,
                                         const Architecture& arch) {
  Space space;
  for (const KnobValues& listed : options.listed) {
    if (std::string why = whyNotListed(stage, listed); !why.empty())
      return tl::unexpected(std::move(why));
  }
  for (const KnobSpec& spec : stage.knobs) {
    const auto listed = std::ranges::find(options.listed, spec.knob, &KnobValues::knob);
    KnobValues knob{spec.knob, listed != options.listed.end() ? listed->values
                                                              : searchValues(spec, options.threes)};
    std::ranges::sort(knob.values);
    knob.values.erase(std::unique(knob.values.begin(), knob.values.end()), knob.values.end());
    space.knobs.push_back(std::move(knob));
  }
  Enumeration(stage, arch, space).run();
  return space;
}

namespace {

// First these, then ever the knob that lets most rows be asked: what cannot be mended is found out
// soon.
std::vector<Knob> soonest(const Stage& stage, std::span<const Knob> kept) {
  std::vector<Knob> order(kept.begin(), kept.end());
  const auto isSet = [&](Knob knob) { return std::ranges::find(order, knob) != order.end(); };
  while (order.size() < stage.knobs.size()) {
    std::optional<Knob> best;
    std::ptrdiff_t most = -1;
    for (const Knob knob : kOrder) {
      if (stage.spec(knob) == nullptr || isSet(knob)) continue;
      const auto closed = std::ranges::count_if(constraintTable(), [&](const Constraint& row) {
        return (row.traits == 0 || (row.traits & stage.traits) != 0) &&
               std::ranges::find(row.knobs, knob) != row.knobs.end() &&
               std::ranges::all_of(row.knobs, [&](Knob k) {
                 return k == knob || isSet(k) || stage.spec(k) == nullptr;
               });
      });
      if (closed > most) best = knob, most = closed;
    }
    order.push_back(*best);
  }
  return order;
}

}  // namespace

std::optional<TileShape> legalTileLike(const Stage& stage, const TileShape& tile,
                                       std::span<const Knob> kept, const Architecture& arch) {
  Space space;
  for (const KnobSpec& spec : stage.knobs) {
    const int now = tile[spec.knob];
    KnobValues knob{spec.knob, {now}};
    if (std::ranges::find(kept, spec.knob) == kept.end()) {
      knob.values = searchValues(spec, true);
      if (std::ranges::find(knob.values, now) == knob.values.end()) knob.values.push_back(now);
      // A PAD may be 0.
      std::ranges::stable_sort(knob.values, {}, [now](int value) {
        return std::abs(std::log2((value + 1.0) / (now + 1.0)));
      });
    }
    space.knobs.push_back(std::move(knob));
  }
  return Enumeration(stage, arch, space, soonest(stage, kept)).first();
}

}  // namespace tileloom::tuning
