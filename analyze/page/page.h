// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document: title, summary, sections of paragraphs, tables and figures; and its writers.
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "page/figure.h"
#include "trace/files.h"
#include "trace/status.h"
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

// ---- page_html.c
// A page as one HTML file that needs nothing else: style and pictures are in it, it has no script and may load
// nothing (its own content security policy says so), and it is well-formed XML as well.

// Writes the page. footer is the line at its end. gnuplot draws the figures, where there are any.
// TR_ERROR where it cannot, or memory ended; writing errors are left in out.
enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- page_latex.c
// The tables of a page for LaTeX.

// Writes each table that has a caption as a table environment (package booktabs, UTF-8 input), labelled tab:N, with the
// sections as comments. footer is a comment at the end. TR_ERROR where memory ended; writing errors are left in out.
enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- page_text.c
// A page as plain text: its words and tables, with or without its figures.

// Writes the page in lines of 80 columns (tables may be wider). footer is the line at its end.
// TR_ERROR where memory ended; writing errors are left in out.
enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// The same with its figures drawn in characters by gnuplot, heat maps left out. TR_ERROR also where gnuplot is
// absent or fails.
enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// ---- figure_files.c
// The figures of a page as files of their own, for papers and slides.

// Writes for panel P of figure N, both from 1: figure-N-P.tsv (its data), figure-N-P.gp (gnuplot's commands, which
// may be run again there) and, by gnuplot, figure-N-P.svg and figure-N-P.pdf into the folder, which is made where it is
// absent; its parent must be there. N has two digits at least. TR_ERROR where something can't be written, would
// overwrite one of files, or gnuplot fails.
enum tr_status figure_files_write(const struct page *page, const char *folder, const struct tr_files *files,
				  struct tr_error *err);

// A panel's data for other programs: TSV, one block of rows a curve.

// Writes every curve of the panel that has rows, in order: a line of words behind a #, a line that names the
// columns, and the rows; blocks are parted by two empty lines, so that gnuplot's "index" counts them.
void figure_tsv_write(FILE *out, const struct panel *panel);

#endif
