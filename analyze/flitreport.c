// SPDX-License-Identifier: GPL-3.0-or-later
// flitreport: one page that shows what traffic is like, which model was fitted, and how a network
// carried it.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "page/page.h"
#include "report/report.h"
#include "report/section.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/provenance.h"
#include "stream/recognise.h"
#include "tool/tool.h"
#include "value/escape.h"
#include "value/memstream.h"
#include "value/number.h"

#define INPUTS_MAX 64
#define NAMES_BYTES 1200
#define TITLE_NAMES 3 // inputs named in a title if there are at least two more

enum flitreport_form { FORM_HTML, FORM_TEXT, FORM_TERMINAL, FORM_LATEX };

static const struct opt_choice form_words[] = {
	{"html", FORM_HTML, "one page with figures"},
	{"text", FORM_TEXT, "text with tables"},
	{"terminal", FORM_TERMINAL, "text with plots made of characters"},
	{"latex", FORM_LATEX, "the summary and the tables for a paper"},
	{NULL, 0},
};

typedef enum tr_status page_write(const struct page *page, const char *footer, FILE *out,
				  struct tr_error *err);

static page_write *const page_writers[] = {
	[FORM_HTML] = page_html_write,
	[FORM_TEXT] = page_text_write,
	[FORM_TERMINAL] = page_terminal_write,
	[FORM_LATEX] = page_latex_write,
};

struct request {
	const char *output, *title, *figures, *only;
	const char *columns; // of tables
	int form;	     // enum form
	bool compare;
	uint64_t seed;
	struct num_ratio width;
	const char *burst_gap; // the option; NULL: found
};

// What the ending of the output's name means; what is no form of a report is refused.
static const struct ending {
	const char *word;
	int form; // enum form; -1: none
} endings[] = {{".html", FORM_HTML}, {".htm", FORM_HTML}, {".txt", FORM_TEXT}, {".text", FORM_TEXT},
	       {".tex", FORM_LATEX}, {".pdf", -1},	  {".svg", -1},	       {".png", -1},
	       {".jpg", -1},	     {".eps", -1},	  {".ps", -1},	       {".md", -1},
	       {".rst", -1},	     {".doc", -1},	  {".docx", -1},       {".odt", -1},
	       {".xlsx", -1},	     {".csv", -1},	  {".tsv", -1},	       {".json", -1},
	       {".xml", -1},	     {".flt", -1},	  {".model", -1}};

static const struct ending *find_ending(const char *path)
{
	const size_t bytes = path ? strlen(path) : 0;

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		const size_t own = strlen(endings[i].word);

		if (bytes > own && strcasecmp(path + bytes - own, endings[i].word) == 0)
			return &endings[i];
	}
	return NULL;
}

// The output's name sets the form unless --format does, and must not contradict it. Returns false
// after reporting an error.
static bool choose_form(struct tool *tool, struct request *request)
{
	const struct ending *ending = find_ending(request->output);
	const bool given = tool_option_given(tool, "format");
	const int plain = request->form == FORM_TERMINAL ? FORM_TEXT : request->form;

	if (!ending)
		return true;
	if (ending->form < 0)
		tool_error(tool,
			   "%s: no report is written as %s; name it .html, .txt or .tex (--figures "
			   "FOLDER writes figures as SVG, PDF and TSV)",
			   request->output, ending->word + 1);
	else if (given && plain != ending->form)
		tool_error(tool, "%s: its ending means %s, but --format says %s", request->output,
			   form_words[ending->form].word, form_words[request->form].word);
	else if (!given)
		request->form = ending->form;
	return tool_ok(tool);
}

// Reports that the input is of no known kind.
static void refuse(struct tool *tool, struct tr_source *source)
{
	const uint8_t *data;
	char hint[TR_RECOGNISE_HINT_BYTES];
	size_t got = 0;
	struct tr_error err = {""};

	if (tr_source_peek(source, 1, &data, &got, &err) == TR_ERROR)
		tool_error(tool, "%s", err.text);
	else if (got == 0)
		tool_error(tool,
			   "%s: empty input; expected a flitline trace stream, a model or tables",
			   tr_source_name(source));
	else
		tool_error(tool,
			   "%s: offset 0: neither a flitline trace stream nor a model (first line "
			   "\"" MODEL_FIRST_LINE "\") nor tables with a title (\"# ...\")%s",
			   tr_source_name(source),
			   tr_recognise_no_trace(source, hint, sizeof(hint)));
	tr_source_close(source);
}

// A bootstrap model reads the trace that it was fitted to.
static bool claim_trace(struct tool *tool, const struct model *model)
{
	const struct model_entry *trace = model_find(model, "", "trace");

	return !trace || tool_reads_beside(tool, model->name, trace->value);
}

// A model is read whole, and its source closed.
static bool read_model(struct tool *tool, struct input *input, struct tr_source *source)
{
	struct tr_error err;
	enum tr_status status = surrogate_read(input, source, &err);

	tr_source_close(source);
	if (status == TR_ERROR)
		tool_error(tool, "%s", err.text);
	if (status == TR_END)
		tool_survived(tool, "%s; the report omits its generated traffic", err.text);
	return status != TR_ERROR && claim_trace(tool, &input->model);
}

// So are tables.
static enum tr_status read_tables(struct input *input, struct tr_source *source,
				  const struct column_form *form, struct tr_error *err)
{
	enum tr_status status = printed_tables_read(&input->tables, source, form, err);

	input->kind = INPUT_TABLES;
	input->whole = true;
	(void)text_shorten(tr_provenance_base(tr_source_name(source)), 60, input->name);
	tr_source_close(source);
	return status;
}

// Reads one operand by its magic; false after reporting an error.
static bool read_operand(struct tool *tool, struct input *input, struct tr_source *source,
			 const struct column_form *form)
{
	struct tr_reader *in;
	struct tr_error err;

	if (tr_source_begins(source, MODEL_FIRST_LINE, strlen(MODEL_FIRST_LINE)))
		return read_model(tool, input, source);
	if (printed_tables_begin(source)) {
		if (read_tables(input, source, form, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		return tool_ok(tool);
	}
	if (!tr_source_begins(source, TR_MAGIC, 1)) {
		refuse(tool, source);
		return false;
	}
	in = tool_open_reader(tool, source);
	if (!in)
		return false;
	if (input_read(input, in, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	input->in = in;
	return tool_ok(tool) && (input->whole || tool_keep_going(tool));
}

static bool read_all(struct tool *tool, struct report *report, const struct column_form *form)
{
	struct tr_source *source;
	struct input *input;
	bool ok = true;

	while (ok && tool_next_source(tool, &source) == TR_OK) {
		if (report->count == INPUTS_MAX) {
			tool_error(tool, "more than %d inputs", INPUTS_MAX);
			tr_source_close(source);
			return false;
		}
		input = &report->inputs[report->count++];
		input->level = report->level;
		input->bursts = report->bursts;
		input->beside = report->compare;
		input->compared = tool_operand_count(tool) > 1;
		ok = read_operand(tool, input, source, form);
		report->kinds |= input_kinds(input);
	}
	return ok && tool_ok(tool);
}

// Generates traffic from the models, for as long as the first trace.
static bool generate_all(struct tool *tool, struct report *report, uint64_t seed)
{
	const struct input *trace = report_first(report, INPUT_PACKETS);
	struct tr_error err;

	if (trace && trace->likeness && (report->kinds & INPUT_MODEL) &&
	    likeness_open(&report->measure, trace->likeness, &err) != TR_OK)
		tool_error(tool, "%s", err.text);

	for (size_t i = 0; i < report->count && tool_ok(tool); i++) {
		struct input *input = &report->inputs[i];

		if (input->kind != INPUT_MODEL || input->no_generator)
			continue;
		tool_stage(tool, "%s: generating", input->name);
		if (surrogate_generate(input, trace ? trace->stream : NULL, seed, &report->measure,
				       &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		report->kinds |= INPUT_GENERATED;
	}
	return tool_ok(tool);
}

// Checks that the inputs can be compared.
static bool check_compared(struct tool *tool, const struct report *report)
{
	for (size_t i = 0; i < report->count && report->compare; i++) {
		const struct input *input = &report->inputs[i];

		if (input->stream || (input->kind == INPUT_MODEL && !input->no_generator))
			continue;
		tool_error(tool,
			   input->no_generator
				   ? "--compare: %s requires flitgen, which was not found"
				   : "--compare: %s is not a stream of packets or deliveries or a "
				     "model",
			   input->name);
		return false;
	}
	if (report->compare && report->count < 2)
		tool_error(tool, "--compare: expected two inputs or more");
	return tool_ok(tool);
}

static void set_title(struct page *page, const struct report *report, const char *title)
{
	size_t shown = report->count > TITLE_NAMES + 1 ? TITLE_NAMES : report->count, used = 0;
	char names[240] = "";

	for (size_t i = 0; i < shown && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 report->inputs[i].name);
	if (title)
		page_title(page, "%s", title);
	else if (report->compare && shown == report->count)
		page_title(page, "Traffic compared: %s%s", names, used >= sizeof(names) ? "…" : "");
	else if (shown < report->count)
		page_title(page, "Traffic report: %s and %zu more", names, report->count - shown);
	else
		page_title(page, "Traffic report: %s%s", names, used >= sizeof(names) ? "…" : "");
}

// A date that the caller gives, so that it is reproducible (reproducible-builds.org).
static bool given_date(time_t *seconds)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	struct tr_error ignored;
	uint64_t count;

	if (!epoch || num_parse_count(epoch, 0, INT64_C(1) << 37, &count, &ignored) != TR_OK)
		return false;
	*seconds = (time_t)count;
	return true;
}

// Of the PDFs: the given one, else when the earliest packet was captured, else the beginning of
// 1970.
static time_t figures_date(const struct report *report)
{
	time_t earliest = 0, seconds;

	if (given_date(&seconds))
		return seconds;
	for (size_t i = 0; i < report->count; i++)
		if (input_begin_s(&report->inputs[i], &seconds) &&
		    (earliest == 0 || seconds < earliest))
			earliest = seconds;
	return earliest;
}

// The last line.
static void make_footer(char *out, size_t bytes, uint64_t seed)
{
	char date[40] = "";
	time_t seconds;
	struct tm tm;

	if (given_date(&seconds) && gmtime_r(&seconds, &tm))
		(void)strftime(date, sizeof(date), " on %Y-%m-%d", &tm);
	(void)snprintf(out, bytes,
		       "Made by flitreport " FLIT_VERSION
		       " (flitline)%s; models generated with seed %s. "
		       "The same inputs give the same bytes.",
		       date, number_count(seed).text);
}

// Refuses a title that no page has. Returns false after reporting an error.
static bool check_only(struct tool *tool, const char *only)
{
	char names[NAMES_BYTES] = "";
	bool known = !only || page_is_label(only);

	for (size_t i = 0; i < section_count && !known; i++) {
		known = page_is_title(only, section_title(i));
		text_append(names, sizeof(names), "%s%s", i ? ", " : "", section_title(i));
	}
	if (!known)
		tool_error(tool, "--section: no section is called \"%s\"; there are: %s", only,
			   names);
	return known;
}

// Returns false after reporting an error.
static bool keep_only(struct tool *tool, struct page *page, const struct request *request)
{
	const char *only = request->only;
	const bool drawn = request->form == FORM_HTML || request->form == FORM_TERMINAL ||
			   request->figures;
	char *names = NULL;
	size_t bytes;
	FILE *out;

	if (!only)
		return true;
	if (page_keep_only(page, only)) {
		if (!drawn && strncmp(only, "fig:", 4) == 0)
			tool_error(tool,
				   "--section %s: %s has no figures; --figures FOLDER writes this "
				   "one, %s",
				   only,
				   request->form == FORM_TEXT ? "text" : "LaTeX without --figures",
				   request->form == FORM_TEXT
					   ? "--format terminal draws it in characters"
					   : "and includes it");
		return tool_ok(tool);
	}
	out = tr_memstream_open(&names, &bytes);
	if (out) {
		page_list_names(page, page_is_label(only), out);
		(void)tr_memstream_close(out);
	}
	tool_error(tool, "--section: this page has no \"%s\", but: %s", only, names ? names : "");
	free(names);
	return false;
}

// Writes the page, and its figures to files.
static enum tr_status flitreport_write_page(struct tool *tool, const struct report *report,
					    const struct request *request, const struct page *page,
					    FILE *out, struct tr_error *err)
{
	char footer[400];
	enum tr_status status;

	tool_stage(tool, "writing the page and its figures");
	make_footer(footer, sizeof(footer), request->seed);
	status = page_writers[request->form](page, footer, out, err);
	if (status == TR_OK && page->folder)
		status = figure_files_write(page, tool_files(tool), figures_date(report), err);
	return status;
}

// The whole text, so that nothing is written if something fails; freed by the caller. NULL after a
// failure.
static char *compose(struct tool *tool, const struct report *report, const struct request *request,
		     size_t *bytes)
{
	struct page page = {.folder = request->figures};
	struct tr_error err;
	enum tr_status status = TR_OK;
	char *text = NULL;
	FILE *out = tr_memstream_open(&text, bytes);

	set_title(&page, report, request->title);
	tool_stage(tool, "analysing");
	sections_build(report, &page);
	page_set_names(&page);
	if (keep_only(tool, &page, request))
		status = out ? flitreport_write_page(tool, report, request, &page, out, &err)
			     : tr_no_memory(&err, "the report");
	page_clear(&page);
	if (out && !tr_memstream_close(out) && status == TR_OK)
		status = tr_no_memory(&err, "the report");
	if (status == TR_OK && tool_ok(tool))
		return text;
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	free(text);
	return NULL;
}

static void write_report(struct tool *tool, const struct report *report,
			 const struct request *request)
{
	size_t bytes = 0;
	char *text = compose(tool, report, request, &bytes);
	FILE *out = text ? tool_text_output(tool, request->output) : NULL;

	if (out)
		(void)fwrite(text, 1, bytes, out);
	free(text);
}

static void flitreport_run(struct tool *tool, struct report *report, const struct request *request)
{
	static const struct opt_choice no_words[] = {{NULL, 0}};
	bool to_stdout = !request->output || strcmp(request->output, "-") == 0;
	struct column_form form;
	struct tr_error err;

	if (request->form == FORM_HTML && to_stdout && isatty(STDOUT_FILENO)) {
		tool_error(
			tool,
			"an HTML page is not written to a terminal; use -o FILE or --format text");
		return;
	}
	if (column_form_parse(&form, no_words, request->columns ? request->columns : "-", &err) !=
	    TR_OK)
		tool_error(tool, "--columns: %s", err.text);
	else if (read_all(tool, report, &form) && check_compared(tool, report) &&
		 generate_all(tool, report, request->seed))
		write_report(tool, report, request);
	likeness_close(&report->measure);
	for (size_t i = 0; i < report->count; i++) {
		struct tr_reader *in = report->inputs[i].in;

		input_clear(&report->inputs[i]);
		tool_close_input(tool, in);
	}
}

int main(int argc, char **argv)
{
	struct request request = {.seed = 1, .width = {1, 1000}};
	const struct opt opts[] = {
		OPT_OUTPUT(&request.output),
		OPT_FORMAT(&request.form, form_words),
		OPT_FLAG(0, "compare", &request.compare, "compare all inputs with the first"),
		OPT_STRING(0, "figures", "FOLDER", &request.figures,
			   "also write each figure as SVG, PDF, TSV and gnuplot script"),
		OPT_BURST_GAP(&request.burst_gap),
		OPT_TIME(0, "width", &request.width,
			 "width of the windows of the largest microbursts"),
		OPT_TITLE(&request.title),
		OPT_STRING_LISTED(0, "section", "SECTION", &request.only, sections_list,
				  "only this section, table (tab:NAME) or figure (fig:NAME)"),
		OPT_COLUMNS(&request.columns, column_form_settings),
		OPT_SEED(&request.seed),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitreport",
		"[-o FILE] [--format FORM] [--section SECTION] [--figures FOLDER] [FILE ...]",
		"Writes a report on traces, models, deliveries, link samples and tables.", opts};
	struct report report = {.inputs = calloc(INPUTS_MAX, sizeof(*report.inputs)),
				.level = 0.95};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct tr_error err;

	tool_watch_times(tool, NULL);
	// In the C locale gnuplot warns for every figure that it cannot write a degree sign.
	(void)setenv("LC_ALL", "C.UTF-8", 1);
	(void)setenv("TZ", "UTC0", 1); // and it dates PDFs in local time
	report.seed = request.seed;
	report.compare = request.compare;
	report.bursts.microburst_width = request.width;
	if (burst_gap_parse(request.burst_gap, &report.bursts.rule, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	if (request.width.num <= 0)
		tool_error(tool, "--width must be above 0");
	numeric_errors_give_nan();
	if (report.inputs && choose_form(tool, &request) && check_only(tool, request.only) &&
	    tool_ok(tool))
		flitreport_run(tool, &report, &request);
	else if (!report.inputs)
		tool_no_memory(tool, "the report");
	free(report.inputs);
	return tool_finish(tool, TOOL_OK);
}
