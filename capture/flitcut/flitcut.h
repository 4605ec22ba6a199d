// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of flitcut share: which records it lets through, and the forms in which it writes
// them.
#ifndef FLITCUT_H
#define FLITCUT_H

#include <stdbool.h>

#include "stream/header.h"
#include "stream/text.h"
#include "table/opt.h"
#include "tool/tool.h"
#include "value/id_map.h"

// The filter options as given; NULL, an empty list and CUT_ANY match anything.
#define CUT_ANY (-1)

struct cut_wishes {
	const char *after; // TIME or @TIME
	const char *before;
	struct opt_list src, dst, node, link; // addresses and link texts
	int role, class_code, status, reason, operation;
	const char *size, *wire; // MIN..MAX
	const char *protocol;
	uint64_t port; // 0: any
};

#define CUT_ANYTHING \
	{ \
		.role = CUT_ANY, .class_code = CUT_ANY, .status = CUT_ANY, .reason = CUT_ANY, \
		.operation = CUT_ANY \
	}

#define CUT_RANGES_MAX 8u
#define CUT_SETS_MAX 4u

// A field's value must lie in min .. max.
struct cut_range {
	const struct tr_field *field;
	int64_t min, max;
};

// The id in one of the fields (other may be NULL) must have one of the words as its name.
struct cut_set {
	const struct tr_field *field, *other;
	enum tr_name_kind kind;
	const struct opt_list *words;
	bool nobody;		    // "other" is one of the words
	struct tr_id_array members; // 1 for an id in the set
};

// The wishes compiled for one kind of stream.
struct cut_filter {
	const struct tr_names *names;
	struct cut_range ranges[CUT_RANGES_MAX];
	size_t range_count;
	struct cut_set sets[CUT_SETS_MAX];
	size_t set_count;
	const struct tr_field *flow;	// NULL: protocol and ports are not tested
	const struct tr_field *ends[2]; // nodes whose role is tested
	size_t end_count;
	int role, protocol; // CUT_ANY: any
	unsigned port;	    // 0: any
};

// Compiles the wishes, lent until cut_filter_clear, for streams of this header and context.
// TR_ERROR: a wish is malformed or about a field that such records do not have.
enum tr_status cut_filter_make(struct cut_filter *filter, const struct cut_wishes *wishes,
			       const struct tr_header *header,
			       const struct tr_field_context *context, struct tr_error *err);

// Takes a name; to be called before records that use it.
enum tr_status cut_filter_name(struct cut_filter *filter, const struct tr_name *name,
			       struct tr_error *err);

// Whether the record passes the filter.
bool cut_filter_pass(const struct cut_filter *filter, const void *record);

// A word that matched no name in the streams read, *what being "node" or "link"; NULL: every word
// matched.
const char *cut_filter_unknown(const struct cut_filter *filter, const char **what);

// Frees the sets.
void cut_filter_clear(struct cut_filter *filter);

// ---- the forms in which flitcut writes records

struct cut_output;

// One form. open writes what precedes the records; false after reporting an error. name may be
// NULL. record returns false if no more records are needed (a failure shows at close). close (may
// be NULL) writes what follows the records, and an end mark only with a trailer.
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
	uint64_t pauses;	     // pcap: left out, as they are not of IP
	struct cut_npy *npy;
};

// Reads the list of fields; without one chooses all but the rare ones. by_name: not by headings,
// which promise a unit. false after reporting an error.
bool cut_choose_fields(struct cut_output *output, bool by_name);

// Prints the fields of all kinds of records, for --fields list.
enum tr_status cut_list_fields(struct table_style style, FILE *out, struct tr_error *err);

extern const struct cut_form *const cut_forms[];
extern const struct opt_choice cut_form_words[];

// Index of the form that the file name's ending asks for (".csv", ".ndjson", ".pcap", ".pcapng",
// ".flt", each also followed by ".zst"); -1: any.
int cut_form_of_name(const char *path);

extern const struct cut_form cut_form_pcap;
extern const struct cut_form cut_form_pcapng;
extern const struct cut_form cut_form_npy;

#endif
