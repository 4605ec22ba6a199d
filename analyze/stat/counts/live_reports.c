// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/live_reports.h"

#include "value/ticks.h"

enum tr_status live_reports_check(int64_t due, int64_t now, int64_t period, struct tr_error *err)
{
	const __int128 count = ((__int128)now - due) / period;

	if (count <= LIVE_REPORTS_SILENT_MAX)
		return TR_OK;
	return tr_fail(err,
		       "%.3g results are due before the next packet; a longer --every, or a part "
		       "of the trace (flitcut --after, --before), has fewer",
		       (double)count);
}

enum tr_status live_reports_open(struct live_reports *reports, struct num_ratio period,
				 const struct tr_header *header, struct tr_error *err)
{
	int64_t period_ticks;

	*reports = (struct live_reports){.due_ticks = INT64_MIN};
	if (period.num == 0)
		return TR_OK;
	if (tr_ticks_exact(period, header->ticks_per_s, &period_ticks, err) != TR_OK)
		return TR_ERROR;
	return bin_grid_set(&reports->grid, period_ticks, header, 0, err);
}

enum tr_status live_reports_time(struct live_reports *reports, int64_t time_ticks,
				 live_report *report, void *context, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (!reports->begun || time_ticks < reports->due_ticks)
		return TR_OK;
	if (live_reports_check(reports->due_ticks, time_ticks, reports->grid.width_ticks, err) !=
	    TR_OK)
		return TR_ERROR;
	while (status == TR_OK && time_ticks >= reports->due_ticks) {
		status = report(context, reports->due_ticks, time_ticks, err);
		reports->due_ticks += reports->grid.width_ticks;
	}
	return status;
}

// The first report is due at the first multiple of the period after the first packet.
static enum tr_status begin_reports(struct live_reports *reports, int64_t time_ticks,
				    struct tr_error *err)
{
	int64_t index;

	reports->begun = true;
	reports->due_ticks = INT64_MAX;
	if (reports->grid.width_ticks == 0)
		return TR_OK;
	if (bin_grid_index(&reports->grid, time_ticks, &index, err) != TR_OK)
		return TR_ERROR;
	reports->due_ticks = bin_grid_start(&reports->grid, index + 1);
	return TR_OK;
}

enum tr_status live_reports_packet(struct live_reports *reports, int64_t time_ticks,
				   live_report *report, void *context, struct tr_error *err)
{
	return reports->begun ? live_reports_time(reports, time_ticks, report, context, err)
			      : begin_reports(reports, time_ticks, err);
}

const char *live_reports_time_text(const struct tr_header *header, int64_t time_ticks, char *out,
				   size_t out_bytes)
{
	const __int128 ns = epoch_ticks(header, time_ticks) * 1000000000 /
			    (__int128)header->ticks_per_s;

	return tr_ticks_format((int64_t)ns, 1000000000, out, out_bytes);
}
