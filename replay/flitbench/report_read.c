// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the four reports of scibench, mpibench and bench_report_write. Latencies come from the raw
// data; throughput and summaries are compared with them, as the listings have faults (a minimum
// that starts at 10000, rates of several units, a wrong size).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report_titles.h"
#include "stream/lines.h"
#include "value/num.h"

#define CELLS_MAX (BENCH_REPEATS_MAX + 2)
#define SUMMARY_CELLS 6u
#define SIZE_MAX_B 9007199254740992.0 // above it a double is not exact
#define VALUE_MAX 1e30
#define ROUNDING 6e-7 // of a number with six decimals
#define MIB_PER_MB (1e6 / 1048576)

const char *const report_titles[REPORT_SECTIONS] = {"RAW LATENCY DATA", "RAW THROUGHPUT DATA",
						    "LATENCY SUMMARY", "THROUGHPUT SUMMARY"};

struct report_read_report {
	struct tr_lines lines;
	struct bench_results *results;
	double *rates;	 // as printed
	size_t room;	 // of results, in sizes
	size_t sections; // begun
	bool header;	 // of this section
	size_t row;
	size_t compared, mega, mebi; // rates, and those that fit 10^6 B/s and MiB/s
	size_t flagged;
};

// A line's numbers; flag: the words behind those of a summary.
struct report_read_row {
	double values[CELLS_MAX];
	size_t count;
	bool flag;
};

// ---- lines

// The text without blanks, and dashes if asked, at its ends; it is cut.
static char *report_read_trim(char *text, bool dashes)
{
	const char *skipped = dashes ? " \t-=" : " \t";
	size_t length;

	text += strspn(text, skipped);
	for (length = strlen(text); length > 0 && strchr(skipped, text[length - 1]); length--)
		;
	text[length] = '\0';
	return text;
}

static enum tr_status parse_cell(const struct report_read_report *report, const char *cell,
				 double *value, struct tr_error *err)
{
	// What printf makes of a division by zero.
	if (strcmp(cell, "nan") == 0 || strcmp(cell, "-nan") == 0 || strcmp(cell, "inf") == 0) {
		*value = NAN;
		return TR_OK;
	}
	if (num_parse_real(cell, value, NULL) != TR_OK || *value < 0 || *value > VALUE_MAX)
		return tr_lines_fail(&report->lines, err,
				     "expected a number from 0 to 1e30, found \"%.40s\"", cell);
	*value += 0.0; // -0 is 0
	return TR_OK;
}

static enum tr_status parse_row(const struct report_read_report *report, char *line,
				struct report_read_row *row, struct tr_error *err)
{
	char *rest = line, *cell;

	row->count = 0;
	row->flag = false;
	while ((cell = strsep(&rest, ",")) != NULL) {
		cell = report_read_trim(cell, false);
		if (!rest && (*cell == '\0' || (report->sections > 2 &&
						strcmp(cell, "Insufficient accuracy") == 0))) {
			row->flag = *cell != '\0';
			break;
		}
		if (row->count == CELLS_MAX)
			return tr_lines_fail(&report->lines, err, "more than %u numbers",
					     CELLS_MAX);
		if (parse_cell(report, cell, &row->values[row->count++], err) != TR_OK)
			return TR_ERROR;
	}
	if (row->count < 2)
		return tr_lines_fail(&report->lines, err, "expected a row of numbers");
	if (!(row->values[0] <= SIZE_MAX_B) || row->values[0] != floor(row->values[0]))
		return tr_lines_fail(&report->lines, err,
				     "expected a size in whole bytes, found %g", row->values[0]);
	return TR_OK;
}

// ---- the sections

static bool report_read_grow(void **array, size_t count, size_t each)
{
	void *more = realloc(*array, count * each);

	if (more)
		*array = more;
	return more;
}

static enum tr_status report_read_make_room(struct report_read_report *report, struct tr_error *err)
{
	struct bench_results *results = report->results;

	if (report->row < report->room)
		return TR_OK;
	report->room = 2 * report->room + 16;
	if (!report_read_grow((void **)&results->bytes, report->room, sizeof(*results->bytes)) ||
	    !report_read_grow((void **)&results->latency_us, report->room * results->repeats,
			      sizeof(double)) ||
	    !report_read_grow((void **)&report->rates, report->room * results->repeats,
			      sizeof(double)))
		return tr_no_memory(err, "%s", tr_source_name(report->lines.source));
	return TR_OK;
}

// How many numbers a row has, its size included.
static enum tr_status check_count(const struct report_read_report *report,
				  const struct report_read_row *row, size_t expected,
				  struct tr_error *err)
{
	if (row->count != expected)
		return tr_lines_fail(&report->lines, err, "expected %zu numbers, found %zu",
				     expected, row->count);
	return TR_OK;
}

static enum tr_status take_latencies(struct report_read_report *report,
				     const struct report_read_row *row, struct tr_error *err)
{
	struct bench_results *results = report->results;

	if (report->row == 0)
		results->repeats = row->count - 1;
	if (results->repeats > BENCH_REPEATS_MAX || report->row == BENCH_SIZES_MAX ||
	    (report->row + 1) * results->repeats > BENCH_SAMPLES_MAX)
		return tr_lines_fail(&report->lines, err,
				     "more than %u repeats, %u sizes or %u samples",
				     BENCH_REPEATS_MAX, BENCH_SIZES_MAX, BENCH_SAMPLES_MAX);
	if (check_count(report, row, results->repeats + 1, err) != TR_OK ||
	    report_read_make_room(report, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < row->count; i++)
		if (isnan(row->values[i]))
			return tr_lines_fail(&report->lines, err,
					     "expected numbers, found one that is none");
	results->bytes[report->row] = (uint64_t)row->values[0];
	memcpy(&results->latency_us[report->row * results->repeats], &row->values[1],
	       results->repeats * sizeof(double));
	results->sizes = report->row + 1;
	return TR_OK;
}

static enum tr_status take_rates(struct report_read_report *report,
				 const struct report_read_row *row, struct tr_error *err)
{
	const struct bench_results *results = report->results;
	const double bytes = (double)results->bytes[report->row];

	if (check_count(report, row, results->repeats + 1, err) != TR_OK)
		return TR_ERROR;
	if (row->values[0] != bytes)
		return tr_lines_fail(&report->lines, err, "expected the size %.0f, found %.0f",
				     bytes, row->values[0]);
	for (size_t i = 0; i < results->repeats; i++) {
		const size_t at = report->row * results->repeats + i;
		const double latency = results->latency_us[at], rate = row->values[1 + i];

		report->rates[at] = rate;
		if (bytes > 0 && latency > 0 && rate > 0) {
			const double found = rate * latency / bytes,
				     slack = ROUNDING / latency + ROUNDING / rate;

			report->compared++;
			report->mega += fabs(found - 1) <= slack;
			report->mebi += fabs(found - MIB_PER_MB) <= slack;
		}
	}
	return TR_OK;
}

// Only the first one in a size, and the first in a value.
static void remark_difference(struct report_read_report *report, bool size, const char *what,
			      double printed, double found)
{
	char *remark = report->results->remarks[size ? 1 : 2];

	if (*remark == '\0')
		(void)snprintf(remark, sizeof(report->results->remarks[1]),
			       "line %llu: %s is %.6f, by the raw data %.6f",
			       (unsigned long long)report->lines.number, what, printed, found);
}

static enum tr_status take_summary(struct report_read_report *report,
				   const struct report_read_row *row, struct tr_error *err)
{
	static const char *const names[] = {"the size", "the maximum", "the minimum", "the average",
					    "max - min"};
	const struct bench_results *results = report->results;
	const double *raw = report->sections == 3 ? results->latency_us : report->rates;
	const struct bench_summary of = bench_summarize(&raw[report->row * results->repeats],
							results->repeats, 0);
	const double found[] = {(double)results->bytes[report->row], of.max, of.min, of.mean,
				of.max - of.min};

	if (check_count(report, row, SUMMARY_CELLS, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		if (fabs(row->values[i] - found[i]) > 2 * ROUNDING + 1e-12 * found[i])
			remark_difference(report, i == 0, names[i], row->values[i], found[i]);
	report->flagged += report->sections == 3 && row->flag;
	return TR_OK;
}

static enum tr_status report_read_take_row(struct report_read_report *report, char *line,
					   struct tr_error *err)
{
	static enum tr_status (*const takes[REPORT_SECTIONS])(
		struct report_read_report *, const struct report_read_row *,
		struct tr_error *) = {take_latencies, take_rates, take_summary, take_summary};
	struct report_read_row row;

	if (!report->header)
		return tr_lines_fail(&report->lines, err, "expected the header \"%s,...\"",
				     REPORT_SIZE);
	if (report->sections > 1 && report->row == report->results->sizes)
		return tr_lines_fail(&report->lines, err, "expected %s after %zu sizes",
				     report_titles[report->sections % REPORT_SECTIONS],
				     report->results->sizes);
	if (parse_row(report, line, &row, err) != TR_OK ||
	    takes[report->sections - 1](report, &row, err) != TR_OK)
		return TR_ERROR;
	report->row++;
	return TR_OK;
}

// Whether the section has all its rows.
static bool is_complete(const struct report_read_report *report)
{
	return report->sections > 0 && report->row > 0 && report->row == report->results->sizes;
}

static enum tr_status report_read_take_line(struct report_read_report *report, char *line,
					    struct tr_error *err)
{
	char bare[64];

	if (report->sections == REPORT_SECTIONS && is_complete(report))
		return TR_OK; // what follows a report
	(void)snprintf(bare, sizeof(bare), "%s", line);
	line = report_read_trim(line, false);
	if (report->sections < REPORT_SECTIONS && (report->sections == 0 || is_complete(report)) &&
	    strcmp(report_read_trim(bare, true), report_titles[report->sections]) == 0) {
		report->sections++;
		report->row = 0;
		report->header = false;
		return TR_OK;
	}
	if (report->sections == 0 || line[strspn(line, "-=")] == '\0')
		return TR_OK;
	if (!report->header && strncmp(line, REPORT_SIZE ",", strlen(REPORT_SIZE) + 1) == 0) {
		report->header = true;
		return TR_OK;
	}
	return report_read_take_row(report, line, err);
}

static enum tr_status report_read_check_end(const struct report_read_report *report,
					    struct tr_error *err)
{
	if (report->sections == 0)
		return tr_lines_fail(
			&report->lines, err,
			"no section %s: expected a report of scibench, mpibench or flitbench",
			report_titles[0]);
	if (report->sections < REPORT_SECTIONS || !is_complete(report))
		return tr_lines_fail(&report->lines, err, "truncated in the section %s",
				     report_titles[report->sections - 1]);
	return TR_OK;
}

static void remark_units(const struct report_read_report *report)
{
	struct bench_results *results = report->results;
	const char *unit = report->mega == report->compared   ? "10^6 B/s"
			   : report->mebi == report->compared ? "MiB/s"
							      : NULL;

	if (report->compared > 0)
		(void)snprintf(results->remarks[0], sizeof(results->remarks[0]),
			       "the throughput in the report is %s%s",
			       unit ? "in " : "not the size over the latency", unit ? unit : "");
	if (report->flagged > 0)
		(void)snprintf(results->remarks[3], sizeof(results->remarks[3]),
			       "the report marks %zu of %zu sizes as of insufficient accuracy",
			       report->flagged, results->sizes);
}

enum tr_status bench_report_read(struct tr_source *source, struct bench_results *results,
				 struct tr_error *err)
{
	struct report_read_report report = {.lines = {.source = source}, .results = results};
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&report.lines, &line, err)) == TR_OK)
		if ((status = report_read_take_line(&report, line, err)) != TR_OK)
			break;
	if (status == TR_END)
		status = report_read_check_end(&report, err);
	if (status == TR_OK)
		remark_units(&report);
	free(report.rates);
	tr_lines_clear(&report.lines);
	return status;
}
