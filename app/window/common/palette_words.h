// SPDX-License-Identifier: GPL-3.0-or-later
// The words by which the command palette finds an action: the terms of the glossary on its subject.
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace tileloom {

struct Term;

// The term, and its other names.
QStringList namesOf(const Term& term);
// As the property kAlsoFoundBy of an action has them.
QString joinedWords(const QStringList& words);
// Search words for a page: the terms of the glossary that it shows.
QString wordsOfPage(std::string_view id);

}  // namespace tileloom
