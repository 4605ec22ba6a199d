// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/latex_text.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "value/escape.h"

// Widths of cmr10 in hundredths of its size, from the blank to "~" (its TFM file).
static const unsigned char widths[] = {
	28, 28, 50, 83, 50, 83, 78, 28, 39, 39, 50, 78, 28, 33, 28, 50, 50, 50,	 50,
	50, 50, 50, 50, 50, 50, 50, 28, 28, 78, 78, 78, 47, 78, 75, 71, 72, 76,	 68,
	65, 78, 75, 36, 51, 78, 63, 92, 75, 78, 68, 78, 74, 56, 72, 75, 75, 103, 75,
	75, 61, 28, 50, 28, 50, 78, 28, 50, 56, 44, 56, 44, 31, 50, 56, 28, 31,	 53,
	28, 83, 56, 50, 56, 53, 39, 39, 39, 56, 53, 72, 53, 53, 44, 50, 28, 50,	 50};

#define SIZE_PT 10.0
#define OTHER 78u  // of a character that is not ASCII
#define NAMED 403u // of the name of a code point

static bool is_start(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

// What the report's own texts have beyond ASCII and LaTeX's fonts lack.
static const struct {
	const char *character, *latex;
} characters[] = {
	{"µ", "\\textmu{}"}, {"μ", "\\textmu{}"}, {"·", "$\\cdot$"},	{"→", "$\\to$"},
	{"×", "$\\times$"},  {"≤", "$\\leq$"},	  {"≥", "$\\geq$"},	{"−", "$-$"},
	{"±", "$\\pm$"},     {"…", "\\dots{}"},	  {"\u2060", ""},	{"⁻", "$^{-}$"},
	{"⁰", "$^{0}$"},     {"¹", "$^{1}$"},	  {"²", "$^{2}$"},	{"³", "$^{3}$"},
	{"⁴", "$^{4}$"},     {"⁵", "$^{5}$"},	  {"⁶", "$^{6}$"},	{"⁷", "$^{7}$"},
	{"⁸", "$^{8}$"},     {"⁹", "$^{9}$"},	  {"°", "$^{\\circ}$"}, {"--", "-{}-"},
};

#define FAMILIAR \
	0x180u // the first code point that LaTeX's own fonts may lack: what precedes is Latin

static uint32_t code_point(const char *text, size_t bytes)
{
	uint32_t point = (unsigned char)text[0] & (bytes == 1 ? 0x7fu : 0xffu >> (bytes + 1));

	for (size_t i = 1; i < bytes; i++)
		point = point << 6 | ((unsigned char)text[i] & 0x3fu);
	return point;
}

// The bytes of the character at text, and its code point if only some of LaTeX's engines can print
// it, else 0.
static size_t unfamiliar(const char *text, uint32_t *point)
{
	size_t bytes = 1;

	while (bytes < 4 && !is_start(text[bytes]))
		bytes++;
	*point = bytes > 1 ? code_point(text, bytes) : 0;
	if (*point < FAMILIAR)
		*point = 0;
	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++)
		if (strncmp(text, characters[i].character, strlen(characters[i].character)) == 0)
			*point = 0;
	return bytes;
}

static double width_of(const char *text, size_t bytes)
{
	unsigned sum = 0;

	for (size_t i = 0; i < bytes; i++) {
		const unsigned char byte = (unsigned char)text[i];

		if (byte >= ' ' && byte <= '~')
			sum += widths[byte - ' '];
		else if (byte >= 0xc0 || byte < 0x80) {
			uint32_t point;

			(void)unfamiliar(text + i, &point);
			sum += point ? NAMED : OTHER;
		}
	}
	return SIZE_PT * sum / 100;
}

double latex_width(const char *text)
{
	return width_of(text, strlen(text));
}

size_t latex_piece(const char *text, size_t longest)
{
	const size_t word = strcspn(text, " ");
	size_t at = 0, count = 0, letters = 0;

	if (*text == ' ')
		return strspn(text, " ");
	for (size_t i = 0; i < word; i++)
		letters += is_start(text[i]);
	if (letters <= longest)
		return word;
	while (at < word && count < longest) {
		at++;
		while (at < word && !is_start(text[at]))
			at++;
		count++;
		if (count > 1 && strchr("/_-:>.,;=&+|", text[at - 1]))
			break;
	}
	return at;
}

double latex_piece_width(const char *text, size_t longest)
{
	double widest = 0;

	for (size_t bytes; (bytes = latex_piece(text, longest)) > 0; text += bytes)
		if (*text != ' ')
			widest = fmax(widest, width_of(text, bytes));
	return widest;
}

// A letter of other scripts as itself, and where pdfTeX reads the article, which would stop at it,
// as the name of its code point.
static void write_unfamiliar(FILE *out, const char *letter, uint32_t point)
{
	(void)fprintf(out, "{\\ifdefined\\Umathcode %s\\else U+%04X\\fi}", letter, (unsigned)point);
}

// Writes the character or what stands for it; returns its bytes.
static size_t write_character(FILE *out, const char *text)
{
	char one[8] = "";
	uint32_t point;
	size_t bytes;

	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++)
		if (strncmp(text, characters[i].character, strlen(characters[i].character)) == 0) {
			(void)fputs(characters[i].latex, out);
			return strlen(characters[i].character);
		}
	bytes = unfamiliar(text, &point);
	memcpy(one, text, bytes);
	if (point > 0)
		write_unfamiliar(out, one, point);
	else
		text_write_latex(out, one);
	return bytes;
}

static bool parts_words(char byte)
{
	return byte == '\0' || strchr(" ()[],.:;", byte);
}

// What is math in running text: returns its bytes after writing it, or 0.
static size_t write_math(FILE *out, const char *text, char before)
{
	const bool begins = parts_words(before);
	size_t digits;

	if (text[0] == '-' && begins &&
	    (isdigit((unsigned char)text[1]) || (before == ' ' && text[1] == ' '))) {
		(void)fputs("$-$", out);
		return 1;
	}
	if (begins && text[0] == 'H' && parts_words(text[1])) {
		digits = strncmp(text + 1, " = ", 3) == 0 ? strspn(text + 4, "0123456789.") : 0;
		digits -= digits > 1 && text[3 + digits] == '.';
		if (digits == 0)
			(void)fputs("$H$", out);
		else
			(void)fprintf(out, "$H=%.*s$", (int)digits, text + 4);
		return digits == 0 ? 1 : 4 + digits;
	}
	if (begins && strncmp(text, "R/S", 3) == 0 && parts_words(text[3])) {
		(void)fputs("$R/S$", out);
		return 3;
	}
	digits = text[0] == '^' ? strspn(text + 1, "0123456789") : 0;
	if (digits > 0)
		(void)fprintf(out, "$^{%.*s}$", (int)digits, text + 1);
	return digits > 0 ? digits + 1 : 0;
}

void latex_write_words(FILE *out, const char *text, size_t longest)
{
	char before = '\0';

	for (size_t bytes; (bytes = latex_piece(text, longest)) > 0;) {
		const char *end = text + bytes;

		while (text < end) {
			// Two hyphens of an option are not the ligature of a dash.
			if (before == '-' && *text == '-')
				(void)fputs("{}", out);

			const size_t math = write_math(out, text, before);
			const size_t taken = math > 0 ? math : write_character(out, text);

			before = text[taken - 1];
			text += taken;
		}
		if (before != ' ' && *text != ' ' && *text != '\0')
			(void)fputs("\\allowbreak{}", out);
	}
}
