// SPDX-License-Identifier: GPL-3.0-or-later
// flittest: whether the arrivals of a trace are Poisson.
#include "stat/poisson.h"
#include "test_report.h"
#include "trace/ticks.h"
#include "trace/tool.h"

struct options {
	struct num_ratio interval;
	bool intervals;
	struct table_style style;
};

static enum tr_status add_arrivals(struct poisson *poisson, struct tr_reader *in, struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const union tr_record *record;

	while (tr_next(in, &record) == TR_OK) {
		if (deliveries && record->delivery.status != TR_DELIVERED)
			continue;
		if (poisson_add(poisson, record->packet.time_ticks, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status start(struct poisson *poisson, const struct options *o, const struct tr_reader *in,
			    struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	int64_t width_ticks;

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "holds %s records, expected packets or deliveries",
			       tr_kind_find(header->kind)->name);
	if (header->unsorted)
		return tr_fail(err, "is not in order of time: sort it with flitcat --sort");
	if (tr_ticks_exact(o->interval, header->ticks_per_s, &width_ticks, err) != TR_OK)
		return TR_ERROR;
	poisson_open(poisson, width_ticks);
	return TR_OK;
}

// Tests one input. True where its arrivals are not Poisson.
static bool test(struct tool *tool, const struct options *o, struct tr_reader *in,
		 struct test_report *report)
{
	struct poisson_verdict verdict = {.tested = 0};
	struct poisson poisson = {0};
	struct tr_error err;

	if (start(&poisson, o, in, &err) != TR_OK || add_arrivals(&poisson, in, &err) != TR_OK) {
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	} else if (!*tr_reader_error(in) || tool_keep_going(tool)) {
		verdict = poisson_finish(&poisson);
		test_report_add(report, tr_reader_name(in), &poisson, &verdict,
				tr_reader_header(in)->ticks_per_s);
	}
	poisson_close(&poisson);
	return verdict.tested > 0 && !verdict.poisson;
}

int main(int argc, char **argv)
{
	struct options o = {.interval = {1, 1}};
	const struct opt opts[] = {
		OPT_TIME('i', "interval", &o.interval, "time within which the rate is taken for constant"),
		OPT_FLAG(0, "intervals", &o.intervals, "print what each interval gives"),
		TABLE_OPTIONS(&o.style),
		OPT_END,
	};
	const struct tool_spec spec = {"flittest", "[-i TIME] [FILE ...]",
				       "Tests whether the arrivals of a trace are Poisson.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct test_report report;
	bool rejected = false;
	struct tr_reader *in;
	struct tr_error err;

	if (o.interval.num <= 0)
		tool_error(tool, "an interval must be longer than 0");
	if (!tool_ok(tool))
		return tool_finish(tool, TOOL_FAILED);
	test_report_open(&report, o.intervals);
	while (tool_next_input(tool, &in) == TR_OK)
		rejected |= test(tool, &o, in, &report);
	if (tool_ok(tool) && test_report_print(&report, o.style, stdout, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	test_report_close(&report);
	return tool_finish(tool, rejected ? TOOL_NO : TOOL_OK);
}
