// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/step_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/lecture/lecture_reader.h"
#include "app/session/options.h"

namespace tileloom::lecture {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// A picture does not depend on the last tiles of other rungs.
constexpr std::string_view kTiles = "tiles", kBaseline = "baseline";

bool isOfLecture(const Option& option) {
  return option.name != kTiles &&
         std::ranges::find(kNotOfALecture, option.name) == kNotOfALecture.end();
}

// The place of an option in an object of members: "tuning.form" is a member of "tuning".
ordered_json& placeIn(ordered_json& members, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return members[std::string(name)];
  return members[std::string(name.substr(0, dot))][std::string(name.substr(dot + 1))];
}

// For some options a file cannot express "not chosen": such a step keeps the choice of the previous
// step.
bool canBeSaid(std::string_view name, const ordered_json& value, const Session& wanted) {
  ordered_json alone = ordered_json::object();
  placeIn(alone, name) = value;
  Session session = wanted;
  return !value.is_null() && !readSessionMembers(json(alone), session);
}

// A step does not inherit the instant.
Session begun(const Session& before) {
  Session session = before;
  session.state.index = 0;
  return session;
}

}  // namespace

bool sameScene(const Session& a, const Session& b) {
  return std::ranges::all_of(
      options(), [&](const Option& option) { return !isOfLecture(option) || option.equal(a, b); });
}

Session sessionAfter(const Session& before, const ordered_json& members) {
  Session session = begun(before);
  if (members.is_object()) readSessionMembers(json(members), session);
  return session;
}

ordered_json membersFor(const Session& wanted, const Session& before, ordered_json given) {
  ordered_json members = given.is_object() ? std::move(given) : ordered_json::object();
  if (wanted.state.stage == nullptr) return members;
  // A named rung sets its standard tile, so that a second pass may find more.
  constexpr int kLooks = 3;
  for (int look = 0; look < kLooks; ++look) {
    const Session made = sessionAfter(before, members);
    bool same = true;
    for (const Option* option : inOrder(&Option::file)) {
      if (!isOfLecture(*option)) continue;
      if (made.state.stage == nullptr && option->name != "stage") continue;
      if (made.state.stage != nullptr && option->equal(made, wanted)) continue;
      // No comparison is written as null.
      const bool ended = option->name == kBaseline && !wanted.state.pinned;
      ordered_json value = option->write(wanted);
      if (!ended && !canBeSaid(option->name, value, wanted)) continue;
      placeIn(members, option->name) = std::move(value);
      same = false;
    }
    if (same) break;
  }
  return members;
}

ordered_json membersOfWindow(const Session& shown, const Session& before) {
  ordered_json members = ordered_json::object();
  for (const Option* option : inOrder(&Option::file)) {
    if (!isOfLecture(*option)) continue;
    if (option->file.always) placeIn(members, option->name) = option->write(shown);
  }
  return membersFor(shown, before, std::move(members));
}

}  // namespace tileloom::lecture
