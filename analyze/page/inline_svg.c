// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures as gnuplot writes them, read tag by tag and copied as far as they are drawings. Words in
// them come from inputs, so the page takes only elements and attributes that it knows, and no name
// that two pictures would share. Colours stay gnuplot's: the page's style has rules for them
// (palette.c).
#include "page/gnuplot.h"

#include <stdbool.h>
#include <string.h>

#include "value/escape.h"

// ---- a scanner for the subset of XML that gnuplot writes; the rest is refused

#define SVG_ATTRIBUTES_MAX 16

// A piece of the scanned text; lent.
struct svg_piece {
	const char *at;
	size_t bytes;
};

struct svg_attribute {
	struct svg_piece name;
	struct svg_piece value; // between its quotes
};

enum svg_token_type { SVG_TEXT, SVG_OPEN, SVG_CLOSE };

struct svg_token {
	enum svg_token_type type;
	struct svg_piece name; // of a tag; of text its bytes, with entities as written
	bool empty;	       // <name ... />
	struct svg_attribute attributes[SVG_ATTRIBUTES_MAX];
	size_t attribute_count;
};

#define BLANKS " \t\r\n"

static bool is(struct svg_piece piece, const char *word)
{
	return strlen(word) == piece.bytes && memcmp(piece.at, word, piece.bytes) == 0;
}

// The attribute's value, an empty piece if absent.
static struct svg_piece attribute_of(const struct svg_token *token, const char *name)
{
	for (size_t i = 0; i < token->attribute_count; i++)
		if (is(token->attributes[i].name, name))
			return token->attributes[i].value;
	return (struct svg_piece){"", 0};
}

static struct svg_piece take_name(const char **at)
{
	struct svg_piece name = {*at, strcspn(*at, BLANKS "=/<>'\"")};

	*at += name.bytes;
	return name;
}

static enum tr_status take_attribute(const char **at, struct svg_token *token, struct tr_error *err)
{
	struct svg_attribute attribute = {.name = take_name(at)};
	char quote;

	*at += strspn(*at, BLANKS);
	if (attribute.name.bytes == 0 || **at != '=' ||
	    token->attribute_count == SVG_ATTRIBUTES_MAX)
		return tr_fail(err, "expected an attribute at \"%.20s\"", attribute.name.at);
	(*at)++;
	*at += strspn(*at, BLANKS);
	quote = **at;
	if (quote != '\'' && quote != '"')
		return tr_fail(err, "expected a quote at \"%.20s\"", *at);
	(*at)++;
	attribute.value.at = *at;
	attribute.value.bytes = strcspn(*at, quote == '"' ? "\"<" : "'<\"");
	*at += attribute.value.bytes;
	if (**at != quote)
		return tr_fail(err, "expected the end of \"%.20s\"", attribute.value.at);
	(*at)++;
	token->attributes[token->attribute_count++] = attribute;
	return TR_OK;
}

// From after the "<" to after the ">".
static enum tr_status take_tag(const char **at, struct svg_token *token, struct tr_error *err)
{
	token->type = **at == '/' ? SVG_CLOSE : SVG_OPEN;
	*at += token->type == SVG_CLOSE;
	token->name = take_name(at);
	for (;;) {
		*at += strspn(*at, BLANKS);
		if (**at == '>' || (**at == '/' && (*at)[1] == '>'))
			break;
		if (take_attribute(at, token, err) != TR_OK)
			return TR_ERROR;
	}
	token->empty = **at == '/';
	*at += token->empty ? 2 : 1;
	return token->name.bytes ? TR_OK : tr_fail(err, "a tag without a name");
}

// Skips a declaration that begins with "<?" or "<!"; false if it does not end.
static bool skip_declaration(const char **at)
{
	const char *end = strncmp(*at, "<!--", 4) == 0 ? strstr(*at, "-->") : strchr(*at, '>');

	if (end)
		*at = strchr(end, '>') + 1;
	return end;
}

// The next token of *text, which moves past it. Skips declarations and comments. TR_END at the end
// of the text; TR_ERROR for anything else.
static enum tr_status scan(const char **text, struct svg_token *token, struct tr_error *err)
{
	token->attribute_count = 0;
	token->empty = false;
	while ((*text)[0] == '<' && ((*text)[1] == '?' || (*text)[1] == '!'))
		if (!skip_declaration(text))
			return tr_fail(err, "a comment without an end");
	if (**text == '\0')
		return TR_END;
	if (**text == '<') {
		(*text)++;
		return take_tag(text, token, err);
	}
	token->type = SVG_TEXT;
	token->name = (struct svg_piece){*text, strcspn(*text, "<")};
	*text += token->name.bytes;
	return TR_OK;
}

// ---- the picture

#define DEPTH_MAX 32

struct copy {
	FILE *out;
	const struct svg_names *names;
	struct svg_piece open[DEPTH_MAX]; // names of the open elements
	bool written[DEPTH_MAX];	  // whether their tags are in the output
	size_t depth;
	unsigned skipped; // depth inside an element that is left out
	bool in_text;
};

// gnuplot's symbols gpPt0, gpPt1, ..., which it writes into every picture; the page has them once.
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

#define MARKS (sizeof(marks) / sizeof(*marks))

void svg_write_marks(FILE *out)
{
	(void)fputs("<svg class=\"marks\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n",
		    out);
	for (size_t i = 0; i < MARKS; i++)
		(void)fprintf(out,
			      "<path id=\"gpPt%zu\" d=\"%s\" fill=\"%s\" stroke=\"currentColor\" "
			      "stroke-width=\".25\"/>\n",
			      i, marks[i].path, marks[i].filled ? "currentColor" : "none");
	(void)fputs("</defs></svg>\n", out);
}

static bool is_mark(struct svg_piece link)
{
	char id[16];

	for (size_t i = 0; i < MARKS; i++) {
		(void)snprintf(id, sizeof(id), "#gpPt%zu", i);
		if (is(link, id))
			return true;
	}
	return false;
}

// Reduces blanks to one; for an attribute removes those that pad its numbers: rgb(0,114,178).
static void write_piece(FILE *out, struct svg_piece piece, const char *unblanked)
{
	char before = '\0';

	for (size_t i = 0; i < piece.bytes; i++) {
		const char now = strchr(BLANKS, piece.at[i]) ? ' ' : piece.at[i];

		if (now != ' ' || !before || !strchr(unblanked, before))
			(void)putc(now, out);
		before = now;
	}
}

static struct svg_piece piece_of(const char *word)
{
	return (struct svg_piece){word, strlen(word)};
}

static void write_attribute(FILE *out, struct svg_piece name, struct svg_piece value)
{
	(void)fprintf(out, " %.*s=\"", (int)name.bytes, name.at);
	write_piece(out, value, " (,");
	(void)putc('"', out);
}

// Whether words, separated by blanks, contains the name.
static bool is_one_of(struct svg_piece name, const char *words)
{
	for (size_t bytes; *words; words += bytes + (words[bytes] == ' ')) {
		bytes = strcspn(words, " ");
		if (bytes == name.bytes && memcmp(words, name.at, bytes) == 0)
			return true;
	}
	return false;
}

// Uses the page's font, which has the size of gnuplot's.
static void write_attributes(FILE *out, const struct svg_token *token)
{
	static const char kept[] = "transform d points cx cy r x y dx dy fill stroke stroke-width "
				   "stroke-dasharray stroke-opacity "
				   "fill-opacity text-anchor shape-rendering";

	for (size_t i = 0; i < token->attribute_count; i++)
		if (is_one_of(token->attributes[i].name, kept))
			write_attribute(out, token->attributes[i].name, token->attributes[i].value);
}

static enum tr_status write_mark(FILE *out, const struct svg_token *token, struct tr_error *err)
{
	const struct svg_piece link = attribute_of(token, "xlink:href");

	if (!is_mark(link))
		return tr_fail(err, "the mark %.*s is unknown", (int)link.bytes, link.at);
	// The halo that gnuplot puts under marks, in an assumed page colour.
	if (is(attribute_of(token, "color"), "white"))
		return TR_OK;
	(void)fputs("<use", out);
	write_attribute(out, piece_of("href"), link);
	write_attribute(out, piece_of("transform"), attribute_of(token, "transform"));
	write_attribute(out, piece_of("color"), attribute_of(token, "color"));
	(void)fputs("/>\n", out);
	return TR_OK;
}

// The groups that gnuplot opens for each object with the picture's own values.
static bool is_plain_group(const struct svg_token *token)
{
	return is(token->name, "g") && attribute_of(token, "transform").bytes == 0 &&
	       (attribute_of(token, "id").bytes || is(attribute_of(token, "fill"), "none")) &&
	       (attribute_of(token, "id").bytes ||
		is(attribute_of(token, "stroke"), "currentColor")) &&
	       (attribute_of(token, "id").bytes || is(attribute_of(token, "stroke-width"), "1.00"));
}

static void write_start(struct copy *copy, const struct svg_token *token)
{
	FILE *out = copy->out;

	(void)fputs("<svg class=\"plot\" role=\"img\"", out);
	write_attribute(out, piece_of("viewBox"), attribute_of(token, "viewBox"));
	(void)fprintf(out,
		      " aria-labelledby=\"%s-t %s-d\" fill=\"none\" stroke=\"currentColor\">\n"
		      "<title id=\"%s-t\">",
		      copy->names->id, copy->names->id, copy->names->id);
	text_write_markup(out, copy->names->title);
	(void)fprintf(out, "</title>\n<desc id=\"%s-d\">", copy->names->id);
	text_write_markup(out, copy->names->about);
	(void)fputs("</desc>\n", out);
}

static enum tr_status open_element(struct copy *copy, const struct svg_token *token,
				   struct tr_error *err)
{
	static const char left_out[] = "title desc defs rect";
	static const char kept[] = "g path polygon polyline circle text tspan";
	bool written = false;

	if (copy->skipped || (copy->depth > 0 && is_one_of(token->name, left_out))) {
		copy->skipped += !token->empty;
		return TR_OK;
	}
	if ((copy->depth == 0) != is(token->name, "svg"))
		return tr_fail(err, "the element %.*s is out of place", (int)token->name.bytes,
			       token->name.at);
	if (is(token->name, "use"))
		return write_mark(copy->out, token, err);
	if (is(token->name, "svg")) {
		if (token->empty)
			return tr_fail(err, "an empty picture");
		write_start(copy, token);
		written = true;
	} else if (!is_one_of(token->name, kept)) {
		return tr_fail(err, "the element %.*s is unknown", (int)token->name.bytes,
			       token->name.at);
	} else if (!is_plain_group(token)) {
		(void)fprintf(copy->out, "<%.*s", (int)token->name.bytes, token->name.at);
		write_attributes(copy->out, token);
		(void)fputs(token->empty ? "/>\n" : ">", copy->out);
		written = true;
	}
	if (token->empty)
		return TR_OK;
	if (copy->depth == DEPTH_MAX)
		return tr_fail(err, "elements more than %d deep", DEPTH_MAX);
	copy->in_text = is(token->name, "text") || copy->in_text;
	copy->open[copy->depth] = token->name;
	copy->written[copy->depth++] = written;
	return TR_OK;
}

static enum tr_status close_element(struct copy *copy, const struct svg_token *token,
				    struct tr_error *err)
{
	if (copy->skipped) {
		copy->skipped--;
		return TR_OK;
	}
	if (copy->depth == 0 || copy->open[copy->depth - 1].bytes != token->name.bytes ||
	    memcmp(copy->open[copy->depth - 1].at, token->name.at, token->name.bytes) != 0)
		return tr_fail(err, "an end without its beginning: %.*s", (int)token->name.bytes,
			       token->name.at);
	if (copy->written[--copy->depth])
		(void)fprintf(copy->out, "</%.*s>%s", (int)token->name.bytes, token->name.at,
			      is(token->name, "tspan") ? "" : "\n");
	if (is(token->name, "text"))
		copy->in_text = false;
	return TR_OK;
}

enum tr_status svg_write(FILE *out, const char **text, const struct svg_names *names,
			 struct tr_error *err)
{
	struct copy copy = {.out = out, .names = names};
	struct svg_token token = {.type = SVG_TEXT};
	enum tr_status status;

	while ((status = scan(text, &token, err)) == TR_OK) {
		if (token.type == SVG_TEXT && copy.in_text && !copy.skipped)
			write_piece(out, token.name, " ");
		else if (token.type == SVG_OPEN)
			status = open_element(&copy, &token, err);
		else if (token.type == SVG_CLOSE)
			status = close_element(&copy, &token, err);
		if (status != TR_OK)
			return status;
		if (token.type == SVG_CLOSE && copy.depth == 0 && !copy.skipped)
			return TR_OK;
	}
	return status == TR_END ? tr_fail(err, "gnuplot's picture is not whole") : status;
}

void svg_write_boxes(FILE *out, const char **text)
{
	static const char begin[] = "<!--boxes";
	const char *at = *text + strspn(*text, BLANKS);
	const char *separator = "";

	if (strncmp(at, begin, strlen(begin)) != 0)
		return;
	for (at += strlen(begin); *at == ' ';) {
		const size_t bytes = strspn(++at, "0123456789.");

		(void)fprintf(out, "%s%.*s", separator, (int)bytes, at);
		separator = ",";
		at += bytes;
	}
	at += strcspn(at, ">");
	*text = at + (*at == '>');
}
