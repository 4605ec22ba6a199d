// SPDX-License-Identifier: GPL-3.0-or-later
// A section of the report: one file and one row of the table in section.c. It looks at what is kept of the inputs and
// adds paragraphs, tables and figures to the page.
#ifndef REPORT_SECTION_H
#define REPORT_SECTION_H

#include "report/input.h"
#include "page/page.h"

struct section {
	const char *title; // NULL: before the first section, in the summary
	unsigned wants;	   // set of enum input_kind: built where the report has any of them
	unsigned needs;	   // set: built only where it has all of them
	void (*build)(const struct report *report, struct page *page);
};

extern const struct section sections[];
extern const size_t section_count;

// Adds all sections that the report's inputs want.
void sections_build(const struct report *report, struct page *page);

void summary_build(const struct report *report, struct page *page);
void compare_build(const struct report *report, struct page *page); // by summary_build
void counts_build(const struct report *report, struct page *page);
void zoom_build(const struct report *report, struct page *page);
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
void load_build(const struct report *report, struct page *page); // of tables, by tables_build
void tables_build(const struct report *report, struct page *page);
void series_build(const struct report *report, struct page *page);
void methods_build(const struct report *report, struct page *page);
void provenance_build(const struct report *report, struct page *page);

#endif
