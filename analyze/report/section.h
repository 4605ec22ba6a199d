// SPDX-License-Identifier: GPL-3.0-or-later
// A section of the report: one file and one row of the table in section.c. From what is kept of the
// inputs it adds paragraphs, tables and figures to the page.
#ifndef REPORT_SECTION_H
#define REPORT_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "page/figure.h"
#include "page/page.h"
#include "report/report.h"

struct section {
	const char *title; // NULL: before the first section, in the summary
	unsigned wants;	   // set of enum input_kind: built if the report has any of them
	unsigned needs;	   // set: built only if it has all of them
	void (*build)(const struct report *report, struct page *page);
};

extern const struct section sections[];
extern const size_t section_count;

// The title that --section takes; all of them, as a table. TR_ERROR if out of memory.
const char *section_title(size_t index);
enum tr_status sections_list(struct table_style style, FILE *out, struct tr_error *err);

// Adds all sections that the report's inputs want.
void sections_build(const struct report *report, struct page *page);

// Each adds its section to the page, below the title that sections_build wrote. Those that another
// one calls are part of its section.
void summary_build(const struct report *report, struct page *page);
void compare_build(const struct report *report, struct page *page); // by summary_build
void changes_build(const struct stream *before, const struct stream *after, double level,
		   struct page *page);				      // by compare_build
void sweeps_build(const struct report *report, struct page *page);    // likewise
void jobs_build(const struct report *report, struct page *page);      // by summary_build
void predicted_build(const struct report *report, struct page *page); // likewise
void counts_build(const struct report *report, struct page *page);
void zoom_build(const struct report *report, struct page *page);
void microbursts_build(const struct report *report, struct page *page);
void congestion_build(const struct report *report, struct page *page);
void scaling_build(const struct report *report, struct page *page);
void periods_build(const struct report *report, struct page *page);
void verdicts_build(const struct report *report, struct page *page);
void sizes_build(const struct report *report, struct page *page);
void gaps_build(const struct report *report, struct page *page);
void matrix_build(const struct report *report, struct page *page);
void roles_build(const struct report *report, struct page *page);
void model_build(const struct report *report, struct page *page);
void likeness_build(const struct report *report, struct page *page);
void fit_build(const struct report *report, struct page *page);
void latency_build(const struct report *report, struct page *page);
void pairs_build(const struct report *report, struct page *page);
void links_build(const struct report *report, struct page *page);
void messages_build(const struct report *report, struct page *page);
void collectives_build(const struct report *report, struct page *page);
void collectives_lead(const struct report *report, struct page *page); // by summary_build
void tables_build(const struct report *report, struct page *page);
void series_build(const struct report *report, struct page *page);
void methods_build(const struct report *report, struct page *page);
void provenance_build(const struct report *report, struct page *page);

// ---- overview.c
// The figures at the top of a page. Each adds one panel, drawn by the file of the section on its
// subject; several streams are overlaid.

// The streams shown, in the order of their colours.
struct overview {
	const struct report *report;
	const struct stream *list[REPORT_STREAMS];
	size_t count;
	double height; // of a panel, with room for the legend of several streams
};

// Adds a stream if there is room, and it has packets at different times, and bins.
void overview_add(struct overview *overview, const struct stream *stream);

// The report's first streams that can be drawn.
struct overview overview_of(const struct report *report);

// The widest of the 13 widths, in seconds, with 200 bins in the longest stream, else the narrowest.
// There must be a stream.
double overview_width(const struct overview *overview);

// The streams' packets per bin of that width over time.
void counts_panel(struct figure *figure, const struct overview *overview);

// Variance of the rate over the bin's width, with that of Poisson traffic and the fitted slopes.
void variance_panel(struct figure *figure, const struct overview *overview);

// Spectrum of the counts with the periods of the first stream.
void spectrum_panel(struct figure *figure, const struct overview *overview);

// Who talks: the traffic matrix and the largest pairs of each stream, with nodes matched among
// streams. By section_matrix.c.
void who_talks_build(const struct overview *overview, struct page *page);

// Latency and throughput of deliveries in four panels, for the top of a page without streams.
void latency_figure(struct page *page, const struct carried *carried, unsigned across);

// Adds the figure if there is a stream to draw.
void overview_draw(const struct overview *overview, struct page *page);

// ---- section_sizes.c

// Says below a table that a stream's classes are not told apart, if they are not.
void note_classes(struct table *table, const struct stream *stream);

// ---- message_timeline.c
// The messages of a program as figures. A log's iterations must not be empty.

struct message_view {
	const char *label; // lent
	const struct message_log *log;
	const struct tr_names *names; // NULL: nodes are called by their numbers
	double ticks_per_s;
};

// Adds two figures: the messages of a typical iteration, and all iterations.
void message_timeline_draw(struct page *page, const struct message_view *view);

// From the begin of the typical iteration's first message to the end of its last one, in seconds.
double message_iteration_length(const struct message_view *view);

// Adds a panel with the messages of the typical iteration, over span_s seconds.
void message_iteration_panel(struct figure *figure, const struct message_view *view, double span_s,
			     double row_height);

// A message's sender or receiver: the node's name in at most max characters, or "rank 3". Returns
// out.
const char *message_end_label(const struct message_view *view, uint32_t end, size_t max,
			      char out[TEXT_LABEL_BYTES]);

// ---- collective_timeline.c

struct collective_length {
	double ticks;
	size_t index;
};

// The operations of a kind by their length, or kinds by the sum of theirs (SIZE_MAX), longest
// first; count: how many there are. The caller frees the list; NULL: out of memory.
struct collective_length *collective_lengths(const struct exchange_run *run, size_t kind,
					     size_t count);

// Adds a figure: the messages of an operation of the kind over time, and how late each node begins
// each, if any is.
void collective_draw(struct page *page, const struct exchange_run *run, size_t kind);

// ---- section_provenance.c
// How well an input was captured: its end, losses, undecoded frames, date.

// Whether the top of the page says how well the input was captured: for the first three traces, and
// for an input that is damaged or whose capture lost packets.
bool capture_quality_leads(const struct report *report, const struct input *input);

// Adds a paragraph. input must have a reader.
void capture_quality_say(struct page *page, const struct input *input);

#endif
