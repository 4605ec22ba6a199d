// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/escape.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "value/num.h"
#include "value/printable.h"

// Bytes of the UTF-8 character at text, 0 if invalid (RFC 3629: no overlong form, no surrogate).
static size_t character_bytes(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t bytes = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	uint32_t code = bytes == 1 ? at[0] : at[0] & (0x7fu >> bytes);
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	if (at[0] >= 0x80 && (at[0] < 0xc2 || at[0] > 0xf4))
		return 0;
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
	    (code & 0xfffe) == 0xfffe)
		return 0;
	return bytes;
}

// Returns the escape of a character, NULL for the character itself.
typedef const char *replacement(char character);

static const char *for_markup(char character)
{
	switch (character) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

// In double quotes, in which gnuplot 5.4 takes apostrophes as they are, unlike in single ones; a
// backquote would run a command.
static const char *for_gnuplot(char character)
{
	switch (character) {
	case '"': return "\\\"";
	case '\\': return "\\\\";
	case '`': return "\\140";
	default: return NULL;
	}
}

static const char *for_dot(char character)
{
	return character == '"' ? "\\\"" : character == '\\' ? "\\\\" : NULL;
}

static const char *for_tic(char character)
{
	return character == '%' ? "%%" : for_gnuplot(character);
}

static const char *for_markup_lines(char character)
{
	return character == '\n' ? "\n" : for_markup(character);
}

static const char *for_plain(char character)
{
	(void)character;
	return NULL;
}

static const char *for_plain_lines(char character)
{
	return character == '\n' ? "\n" : NULL;
}

static const char *for_latex(char character)
{
	switch (character) {
	case '&': return "\\&";
	case '%': return "\\%";
	case '$': return "\\$";
	case '#': return "\\#";
	case '_': return "\\_";
	case '{': return "\\{";
	case '}': return "\\}";
	case '~': return "\\textasciitilde{}";
	case '^': return "\\textasciicircum{}";
	case '\\': return "\\textbackslash{}";
	case '<': return "\\textless{}";
	case '>': return "\\textgreater{}";
	case '|': return "\\textbar{}";
	case '"': return "\\textquotedbl{}";
	case '[':
		return "{[}"; // at the start of a row it would be an argument of the end of the row
			      // before, as a star
	case '*': return "{*}";
	default: return NULL;
	}
}

// Control characters and direction marks are never text.
static bool is_control(const char *text, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)text;

	return (bytes == 1 && tr_is_unprintable(at[0])) ||
	       (bytes == 2 && tr_is_unprintable((at[0] & 0x1fu) << 6 | (at[1] & 0x3fu))) ||
	       (bytes == 3 &&
		tr_is_unprintable((at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu)));
}

static void write_part(FILE *out, const char *text, const char *end, replacement *replace)
{
	while (text < end) {
		size_t bytes = character_bytes(text);
		const char *other = replace(*text);

		if (other)
			(void)fputs(other, out);
		else if (bytes == 0)
			(void)fputs("\xef\xbf\xbd", out);
		else if (is_control(text, bytes))
			(void)putc(' ', out);
		else
			(void)fwrite(text, 1, bytes, out);
		text += bytes ? bytes : 1;
	}
}

static void write_replacing(FILE *out, const char *text, replacement *replace)
{
	write_part(out, text, text + strlen(text), replace);
}

// gnuplot writes "]]>" unchanged to its SVG, where XML forbids it: a word joiner, which has no
// width, parts it.
static void write_gnuplot(FILE *out, const char *text, replacement *replace)
{
	const char *end;

	(void)putc('"', out);
	for (; (end = strstr(text, "]]>")) != NULL; text = end + 2) {
		write_part(out, text, end + 2, replace);
		(void)fputs("\xe2\x81\xa0", out);
	}
	write_replacing(out, text, replace);
	(void)putc('"', out);
}

void text_write_dot(FILE *out, const char *text)
{
	(void)putc('"', out);
	write_replacing(out, text, for_dot);
	(void)putc('"', out);
}

void text_write_latex(FILE *out, const char *text)
{
	write_replacing(out, text, for_latex);
}

void text_write_markup(FILE *out, const char *text)
{
	write_replacing(out, text, for_markup);
}

// Whether a unit begins here and ends as a word.
static bool is_unit(const char *text)
{
	static const char *const units[] = {"ns", "µs", "ms", "s",  "B",
					    "kB", "MB", "GB", "TB", "%"};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const size_t bytes = strlen(units[i]);

		if (strncmp(text, units[i], bytes) == 0 && !isalnum((unsigned char)text[bytes]))
			return true;
	}
	return false;
}

void text_write_folded(FILE *out, const char *text)
{
	char *copy = strdup(text), *rest = copy;

	for (char *at = copy; at && (at = strchr(at, ' ')) != NULL; at++) {
		if (at == copy || !isdigit((unsigned char)at[-1]) || !is_unit(at + 1))
			continue;
		*at = '\0';
		text_write_markup(out, rest);
		(void)fputs("&#160;", out);
		rest = at + 1;
	}
	text_write_markup(out, copy ? rest : text);
	free(copy);
}

void text_write_markup_lines(FILE *out, const char *text)
{
	write_replacing(out, text, for_markup_lines);
}

void text_write_gnuplot(FILE *out, const char *text)
{
	write_gnuplot(out, text, for_gnuplot);
}

void text_write_gnuplot_tic(FILE *out, const char *text)
{
	write_gnuplot(out, text, for_tic);
}

void text_write_plain(FILE *out, const char *text)
{
	write_replacing(out, text, for_plain);
}

void text_write_plain_lines(FILE *out, const char *text)
{
	write_replacing(out, text, for_plain_lines);
}

size_t text_width(const char *text)
{
	size_t width = 0;

	while (*text) {
		size_t bytes = character_bytes(text);

		text += bytes ? bytes : 1;
		width++;
	}
	return width;
}

// Bytes of the first count characters.
static size_t prefix_bytes(const char *text, size_t count)
{
	const char *at = text;

	for (; *at && count > 0; count--) {
		size_t bytes = character_bytes(at);

		at += bytes ? bytes : 1;
	}
	return (size_t)(at - text);
}

const char *text_shorten(const char *text, size_t max, char out[TEXT_LABEL_BYTES])
{
	size_t width = text_width(text);
	int whole = (int)strlen(text), head, tail;

	if (max > (TEXT_LABEL_BYTES - 4) / 4)
		max = (TEXT_LABEL_BYTES - 4) / 4;
	if (width <= max) {
		(void)snprintf(out, TEXT_LABEL_BYTES, "%.*s", whole, text);
		return out;
	}
	head = (int)prefix_bytes(text, max / 2);
	tail = (int)prefix_bytes(text, width - (max - max / 2 - 1));
	(void)snprintf(out, TEXT_LABEL_BYTES, "%.*s…%s", head, text, text + tail);
	return out;
}

void text_write_uri(FILE *out, const char *text)
{
	for (; *text; text++) {
		const unsigned char byte = (unsigned char)*text;

		if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
		    (byte >= 'a' && byte <= 'z') || (byte && strchr("-._~", byte)))
			(void)putc(byte, out);
		else
			(void)fprintf(out, "%%%02X", byte);
	}
}

void text_write_shell(FILE *out, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
	const bool quoted = *word == '\0' || word[strspn(word, plain)] != '\0';

	if (quoted)
		fputc('\'', out);
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	if (quoted)
		fputc('\'', out);
}

void text_append(char *text, size_t bytes, const char *format, ...)
{
	const size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text + used, bytes - used, format, args);
	va_end(args);
}

void csv_write_text(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n");

	if (quoted)
		(void)putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			(void)putc('"', out);
		(void)putc(*text, out);
	}
	if (quoted)
		(void)putc('"', out);
}

// Whether a JSON string has the byte unescaped.
static bool is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

void json_write_text(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	(void)putc('"', out);
	while (*at) {
		size_t plain = 0;
		int length;

		while (is_plain(at[plain]))
			plain++;
		(void)fwrite(at, 1, plain, out);
		at += plain;
		if (!*at)
			break;
		length = tr_utf8_length(at);
		if (!length)
			(void)fputs("\\ufffd", out);
		else if (*at == '"' || *at == '\\')
			(void)fprintf(out, "\\%c", *at);
		else if (tr_is_unprintable(tr_utf8_decode(at, length))) // of at most four digits
			(void)fprintf(out, "\\u%04x", tr_utf8_decode(at, length));
		else
			(void)fwrite(at, 1, (size_t)length, out);
		at += length ? length : 1;
	}
	(void)putc('"', out);
}

void json_write_real(FILE *out, double value)
{
	char text[40];

	if (!isfinite(value)) {
		(void)fputs("null", out);
		return;
	}
	(void)fputs(num_format_real(value, 15, text, sizeof(text)), out);
}
