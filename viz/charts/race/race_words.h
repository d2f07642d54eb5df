// SPDX-License-Identifier: GPL-3.0-or-later
// The race in words. Private to viz/charts, except for the time of a launch.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <utility>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"

namespace tileloom {

// The time of a launch, in three digits: "348 µs", "34.8 ms", "1.24 s". Seconds.
QString launchTimeText(double seconds);

namespace charts {

QString ordinalText(int place);              // "1st", "2nd", "11th"
QString raceSpeedName(RaceSpeed source);     // "recorded"
QString racerSpeedText(const Racer& racer);  // "≈ 1,234 GFLOP/s"
QString racerRatioText(const Racer& racer);  // "× 0.50 cuBLAS"; empty: it is unknown
// The done part of the first C, afterwards its place and time: "2nd, 50 % of C", "2nd in 1.24 s".
QString racerPlaceText(const Race& race, int racer);
// The longest texts that racerPlaceText() usually returns.
QStringList longestPlaceTexts();
QString racerToolTip(const Race& race, int racer);  // several lines

// Words below the matrices, words beside them, or only numbers below them.
enum class RaceForm { Below, Beside, Brief };
// The lines beside or below a racer's matrix, in a room of `height` pixels. As many as fit: name,
// speed and progress come first, the progress is the last one.
QStringList racerWords(const Race& race, int racer, RaceForm form, double height,
                       const Fonts& fonts);
// Split at the space that makes the longer part shortest; without a space, all in the first part.
std::pair<QString, QString> inTwoLines(const QString& words, const QFontMetricsF& metrics);

QString slownessText(const Race& race);  // "slowed down 1,230 times"; empty: it is unknown
// The meaning of the numbers of RaceForm::Brief.
QString raceNumbersText();
// How the race goes and what a click does; without speeds, why nothing moves.
QString raceInvitation(const Race& race);
// Why a racer was stopped, or else the invitation.
QString raceSentence(const Race& race);

}  // namespace charts
}  // namespace tileloom
