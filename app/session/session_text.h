// SPDX-License-Identifier: GPL-3.0-or-later
// A session file: one versioned JSON object. Also as one word, and as a command line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "app/session/session.h"

namespace tileloom {

inline constexpr std::string_view kSessionSchema = "tileloom.session/1";
inline constexpr const char* kSessionSuffix = "tileloom";

bool operator==(const Session& a, const Session& b);  // every option is the same

// Indented, with a newline at the end.
std::string sessionText(const Session& session);

// "tileloom render window --stage … --out view.png", which makes the picture of this view; `block`
// is the shown block.
std::string commandLineOf(const Session& session, const Extent& block);

// The same in one word that can be pasted into a browser, a mail or a command line, and the
// reverse. Any other text gives one sentence without a full stop.
inline constexpr std::string_view kLinkScheme = "tileloom:";
std::string sessionLink(const Session& session);
tl::expected<Session, std::string> parseLink(std::string_view link);

// Whether it claims to be a session, of this or of another version; it may be broken.
bool isSessionText(std::string_view text);
// A missing member keeps its default, except the schema and the stage; an unknown one is ignored; a
// wrong one gives one sentence without a full stop that names it. The tile may be illegal.
// A link comes from outside: it opens no file of this machine.
enum class SessionFrom { File, Link };
tl::expected<Session, std::string> parseSession(std::string_view text,
                                                SessionFrom from = SessionFrom::File);

// Reads the members of `object` into a session that keeps all others; a named stage comes with its
// default tile. An error is the member ("tuning/form" is one of an object) and a sentence without a
// full stop; the session may be half read then.
std::optional<std::pair<std::string, std::string>> readOptions(const nlohmann::json& object,
                                                               Session& session);
// The first member that is not an option, as above; empty: there is none.
std::string unknownOption(const nlohmann::json& object);

}  // namespace tileloom
