// SPDX-License-Identifier: GPL-3.0-or-later
// TILELOOM_ASAN is defined in a build with AddressSanitizer, which must be notified of each switch
// of stacks and of stacks that are freed.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define TILELOOM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILELOOM_ASAN 1
#endif
#endif

#if defined(TILELOOM_ASAN)
#include <sanitizer/asan_interface.h>
#endif
