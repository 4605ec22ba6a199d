// SPDX-License-Identifier: GPL-3.0-or-later
// How much room a slack buffer needs above its STOP line, so that it never overflows.
#ifndef NET_MYRINET_SLACK_H
#define NET_MYRINET_SLACK_H

#include <stdint.h>

// Characters that can still come behind the one that made a STOP due: floor((w + 2 delay - 1) /
// spacing), w = waits - 1. waits: ticks of the characters that can be ahead of the STOP (the one
// that has begun, and control characters that wait); spacing: ticks between two characters, at
// least; delay: of the link. All above 0.
//
// The STOP starts at most w after the arrival at t, and stops the sender a delay later; what starts
// before that arrives before t + w + 2 delay.
// By hand: 10 m at 1.8e8 m/s and 1.28 Gb/s, 2 x 55.56 ns and a wait of just under 6.25 ns hold 18
// characters; George and VanLoon give 40.
int64_t myr_slack_need(int64_t waits_ticks, int64_t delay_ticks, int64_t spacing_ticks);

#endif
