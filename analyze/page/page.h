// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document: title, summary, sections of paragraphs, tables and figures; and its writers.
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "page/figure.h"
#include "trace/files.h"
#include "trace/status.h"
#include "trace/table.h"

enum block_type {
	BLOCK_SECTION,	 // text: its title
	BLOCK_ANSWER,	 // text: the main result, first on the page
	BLOCK_PARAGRAPH, // text
	BLOCK_QUOTE,	 // text, keeping its lines
	BLOCK_FACTS,
	BLOCK_TABLE,
	BLOCK_FIGURE,
	BLOCK_BESIDE, // the two blocks that follow stand side by side where there is room
};

struct block {
	enum block_type type;
	unsigned number; // of a table, figure or section: 1, 2, ... among its kind
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
	bool failed; // out of memory; a block added then is not part of the page
	struct figure spare_figure;
};

void page_title(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Each adds a block at the end. Texts are plain; the writers escape them.
void page_section(struct page *page, const char *title);
void page_answer(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_paragraph(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_quote(struct page *page, const char *text);

// The two blocks added next, of which none is a section, stand side by side where the page is wide.
void page_beside(struct page *page);

// A table for people; its title is the caption, after "Table N.". Never NULL; the page owns it.
struct table *page_table(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Key numbers: a table of one row, without a caption.
struct table *page_facts(struct page *page);

// A figure, across panels side by side on a wide page (0: one that is as wide as the page); page_caption sets its caption. Never NULL; the page
// owns it.
struct figure *page_figure(struct page *page, unsigned across, const char *title);
void page_caption(struct page *page, struct figure *figure, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Whether the page is complete: memory never ran out.
bool page_whole(const struct page *page);

// Frees the page's memory; it is empty afterwards.
void page_clear(struct page *page);

// ---- page_html.c
// A page as one self-contained HTML file: style and pictures are in it, it has no script and may load nothing (by
// its content security policy), and it is also well-formed XML.

// Writes the page. footer is its last line. gnuplot draws the figures, if any. TR_ERROR if that fails, or out of
// memory; writing errors are left in out.
enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- page_latex.c
// The tables of a page for LaTeX.

// Writes each table that has a caption as a table environment (package booktabs, UTF-8 input), labelled tab:N, with the
// sections as comments. footer is a comment at the end. TR_ERROR if out of memory; writing errors are left in out.
enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- page_text.c
// A page as plain text: paragraphs and tables, with or without figures.

// Writes the page in lines of 80 columns (tables may be wider). footer is its last line.
// TR_ERROR if out of memory; writing errors are left in out.
enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// The same with figures drawn in characters by gnuplot, except heat maps. TR_ERROR also if gnuplot is absent or
// fails.
enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- figure_files.c
// The figures of a page as separate files, for papers and slides.

// Writes for panel P of figure N, both from 1: figure-N-P.tsv (its data), figure-N-P.gp (gnuplot's commands, which
// can be rerun there) and, by gnuplot, figure-N-P.svg and figure-N-P.pdf into the folder, which is created if needed;
// its parent must exist. N has at least two digits. The PDFs say that they were made at date_s, seconds since 1970, where
// the environment's TZ is UTC0. TR_ERROR if something can't be written, would overwrite one of files, or gnuplot fails.
enum tr_status figure_files_write(const struct page *page, const char *folder, const struct tr_files *files, time_t date_s,
				  struct tr_error *err);

// A panel's data for other programs: TSV, one block of rows a curve.

// Writes every curve of the panel that has rows, in order: a line of words after a #, a line of column names, and
// the rows; two empty lines separate the blocks, so that gnuplot's "index" counts them.
void figure_tsv_write(FILE *out, const struct panel *panel);

#endif
