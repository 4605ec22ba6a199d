// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page_html.h"

#include <stdbool.h>
#include <stdlib.h>

#include "page/figure_tsv.h"
#include "page/gnuplot_run.h"
#include "page/page_style.h"
#include "page/svg.h"
#include "trace/escape.h"
#include "trace/memstream.h"

struct html_writer {
	FILE *out;
	const char *pictures; // what is left of gnuplot's
	struct tr_error *err;
	bool folded; // inside a section
};

static void write_words(struct html_writer *html, const char *before, const char *words, const char *after)
{
	(void)fputs(before, html->out);
	text_write_markup(html->out, words ? words : "");
	(void)fputs(after, html->out);
}

static void write_head(struct html_writer *html, const struct page *page)
{
	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'; img-src data:\"/>\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		    "<meta name=\"generator\" content=\"flitreport " FLIT_VERSION "\"/>\n"
		    "<link rel=\"icon\" href=\"data:,\"/>\n",
		    html->out);
	write_words(html, "<title>", page->title, "</title>\n<style>\n");
	page_style_write(html->out);
	(void)fputs("</style>\n</head>\n<body>\n<header>\n", html->out);
	write_words(html, "<h1>", page->title, "</h1>\n");
}

// A link that hands out the data of a table or figure: what write gave, in the page itself.
static void write_data_link(struct html_writer *html, const char *what, unsigned number, const char *data)
{
	(void)fprintf(html->out,
		      " <a class=\"data\" download=\"%s-%u.tsv\" href=\"data:text/tab-separated-values;charset=utf-8,", what,
		      number);
	text_write_uri(html->out, data);
	(void)fputs("\">data</a>", html->out);
}

static enum tr_status write_table_data(struct html_writer *html, const struct table *table, unsigned number)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole;

	if (out)
		table_write_tsv(table, out);
	whole = out && tr_memstream_close(out);
	if (whole)
		write_data_link(html, "table", number, text);
	free(text);
	return whole ? TR_OK : tr_no_memory(html->err, "the report");
}

static enum tr_status write_figure_data(struct html_writer *html, const struct figure *figure, unsigned number)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole;

	for (size_t i = 0; out && i < figure->panel_count; i++) {
		(void)fprintf(out, "%s## ", i ? "\n\n" : "");
		text_write_plain(out, figure->panels[i].title ? figure->panels[i].title : figure->title);
		(void)putc('\n', out);
		figure_tsv_write(out, &figure->panels[i]);
	}
	whole = out && tr_memstream_close(out);
	if (whole)
		write_data_link(html, "figure", number, text);
	free(text);
	return whole ? TR_OK : tr_no_memory(html->err, "the report");
}

static enum tr_status write_table(struct html_writer *html, const struct table *table, unsigned number)
{
	(void)fprintf(html->out, "<figure class=\"rows\" id=\"t%u\">\n<figcaption><b>Table %u.</b> ", number, number);
	write_words(html, "", table_title(table), "");
	if (write_table_data(html, table, number) != TR_OK)
		return TR_ERROR;
	(void)fputs("</figcaption>\n", html->out);
	// A table that is wider than the page moves inside its own frame, by keyboard too.
	(void)fprintf(html->out,
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Table %u\">\n",
		      number);
	table_write_html(table, html->out);
	(void)fputs("</div>\n", html->out);
	for (size_t i = 0; table_note_at(table, i); i++)
		write_words(html, "<p class=\"note\">", table_note_at(table, i), "</p>\n");
	(void)fputs("</figure>\n", html->out);
	return TR_OK;
}

static enum tr_status write_panel(struct html_writer *html, const struct figure *figure, unsigned number, size_t index)
{
	const struct panel *panel = &figure->panels[index];
	char id[40];
	struct svg_names names = {
		.id = id,
		.title = panel->title ? panel->title : figure->title,
		.about = panel->about ? panel->about : "",
	};
	struct tr_error why;
	enum tr_status status;

	(void)snprintf(id, sizeof(id), "f%u-%zu", number, index + 1);
	(void)fputs("<div class=\"panel\">\n", html->out);
	if (panel->title)
		write_words(html, "<h3>", panel->title, "</h3>\n");
	status = svg_write(html->out, &html->pictures, &names, &why);
	if (status != TR_OK)
		(void)tr_fail(html->err, "gnuplot drew what cannot be used: %.400s", why.text);
	(void)fputs("</div>\n", html->out);
	return status;
}

static enum tr_status write_figure(struct html_writer *html, const struct figure *figure, unsigned number)
{
	unsigned across = figure->across < 1 ? 1 : figure->across > 4 ? 4 : figure->across;

	(void)fprintf(html->out, "<figure id=\"f%u\">\n<div class=\"panels across%u\">\n", number, across);
	for (size_t i = 0; i < figure->panel_count; i++)
		if (write_panel(html, figure, number, i) != TR_OK)
			return TR_ERROR;
	(void)fprintf(html->out, "</div>\n<figcaption><b>Figure %u. ", number);
	write_words(html, "", figure->title, ".</b> ");
	write_words(html, "", figure->caption, "");
	if (write_figure_data(html, figure, number) != TR_OK)
		return TR_ERROR;
	(void)fputs("</figcaption>\n</figure>\n", html->out);
	return TR_OK;
}

// The answer to a question, which the reader unfolds. What stands before the first is always in sight.
static void write_section(struct html_writer *html, const struct block *block)
{
	(void)fputs(html->folded ? "</div></details>\n" : "</header>\n<main>\n", html->out);
	(void)fprintf(html->out, "<details><summary><h2 id=\"s%u\">", block->number);
	write_words(html, "", block->text, "</h2></summary><div>\n");
	html->folded = true;
}

static enum tr_status write_block(struct html_writer *html, const struct block *block)
{
	switch (block->type) {
	case BLOCK_SECTION: write_section(html, block); return TR_OK;
	case BLOCK_ANSWER: write_words(html, "<p class=\"answer\">", block->text, "</p>\n"); return TR_OK;
	case BLOCK_PARAGRAPH: write_words(html, "<p>", block->text, "</p>\n"); return TR_OK;
	case BLOCK_QUOTE:
		(void)fputs("<pre tabindex=\"0\">", html->out);
		text_write_markup_lines(html->out, block->text);
		(void)fputs("</pre>\n", html->out);
		return TR_OK;
	case BLOCK_FACTS: table_write_html(block->table, html->out); return TR_OK;
	case BLOCK_TABLE: return write_table(html, block->table, block->number);
	case BLOCK_FIGURE: return write_figure(html, block->figure, block->number);
	}
	return TR_OK;
}

static enum tr_status write_blocks(struct html_writer *html, const struct page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (write_block(html, &page->blocks[i]) != TR_OK)
			return TR_ERROR;
	(void)fputs(html->folded ? "</div></details>\n</main>\n" : "</header>\n", html->out);
	return TR_OK;
}

enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err)
{
	struct html_writer html = {.out = out, .err = err};
	char *pictures = NULL;
	enum tr_status status;

	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	if (page->figures && gnuplot_run(page, gnuplot_page, NULL, &pictures, err) != TR_OK)
		return TR_ERROR;
	html.pictures = pictures;
	write_head(&html, page);
	status = write_blocks(&html, page);
	write_words(&html, "<footer>\n<p>", footer, "</p>\n</footer>\n</body>\n</html>\n");
	free(pictures);
	return status;
}
