// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include <stdbool.h>
#include <stdlib.h>

#include "page/gnuplot.h"
#include "page/interactive.h"
#include "page/palette.h"
#include "value/escape.h"
#include "value/memstream.h"

// ---- how the page looks: light and dark, on a phone, on a desk and on paper

static const char light[] =
	"--paper:#ffffff;--ink:#1b1f24;--soft:#59616b;--rule:#d5dae0;--wash:#f4f6f8;"
	"--link:#0b5cad;";
static const char dark[] =
	"--paper:#15181c;--ink:#e6e8eb;--soft:#a4acb6;--rule:#363c44;--wash:#1e2227;"
	"--link:#7fbcff;";

static const char rules[] =
	"*{box-sizing:border-box}\n"
	"html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
	"body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 "
	"system-ui,-apple-system,"
	"\"Segoe UI\",Roboto,\"Helvetica Neue\",\"Noto Sans\",Arial,sans-serif}\n"
	"header,main,footer{max-width:86rem;margin:0 auto;padding:0 1.25rem}\n"
	"header{padding-top:1.25rem}\n"
	"footer{margin-top:1.5rem;padding-bottom:2.5rem;color:var(--soft);font-size:.85rem;"
	"overflow-wrap:anywhere}\n"
	"footer p{border-top:1px solid var(--rule);padding-top:.75rem;max-width:none}\n"
	"h1{font-size:clamp(1.2rem,1rem + 1vw,1.6rem);line-height:1.2;margin:0 0 .6rem;"
	"letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}\n"
	"h2{font-size:1.05rem;line-height:1.4;font-weight:600;margin:0;display:inline}\n"
	"details{border-top:1px solid var(--rule)}\n"
	"summary{padding:.5rem 0;cursor:pointer}summary:hover h2{text-decoration:underline}\n"
	"details>div{max-width:70rem;padding:.5rem 0 1.5rem}\n"
	"a.data{font-size:.85em;white-space:nowrap}\n"
	"p{margin:0 0 1rem;max-width:46rem;overflow-wrap:break-word}\n"
	"header p{max-width:none;margin:0 0 "
	".5rem}p.answer{font-size:1.2rem;font-weight:600;line-height:1.4;margin:0 0 .1rem}\n"
	"header figure{margin:.5rem 0 1rem}header dl.facts{margin:.75rem 0}header .facts "
	"div{padding:.35rem .9rem}\n"
	"a{color:var(--link)}\n"
	"dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(9.5rem,45%),1fr));"
	"gap:1px;margin:1.5rem 0;padding:1px}\n"
	".facts div{box-shadow:0 0 0 1px var(--rule);padding:.7rem .9rem;display:flex;"
	"flex-direction:column-reverse;justify-content:flex-end}\n"
	".facts dt{font-size:.8rem;color:var(--soft);line-height:1.35}\n"
	".facts dd{margin:0;font-size:1.2rem;font-weight:600;font-variant-numeric:tabular-nums;"
	"overflow-wrap:anywhere;line-height:1.3}\n"
	"figure{margin:1.75rem 0 2.25rem}\n"
	"figcaption{font-size:.88rem;line-height:1.5;color:var(--soft);max-width:52rem;"
	"overflow-wrap:break-word}\n"
	"figcaption b{color:var(--ink)}\n"
	".panels{display:grid;gap:1.1rem 1.75rem;margin-bottom:.8rem}\n"
	".across1{max-width:36rem}\n"
	".across2{grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr))}\n"
	".across3{grid-template-columns:repeat(auto-fill,minmax(min(100%,18.5rem),1fr))}\n"
	".across4+figcaption{max-width:none}.across4{grid-template-columns:repeat(auto-fill,minmax("
	"min(100%,18.5rem),1fr));gap:.5rem 1rem}\n"
	".marks{position:absolute}svg.plot polygon{shape-rendering:crispEdges}\n"
	".panel h3{font-size:.88rem;font-weight:600;margin:0 0 .1rem;line-height:1.35}\n"
	"svg.plot{display:block;width:100%;height:auto;font-size:12px;font-variant-numeric:tabular-"
	"nums}\n"
	".beside{display:flex;flex-wrap:wrap;gap:0 "
	"2rem;align-items:flex-start}.beside>:first-child{flex:0 1 "
	"auto;max-width:min(100%,40rem)}.beside .across1{width:27.5rem;max-width:100%}"
	".beside>:last-child{flex:1 1 30rem;min-width:0}\n"
	".tip{position:absolute;z-index:2;background:var(--paper);border:1px solid "
	"var(--rule);padding:.3rem .6rem;white-space:pre;"
	"font-size:.85rem;pointer-events:none}.rubber{fill:var(--link);fill-opacity:.15;stroke:"
	"none}.veil{fill:var(--paper);fill-opacity:.88;shape-rendering:crispEdges}"
	".only{font-size:.88rem;margin:.2rem 0 .5rem;border-left:3px solid "
	"var(--link);padding-left:.6rem}\n"
	".rows figcaption{margin-bottom:.45rem}\n"
	".scroll{overflow-x:auto;max-width:100%}\n"
	"table{border-collapse:collapse;font-size:.88rem;line-height:1.4;font-variant-numeric:"
	"tabular-nums;"
	"border-top:1.5px solid var(--ink);border-bottom:1.5px solid var(--ink)}\n"
	"th,td{padding:.28rem .8rem;text-align:right;white-space:nowrap;vertical-align:top}\n"
	"th{font-weight:600;white-space:normal;vertical-align:bottom;border-bottom:1px solid "
	"var(--ink)}\n"
	"td{border-top:1px solid var(--rule)}\n"
	"tbody tr:first-child td{border-top:0}\n"
	"th.w,td.w{text-align:left}\n"
	"td.w{white-space:normal;min-width:8.5rem;max-width:24rem;overflow-wrap:anywhere}\n"
	"th:first-child,td:first-child{padding-left:.2rem}\n"
	"th:last-child,td:last-child{padding-right:.2rem}\n"
	".wide{font-size:.8rem}.wide th,.wide td{padding:.28rem .4rem}"
	".wide td.w{min-width:0;overflow-wrap:break-word}\n"
	".note{font-size:.85rem;color:var(--soft);margin:.5rem 0 0;max-width:52rem}\n"
	"pre{margin:0 0 1.25rem;padding:.8rem 1rem;background:var(--wash);border:1px solid "
	"var(--rule);"
	"white-space:pre-wrap;overflow-wrap:anywhere;font:.8rem/1.5 "
	"ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
	"monospace}\n"
	"@media(max-width:40rem){header{padding-top:.75rem}th,td{padding:.28rem .55rem}"
	"header,main,footer{padding-left:.7rem;padding-right:.7rem}"
	"header table{font-size:.75rem}header td.w{min-width:3.9rem}header th,header "
	"td{padding:.28rem .25rem;white-space:normal}"
	"header table:has(th:nth-child(6)){font-size:.66rem}header "
	"tr:has(:nth-child(6))>*{padding:.28rem .1rem;min-width:0}"
	".across0 .panel{overflow-x:auto}.across0 svg.plot{min-width:40rem}}\n" // small print else
	"@media "
	"print{html{font-size:9pt}body{font-size:9pt;line-height:1.4}details::details-content{"
	"content-visibility:visible;display:block;height:auto;block-size:auto;opacity:1}"
	"details>*{display:block!important}a.data{display:none}details{border-top:1.5px solid "
	"#000}summary{list-style:none;break-after:avoid}"
	".panels+figcaption{break-before:avoid}.rows "
	"figcaption{break-after:avoid}thead{display:table-header-group}.rows "
	".note{break-before:avoid}"
	".panel,figcaption,dl,tr{break-inside:avoid}" // figures break between panels: else the
						      // sheet before them stays empty
	"h2{break-after:avoid;font-size:12pt}header,main,footer{max-width:none;padding:0}"
	".across2,.across4{grid-template-columns:1fr 1fr}.across3{grid-template-columns:1fr 1fr "
	"1fr}"
	".scroll{overflow:visible}table{font-size:7.5pt;line-height:1.25}th,td{padding:.1rem "
	".4rem}td.w{min-width:0;max-width:none}"
	// As large as a line of the table lets it be; what is still too wide breaks within its
	// cells.
	".wide{font-size:clamp(5pt,180mm/var(--characters)*1.65,7.5pt)}.wide th,.wide "
	"td{padding:.15rem .25em}"
	".turned{width:100%;font-size:clamp(4.7pt,255mm/var(--characters)*1.65,8pt)}.broken "
	"th,.broken td{white-space:normal;overflow-wrap:anywhere}"
	"details:has(.turned){page:turned}@page turned{size:landscape}"
	".panel h3,h2,.rows figcaption{break-after:avoid}.panels{break-before:avoid}"
	"a{color:inherit}}\n";

static void write_style(FILE *out)
{
	(void)fprintf(out, ":root{color-scheme:light dark;%s}\n%s", light, rules);
	palette_write_rules(out);
	(void)fprintf(out, "@media screen and (prefers-color-scheme:dark){:root{%s}", dark);
	palette_write_dark_rules(out);
	(void)fputs("}\n", out);
}

// ---- the page

struct html_writer {
	FILE *out;
	const char *pictures; // the rest of gnuplot's pictures
	struct tr_error *err;
	bool folded;	 // inside a section
	bool alone;	 // the page is one section, which is open
	unsigned beside; // blocks to come that stand side by side
};

static void write_words(struct html_writer *html, const char *before, const char *words,
			const char *after)
{
	(void)fputs(before, html->out);
	text_write_markup(html->out, words ? words : "");
	(void)fputs(after, html->out);
}

static void write_head(struct html_writer *html, const struct page *page)
{
	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'; img-src data:; script-src '" INTERACTIVE_SCRIPT_HASH
		    "'\"/>\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		    "<meta name=\"generator\" content=\"flitreport " FLIT_VERSION "\"/>\n"
		    "<link rel=\"icon\" href=\"data:,\"/>\n",
		    html->out);
	write_words(html, "<title>", page->title, "</title>\n<style>\n");
	write_style(html->out);
	(void)fputs("</style>\n</head>\n<body>\n<header>\n", html->out);
	if (page->figures)
		svg_write_marks(html->out);
	write_words(html, "<h1>", page->title, "</h1>\n");
}

// A download link for the data of a table or figure, which is in the page itself.
static void write_data_link(struct html_writer *html, const struct block *block, const char *data)
{
	(void)fprintf(html->out,
		      " <a class=\"data\" download=\"%s.tsv\" "
		      "href=\"data:text/tab-separated-values;charset=utf-8,",
		      block->name);
	text_write_uri(html->out, data);
	(void)fputs("\">data</a>", html->out);
}

static enum tr_status write_table_data(struct html_writer *html, const struct block *block)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole;

	if (out)
		table_write_tsv(block->table, out);
	whole = out && tr_memstream_close(out);
	if (whole)
		write_data_link(html, block, text);
	free(text);
	return whole ? TR_OK : tr_no_memory(html->err, "the report");
}

static enum tr_status write_figure_data(struct html_writer *html, const struct block *block)
{
	const struct figure *figure = block->figure;
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole;

	for (size_t i = 0; out && i < figure->panel_count; i++) {
		(void)fprintf(out, "%s## ", i ? "\n\n" : "");
		text_write_plain(out,
				 figure->panels[i].title ? figure->panels[i].title : figure->title);
		(void)putc('\n', out);
		figure_tsv_write(out, &figure->panels[i]);
	}
	whole = out && tr_memstream_close(out);
	if (whole)
		write_data_link(html, block, text);
	free(text);
	return whole ? TR_OK : tr_no_memory(html->err, "the report");
}

static enum tr_status page_html_write_table(struct html_writer *html, const struct block *block)
{
	const struct table *table = block->table;

	(void)fprintf(html->out,
		      "<figure class=\"rows\" id=\"t%u\">\n<figcaption><b>Table %u.</b> ",
		      block->number, block->number);
	write_words(html, "", table_title(table), "");
	if (write_table_data(html, block) != TR_OK)
		return TR_ERROR;
	(void)fputs("</figcaption>\n", html->out);
	// A table wider than the page scrolls inside its frame, also by keyboard.
	(void)fprintf(html->out,
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Table %u\">\n",
		      block->number);
	table_write_html(table, html->out);
	(void)fputs("</div>\n", html->out);
	for (size_t i = 0; table_note_at(table, i); i++)
		write_words(html, "<p class=\"note\">", table_note_at(table, i), "</p>\n");
	(void)fputs("</figure>\n", html->out);
	return TR_OK;
}

static enum tr_status page_html_write_panel(struct html_writer *html, const struct figure *figure,
					    unsigned number, size_t index)
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
	// Not wider than it was drawn, so that all have one size of text.
	(void)fprintf(html->out, "<div class=\"panel\" style=\"max-width:%gpx\">\n",
		      figure_panel_width(figure));
	if (panel->title)
		write_words(html, "<h3>", panel->title, "</h3>\n");
	status = svg_write(html->out, &html->pictures, &names, &why);
	if (status != TR_OK)
		(void)tr_fail(html->err, "unexpected SVG from gnuplot: %.400s", why.text);
	else
		status = interactive_write_panel(html->out, panel, &html->pictures, html->err);
	(void)fputs("</div>\n", html->out);
	return status;
}

static enum tr_status page_html_write_figure(struct html_writer *html, const struct block *block)
{
	const struct figure *figure = block->figure;
	unsigned across = figure->across > 4 ? 4 : figure->across;

	(void)fprintf(html->out, "<figure id=\"f%u\">\n<div class=\"panels across%u\"",
		      block->number, across);
	if (figure->width > 0)
		(void)fprintf(html->out,
			      " style=\"max-width:none;width:auto;grid-template-columns:repeat("
			      "auto-fill,minmax(min(100%%,%upx),1fr))\"",
			      figure->width);
	(void)fputs(">\n", html->out);
	for (size_t i = 0; i < figure->panel_count; i++)
		if (page_html_write_panel(html, figure, block->number, i) != TR_OK)
			return TR_ERROR;
	(void)fprintf(html->out, "</div>\n<figcaption><b>Figure %u. ", block->number);
	write_words(html, "", figure->title, ".</b> ");
	write_words(html, "", figure->caption, "");
	if (write_figure_data(html, block) != TR_OK)
		return TR_ERROR;
	(void)fputs("</figcaption>\n</figure>\n", html->out);
	return TR_OK;
}

// A section, which the reader unfolds. Blocks before the first are always visible.
static void write_section(struct html_writer *html, const struct block *block)
{
	(void)fputs(html->folded ? "</div></details>\n" : "</header>\n<main>\n", html->out);
	(void)fprintf(html->out, "<details%s><summary><h2 id=\"s%u\">",
		      html->alone ? " open=\"open\"" : "", block->number);
	write_words(html, "", block->text, "</h2></summary><div>\n");
	html->folded = true;
}

static enum tr_status page_html_write_block(struct html_writer *html, const struct block *block)
{
	switch (block->type) {
	case BLOCK_SECTION: write_section(html, block); return TR_OK;
	case BLOCK_ANSWER:
		write_words(html, "<p class=\"answer\">", block->text, "</p>\n");
		return TR_OK;
	case BLOCK_PARAGRAPH: write_words(html, "<p>", block->text, "</p>\n"); return TR_OK;
	case BLOCK_QUOTE:
		(void)fputs("<pre tabindex=\"0\">", html->out);
		text_write_markup_lines(html->out, block->text);
		(void)fputs("</pre>\n", html->out);
		return TR_OK;
	case BLOCK_FACTS: table_write_html(block->table, html->out); return TR_OK;
	case BLOCK_TABLE: return page_html_write_table(html, block);
	case BLOCK_FIGURE: return page_html_write_figure(html, block);
	case BLOCK_BESIDE:
		(void)fputs("<div class=\"beside\">\n", html->out);
		html->beside = 3; // with this one
		return TR_OK;
	}
	return TR_OK;
}

static enum tr_status write_blocks(struct html_writer *html, const struct page *page)
{
	for (size_t i = 0; i < page->count; i++) {
		if (page_html_write_block(html, &page->blocks[i]) != TR_OK)
			return TR_ERROR;
		if (html->beside > 0 && --html->beside == 0)
			(void)fputs("</div>\n", html->out);
	}
	(void)fputs(html->folded ? "</div></details>\n</main>\n" : "</header>\n", html->out);
	return TR_OK;
}

static bool is_one_section(const struct page *page)
{
	size_t sections = 0;

	for (size_t i = 0; i < page->count; i++)
		sections += page->blocks[i].type == BLOCK_SECTION;
	return sections == 1 && page->blocks[0].type == BLOCK_SECTION;
}

enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err)
{
	struct html_writer html = {.out = out, .err = err, .alone = is_one_section(page)};
	char *pictures = NULL;
	enum tr_status status;

	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	if (page->figures && gnuplot_run(page, gnuplot_page, NULL, &pictures, err) != TR_OK)
		return TR_ERROR;
	html.pictures = pictures;
	write_head(&html, page);
	status = write_blocks(&html, page);
	write_words(&html, "<footer>\n<p>", footer, "</p>\n</footer>\n");
	if (page->figures)
		interactive_write_script(out);
	(void)fputs("</body>\n</html>\n", out);
	free(pictures);
	return status;
}
