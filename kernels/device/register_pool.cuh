// SPDX-License-Identifier: GPL-3.0-or-later
// How a block with a producer warpgroup and two or three consumer warpgroups divides its 65,536 registers: per thread
// of each role. The kernels use these names, and the constraint table has the same numbers.
#pragma once

#define TILELOOM_PRODUCER_REGISTERS(consumers) ((consumers) == 2 ? 24 : 32)
#define TILELOOM_CONSUMER_REGISTERS(consumers) ((consumers) == 2 ? 240 : 160)
