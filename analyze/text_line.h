// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of numbers: words separated by blanks, tabs or commas; what follows a # is skipped.
#ifndef ANALYZE_TEXT_LINE_H
#define ANALYZE_TEXT_LINE_H

#include <stdint.h>

#include "trace/source.h"
#include "trace/status.h"

#define TEXT_LINE_BYTES 65537 // of the longest line and its zero

// Copies the next line, without its end and comment, into line[TEXT_LINE_BYTES]; number, from 1, is for
// the messages. TR_END after the last.
enum tr_status text_line_next(struct tr_source *source, char *line, uint64_t number,
			      struct tr_error *err);

// Cuts the next word off *rest, which begins as the line; NULL where there is none.
char *text_line_word(char **rest);

#endif
