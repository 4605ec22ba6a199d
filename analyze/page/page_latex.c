// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include <math.h>
#include <string.h>

#include "page/latex_table.h"
#include "page/latex_text.h"
#include "value/escape.h"

#define LONGEST 24u	  // characters of a word in a paragraph, before it breaks
#define FLOATS_HELD 16u	  // LaTeX holds back 18 at most
#define PAGE_HEIGHT 440.0 // of panels below each other, with room for a caption

static void write_comment(FILE *out, const char *words)
{
	(void)fputs("% ", out);
	text_write_plain(out, words ? words : "");
	(void)putc('\n', out);
}

static void write_paragraph(FILE *out, const char *text)
{
	(void)fputs("{\\sloppy ", out);
	latex_write_words(out, text, LONGEST);
	(void)fputs("\\par}\n\n", out);
}

// Whether LaTeX takes the path as it is.
static bool is_plain_path(const char *path)
{
	return path[strspn(
		       path,
		       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-")] ==
	       '\0';
}

static void begin_figure(FILE *out, unsigned part)
{
	(void)fputs("\\begin{figure}[htbp]\n\\centering\\sloppy\n", out);
	if (part > 1)
		(void)fputs("\\addtocounter{figure}{-1}\n", out);
}

static void end_figure(FILE *out, const struct block *block, unsigned part)
{
	(void)fputs("\\caption{", out);
	latex_write_words(out, block->figure->title, LONGEST);
	(void)fputs(part > 1 ? ", continued." : ". ", out);
	if (part == 1 && block->figure->caption)
		latex_write_words(out, block->figure->caption, LONGEST);
	(void)fputs("}\n", out);
	if (part == 1)
		(void)fprintf(out, "\\label{fig:%s}\n", block->name);
	(void)fputs("\\end{figure}\n\n", out);
}

static double paper_height_pt(const struct figure *figure, const struct panel *panel)
{
	return fmin(PAGE_HEIGHT, FIGURE_UNIT_PT * figure_paper_height(figure, panel));
}

// The next panel that shows something, or the number of panels.
static size_t next_shown(const struct figure *figure, size_t p)
{
	while (p < figure->panel_count && panel_is_empty(&figure->panels[p]))
		p++;
	return p;
}

// Panels in rows of one or two, on as many pages as they need.
static void page_latex_write_figure(const struct page *page, const struct block *block,
				    unsigned *floats, FILE *out)
{
	const struct figure *figure = block->figure;
	const size_t across = figure_paper_across(figure);
	const double share = figure_paper_width(figure) * FIGURE_UNIT_PT / LATEX_TEXT_WIDTH;
	unsigned part = 1;
	double used = 0;
	size_t last = 0; // of the row

	begin_figure(out, part);
	for (size_t first = next_shown(figure, 0); first < figure->panel_count;
	     first = next_shown(figure, last + 1)) {
		const size_t second = across > 1 ? next_shown(figure, first + 1)
						 : figure->panel_count;
		double height = paper_height_pt(figure, &figure->panels[first]);

		last = second < figure->panel_count ? second : first;
		height = fmax(height, paper_height_pt(figure, &figure->panels[last]));
		if (used > 0 && used + height > PAGE_HEIGHT) {
			end_figure(out, block, part++);
			begin_figure(out, part);
			used = 0;
		}
		used += height;
		for (size_t p = first; p <= last; p = p < last ? last : last + 1)
			(void)fprintf(out,
				      "\\includegraphics[width=%.2f\\linewidth,height=%.0fpt,"
				      "keepaspectratio]{%s%s%s}%s\n",
				      share, PAGE_HEIGHT,
				      is_plain_path(page->folder) ? page->folder : "",
				      is_plain_path(page->folder) ? "/" : "",
				      figure->panels[p].name, p < last ? "\\hfill" : "\\par");
	}
	end_figure(out, block, part);
	*floats += part;
}

// Whether the figure shows anything.
static bool figure_is_shown(const struct figure *figure)
{
	return next_shown(figure, 0) < figure->panel_count;
}

static enum tr_status page_latex_write_block(const struct page *page, const struct block *block,
					     bool summary, unsigned *floats, FILE *out,
					     struct tr_error *err)
{
	if (block->type == BLOCK_SECTION)
		write_comment(out, block->text);
	else if (block->type == BLOCK_ANSWER || (block->type == BLOCK_PARAGRAPH && summary))
		write_paragraph(out, block->text);
	else if (block->type == BLOCK_TABLE || block->type == BLOCK_FACTS)
		return latex_table_write(
			block->table,
			&(struct latex_float){.caption = block->type == BLOCK_FACTS
								 ? "Key numbers."
								 : table_title(block->table),
					      .name = block->name,
					      .whole = page->narrowed || !block->raw},
			floats, out, err);
	else if (block->type == BLOCK_FIGURE && page->folder && figure_is_shown(block->figure))
		page_latex_write_figure(page, block, floats, out);
	return TR_OK;
}

enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out,
				struct tr_error *err)
{
	enum tr_status status = TR_OK;
	unsigned floats = 0;
	bool summary = true;

	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	write_comment(out, page->title);
	(void)fputs(
		"% \\usepackage[T1]{fontenc}\n% \\usepackage{array,booktabs,rotating,textcomp}\n",
		out);
	if (page->folder)
		(void)fputs("% \\usepackage{graphicx}\n", out);
	if (page->folder && !is_plain_path(page->folder))
		(void)fputs("% set \\graphicspath to the folder of the figures\n", out);
	(void)fputs("\n", out);
	for (size_t i = 0; i < page->count && status == TR_OK; i++) {
		summary = summary && page->blocks[i].type != BLOCK_SECTION;
		status = page_latex_write_block(page, &page->blocks[i], summary, &floats, out, err);
		if (floats >= FLOATS_HELD) {
			(void)fputs(
				"\\clearpage % LaTeX holds back 18 tables and as many figures\n\n",
				out);
			floats = 0;
		}
	}
	write_comment(out, footer);
	return status;
}
