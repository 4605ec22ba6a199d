// SPDX-License-Identifier: GPL-3.0-or-later
// flitcmp: whether runs or traces differ: intervals of their means, t tests, scores, distances of
// distributions.
#include <string.h>

#include "compare_messages.h"
#include "flitcmp.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/provenance.h"
#include "tool/tool.h"

struct flitcmp_comparing {
	struct tool *tool;
	struct compare_settings settings;
	struct compare_cells cells;
	struct compare_traces traces;
	struct compare_messages messages;
	struct compare_report report;
	struct table_style style;
	struct opt_list by;
	const char *by_class;	      // the default word of settings.by
	const char *columns;	      // of tables
	char note[COLUMN_NOTE_BYTES]; // what was said of the last table's
	bool lower;		      // is better, whatever the column
	bool equal;		      // the answer is "no" if a pair differs
};

// By default a class column makes blocks.
static void flitcmp_settle(struct flitcmp_comparing *comparing)
{
	static const struct opt_choice no_words[] = {{NULL, 0}};
	struct compare_settings *settings = &comparing->settings;
	struct tr_error err;

	settings->by = comparing->by;
	comparing->by_class = "class";
	settings->by_default = settings->by.count == 0 && settings->where.count == 0;
	if (settings->by_default)
		settings->by = (struct opt_list){&comparing->by_class, 1};
	for (size_t i = 0; i < settings->where.count; i++)
		if (!strchr(settings->where.words[i], '='))
			tool_error(comparing->tool, "--where %s: expected COLUMN=VALUE",
				   settings->where.words[i]);
	if (column_form_parse(&settings->form, no_words,
			      comparing->columns ? comparing->columns : "-", &err) != TR_OK)
		tool_error(comparing->tool, "--columns: %s", err.text);
	if (comparing->report.accuracy_percent <= 0)
		tool_error(comparing->tool, "--accuracy: expected above 0");
}

// The last component of a path, without its ending, into out.
static const char *short_name(const char *path, char *out, size_t out_bytes)
{
	const char *base = tr_provenance_base(path);
	const char *point = strrchr(base, '.');

	snprintf(out, out_bytes, "%.*s", point && point > base ? (int)(point - base) : 200, base);
	return out;
}

static void read_trace(struct flitcmp_comparing *comparing, struct tr_source *source,
		       const char *name)
{
	struct tr_reader *in = tool_open_reader(comparing->tool, source);
	struct tr_error err;

	if (in && comparing->settings.paired && tr_reader_header(in)->kind != TR_MESSAGE)
		tool_error(comparing->tool, "%s: --paired: a trace has no rows to pair",
			   tr_reader_name(in));

	if (in && tr_reader_header(in)->kind == TR_MESSAGE &&
	    compare_messages_read(&comparing->messages, in, name, tool_keep_going(comparing->tool),
				  &err) != TR_OK &&
	    !*tr_reader_error(in))
		tool_error(comparing->tool, "%s: %s", tr_reader_name(in), err.text);
	if (in && tr_reader_header(in)->kind != TR_MESSAGE &&
	    compare_read_trace(&comparing->traces, &comparing->cells, in, name,
			       &comparing->settings, tool_keep_going(comparing->tool),
			       &err) != TR_OK &&
	    !*tr_reader_error(in))
		tool_error(comparing->tool, "%s: %s", tr_reader_name(in), err.text);
	tool_close_input(comparing->tool, in);
}

static void flitcmp_read_input(struct flitcmp_comparing *comparing, struct tr_source *source)
{
	char name[204], note[COLUMN_NOTE_BYTES] = "";
	struct tr_error err;

	short_name(tr_source_name(source), name, sizeof(name));
	if (tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES)) {
		read_trace(comparing, source, name);
		return;
	}
	if (!comparing->settings.column)
		comparing->settings.column = "worm_MBps";
	if (compare_read_table(&comparing->cells, source, name, &comparing->settings, note, &err) !=
	    TR_OK)
		tool_error(comparing->tool, "%s", err.text);
	else if (strcmp(note, comparing->note) != 0) // said once of tables alike
		tool_tell_text(comparing->tool, tr_source_name(source), note, "");
	memcpy(comparing->note, note, sizeof(note));
	tr_source_close(source);
}

// Streams of messages are compared with each other only.
static enum tool_status compare_messages(struct flitcmp_comparing *comparing)
{
	const struct compare_settings *settings = &comparing->settings;
	const bool each = settings->by.count == 1 && strcmp(settings->by.words[0], "message") == 0;
	struct tr_error err;
	bool differ = false;
	FILE *out;

	if (comparing->cells.alternatives.count > 0)
		tool_error(comparing->tool, "messages are compared only with messages");
	else if (settings->column || settings->among || settings->paired ||
		 settings->where.count > 0 || comparing->report.scores || comparing->lower)
		tool_error(comparing->tool, "messages have no columns to choose");
	else if (!settings->by_default && !each)
		tool_error(comparing->tool, "--within: messages are compared by rank, and with "
					    "--within message one by one");
	out = tool_ok(comparing->tool) ? tool_text_output(comparing->tool, NULL) : NULL;
	if (out && compare_messages_print(&comparing->messages, comparing->report.level_percent,
					  each, comparing->style, out, &differ, &err) != TR_OK)
		tool_error(comparing->tool, "%s", err.text);
	return comparing->equal && differ ? TOOL_NO : TOOL_OK;
}

static enum tool_status flitcmp_compare(struct flitcmp_comparing *comparing)
{
	struct tr_source *source;
	struct tr_error err;
	FILE *out;

	flitcmp_settle(comparing);
	while (tool_ok(comparing->tool) && tool_next_source(comparing->tool, &source) == TR_OK)
		flitcmp_read_input(comparing, source);
	if (!tool_ok(comparing->tool))
		return TOOL_FAILED;
	if (comparing->messages.count > 0)
		return compare_messages(comparing);
	compare_settle(&comparing->cells);
	if (compare_traces_put(&comparing->traces, &comparing->cells, &comparing->settings,
			       comparing->report.level_percent / 100.0, &err) != TR_OK) {
		tool_error(comparing->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	comparing->report.better = comparing->lower
					   ? COLUMN_LOWER_BETTER
					   : column_sense(comparing->settings.column).better;
	comparing->report.traces = &comparing->traces;
	comparing->report.cells = &comparing->cells;
	comparing->report.settings = &comparing->settings;
	out = tool_text_output(comparing->tool, NULL);
	if (out && compare_report_print(&comparing->report, comparing->style, out, &err) != TR_OK)
		tool_error(comparing->tool, "%s", err.text);
	if (comparing->equal && comparing->report.pairs == 0 && tool_ok(comparing->tool))
		tool_error(comparing->tool, "--equal: no pair to compare");
	return comparing->equal && comparing->report.differ ? TOOL_NO : TOOL_OK;
}

int main(int argc, char **argv)
{
	struct flitcmp_comparing c = {.report = {.level_percent = 95, .accuracy_percent = 1}};
	const struct opt opts[] = {
		OPT_STRING(0, "column", "NAME", &c.settings.column,
			   "column to compare" OPT_DEFAULT("worm_MBps; packets: gap_us")),
		OPT_COLUMNS(&c.columns, column_form_settings),
		OPT_LIST(0, "within", "COLUMN", &c.by,
			 "compare within each value of this column" OPT_DEFAULT("class")),
		OPT_LIST(0, "where", "COLUMN=VALUE", &c.settings.where, "use only these rows"),
		OPT_STRING('a', "among", "COLUMN", &c.settings.among,
			   "compare the values of this column instead of files"),
		OPT_STRING(0, "paired", "COLUMN", &c.settings.paired,
			   "compare pairs of rows that have the same value of this column, such as "
			   "seed"),
		OPT_LEVEL(&c.report.level_percent),
		OPT_ACCURACY(&c.report.accuracy_percent),
		OPT_FLAG(0, "lower", &c.lower, "treat lower values as better"),
		OPT_FLAG(0, "scores", &c.report.scores, "print scores"),
		OPT_LIST(0, "weights", "LIST", &c.report.weights,
			 "weights of the blocks for a mean of scores, such as 1,1.5,2"),
		OPT_FLAG(0, "equal", &c.equal, "exit with status 1 if any pair differs"),
		TABLE_OPTIONS(&c.style),
		OPT_ONLY_WITH("weights", "scores"),
		OPT_NOT_WITH("paired", "scores"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitcmp", "[option ...] [file ...]",
				       "Compares runs (tables with a row for each), or traces of "
				       "packets, deliveries or messages.",
				       opts};
	enum tool_status status;

	c.tool = tool_start(argc, argv, &spec);
	tool_watch_times(c.tool, &c.style);
	numeric_errors_give_nan();
	status = flitcmp_compare(&c);
	compare_messages_clear(&c.messages);
	compare_traces_clear(&c.traces);
	compare_clear(&c.cells);
	return tool_finish(c.tool, status);
}
