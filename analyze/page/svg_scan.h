// SPDX-License-Identifier: GPL-3.0-or-later
// Tags and text of an SVG document, one after the other: as much of XML as gnuplot writes, the rest refused.
#ifndef REPORT_SVG_SCAN_H
#define REPORT_SVG_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/status.h"

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
	struct svg_piece name; // of a tag; of text its bytes, entities as they stand
	bool empty;	       // <name ... />
	struct svg_attribute attributes[SVG_ATTRIBUTES_MAX];
	size_t attribute_count;
};

// The next token of *text, which moves behind it. Declarations and comments are stepped over.
// TR_END at the end of the text; TR_ERROR where it is none of this.
enum tr_status svg_scan(const char **text, struct svg_token *token, struct tr_error *err);

bool svg_piece_is(struct svg_piece piece, const char *word);

// The attribute's value, an empty piece where it is absent.
struct svg_piece svg_attribute(const struct svg_token *token, const char *name);

#endif
