// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text for where it is written. Every byte that comes from an input passes through one of
// these.
#ifndef VALUE_ESCAPE_H
#define VALUE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

#define TEXT_LABEL_BYTES 128

// Writes text as the content of an element or of a double-quoted attribute of HTML, SVG or XML, on
// one line: control characters become blanks, bytes that are not UTF-8 become U+FFFD.
void text_write_markup(FILE *out, const char *text);

// The same of words that may be folded: a number and its unit stay on one line.
void text_write_folded(FILE *out, const char *text);

// The same, keeping line breaks.
void text_write_markup_lines(FILE *out, const char *text);

// Writes text as a gnuplot string in double quotes on one line, in which nothing is expanded, with
// the same replacements. "]]>", which gnuplot does not escape in its SVG, gets a character without
// width in its middle.
void text_write_gnuplot(FILE *out, const char *text);

// The same for the label of a tic, in which gnuplot would expand "%".
void text_write_gnuplot_tic(FILE *out, const char *text);

// Writes text for a terminal or a plain text file, on one line or keeping line breaks, with the
// same replacements.
void text_write_plain(FILE *out, const char *text);
void text_write_plain_lines(FILE *out, const char *text);

// Writes text as a quoted string of Graphviz, on one line, with the same replacements.
void text_write_dot(FILE *out, const char *text);

// Writes text escaped for LaTeX, on one line.
void text_write_latex(FILE *out, const char *text);

// Writes text as the data of a "data:" URI: all but letters, digits and "-._~" become %XX.
void text_write_uri(FILE *out, const char *text);

// Writes a word as a shell reads it, quoted if necessary.
void text_write_shell(FILE *out, const char *word);

// Appends formatted text to the string in text, cut to at most bytes - 1 bytes in all.
void text_append(char *text, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

// Width of the text in columns: one for each character.
size_t text_width(const char *text);

// Shortens text to at most max characters, replacing its middle with an ellipsis. Returns out.
const char *text_shorten(const char *text, size_t max, char out[TEXT_LABEL_BYTES]);

// ---- single values of comma-separated text (RFC 4180)

// Writes text as one value, in quotes where it needs them.
void csv_write_text(FILE *out, const char *text);

// ---- single JSON values; reading JSON is jansson's work

// Writes text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD; the
// characters of tr_is_unprintable() are written as \u and four digits.
void json_write_text(FILE *out, const char *text);

// Writes value with the fewest digits that round-trip; null if it is not finite.
void json_write_real(FILE *out, double value);

#endif
