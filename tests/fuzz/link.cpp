// SPDX-License-Identifier: GPL-3.0-or-later
// A link that can be read leads to the same view again. The input is tried as a link, and as a text
// packed into one.
#include <QByteArray>

#include "app/session/session.h"
#include "app/session/session_text.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

void follow(std::string_view link) {
  const auto session = parseLink(link);
  if (!session) return requireSentence(session.error());
  const std::string written = sessionLink(*session);
  requirePlain(written);
  const auto again = parseLink(written);
  require(again && *again == *session, "a link leads to the same view again");
  require(sessionLink(*again) == written, "a link is written in the same way again");
}

std::string packed(std::string_view text) {
  constexpr int kQuick = 1;
  const QByteArray bytes =
      qCompress(QByteArray(text.data(), static_cast<qsizetype>(text.size())), kQuick);
  return std::string(kLinkScheme) +
         bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
             .toStdString();
}

void attackLink(std::string_view bytes) {
  // Qt writes warnings about broken bytes to standard error.
  static const auto before = qInstallMessageHandler([](auto...) {});
  (void)before;
  follow(bytes);
  const std::string link = packed(bytes);
  const auto linked = parseLink(link);
  const auto plain = parseSession(bytes);
  constexpr std::size_t kLongestLink = 1 << 16;
  if (link.size() <= kLongestLink)
    require(linked.has_value() == plain.has_value(), "a link says what the session in it says");
  if (linked) require(plain && *linked == *plain, "a link is the session that was packed");
  follow(link);
}

}  // namespace

void attack(std::string_view bytes) {
  attackLink(bytes);
}

}  // namespace tileloom::fuzz
