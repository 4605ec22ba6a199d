// SPDX-License-Identifier: GPL-3.0-or-later
// The text that says how a stream was made: an indented tree, one line an item.
//
//   flitcut 1.2.3
//     option --fields=time,size
//     input fft.flt
//       flitcap 1.2.3
//         option --read=fft.pcap.zst
#ifndef STREAM_PROVENANCE_H
#define STREAM_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>

// Zero is a valid empty one. text is NULL or zero-terminated.
struct tr_provenance {
	char *text;
	size_t bytes;
	bool failed; // out of memory; the text is incomplete
};

// Adds "word rest" at the given depth (two blanks each).
void tr_provenance_line(struct tr_provenance *provenance, unsigned depth, const char *word,
			const char *rest);

// Adds the lines of text, indented by depth.
void tr_provenance_nest(struct tr_provenance *provenance, unsigned depth, const char *text);

// Adds "input NAME" with its history below; only the last component of the path is kept.
void tr_provenance_input(struct tr_provenance *provenance, unsigned depth, const char *path,
			 const char *history);

// The last component of a path; lent from path.
const char *tr_provenance_base(const char *path);

// Frees the text; the struct is empty afterwards.
void tr_provenance_clear(struct tr_provenance *provenance);

#endif
