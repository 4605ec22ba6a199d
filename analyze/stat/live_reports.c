// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/live_reports.h"

enum tr_status live_reports_check(int64_t due, int64_t now, int64_t period, struct tr_error *err)
{
	const __int128 count = ((__int128)now - due) / period;

	if (count <= LIVE_REPORTS_SILENT_MAX)
		return TR_OK;
	return tr_fail(
		err,
		"%.3g results are due before the next packet; a longer --every, or a part of the trace (flitcut --after, --before), has fewer",
		(double)count);
}
