// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/tile_map.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "kernels/runs/statistics.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/round_values.h"
#include "kernels/tuning/space.h"

namespace tileloom::tuning {
namespace {

bool isOf(const runs::RunRecord& run, const Stage& stage, const Problem& problem, Format format) {
  return run.stage == stage.id && run.format == format && run.problem == problem &&
         run.gflops.known();
}

bool standsOn(const TileFigure& figure, const TileShape& present, Parameter x, Parameter y,
              Others others) {
  return others == Others::Best ||
         present.with(x, figure.tile[x]).with(y, figure.tile[y]) == figure.tile;
}

// A later run is better, but a live run beats a recorded one.
bool isBetter(const runs::RunRecord& a, const runs::RunRecord& b) {
  if (a.origin != b.origin) return a.origin == runs::Origin::Live;
  return a.when >= b.when;
}

}  // namespace

std::vector<std::string> devicesOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                   const Problem& problem, Format format) {
  std::map<std::string, std::size_t> counts;
  for (const runs::RunRecord* each : runs) {
    const runs::RunRecord& run = *each;
    if (isOf(run, stage, problem, format)) ++counts[run.device];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, std::size_t>::second);
  std::vector<std::string> devices;
  for (auto& [device, count] : sorted) devices.push_back(device);
  return devices;
}

std::vector<TileFigure> figuresOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                  const Problem& problem, std::string_view device, Format format) {
  const std::string hash = fingerprintOf(stage);
  std::map<std::vector<int>, const runs::RunRecord*> latest;
  for (const runs::RunRecord* each : runs) {
    const runs::RunRecord& run = *each;
    if (!isOf(run, stage, problem, format) || run.device != device) continue;
    if (!run.fingerprint.empty() && run.fingerprint != hash) continue;
    std::vector<int> key;
    for (const ParameterSpec& spec : stage.parameters) key.push_back(run.tile[spec.parameter]);
    const runs::RunRecord*& known = latest[std::move(key)];
    if (known == nullptr || isBetter(run, *known)) known = &run;
  }
  std::vector<TileFigure> figures;
  for (const auto& [key, run] : latest) {
    figures.push_back(
        {run->tile, run->gflops,
         run->origin == runs::Origin::Live ? TileFigure::Kind::Live : TileFigure::Kind::Recorded,
         run->registers, run->blocksPerSm, run->cublas.known() ? run->ratio.median : 0});
  }
  std::ranges::stable_sort(figures, [](const TileFigure& a, const TileFigure& b) {
    return a.gflops.median > b.gflops.median;
  });
  return figures;
}

std::optional<Fastest> fastestOf(std::span<const TileFigure> figures) {
  const TileFigure* best = nullptr;
  int tiles = 0;
  for (const TileFigure& figure : figures) {
    if (figure.kind == TileFigure::Kind::Predicted || figure.gflops.spread() > runs::kNoisySpread)
      continue;
    ++tiles;
    if (best == nullptr || figure.gflops.median > best->gflops.median) best = &figure;
  }
  if (best == nullptr) return std::nullopt;
  return Fastest{*best, tiles};
}

std::optional<Fastest> fastestOf(std::span<const runs::RunRecord* const> runs, const Stage& stage,
                                 const Problem& problem, std::string_view device, Format format) {
  return fastestOf(figuresOf(runs, stage, problem, device, format));
}

double cublasOf(std::span<const runs::RunRecord* const> runs, const Problem& problem,
                std::string_view device, Format format) {
  std::vector<double> speeds;
  for (const runs::RunRecord* run : runs) {
    if (run->problem == problem && run->device == device && run->format == format &&
        run->cublas.known())
      speeds.push_back(run->cublas.median);
  }
  return tileloom::runs::median(speeds);
}

MapValues mapValues(const Stage& stage, const TileShape& present, Parameter x, Parameter y,
                    Others others, std::span<const std::span<const TileFigure>> sweeps) {
  const auto valuesOf = [&](Parameter parameter) {
    const std::vector<int> round = roundValues(*stage.spec(parameter), false);
    std::set<int> values(round.begin(), round.end());
    values.insert(present[parameter]);
    for (const auto& figures : sweeps) {
      for (const TileFigure& figure : figures) {
        if (standsOn(figure, present, x, y, others)) values.insert(figure.tile[parameter]);
      }
    }
    return std::vector<int>(values.begin(), values.end());
  };
  return {x, y, valuesOf(x), valuesOf(y)};
}

TileMap tileMap(const Stage& stage, const TileShape& present, MapValues values, Others others,
                std::span<const TileFigure> figures, const Architecture& arch, const Mend& mend) {
  TileMap map;
  map.stage = &stage;
  map.x = values.x;
  map.y = values.y;
  map.others = others;
  map.valuesX = std::move(values.valuesX);
  map.valuesY = std::move(values.valuesY);
  map.cells.resize(map.columns() * map.rows());
  const auto [x, y] = std::pair(map.x, map.y);

  std::map<std::pair<int, int>, std::size_t> found;  // the fastest comes first
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const TileShape& tile = figures[i].tile;
    if (!standsOn(figures[i], present, x, y, others)) continue;
    found.emplace(std::pair(tile[x], tile[y]), i);
  }
  for (std::size_t row = 0; row < map.rows(); ++row) {
    for (std::size_t column = 0; column < map.columns(); ++column) {
      TileCell& cell = map.cells[row * map.columns() + column];
      const int vx = map.valuesX[column], vy = map.valuesY[row];
      cell.tile = present.with(x, vx).with(y, vy);
      if (const auto at = found.find({vx, vy}); at != found.end()) {
        cell.kind = TileCell::Kind::Known;
        cell.figure = at->second;
        cell.tile = figures[at->second].tile;
      } else if (auto broken = firstViolation(stage, cell.tile, arch)) {
        std::optional<TileShape> mended;
        if (others == Others::Best)
          mended = mend ? mend(vx, vy) : legalTileLike(stage, cell.tile, std::array{x, y}, arch);
        if (mended) {
          cell.tile = *mended;
          continue;
        }
        cell.kind = TileCell::Kind::Illegal;
        cell.rule = std::move(broken->reason);
      }
    }
  }
  return map;
}

}  // namespace tileloom::tuning
