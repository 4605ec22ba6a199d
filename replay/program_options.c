// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_options.h"

#include <string.h>

size_t program_options_start(struct program_options *options, struct opt *rows)
{
	const struct opt table[] = {
		OPT_FILE(0, "program", &options->file,
			 "no trace: run this GOAL text, and send what it sends"),
		OPT_TIME(0, "overhead", &options->overhead_s,
			 "program: of the processor, for each message sent or received"),
		OPT_TIME(0, "byte-overhead", &options->byte_overhead_s,
			 "program: and for each further byte of it"),
		OPT_TIME(0, "message-gap", &options->gap_s,
			 "program: from one message to the next of an interface"),
		OPT_TIME(0, "byte-gap", &options->byte_gap_s, "program: and for each further byte"),
		OPT_SIZE(0, "eager", &options->eager_B,
			 "program: the largest message that is sent without asking"),
		OPT_SILENT_FILE(0, "messages", &options->messages,
				"program: write its messages as a stream"),
		OPT_SILENT_FLAG(0, "critical-path", &options->path,
				"program: what the last operation came after, step by step"),
		OPT_SILENT_FLAG(0, "waits", &options->waits,
				"program: for which messages the ranks waited"),
	};

	_Static_assert(sizeof(table) / sizeof(*table) == PROGRAM_OPTION_ROWS, "rows");
	*options = (struct program_options){
		.overhead_s = {0, 1}, .byte_overhead_s = {0, 1}, .gap_s = {0, 1},
		.byte_gap_s = {0, 1}, .eager_B = {65535, 1}};
	memcpy(rows, table, sizeof(table));
	return PROGRAM_OPTION_ROWS;
}
