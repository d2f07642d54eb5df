// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/tile/parameters.h"
#include "kernels/tile/round_values.h"
#include "kernels/tile/words.h"

namespace tileloom::tuning {
namespace {

// The tile parameters by their part. Set in this order, the rows that name several parameters can
// be applied early: block and thread tiles before warp tiles, whose rows name both, and parameters
// that are legal or not by themselves at the end.
constexpr std::array<Parameter, kParameterCount> kOrder = [] {
  std::array<Parameter, kParameterCount> order = kAllParameters;
  std::ranges::sort(
      order, {}, [](Parameter parameter) { return std::pair(rowOf(parameter).part, parameter); });
  return order;
}();

struct Row {
  const Constraint* constraint;
  std::size_t rejection;  // its place in the counts
};

class Enumeration {
 public:
  Enumeration(const Stage& stage, const Architecture& arch, Space& space,
              std::span<const Parameter> order = kOrder)
      : stage_(stage), arch_(arch), space_(space) {
    for (const Parameter parameter : order) {
      const auto it = std::ranges::find(space.parameters, parameter, &ParameterValues::parameter);
      if (it != space.parameters.end()) levels_.push_back({&*it, {}, 1});
    }
    for (std::size_t i = levels_.size(); i-- > 1;)
      levels_[i - 1].below = levels_[i].below * levels_[i].values->values.size();
    space.generated = levels_.empty() ? 0 : levels_[0].below * levels_[0].values->values.size();
    for (const Constraint* row : constraintsOf(stage)) {
      std::size_t last = 0;
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        if (std::ranges::find(row->parameters, levels_[i].values->parameter) !=
            row->parameters.end())
          last = i;
      }
      levels_[last].rows.push_back({row, space.rejected.size()});
      space.rejected.push_back({row->id, 0});
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
    // The stage's own order of tile parameters, as if counted by an odometer.
    std::ranges::sort(space_.legal, [this](const TileShape& a, const TileShape& b) {
      for (const ParameterSpec& spec : stage_.parameters) {
        if (a[spec.parameter] != b[spec.parameter]) return a[spec.parameter] < b[spec.parameter];
      }
      return false;
    });
    std::erase_if(space_.rejected, [](const Rejection& r) { return r.tiles == 0; });
  }

 private:
  struct Level {
    const ParameterValues* values;
    std::vector<Row> rows;  // whose last tile parameter this is
    std::uint64_t below;    // combinations of the tile parameters that follow
  };

  void visit(std::size_t i) {
    if (i == levels_.size()) {
      space_.legal.push_back(tile_);
      return;
    }
    const Level& level = levels_[i];
    for (const int value : level.values->values) {
      tile_[level.values->parameter] = value;
      if (holds(level)) visit(i + 1);
      if (first_ && !space_.legal.empty()) break;
    }
    tile_[level.values->parameter] = 0;
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

std::string whyNotListed(const Stage& stage, const ParameterValues& listed) {
  const ParameterSpec* spec = stage.spec(listed.parameter);
  if (spec == nullptr) {
    return fmt::format("{} has no tile parameter {}: choose from {}", stage.id,
                       name(listed.parameter), parameterNames(stage));
  }
  if (listed.values.empty()) {
    return fmt::format("no value is listed for {}: name some, such as {}", name(listed.parameter),
                       spec->standard);
  }
  for (const int value : listed.values) {
    if (value < spec->min || value > spec->max) {
      return fmt::format("{} = {} is not between {} and {}", name(spec->parameter), value,
                         spec->min, spec->max);
    }
  }
  return {};
}

}  // namespace

SpaceOptions optionsFor(const Stage& stage, SpaceOptions options) {
  std::erase_if(options.listed, [&](const ParameterValues& listed) {
    return stage.spec(listed.parameter) == nullptr;
  });
  return options;
}

std::vector<int> searchValues(const ParameterSpec& spec, bool threes) {
  if (!isLate(spec.parameter)) return roundValues(spec, threes);
  std::vector<int> values;
  for (const int value : {spec.min, spec.standard, 2 * spec.standard}) {
    if (value <= spec.max && (values.empty() || value > values.back())) values.push_back(value);
  }
  return values;
}

tl::expected<Space, std::string> spaceOf(const Stage& stage, const SpaceOptions& options,
                                         const Architecture& arch) {
  Space space;
  for (const ParameterValues& listed : options.listed) {
    if (std::string why = whyNotListed(stage, listed); !why.empty())
      return tl::unexpected(std::move(why));
  }
  for (const ParameterSpec& spec : stage.parameters) {
    const auto listed =
        std::ranges::find(options.listed, spec.parameter, &ParameterValues::parameter);
    ParameterValues parameter{spec.parameter, listed != options.listed.end()
                                                  ? listed->values
                                                  : searchValues(spec, options.threes)};
    std::ranges::sort(parameter.values);
    parameter.values.erase(std::unique(parameter.values.begin(), parameter.values.end()),
                           parameter.values.end());
    space.parameters.push_back(std::move(parameter));
  }
  Enumeration(stage, arch, space).run();
  return space;
}

namespace {

// First these, then each time the parameter that completes most rows, so that a dead end is found
// early.
std::vector<Parameter> soonest(const Stage& stage, std::span<const Parameter> kept) {
  const std::vector<const Constraint*> rows = constraintsOf(stage);
  std::vector<Parameter> order(kept.begin(), kept.end());
  const auto isSet = [&](Parameter parameter) {
    return std::ranges::find(order, parameter) != order.end();
  };
  while (order.size() < stage.parameters.size()) {
    std::optional<Parameter> best;
    std::ptrdiff_t most = -1;
    for (const Parameter parameter : kOrder) {
      if (stage.spec(parameter) == nullptr || isSet(parameter)) continue;
      const auto closed = std::ranges::count_if(rows, [&](const Constraint* row) {
        return std::ranges::find(row->parameters, parameter) != row->parameters.end() &&
               std::ranges::all_of(row->parameters, [&](Parameter k) {
                 return k == parameter || isSet(k) || stage.spec(k) == nullptr;
               });
      });
      if (closed > most) best = parameter, most = closed;
    }
    order.push_back(*best);
  }
  return order;
}

}  // namespace

std::optional<TileShape> legalTileLike(const Stage& stage, const TileShape& tile,
                                       std::span<const Parameter> kept, const Architecture& arch) {
  Space space;
  for (const ParameterSpec& spec : stage.parameters) {
    const int now = tile[spec.parameter];
    ParameterValues parameter{spec.parameter, {now}};
    if (std::ranges::find(kept, spec.parameter) == kept.end()) {
      parameter.values = searchValues(spec, true);
      if (std::ranges::find(parameter.values, now) == parameter.values.end())
        parameter.values.push_back(now);
      // A PAD may be 0.
      std::ranges::stable_sort(parameter.values, {}, [now](int value) {
        return std::abs(std::log2((value + 1.0) / (now + 1.0)));
      });
    }
    space.parameters.push_back(std::move(parameter));
  }
  return Enumeration(stage, arch, space, soonest(stage, kept)).first();
}

}  // namespace tileloom::tuning
