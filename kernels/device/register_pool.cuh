// SPDX-License-Identifier: GPL-3.0-or-later
// How a block with a producer warpgroup and CONSUMERS that multiply divides its 65,536 registers: per thread of the
// one and of the others. The kernels say so with these names, and the constraint table reads the same numbers.
#pragma once

#define TILELOOM_PRODUCER_REGISTERS(consumers) ((consumers) == 1 ? 40 : (consumers) == 2 ? 24 : 32)
#define TILELOOM_CONSUMER_REGISTERS(consumers) ((consumers) == 1 ? 232 : (consumers) == 2 ? 240 : 160)
