// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/slack.h"

int64_t myr_slack_need(int64_t waits_ticks, int64_t delay_ticks, int64_t spacing_ticks)
{
	return (waits_ticks - 1 + 2 * delay_ticks - 1) / spacing_ticks;
}
