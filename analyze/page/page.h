// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document: title, summary, sections of paragraphs, tables and figures; and its
// writers.
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "file/files.h"
#include "page/figure.h"
#include "table/table.h"
#include "value/status.h"

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
	char *name; // of a table, key numbers, a figure or a section, once page_set_names() made it
	char *text;
	struct table *table;
	bool raw; // of a table: any number of rows from an input, of which a paper shows a page
	struct figure *figure;
};

// Zero is a valid empty one.
struct page {
	char *title;
	struct block *blocks;
	size_t count, capacity;
	unsigned sections, tables, figures;
	const char *folder; // lent; where the figures are written, NULL: nowhere
	bool narrowed;	    // page_keep_only() chose a part
	bool failed;	    // out of memory; a block added then is not part of the page
	struct figure spare_figure;
};

// Sets the title of the page, in place of an earlier one.
void page_title(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Each adds a block at the end. Texts are plain; the writers escape them.
void page_section(struct page *page, const char *title);
void page_answer(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_paragraph(struct page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void page_quote(struct page *page, const char *text);

// The two blocks added next, of which none is a section, stand side by side where the page is wide.
void page_beside(struct page *page);

// A table for people; its title is the caption, after "Table N.". Never NULL; the page owns it.
struct table *page_table(struct page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The newest table has any number of rows from an input: LaTeX gets a page of them, or all with
// page_keep_only().
void page_raw(struct page *page);

// Key numbers: a table of one row, without a caption.
struct table *page_facts(struct page *page);

// A figure, across panels side by side on a wide page (0: one that is as wide as the page);
// page_caption sets its caption. Never NULL; the page owns it.
struct figure *page_figure(struct page *page, unsigned across, const char *title);
void page_caption(struct page *page, struct figure *figure, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

// Whether the page is complete: memory never ran out.
bool page_whole(const struct page *page);

// Drops the blocks that are not kept; numbers stay.
void page_keep(struct page *page, const bool *kept);

// Frees the page's memory; it is empty afterwards.
void page_clear(struct page *page);

// ---- page_names.c
// What tables and figures are called.

#define PAGE_SUMMARY "Summary" // the blocks before the first section

// Names all blocks and panels by their titles, once the page is complete: "variance-time-plot". No
// two tables, figures or panels share one.
void page_set_names(struct page *page);

// Whether the word is the title of a section, whatever its case, blanks and punctuation.
bool page_is_title(const char *word, const char *title);

// Keeps the section with this title, or the table "tab:NAME" or the figure "fig:NAME" with its
// section's title, alone; numbers stay. Returns false, and keeps all, if the page has no such part.
bool page_keep_only(struct page *page, const char *word);

// Whether the word names a table or a figure.
bool page_is_label(const char *word);

// Writes the titles of the page's sections, or the names of its tables and figures, with commas
// between them.
void page_list_names(const struct page *page, bool labels, FILE *out);

// ---- page_html.c
// A page as one self-contained HTML file: style and pictures are in it, its one script is
// interactive.js, and it may load nothing (by its content security policy), and it is also
// well-formed XML.

// Writes the page, which has names. footer is its last line. gnuplot draws the figures, if any.
// TR_ERROR if that fails, or out of memory; writing errors are left in out.
enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err);

// ---- page_latex.c
// A page for a paper in LaTeX: the summary as text, and all tables; figures if they are written to
// a folder.

// Writes tables and figures as environments labelled tab:NAME and fig:NAME, none wider than the
// text of the class article (latex_table.h), with the sections as comments; the first lines name
// the packages. footer is a comment at the end. TR_ERROR if out of memory; writing errors are left
// in out.
enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out,
				struct tr_error *err);

// ---- page_text.c
// A page as plain text: paragraphs and tables, with or without figures.

// Writes the page in lines of 80 columns (tables may be wider). footer is its last line.
// TR_ERROR if out of memory; writing errors are left in out.
enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err);

// The same with figures drawn in characters by gnuplot, except heat maps. TR_ERROR also if gnuplot
// is absent or fails.
enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out,
				   struct tr_error *err);

// ---- figure_files.c
// The figures of a page as separate files, for papers and slides.

// Writes for each panel NAME.tsv (its data), NAME.gp (gnuplot's commands, which can be rerun there)
// and, by gnuplot, NAME.svg and NAME.pdf into the page's folder, which is created if needed; its
// parent must exist. INDEX lists them, as tab-separated values. The PDFs say that they were made at
// date_s, seconds since 1970, where the environment's TZ is UTC0. TR_ERROR if something can't be
// written, would overwrite one of files, or gnuplot fails.
enum tr_status figure_files_write(const struct page *page, const struct tr_files *files,
				  time_t date_s, struct tr_error *err);

// A panel's data for other programs: TSV, one block of rows a curve.

// Writes every curve of the panel that has rows, in order: a line of words after a #, a line of
// column names, and the rows; two empty lines separate the blocks, so that gnuplot's "index" counts
// them.
void figure_tsv_write(FILE *out, const struct panel *panel);

#endif
