// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "viz/base/text/figure_text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RaceView)
};

// Rounded, but below 100 while it is not full.
int percentDone(double part) {
  return part < 1 ? std::min(99, static_cast<int>(std::lround(100 * part))) : 100;
}

QString tenthsOf(double matrices) {
  const double full = std::floor(matrices);
  return QLocale(QLocale::English)
      .toString(full + std::min(0.9, std::round(10 * (matrices - full)) / 10), 'f', 1);
}

QString filledText(const RaceProgress& progress) {
  const int percent = percentDone(progress.part);
  if (progress.laps == 0) return Words::tr("first C: %1 %").arg(percent);
  return Words::tr("%1 C full, next %2 %")
      .arg(QLocale(QLocale::English).toString(qlonglong(progress.laps)))
      .arg(percent);
}

QString partOfC(int percent) {
  return Words::tr("%1 % of C").arg(percent);
}
QString placeAndPart(int place, int percent) {
  return Words::tr("%1, %2").arg(charts::ordinalText(place), partOfC(percent));
}
QString placeAndTime(int place, double seconds) {
  return Words::tr("%1 in %2").arg(charts::ordinalText(place), launchTimeText(seconds));
}

}  // namespace

QString launchTimeText(double seconds) {
  if (seconds <= 0) return Words::tr("0 µs");
  const bool micro = seconds < 0.9995e-3, milli = seconds < 0.9995;
  const double value = seconds * (micro ? 1e6 : milli ? 1e3 : 1.0);
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const QString text = figures::grouped(value, decimals);
  return (micro ? Words::tr("%1 µs") : milli ? Words::tr("%1 ms") : Words::tr("%1 s")).arg(text);
}

namespace charts {

QString ordinalText(int place) {
  const int last = place % 10;
  const bool teen = place / 10 % 10 == 1;
  const QString form = teen || last > 3 || last == 0 ? Words::tr("%1th")
                       : last == 1                   ? Words::tr("%1st")
                       : last == 2                   ? Words::tr("%1nd")
                                                     : Words::tr("%1rd");
  return form.arg(place);
}

QString raceSpeedName(RaceSpeed source) {
  switch (source) {
    case RaceSpeed::Live:
      return Words::tr("measured live");
    case RaceSpeed::Recorded:
      return Words::tr("recorded");
    case RaceSpeed::Stale:
      return Words::tr("recorded with other sources");
    case RaceSpeed::Predicted:
      break;
  }
  return Words::tr("predicted");
}

QString racerSpeedText(const Racer& r) {
  if (r.gflops <= 0) return Words::tr("speed unknown");
  return (r.source == RaceSpeed::Predicted ? Words::tr("≈ %1 GFLOP/s") : Words::tr("%1 GFLOP/s"))
      .arg(QLocale(QLocale::English).toString(qRound64(r.gflops)));
}

QString racerRatioText(const Racer& r) {
  if (r.rung() == nullptr || r.ratio <= 0) return {};
  const int decimals = r.ratio < 0.1 ? 3 : 2;
  return (r.source == RaceSpeed::Predicted ? Words::tr("≈ × %1 cuBLAS") : Words::tr("× %1 cuBLAS"))
      .arg(QLocale(QLocale::English).toString(r.ratio, 'f', decimals));
}

QString racerPlaceText(const Race& race, int racer) {
  const double done = race.filled(racer);
  const int place = race.placing(racer);
  if (done < 1)
    return done > 0 ? placeAndPart(place, percentDone(done)) : partOfC(percentDone(done));
  if (race.work <= 0) return Words::tr("%1 with C").arg(ordinalText(place));
  return placeAndTime(place, race.launchSeconds(racer));
}

QStringList longestPlaceTexts() {
  return {placeAndPart(88, 88), placeAndTime(88, 88.8e-3)};
}

QString racerToolTip(const Race& race, int racer) {
  const Racer& r = race.at(racer);
  QStringList lines{r.name, racerSpeedText(r)};
  if (r.gflops > 0) lines.back() += QStringLiteral(", ") + raceSpeedName(r.source);
  if (const QString ratio = racerRatioText(r); !ratio.isEmpty()) lines += ratio;
  if (r.gflops > 0 && race.work > 0)
    lines += Words::tr("one C in %1, %2 of all kernels")
                 .arg(launchTimeText(race.launchSeconds(racer)), ordinalText(race.placing(racer)));
  lines += filledText(race.progress(racer));
  return lines.join(u'\n');
}

QStringList racerWords(const Race& race, int racer, RaceForm form, double height,
                       const Fonts& fonts) {
  const Racer& r = race.at(racer);
  if (form == RaceForm::Brief) {
    const QLocale locale(QLocale::English);
    const double done = race.filled(racer);
    return {r.brief.isEmpty() ? r.name : r.brief,
            r.gflops <= 0 ? QStringLiteral("?") : locale.toString(r.gflops / 1000, 'f', 1),
            done < 1 ? Words::tr("%1 %").arg(percentDone(done))
                     : Words::tr("%1 C").arg(tenthsOf(done))};
  }
  const double small = QFontMetricsF(fonts.small).height();
  const double room = height - 2 * QFontMetricsF(fonts.body).height();
  QStringList words{r.name};
  const QString ratio = racerRatioText(r);
  if (ratio.isEmpty() || room >= 3 * small - 1) words += racerSpeedText(r);
  if (!ratio.isEmpty()) words += ratio;
  words += racerPlaceText(race, racer);
  return words;
}

std::pair<QString, QString> inTwoLines(const QString& words, const QFontMetricsF& metrics) {
  std::pair<QString, QString> best(words, QString());
  double width = metrics.horizontalAdvance(words);
  for (qsizetype at = words.indexOf(u' '); at >= 0; at = words.indexOf(u' ', at + 1)) {
    const QString first = words.left(at), second = words.mid(at + 1);
    const double longer =
        std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(second));
    if (longer >= width) continue;
    width = longer;
    best = {first, second};
  }
  return best;
}

QString slownessText(const Race& race) {
  const double times = race.slowness();
  if (times <= 0) return {};
  const double step = std::pow(10.0, std::floor(std::log10(times)) - 2);
  return Words::tr("slowed down %1 times").arg(figures::grouped(std::round(times / step) * step));
}

QString raceNumbersText() {
  return Words::tr("numbers: rung, TFLOP/s, part of C that is done");
}

QString raceInvitation(const Race& race) {
  if (race.pacer() <= 0)
    return Words::tr(
        "No speed is known for this size: measure the kernels, or choose a recorded size.");
  return (race.hasLibrary()
              ? Words::tr("cuBLAS fills its C in %1 s here, then starts again. Click a kernel to "
                          "see what costs it most.")
              : Words::tr("The fastest fills its C in %1 s here, then starts again. Click a kernel "
                          "to see what costs it most."))
      .arg(Race::kLap);
}

QString raceSentence(const Race& race) {
  if (!race.explained()) return raceInvitation(race);
  return Words::tr("%1 stopped: %2").arg(race.at(race.frozen).name, race.why);
}

}  // namespace charts
}  // namespace tileloom
