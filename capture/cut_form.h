// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which flitcut writes records.
#ifndef CUT_FORM_H
#define CUT_FORM_H

#include "trace/field_text.h"
#include "trace/id_map.h"
#include "trace/opt.h"
#include "trace/text.h"
#include "trace/tool.h"

struct cut_output;

// One form. open writes what stands before the records; false after a failure, which is printed. name may be
// NULL. record gives false where no more need come (the failure is found at close). close (may be
// NULL) writes what stands behind, and the end only with a trailer.
struct cut_form {
	const char *word;
	bool ordered; // records must not step back unless the header says so
	bool (*open)(struct cut_output *output);
	void (*name)(struct cut_output *output, const struct tr_name *name);
	bool (*record)(struct cut_output *output, const union tr_record *record);
	void (*close)(struct cut_output *output, const struct tr_trailer *trailer);
};

// An output and what its form keeps.
struct cut_output {
	const struct cut_form *form;
	struct tool *tool;
	const char *path;
	struct tr_writer_options writing;
	const char *field_list; // as asked for; NULL: all
	struct tr_header header;
	struct tr_field_context context;
	const struct tr_field *fields[TR_TEXT_FIELDS_MAX];
	size_t field_count;
	char headings[TR_TEXT_FIELDS_MAX][32];
	FILE *file;
	struct tr_writer *writer;
	struct tr_text_writer *text;
	struct tr_id_array sequence; // pcap: of the next byte of each flow
};

extern const struct cut_form *const cut_forms[];
extern const struct opt_choice cut_form_words[];

// Index of the form that a file of this name has (".csv", ".ndjson", ".pcap", ".pcapng", ".flt"; with
// ".zst" behind it or not); -1: any.
int cut_form_of_name(const char *path);

extern const struct cut_form cut_form_pcap;
extern const struct cut_form cut_form_pcapng;

#endif
