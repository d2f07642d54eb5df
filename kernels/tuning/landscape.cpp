// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/landscape.h"
#include "kernels/tile/subject.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "kernels/tile/parameters.h"

namespace tileloom::tuning {
namespace {

using Vector = std::vector<double>;

// The lower Cholesky factor of a symmetric positive definite matrix, in place; row-major.
void factorise(Vector& m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / m[j * n + j];
    }
  }
}

void solveLower(const Vector& m, std::size_t n, Vector& x) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= m[i * n + k] * x[k];
    x[i] = sum / m[i * n + i];
  }
}

void solveUpper(const Vector& m, std::size_t n, Vector& x) {
  for (std::size_t i = n; i-- > 0;) {
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= m[k * n + i] * x[k];
    x[i] = sum / m[i * n + i];
  }
}

double median(Vector values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double meanOf(const Vector& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

bool has(const Subject& t, Parameter parameter) {
  return t.rung() == nullptr || t.rung()->spec(parameter) != nullptr;
}

// A stage without a tile parameter counts as if it had the usual value of a stage with it, so that
// this parameter adds no distance from there.
struct Axis {
  Parameter parameter;
  int usual = 0;
  int of(const Subject& t) const { return has(t, parameter) ? t.tile[parameter] : usual; }
};

// Never below this: half a percent of noise, squared.
constexpr double kLeastVariance = 2.5e-5;

}  // namespace

Landscape::Landscape(const std::vector<Subject>& tiles, std::vector<double> predicted) {
  std::vector<Axis> axes;
  for (const Parameter parameter : kAllParameters) {
    const auto had =
        std::ranges::find_if(tiles, [&](const Subject& t) { return has(t, parameter); });
    if (had == tiles.end()) continue;
    const Axis axis{parameter, had->rung() != nullptr ? had->rung()->spec(parameter)->standard : 0};
    if (std::ranges::any_of(tiles,
                            [&](const Subject& t) { return axis.of(t) != axis.of(tiles[0]); }))
      axes.push_back(axis);
  }
  for (const Subject& tile : tiles) {
    stages_.push_back(tile.rung());
    Vector& row = features_.emplace_back();
    for (const Axis& axis : axes) row.push_back(std::log2(std::max(1, axis.of(tile))));
  }
  Vector known;
  for (const double p : predicted) {
    if (p > 0) known.push_back(std::log(p));
  }
  predicts_ = !known.empty();
  const double middle = median(known);
  for (std::size_t i = 0; i < tiles.size(); ++i)
    prior_.push_back(i < predicted.size() && predicted[i] > 0 ? std::log(predicted[i]) : middle);
  if (!predicts_) weight_ = 0;
}

double Landscape::distance(std::size_t a, std::size_t b) const {
  double sum = stages_[a] == stages_[b] ? 0 : 1;
  for (std::size_t k = 0; k < features_[a].size(); ++k) {
    const double step = features_[a][k] - features_[b][k];
    sum += step * step;
  }
  return std::sqrt(sum);
}

double Landscape::covariance(std::size_t a, std::size_t b, double length) const {
  const double steps = distance(a, b) / length;
  return std::exp(-0.5 * steps * steps);
}

// Tries all combinations, each with the variance that suits it best.
void Landscape::choose() {
  const std::size_t n = known_.size();
  double best = -1e300;
  Fit fit;
  for (const double length : {0.7, 1.0, 1.5, 2.2, 3.2}) {
    for (const double nugget : {0.03, 0.1, 0.3, 1.0}) {
      Vector matrix(n * n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
          matrix[i * n + j] = covariance(known_[i], known_[j], length) + (i == j ? nugget : 0);
      }
      factorise(matrix, n);
      // The diagonal of the inverse, from the factor's columns.
      Vector diagonal(n, 0.0);
      for (std::size_t j = 0; j < n; ++j) {
        Vector column(n, 0.0);
        column[j] = 1;
        for (std::size_t i = j; i < n; ++i) {
          double sum = column[i];
          for (std::size_t k = j; k < i; ++k) sum -= matrix[i * n + k] * column[k];
          column[i] = sum / matrix[i * n + i];
          diagonal[j] += column[i] * column[i];
        }
      }
      for (const double weight : predicts_ ? Vector{0, 0.5, 1} : Vector{0}) {
        Vector residual(n);
        for (std::size_t i = 0; i < n; ++i) residual[i] = values_[i] - weight * prior_[known_[i]];
        const double level = meanOf(residual);
        for (double& r : residual) r -= level;
        solveLower(matrix, n, residual);
        solveUpper(matrix, n, residual);
        double scale = 0, logs = 0;
        for (std::size_t i = 0; i < n; ++i) {
          scale += residual[i] * residual[i] / diagonal[i];
          logs -= std::log(diagonal[i]);
        }
        const double count = static_cast<double>(n);
        const double density = -count * std::log(std::max(scale / count, 1e-12)) - logs;
        if (density > best) {
          best = density;
          fit = {weight, length, nugget};
        }
      }
    }
  }
  weight_ = fit.weight, length_ = fit.length, nugget_ = fit.nugget;
}

void Landscape::learn(std::span<const std::size_t> measured, std::span<const double> logSpeeds) {
  std::vector<std::size_t> order(measured.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > kMost) {
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return logSpeeds[i]; });
    const std::size_t top = kMost / 2, rest = order.size() - top;
    for (std::size_t i = 0; i < kMost - top; ++i)
      order[top + i] = order[top + i * rest / (kMost - top)];
    order.resize(kMost);
  }
  known_.clear(), values_.clear();
  for (const std::size_t i : order) {
    known_.push_back(measured[i]);
    values_.push_back(logSpeeds[i]);
  }
  const std::size_t n = known_.size();
  if (n == 0) return;
  constexpr std::size_t kEnough = 12;
  if (n >= kEnough && 2 * n >= 3 * chosenFor_ && n != chosenFor_) {
    choose();
    chosenFor_ = n;
  }
  factor_.assign(n * n, 0.0);
  coefficients_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    coefficients_[i] = values_[i] - weight_ * prior_[known_[i]];
    for (std::size_t j = 0; j <= i; ++j)
      factor_[i * n + j] = covariance(known_[i], known_[j], length_) + (i == j ? nugget_ : 0);
  }
  level_ = meanOf(coefficients_);
  for (double& c : coefficients_) c -= level_;
  const Vector residual = coefficients_;
  factorise(factor_, n);
  solveLower(factor_, n, coefficients_);
  solveUpper(factor_, n, coefficients_);
  variance_ = kLeastVariance;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += residual[i] * coefficients_[i];
  variance_ = std::max(variance_, sum / static_cast<double>(n));
}

double Landscape::meanAt(std::size_t tile) const {
  if (known_.empty()) return prior_[tile];
  double mean = level_ + weight_ * prior_[tile];
  for (std::size_t i = 0; i < known_.size(); ++i)
    mean += covariance(tile, known_[i], length_) * coefficients_[i];
  return mean;
}

Estimate Landscape::at(std::size_t tile) const {
  const std::size_t n = known_.size();
  if (n == 0) return {prior_[tile], 1.0};
  Vector k(n);
  for (std::size_t i = 0; i < n; ++i) k[i] = covariance(tile, known_[i], length_);
  double mean = level_ + weight_ * prior_[tile];
  for (std::size_t i = 0; i < n; ++i) mean += k[i] * coefficients_[i];
  solveLower(factor_, n, k);
  double explained = 0;
  for (const double x : k) explained += x * x;
  return {mean, std::sqrt(variance_ * std::max(1 + nugget_ - explained, 1e-6))};
}

}  // namespace tileloom::tuning
