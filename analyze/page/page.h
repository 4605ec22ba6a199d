// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document: title, summary, sections of paragraphs, tables and figures. What it looks like is
// decided by who writes it out (page_html.h, page_text.h).
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "page/figure.h"
#include "trace/table.h"

enum block_type {
	BLOCK_SECTION,	 // text: its title
	BLOCK_ANSWER,	 // text: what the page says first
	BLOCK_PARAGRAPH, // text
	BLOCK_QUOTE,	 // text, its lines as they are
	BLOCK_FACTS,
	BLOCK_TABLE,
	BLOCK_FIGURE,
};

struct block {
	enum block_type type;
	unsigned number; // of a table, a figure, a section: 1, 2, ... among its own
	char *text;
	struct table *table;
	struct figure *figure;
};

// Zero is a valid empty one.
struct page {
	char *title;
	struct block *blocks;
	size_t count, capacity;
	unsigned sections, tables, figures;
	bool failed; // memory ended; what was asked for is then no part of the page
	struct figure spare_figure;
};

void page_title(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Each adds a block at the end. Texts are plain; the writers make them safe.
void page_section(struct page *page, const char *title);
void page_answer(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_paragraph(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_quote(struct page *page, const char *text);

// A table for people; its caption, which is its title, begins "Table N.". Never NULL; the page owns it.
struct table *page_table(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Key numbers: a table of one row, without a caption.
struct table *page_facts(struct page *page);

// A figure of panels, across of them side by side on a wide page. The caption is set by
// page_caption. Never NULL; the page owns it.
struct figure *page_figure(struct page *page, unsigned across, const char *title);
void page_caption(struct page *page, struct figure *figure, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Whether everything was kept: no memory ended anywhere in it.
bool page_whole(const struct page *page);

// Frees what the page holds; it is empty afterwards.
void page_clear(struct page *page);

#endif
