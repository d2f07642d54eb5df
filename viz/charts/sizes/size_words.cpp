// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/sizes/size_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/model/prediction/prediction.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/parameters.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"

namespace tileloom::charts {
namespace {

using Json = nlohmann::ordered_json;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::SizeChart)
};

const model::SizePoint* pointOf(const SizeData& data, int size) {
  const auto found = std::ranges::find(data.points, size, &model::SizePoint::size);
  return found == data.points.end() ? nullptr : &*found;
}

template <class Each>
const Each* ofSize(const std::vector<Each>& all, int size) {
  const auto found = std::ranges::find(all, size, &Each::size);
  return found == all.end() ? nullptr : &*found;
}

QString percent(double share) {
  return figures::percentText(100 * share);
}

QString dividedText(const SizeData& data, const model::SizePoint& p) {
  return Words::tr("M = N = K = %1: %2 × %3 blocks, %4, %5 waves of %6")
      .arg(figures::grouped(p.size), figures::grouped(double(p.rows)),
           figures::grouped(double(p.columns)),
           Words::tr("%1 in all").arg(figures::grouped(double(p.blocks()))),
           QString::fromStdString(model::wavesText(p.waves)),
           counted(qlonglong(data.blocksPerSm) * data.sms, Words::tr("1 block"),
                   Words::tr("%1 blocks")));
}

// "only 73 of the 6,591 known runs on NVIDIA H100 80GB HBM3 are of this size"; empty: they are not
// few.
QString fewRunsText(const SizeData& data, const SizeRun& run) {
  constexpr double kFew = 0.05;
  if (run.alike <= 0 || run.alike > kFew * data.knownRuns) return {};
  return Words::tr("only %1 of the %2 known runs on %3 are of this size")
      .arg(figures::grouped(run.alike), figures::grouped(data.knownRuns), data.foretoldOf);
}

// The words in files are keys that programs read: they are never translated.
const char* freshnessKey(Freshness freshness) {
  switch (freshness) {
    case Freshness::Live:
      return "live";
    case Freshness::Recorded:
      return "recorded";
    case Freshness::Stale:
      break;
  }
  return "stale";
}

std::vector<int> allSizes(const SizeData& data) {
  std::vector<int> sizes;
  for (const auto& p : data.points) sizes.push_back(p.size);
  for (const auto& run : data.runs) sizes.push_back(run.size);
  if (data.baseline) {
    for (const auto& p : data.baseline->points) sizes.push_back(p.size);
    for (const auto& run : data.baseline->runs) sizes.push_back(run.size);
  }
  for (const auto& each : data.cublas) sizes.push_back(each.size);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace

std::optional<double> beyondBand(const SizeData& data, const SizeRun& run) {
  const auto* p = pointOf(data, run.size);
  if (p == nullptr || p->gflops <= 0) return std::nullopt;
  const double speed = run.gflops.median;
  if (speed >= p->gflopsLow && speed <= p->gflopsHigh) return std::nullopt;
  return speed / p->gflops - 1;
}

QStringList runLabels(const SizeData& data, const SizeRun& run) {
  const QString speed = figures::speedText(run.gflops.median);
  const auto beyond = beyondBand(data, run);
  if (!beyond) return {speed};
  const QString off = QString::number(100 * std::abs(*beyond), 'f', 0);
  const QString words = *beyond > 0 ? Words::tr("%1, %2 % above the prediction").arg(speed, off)
                                    : Words::tr("%1, %2 % below the prediction").arg(speed, off);
  if (fewRunsText(data, run).isEmpty()) return {words, speed};
  return {Words::tr("%1: only %2 of %3 known runs are of this size")
              .arg(words, figures::grouped(run.alike), figures::grouped(data.knownRuns)),
          words, speed};
}

QString sizeToolTip(const SizeData& data, int size) {
  QStringList lines;
  if (const auto* p = pointOf(data, size)) {
    lines += dividedText(data, *p);
    lines += Words::tr("tiles used %1 %: useful FLOPs over those of whole tiles")
                 .arg(percent(p->tileShare));
    lines +=
        Words::tr("waves used %1 %: blocks over those of whole waves").arg(percent(p->waveShare));
    lines += Words::tr("predicted %1 GFLOP/s (%2 to %3)")
                 .arg(figures::roughSpeedText(p->gflops), figures::roughSpeedText(p->gflopsLow),
                      figures::roughSpeedText(p->gflopsHigh));
  } else {
    lines += Words::tr("M = N = K = %1").arg(figures::grouped(size));
  }
  if (const auto* run = ofSize(data.runs, size)) {
    lines += Words::tr("measured %1 GFLOP/s %2, %3 on %4")
                 .arg(figures::speedText(run->gflops.median), figures::spreadText(run->gflops),
                      figures::freshnessWord(run->freshness), run->device);
    if (run->busy)
      lines += Words::tr("an SM was busy %1 % of the time, counted").arg(percent(*run->busy));
    if (const auto beyond = beyondBand(data, *run)) {
      const QString off = QString::number(100 * std::abs(*beyond), 'f', 0);
      lines += *beyond > 0 ? Words::tr("%1 % above the prediction, outside of its band").arg(off)
                           : Words::tr("%1 % below the prediction, outside of its band").arg(off);
      if (const QString few = fewRunsText(data, *run); !few.isEmpty())
        lines += Words::tr("%1: the prediction is fitted to other sizes").arg(few);
    }
  }
  if (data.baseline) {
    const auto at = std::ranges::find(data.baseline->points, size, &model::SizePoint::size);
    if (at != data.baseline->points.end())
      lines += Words::tr("baseline: predicted %1 GFLOP/s").arg(figures::roughSpeedText(at->gflops));
    if (const auto* run = ofSize(data.baseline->runs, size))
      lines += Words::tr("baseline: measured %1 GFLOP/s %2")
                   .arg(figures::speedText(run->gflops.median), figures::spreadText(run->gflops));
  }
  if (const auto* each = ofSize(data.cublas, size)) {
    lines += figures::librarySpeedOfRuns(data.format, each->gflops);
  }
  return lines.join(u'\n');
}

QString sizeSource(const SizeData& data) {
  QStringList parts;
  if (!data.points.empty()) parts += Words::tr("predicted for %1").arg(data.foretoldOf);
  QStringList freshness, devices;
  for (const Freshness each : {Freshness::Live, Freshness::Recorded, Freshness::Stale}) {
    if (std::ranges::find(data.runs, each, &SizeRun::freshness) != data.runs.end())
      freshness += figures::freshnessWord(each);
  }
  for (const auto& run : data.runs) devices += run.device;
  devices.removeDuplicates();
  const QString also = Words::tr(" and ");
  if (!devices.isEmpty())
    parts += Words::tr("%1 on %2").arg(freshness.join(also), devices.join(also));
  if (!data.cublas.empty() && !devices.contains(data.device))
    parts += Words::tr("cuBLAS measured on %1").arg(data.device);
  return parts.join(Words::tr("; "));
}

QString sizeAdvice(const SizeData& data) {
  const auto present = data.presentSize();
  const auto* at = present ? pointOf(data, *present) : nullptr;
  // Measured sizes only: say why there is no prediction, because the chart has no room for it.
  if (at == nullptr) return data.points.empty() && !data.waiting ? data.trouble : QString();
  return Words::tr("%1: tiles %2 %, waves %3 % used")
      .arg(figures::grouped(at->size), percent(at->tileShare), percent(at->waveShare));
}

QString emptySizeSentence(const SizeData& data) {
  if (!data.trouble.isEmpty()) return data.trouble;
  return data.waiting ? Words::tr("Predicting speed over size …")
                      : Words::tr("No data for this tile at other sizes.");
}

QByteArray sizeCsv(const SizeData& data) {
  const std::vector<int> sizes = allSizes(data);
  if (sizes.empty()) return {};
  QByteArray text =
      "size,block_rows,block_columns,waves,tile_efficiency,wave_efficiency,predicted_gflops,"
      "predicted_low,predicted_high,measured_gflops,measured_low,measured_high,standing,"
      "cublas_gflops";
  if (data.baseline) text += ",baseline_predicted_gflops,baseline_measured_gflops";
  text += '\n';
  const auto number = [](double v) { return QByteArray::number(v, 'g', 8); };
  for (const int size : sizes) {
    QByteArrayList cells{QByteArray::number(size)};
    if (const auto* p = pointOf(data, size)) {
      cells << QByteArray::number(qlonglong(p->rows)) << QByteArray::number(qlonglong(p->columns))
            << number(p->waves) << number(p->tileShare) << number(p->waveShare) << number(p->gflops)
            << number(p->gflopsLow) << number(p->gflopsHigh);
    } else {
      for (int i = 0; i < 8; ++i) cells << QByteArray();
    }
    if (const auto* run = ofSize(data.runs, size)) {
      cells << number(run->gflops.median) << number(run->gflops.low) << number(run->gflops.high)
            << freshnessKey(run->freshness);
    } else {
      for (int i = 0; i < 4; ++i) cells << QByteArray();
    }
    const auto* each = ofSize(data.cublas, size);
    cells << (each != nullptr ? number(each->gflops) : QByteArray());
    if (data.baseline) {
      const auto& points = data.baseline->points;
      const auto at = std::ranges::find(points, size, &model::SizePoint::size);
      const auto* run = ofSize(data.baseline->runs, size);
      cells << (at != points.end() ? number(at->gflops) : QByteArray())
            << (run != nullptr ? number(run->gflops.median) : QByteArray());
    }
    text += cells.join(',') + '\n';
  }
  return text;
}

QByteArray sizeJson(const SizeData& data) {
  Json tile = Json::object();
  if (data.rung() != nullptr) {
    for (const ParameterSpec& spec : data.rung()->parameters)
      tile[std::string(name(spec.parameter))] = data.tile[spec.parameter];
  }
  Json points = Json::array();
  for (const int size : allSizes(data)) {
    Json each = {{"size", size}};
    if (const auto* p = pointOf(data, size)) {
      each.update({{"block_rows", p->rows},
                   {"block_columns", p->columns},
                   {"blocks", p->blocks()},
                   {"waves", p->waves},
                   {"tile_efficiency", p->tileShare},
                   {"wave_efficiency", p->waveShare},
                   {"gflops", p->gflops},
                   {"gflops_low", p->gflopsLow},
                   {"gflops_high", p->gflopsHigh},
                   {"milliseconds", p->milliseconds}});
    }
    if (const auto* run = ofSize(data.runs, size)) {
      each["measured_gflops"] = run->gflops.median;
      each["measured_standing"] = freshnessKey(run->freshness);
      each["measured_device"] = run->device.toStdString();
    }
    if (const auto* cublas = ofSize(data.cublas, size)) each["cublas_gflops"] = cublas->gflops;
    if (data.baseline) {
      const auto& its = data.baseline->points;
      const auto at = std::ranges::find(its, size, &model::SizePoint::size);
      if (at != its.end()) each["baseline_gflops"] = at->gflops;
      if (const auto* run = ofSize(data.baseline->runs, size))
        each["baseline_measured_gflops"] = run->gflops.median;
    }
    points.push_back(std::move(each));
  }
  const Json all = {
      {"schema", "tileloom.sizes/1"},
      {"stage", data.rung() != nullptr ? Json(std::string(data.rung()->id)) : Json(nullptr)},
      {"tile", std::move(tile)},
      {"device", data.device.toStdString()},
      {"predicted_for", data.foretoldOf.toStdString()},
      {"blocks_per_sm", data.blocksPerSm},
      {"sms", data.sms},
      {"points", std::move(points)}};
  return QByteArray::fromStdString(dumped(all, 2)) + '\n';
}

}  // namespace tileloom::charts
