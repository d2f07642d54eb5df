// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/role_pairs.h"

#include <QCoreApplication>

#include "kernels/tile/knobs.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TeachingPairs)
};

}  // namespace

QString rolesGroup() {
  return Words::tr("Why warps get roles");
}

// Three reasons for which warps get roles, each as two kernels that differ in it.
std::vector<TeachingPair> rolePairs() {
  std::vector<TeachingPair> pairs;
  const Stage* v1 = nullptr;
  const Stage* v2 = nullptr;
  const Stage* roles = nullptr;
  const Stage* pool = nullptr;
  for (const Stage& stage : tensorStages()) {
    if (stage.id == "multistage") v1 = &stage;
    if (stage.id == "overlapped") v2 = &stage;
    if (stage.id == "specialised") roles = &stage;
    if (stage.id == "consumers") pool = &stage;
  }
  const TileShape half =
      roles->standardTile().with(Knob::BM, 128).with(Knob::BN, 192).with(Knob::STAGES, 3);
  pairs.push_back(
      {rolesGroup(),
       Words::tr("Resources: 128 × 192 of one warpgroup beside 256 × 192 of two"),
       Words::tr("192 sums per thread in both: one warpgroup alone would need 384 for 256 rows, so "
                 "a second one holds the other half. But a producer is a warpgroup, too, and three "
                 "of them start with 168 registers per thread each: T8 refuses 256 x 192, which "
                 "T7 takes without roles. In T9 registers move from the producer to the "
                 "consumers, and the tile fits again: the page Waits shows who gives and who "
                 "takes them. 256 x 256 fits nowhere: 256 sums per thread are more than the 255 "
                 "registers of a thread."),
       {roles, half},
       {pool, pool->standardTile().with(Knob::BM, 256).with(Knob::BN, 192).with(Knob::STAGES, 3)},
       {},
       "waits"});
  const auto three = [](const Stage& stage) { return stage.standardTile().with(Knob::STAGES, 3); };
  pairs.push_back(
      {.group = rolesGroup(),
       .name = Words::tr("Latency that varies: T7 beside T9, memory 0 to 3,000 cycles slower"),
       .look = Words::tr(
           "Each K tile of A and each of B comes up to 3,000 cycles later, in both kernels by the "
           "same numbers, and three stages cannot hide that. In T7 the thread that asks for boxes "
           "waits for them, too: it asks for a stage that is free only when the next K tile has "
           "come. In T9 the producer asks as soon as a stage is empty. On the timeline T9 needs "
           "1,519 cycles per K tile and T7 1,666. T6, which leaves no products in flight and so "
           "asks at once as well, needs 1,537; but with the usual latency it is 14 % slower than "
           "both others. Which order of waiting is better depends on the latency, and with roles "
           "nobody has to know it. Roles hide no latency that the stages do not: most of what is "
           "lost is the longer mean. With 2,000 cycles for all, T9 needs 1,431 and T7 1,603. Draw "
           "both sliders."),
       .baseline = {v2, three(*v2)},
       .now = {pool, three(*pool)},
       .page = "timeline",
       .size = 4096,
       .varies = 3000});
  pairs.push_back({rolesGroup(),
                   Words::tr("Waits that block: T6 beside T7"),
                   Words::tr("T6 waits for its products before it asks for more, and the tensor "
                             "cores are idle meanwhile: look at their lane. T7 keeps a group in "
                             "flight, and the gap is closed."),
                   {v1, three(*v1)},
                   {v2, three(*v2)},
                   {},
                   "timeline"});
  pairs.push_back(
      {rolesGroup(),
       Words::tr("Do roles pay? T7 beside T8 at the same tile"),
       Words::tr(
           "Eight warps multiply the same tile from four stages in both. T7 asks for its boxes "
           "itself and keeps a group of products in flight; in T8 a producer asks, and the "
           "consumers wait for all of their products. At 4096 both are nearly as fast as "
           "each other, and a tenth faster than T6, which does neither: roles are one way "
           "to fill the wait, and a group in flight is another."),
       {v2, v2->standardTile()},
       {roles, roles->standardTile().with(Knob::BN, 256).with(Knob::CONSUMERS, 2)}});
  pairs.push_back(
      {rolesGroup(),
       Words::tr("Waits that block: T6 beside T9"),
       Words::tr("Both wait for all of their products. But in T9 somebody else asks for "
                 "boxes, and while one warpgroup sleeps the products of the other one "
                 "are in the tensor cores."),
       {v1, v1->standardTile()},
       {pool, pool->standardTile()},
       {},
       "timeline"});
  return pairs;
}

}  // namespace tileloom
