// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the speed of tiles that have not been measured: a prediction, corrected by how wrong it
// was for similar tiles that have been measured.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/tile/subject.h"

namespace tileloom::tuning {

struct Estimate {
  double mean = 0;  // of log(GFLOP/s)
  double sd = 0;    // standard deviation of the mean's error
};

// Ordinary kriging (Rasmussen & Williams, Gaussian Processes for Machine Learning, 2006, chapter 2)
// of log(measured) - weight * log(predicted) over the tile parameters' log2 values and the stage,
// with a Gaussian covariance and a nugget for what neighbours do not share. The weight of the
// prediction (0, 1/2 or 1), the length and the nugget are those with which all other measured tiles
// predict each measured tile best (leave-one-out predictive density, ibid. section 5.4.2), so that
// a prediction that misleads loses its weight. The result depends on the inputs only, without
// randomness.
class Landscape {
 public:
  // `predicted` in GFLOP/s, one per tile; for 0 (unknown) the median of the known ones is taken.
  Landscape(const std::vector<Subject>& tiles, std::vector<double> predicted);

  // Takes the measured tiles (indices, log(GFLOP/s)). If there are more than kMost, it uses the
  // best and evenly spaced ones of the rest.
  void learn(std::span<const std::size_t> measured, std::span<const double> logSpeeds);
  double meanAt(std::size_t tile) const;  // at(tile).mean, at a small part of its cost
  Estimate at(std::size_t tile) const;    // before learn(): the prediction, sd 1

  // Of two tiles, in steps of a factor of two. Another stage counts as one such step, a tile
  // parameter that only one of both has as none.
  double distance(std::size_t a, std::size_t b) const;
  double predictionWeight() const { return weight_; }
  bool predicts() const { return predicts_; }  // whether any was given

  static constexpr std::size_t kMost = 320;

 private:
  struct Fit {
    double weight = 1, length = 1.5, nugget = 0.3;
  };
  void choose();
  double covariance(std::size_t a, std::size_t b, double length) const;

  std::vector<std::vector<double>> features_;  // log2 of the tile parameters that vary
  std::vector<const Stage*> stages_;
  std::vector<double> prior_;  // log(predicted)
  bool predicts_ = false;
  double weight_ = 1, length_ = 1.5, nugget_ = 0.3;
  double level_ = 0, variance_ = 1;
  std::size_t chosenFor_ = 0;                  // how many were known when these three were chosen
  std::vector<std::size_t> known_;             // tiles
  std::vector<double> values_;                 // their log speeds
  std::vector<double> factor_, coefficients_;  // Cholesky factor; its solution for the residuals
};

}  // namespace tileloom::tuning
