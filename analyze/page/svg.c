// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/svg.h"

#include <stdbool.h>
#include <string.h>

#include "page/palette.h"
#include "page/svg_scan.h"
#include "trace/escape.h"

#define DEPTH_MAX 32

struct rewriter {
	FILE *out;
	const struct svg_names *names;
	struct svg_piece open[DEPTH_MAX]; // names of the open elements
	bool written[DEPTH_MAX];	  // whether their tags are in the output
	size_t depth;
	unsigned skipped; // depth inside an element that is left out whole
	bool in_text;
};

// gnuplot's symbols gpPt0, gpPt1, ... drawn in place, so that no picture needs ids.
struct mark {
	const char *path;
	bool filled;
};

#define CIRCLE "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z"
#define SQUARE "M-1,-1h2v2h-2z"
#define UP "M0,-1.33L-1.33,.67H1.33z"
#define DOWN "M0,1.33L1.33,-.67H-1.33z"
#define DIAMOND "M0,-1.41L1.41,0L0,1.41L-1.41,0z"
#define PENTAGON "M0,-1.33L-1.265,-.411L-.782,1.067H.782L1.265,-.411z"

static const struct mark marks[] = {
	{"M-1,0h2M0,-1v2", false},
	{"M-1,-1L1,1M1,-1L-1,1", false},
	{"M-1,0h2M0,-1v2M-1,-1L1,1M-1,1L1,-1", false},
	{SQUARE, false},
	{SQUARE, true},
	{CIRCLE, false},
	{CIRCLE, true},
	{UP, false},
	{UP, true},
	{DOWN, false},
	{DOWN, true},
	{DIAMOND, false},
	{DIAMOND, true},
	{PENTAGON, false},
	{PENTAGON, true},
};

static void write_piece(FILE *out, struct svg_piece piece)
{
	bool blank = false;

	for (size_t i = 0; i < piece.bytes; i++) {
		bool now = strchr(" \t\r\n", piece.at[i]);

		if (!now || !blank)
			(void)putc(now ? ' ' : piece.at[i], out);
		blank = now;
	}
}

// The next whole number of the piece from *at on, -1 where there is none.
static int take_number(struct svg_piece piece, size_t *at)
{
	int value = 0;

	while (*at < piece.bytes && piece.at[*at] == ' ')
		(*at)++;
	if (*at == piece.bytes || piece.at[*at] < '0' || piece.at[*at] > '9')
		return -1;
	while (*at < piece.bytes && piece.at[*at] >= '0' && piece.at[*at] <= '9' && value < 1000)
		value = value * 10 + (piece.at[(*at)++] - '0');
	return value;
}

// "rgb( r, g, b)" as 0xrrggbb; false for anything else.
static bool read_rgb(struct svg_piece value, unsigned *rgb)
{
	size_t at = strlen("rgb(");

	if (value.bytes <= at || memcmp(value.at, "rgb(", at) != 0)
		return false;
	*rgb = 0;
	for (int i = 0; i < 3; i++, at++) {
		int part = take_number(value, &at);

		if (part < 0 || part > 255)
			return false;
		*rgb = *rgb << 8 | (unsigned)part;
	}
	return true;
}

// Writes fill or stroke with a colour that gnuplot wrote as the page's.
static void write_colour(FILE *out, const char *name, struct svg_piece value)
{
	unsigned rgb;

	if (read_rgb(value, &rgb))
		palette_write_attribute(out, name, rgb);
	else if (svg_piece_is(value, "black") || svg_piece_is(value, "currentColor"))
		(void)fprintf(out, " %s=\"currentColor\"", name);
	else if (svg_piece_is(value, "white"))
		(void)fprintf(out, " %s=\"var(--paper,#ffffff)\"", name);
	else
		(void)fprintf(out, " %s=\"%.*s\"", name, (int)value.bytes, value.at);
}

static bool is_one_of(struct svg_piece name, const char *const *words)
{
	for (; *words; words++)
		if (svg_piece_is(name, *words))
			return true;
	return false;
}

// What is taken over, where it is not the default that the page has anyway. Colours are written apart.
static bool is_kept(const struct svg_attribute *attribute)
{
	static const char *const kept[] = {"transform",
					   "d",
					   "points",
					   "cx",
					   "cy",
					   "r",
					   "x",
					   "y",
					   "dx",
					   "dy",
					   "stroke-width",
					   "stroke-dasharray",
					   "stroke-opacity",
					   "fill-opacity",
					   "text-anchor",
					   "shape-rendering",
					   "font-size",
					   "font-weight",
					   "font-style",
					   NULL};
	static const char *const defaults[][2] = {
		{"stroke-width", "1.00"}, {"font-size", "12.00"}, {"text-anchor", "start"}, {"fill-opacity", "1.000000"}};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (svg_piece_is(attribute->name, defaults[i][0]) && svg_piece_is(attribute->value, defaults[i][1]))
			return false;
	return is_one_of(attribute->name, kept);
}

static void write_attributes(FILE *out, const struct svg_token *token)
{
	for (size_t i = 0; i < token->attribute_count; i++) {
		const struct svg_attribute *attribute = &token->attributes[i];

		if (svg_piece_is(attribute->name, "fill")) {
			write_colour(out, "fill", attribute->value);
		} else if (svg_piece_is(attribute->name, "stroke")) {
			write_colour(out, "stroke", attribute->value);
		} else if (is_kept(attribute)) {
			(void)fprintf(out, " %.*s=\"", (int)attribute->name.bytes, attribute->name.at);
			write_piece(out, attribute->value);
			(void)putc('"', out);
		}
	}
}

// The groups that gnuplot opens for each thing with the values that the picture itself has.
static bool is_plain_group(const struct svg_token *token)
{
	return svg_piece_is(token->name, "g") && svg_attribute(token, "transform").bytes == 0 &&
	       (svg_attribute(token, "id").bytes || svg_piece_is(svg_attribute(token, "fill"), "none")) &&
	       (svg_attribute(token, "id").bytes || svg_piece_is(svg_attribute(token, "stroke"), "currentColor")) &&
	       (svg_attribute(token, "id").bytes || svg_piece_is(svg_attribute(token, "stroke-width"), "1.00"));
}

static void write_start(struct rewriter *rewriter, const struct svg_token *token)
{
	FILE *out = rewriter->out;

	(void)fputs("<svg class=\"plot\" role=\"img\" viewBox=\"", out);
	write_piece(out, svg_attribute(token, "viewBox"));
	(void)fprintf(out,
		      "\" aria-labelledby=\"%s-t %s-d\" fill=\"none\" stroke=\"currentColor\">\n"
		      "<title id=\"%s-t\">",
		      rewriter->names->id, rewriter->names->id, rewriter->names->id);
	text_write_markup(out, rewriter->names->title);
	(void)fprintf(out, "</title>\n<desc id=\"%s-d\">", rewriter->names->id);
	text_write_markup(out, rewriter->names->about);
	(void)fputs("</desc>\n", out);
}

static enum tr_status write_mark(FILE *out, const struct svg_token *token, struct tr_error *err)
{
	static const char prefix[] = "#gpPt";
	struct svg_piece link = svg_attribute(token, "xlink:href");
	struct svg_piece place = svg_attribute(token, "transform");
	size_t at = sizeof(prefix) - 1;
	int number = -1;

	if (link.bytes > at && memcmp(link.at, prefix, at) == 0)
		number = take_number(link, &at);
	if (number < 0 || number >= (int)(sizeof(marks) / sizeof(*marks)))
		return tr_fail(err, "the mark %.*s is unknown", (int)link.bytes, link.at);
	// The halo that gnuplot puts under marks, in the colour of a page that it does not know.
	if (svg_piece_is(svg_attribute(token, "color"), "white"))
		return TR_OK;
	(void)fprintf(out, "<path transform=\"%.*s\" d=\"%s\" stroke-width=\".25\"", (int)place.bytes, place.at,
		      marks[number].path);
	if (marks[number].filled)
		write_colour(out, "fill", svg_attribute(token, "color"));
	write_colour(out, "stroke", svg_attribute(token, "color"));
	(void)fputs("/>\n", out);
	return TR_OK;
}

static enum tr_status open_element(struct rewriter *rewriter, const struct svg_token *token, struct tr_error *err)
{
	static const char *const left_out[] = {"title", "desc", "defs", "rect", NULL};
	static const char *const kept[] = {"g", "path", "polygon", "polyline", "circle", "text", "tspan", NULL};
	bool written = false;

	if (rewriter->skipped || (rewriter->depth > 0 && is_one_of(token->name, left_out))) {
		rewriter->skipped += !token->empty;
		return TR_OK;
	}
	if ((rewriter->depth == 0) != svg_piece_is(token->name, "svg"))
		return tr_fail(err, "the element %.*s is out of place", (int)token->name.bytes, token->name.at);
	if (svg_piece_is(token->name, "use"))
		return write_mark(rewriter->out, token, err);
	if (svg_piece_is(token->name, "svg")) {
		if (token->empty)
			return tr_fail(err, "an empty picture");
		write_start(rewriter, token);
		written = true;
	} else if (!is_one_of(token->name, kept)) {
		return tr_fail(err, "the element %.*s is unknown", (int)token->name.bytes, token->name.at);
	} else if (!is_plain_group(token)) {
		(void)fprintf(rewriter->out, "<%.*s", (int)token->name.bytes, token->name.at);
		write_attributes(rewriter->out, token);
		(void)fputs(token->empty ? "/>\n" : ">", rewriter->out);
		written = true;
	}
	if (token->empty)
		return TR_OK;
	if (rewriter->depth == DEPTH_MAX)
		return tr_fail(err, "elements more than %d deep", DEPTH_MAX);
	rewriter->in_text = svg_piece_is(token->name, "text") || rewriter->in_text;
	rewriter->open[rewriter->depth] = token->name;
	rewriter->written[rewriter->depth++] = written;
	return TR_OK;
}

static enum tr_status close_element(struct rewriter *rewriter, const struct svg_token *token, struct tr_error *err)
{
	if (rewriter->skipped) {
		rewriter->skipped--;
		return TR_OK;
	}
	if (rewriter->depth == 0 || rewriter->open[rewriter->depth - 1].bytes != token->name.bytes ||
	    memcmp(rewriter->open[rewriter->depth - 1].at, token->name.at, token->name.bytes) != 0)
		return tr_fail(err, "an end without its beginning: %.*s", (int)token->name.bytes, token->name.at);
	if (rewriter->written[--rewriter->depth])
		(void)fprintf(rewriter->out, "</%.*s>%s", (int)token->name.bytes, token->name.at,
			      svg_piece_is(token->name, "tspan") ? "" : "\n");
	if (svg_piece_is(token->name, "text"))
		rewriter->in_text = false;
	return TR_OK;
}

enum tr_status svg_write(FILE *out, const char **text, const struct svg_names *names, struct tr_error *err)
{
	struct rewriter rewriter = {.out = out, .names = names};
	struct svg_token token;
	enum tr_status status;

	while ((status = svg_scan(text, &token, err)) == TR_OK) {
		if (token.type == SVG_TEXT && rewriter.in_text && !rewriter.skipped)
			write_piece(out, token.name);
		else if (token.type == SVG_OPEN)
			status = open_element(&rewriter, &token, err);
		else if (token.type == SVG_CLOSE)
			status = close_element(&rewriter, &token, err);
		if (status != TR_OK)
			return status;
		if (token.type == SVG_CLOSE && rewriter.depth == 0 && !rewriter.skipped)
			return TR_OK;
	}
	return status == TR_END ? tr_fail(err, "gnuplot's picture is not whole") : status;
}
