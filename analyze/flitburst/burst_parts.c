// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a trace: each a trace or a partial of one, with a run of its own.
#include <stdlib.h>
#include <string.h>

#include "flitburst.h"
#include "stream/words.h"

static void free_run(struct burst_run *run)
{
	if (run)
		burst_keys_close(&run->keys);
	free(run);
}

static struct burst_run *new_run(struct tool *tool, const struct burst_options *o)
{
	struct burst_run *run = calloc(1, sizeof(*run));

	if (run)
		*run = (struct burst_run){.tool = tool, .options = o};
	return run;
}

// What the sums depend on.
static void name_settings(const struct burst_options *o, char out[PARTIAL_SETTINGS_MAX])
{
	struct num_ratio origin = {0, 1};
	struct burst_gap_rule rule;
	char gap[BURST_GAP_WORD];
	struct tr_error err;
	size_t used;

	(void)num_parse(o->origin, NUM_TIME, &origin, &err); // burst_settings tells
	(void)burst_gap_parse(o->burst_gap, &rule, &err);    // so does it
	used = (size_t)snprintf(out, PARTIAL_SETTINGS_MAX,
				"--size=%s --origin=" PARTIAL_RATIO
				" --burst-gap=%s --finest=" PARTIAL_RATIO " --lags=",
				o->size == TR_SIZE_WIRE ? "wire" : "payload",
				PARTIAL_RATIO_OF(origin), burst_gap_name(&rule, gap),
				PARTIAL_RATIO_OF(o->finest));
	for (size_t i = 0; i < o->lags.count && used < PARTIAL_SETTINGS_MAX; i++)
		used += (size_t)snprintf(out + used, PARTIAL_SETTINGS_MAX - used, "%s%s",
					 i ? "," : "", o->lags.words[i]);
}

// Writes the sums of a part's run to a partial, or reads them.
static void exchange(void *context, void *sums, const struct tr_header *clock,
		     struct partial *partial)
{
	struct burst_run *run = sums;
	struct tr_error err;

	(void)context;
	if (partial_reads(partial)) {
		run->clock = *clock;
		if (burst_run_prepare(run, &run->clock, &err) != TR_OK ||
		    !burst_keys_all(&run->keys, &err)) {
			partial_refuse(partial, "%s", err.text);
			return;
		}
	}
	burstiness_exchange(run->keys.all, partial);
}

static enum tr_status take_trace(struct burst_run *run, struct tr_reader *in, struct parts *parts,
				 struct part **part, struct tr_error *err)
{
	enum tr_status status = burst_run_start(run, in, err);
	struct burstiness *all;
	size_t ready;

	run->clock = *tr_reader_header(in);
	run->settings.header = &run->clock; // which lives longer than the reader
	while (status == TR_OK && tr_advance(in, &ready) == TR_OK)
		if (ready > 0)
			status = burst_run_add_block(run, in, err);
	if (status == TR_OK && (all = burst_keys_all(&run->keys, err)))
		status = burstiness_finish(all, err);
	if (status != TR_OK || !run->keys.all)
		return tr_fail_for(err, err, "%s: %.300s", tr_reader_name(in), err->text);
	return parts_add(parts, tr_reader_name(in), &run->clock, run, part, err);
}

static void flitburst_measure(struct part *part, const struct burstiness *all)
{
	part->packets = all->packets;
	part->first_ticks = all->first_ticks;
	part->last_ticks = all->last_ticks;
}

// Adds an operand, which it closes, to the parts.
static void take_part(struct tool *tool, const struct burst_options *o, struct parts *parts,
		      struct tr_source *source)
{
	const bool is_partial = tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC));
	struct tr_reader *in = is_partial ? NULL : tool_open_reader(tool, source);
	struct burst_run *run = new_run(tool, o);
	struct part *part = NULL;
	struct tr_error err;
	enum tr_status status = run ? TR_OK : tr_no_memory(&err, "a part");

	if (run && is_partial)
		status = parts_take(parts, source, run, &part, &err);
	else if (run && in)
		status = take_trace(run, in, parts, &part, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (part)
		flitburst_measure(part, run->keys.all);
	free_run(run);
	if (is_partial)
		tr_source_close(source);
	tool_close_input(tool, in);
}

static enum tr_status join_part(struct burst_run *whole, const struct parts *parts,
				const struct part *part, struct tr_error *err)
{
	struct burst_run *later = new_run(whole->tool, whole->options);
	enum tr_status status = later ? parts_get(parts, part, later, err)
				      : tr_no_memory(err, "a part");
	int64_t ticks;

	if (status == TR_OK)
		status = part_shift(part, &whole->clock, &ticks, err);
	if (status == TR_OK) {
		burstiness_shift(later->keys.all, ticks);
		burstiness_join(whole->keys.all, later->keys.all);
	}
	free_run(later);
	return status;
}

// Joins all parts to the first one in time, read into whole.
static enum tr_status flitburst_join(struct parts *parts, struct burst_run *whole,
				     struct tr_error *err)
{
	if (parts_order(parts, err) != TR_OK ||
	    parts_get(parts, &parts->list[0], whole, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 1; i < parts->count; i++)
		if (join_part(whole, parts, &parts->list[i], err) != TR_OK)
			return TR_ERROR;
	burstiness_lose_blocks(whole->keys.all);
	return TR_OK;
}

static enum tr_status write_partial(const struct parts *parts, struct burst_run *run,
				    struct tr_error *err)
{
	FILE *out = tool_text_output(run->tool, run->options->partial);

	return out ? parts_write(parts, out, &run->clock, run, err) : TR_OK; // the tool has said so
}

static enum tr_status print_parts(const struct burst_run *run, struct tr_error *err)
{
	struct burstiness_report report = burst_run_report(run, run->clock.ticks_per_s);
	enum tr_status status;

	burstiness_report_open(&report);
	table_note(report.tables[TABLE_GAPS],
		   "not known for parts: where a sum begins depends on all earlier gaps");
	burstiness_report_add(&report, "all", run->keys.all);
	status = burstiness_report_print(&report, run->options->style, tool_stdout(run->tool), err);
	burstiness_report_close(&report);
	return status;
}

void burst_parts_analyse(struct tool *tool, const struct burst_options *o, struct tr_source *source)
{
	char settings[PARTIAL_SETTINGS_MAX];
	struct parts parts = {
		.maker = "flitburst " FLIT_VERSION, .settings = settings, .exchange = exchange};
	struct burst_run *whole = new_run(tool, o);
	struct tr_error err;

	if (!whole)
		tool_no_memory(tool, "all parts");
	name_settings(o, settings);
	do
		take_part(tool, o, &parts, source);
	while (tool_next_source(tool, &source) == TR_OK);
	if (tool_ok(tool) &&
	    (flitburst_join(&parts, whole, &err) != TR_OK ||
	     (o->partial ? write_partial(&parts, whole, &err) : print_parts(whole, &err)) != TR_OK))
		tool_error(tool, "%s", err.text);
	parts_close(&parts);
	free_run(whole);
}

bool burst_parts_needed(struct tool *tool, const struct burst_options *o, struct tr_source *source)
{
	static const char *const apart[] = {"by", "width", "gaps", "every", "set-role"};

	if (!o->partial && tool_operand_count(tool) < 2 &&
	    !tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC)))
		return false;
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		if (tool_option_given(tool, apart[i]))
			tool_error(tool,
				   "--%s needs one trace and not parts: join traces with flitcat",
				   apart[i]);
	if (strcmp(o->origin, "first") == 0)
		tool_error(
			tool,
			"--origin first needs one trace and not parts: join traces with flitcat");
	return true;
}
