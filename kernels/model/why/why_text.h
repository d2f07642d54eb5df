// SPDX-License-Identifier: GPL-3.0-or-later
// What costs time, in whole sentences: the same on the command line and in the window.
#pragma once

#include <string>

#include "kernels/model/why/why.h"

namespace tileloom::model {

// The limit of the launch, and another one that the counters of its run name.
std::string limitSentence(const WhySlow& why);

// "Waiting at barriers takes 18.2 % of the time (predicted). A K tile ends only when …"
std::string sentence(const WhySlow& why, const RankedCost& cost);

// What the cost is, without figures: "The data pipe serves one wavefront …"
std::string_view meaning(Cost cost);

// "Instruction issue is busy with them for 4.07 million cycles, 65.6 % of the time; only 34.9 % of
// the time counts as their cost, because …". Empty: the cost keeps no pipe busy.
std::string busySentence(const RankedCost& cost);
// "Instruction issue is busy 86 % of the time, …": all pipes, the busiest first.
std::string busySentence(const WhySlow& why);

// "A GPU's counters show it as warps that wait at a barrier." Empty: they do not show it.
std::string countedSentence(Cost cost);

// "3.88 multiply-adds per shared load (predicted)"; of a counted one also "(predicted: 3.9)".
std::string figureText(const Figure& figure);

// "BM from 128 to 64: 0.93 of the speed (predicted)", with the cause.
std::string sentence(const NextTile& next);

// "The cause is bank conflicts: they add 12.1 % to the time."
std::string causeSentence(const WhyMoved& why);
// The measured speed moved clearly, but opposite to the prediction: no predicted cost explains it.
bool contradicted(const WhyMoved& why);
// "Multiply-adds per shared load fell from 21.3 to 3.88 (predicted)."
std::string sentence(const FigureChange& change);

}  // namespace tileloom::model
