// SPDX-License-Identifier: GPL-3.0-or-later
// What a report is made from: each input, known by its magic, and what is kept of it.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/carried.h"
#include "report/printed_tables.h"
#include "report/stream.h"
#include "stat/judge/panel.h"
#include "trace/escape.h"
#include "trace/header.h"
#include "trace/model.h"
#include "trace/reader.h"
#include "trace/source.h"

// ---- likeness.c
// How like a trace the traffic of the models is, by the criteria of the choice among families (stat/judge). The whole trace is
// held against one run of each model; the yardstick is how far the trace's halves are from each other.

#define LIKENESS_PACKETS 2000000u // of a trace; longer ones are not compared

// What is kept of one stream for it: packets until they are measured, then curves. 25 bytes a packet, then up to 10.
struct likeness {
	struct packet_sample packets;
	bool too_many;
	double *curve[JUDGE_CRITERIA]; // NULL: not measured
	struct judge_distance distance[JUDGE_CRITERIA];
	double score;
};

// What all are held against. Zero is valid: nothing.
struct likeness_measure {
	struct judge_panel panel;
	bool open;
};

enum tr_status likeness_new(struct likeness **out, const struct tr_header *header, struct tr_error *err);

// Adds count packets, stride_bytes apart. Beyond LIKENESS_PACKETS all are forgotten.
enum tr_status likeness_add(struct likeness *likeness, const void *records, size_t stride_bytes, size_t count,
			    struct tr_error *err);

// Takes the trace for the data. Where it has too few packets, or too many, the measure stays closed. TR_ERROR: memory.
enum tr_status likeness_open(struct likeness_measure *measure, struct likeness *trace, struct tr_error *err);

// Measures the model's packets, which ran for seconds from tick 0 on, and forgets them.
enum tr_status likeness_mark(struct likeness_measure *measure, struct likeness *model, int64_t end_ticks, struct tr_error *err);

// NULL is accepted.
void likeness_free(struct likeness *likeness);

void likeness_close(struct likeness_measure *measure);

// ---- report.c

#define REPORT_MODELS 64u    // that are ranked
#define REPORT_STREAMS 4     // of traffic that a section shows side by side
#define INPUT_OPERATIONS 14u // enum tr_operation

// A set: what a section wants is several.
enum input_kind {
	INPUT_PACKETS = 1,
	INPUT_MODEL = 2,
	INPUT_DELIVERIES = 4,
	INPUT_LINKS = 8,
	INPUT_MESSAGES = 16,
	INPUT_SERIES = 32,
	INPUT_TABLES = 64,
	INPUT_GENERATED = 128, // of a report: what flitgen made of a model
};
#define INPUT_ANY 127u

// Messages by operation.
struct message_sums {
	struct moments duration_ticks[INPUT_OPERATIONS];
	struct moments size_bytes[INPUT_OPERATIONS];
	int64_t first_ticks, last_ticks;
	uint64_t messages;
};

// Bins that somebody else counted.
struct series_sums {
	struct moments count;
	uint64_t bins;
	uint64_t size_bytes;
	int64_t width_ticks; // of the first bin
	bool mixed;	     // other widths, nodes or classes came as well
	uint32_t node;
	uint8_t class;
	struct timeline timeline; // of the first bin's width, node and class
};

struct input {
	enum input_kind kind;
	char name[TEXT_LABEL_BYTES]; // of the file, without its folder
	struct tr_reader *in;	     // NULL for a model or tables; lent
	bool whole;		     // read to its clean end
	bool compared;		     // set by the caller: keep what likeness wants
	bool beside;		     // likewise: keep what side_by_side wants, also of deliveries
	double level;		     // of the intervals; set by the caller
	struct model model;
	char *explanation; // of a model, in sentences; or NULL
	bool piped;	   // a model that cannot be read again
	bool no_generator; // of a model: there is no flitgen
	char *generated_label;
	uint64_t generated_seed;
	bool generated_cut;	   // the generated traffic was ended by its number of packets
	struct stream *stream;	   // of packets, or generated from a model; of what was delivered, beside others
	struct likeness *likeness; // likewise, where models are held against a trace; else NULL
	struct carried *carried;
	struct link_map *links;
	struct message_sums *messages;
	struct series_sums *series;
	struct printed_tables tables;
};

struct report {
	struct input *inputs;
	size_t count;
	unsigned kinds;			 // set of those of the inputs
	bool compare;			 // all are held against the first
	double level;			 // of the intervals
	uint64_t seed;			 // of what is drawn for comparison
	struct likeness_measure measure; // that the models are held against
};

// Reads an opened trace to its end into what its kind wants; in stays the caller's and must live as long
// as the input. TR_ERROR: memory, or a stream that is not in order of time. How reading ended is whole.
enum tr_status input_read(struct input *input, struct tr_reader *in, struct tr_error *err);

// Frees what the input holds, but not the reader.
void input_clear(struct input *input);

// The models in order of their distance from the trace, the nearest first, then those that were not held against it in order of
// the inputs: fills list with up to max, returns how many.
size_t report_models(const struct report *report, const struct input **list, size_t max);

// The streams of a report: the traces in order of the inputs, then the models' as report_models has them. Fills list with up
// to max, returns how many.
size_t report_streams(const struct report *report, const struct stream **list, size_t max);

// What a model is called in a figure: its file without the ending that all have, in at most max characters. Returns out.
const char *report_model_name(const struct input *model, size_t max, char out[TEXT_LABEL_BYTES]);

// What a stream is called beside the others: "trace" or "model" where it is the only one of its sort, else its label, or
// its model's name, shortened to what one of several plots above one another is high. Returns out.
const char *report_short_name(const struct report *report, const struct stream *stream, char out[TEXT_LABEL_BYTES]);

// The first input of a kind, NULL where there is none.
const struct input *report_first(const struct report *report, enum input_kind kind);

// ---- surrogate.c
// Models: read, explained, and set to work by flitgen, so that what they generate can be looked at beside the trace. flitgen is
// the one beside the running program, else the one on PATH.

// Packets generated at most: SURROGATE_FACTOR times those of the trace, between the bounds.
#define SURROGATE_FACTOR 4u
#define SURROGATE_PACKETS_MIN 100000u
#define SURROGATE_PACKETS_MAX 20000000u

// Reads a model text into the input; source stays the caller's. TR_ERROR: it is no model, or flitgen refuses it or fails. TR_END:
// there is no flitgen, which err says; the model is read, and not explained.
enum tr_status surrogate_read(struct input *input, struct tr_source *source, struct tr_error *err);

// Generates traffic of the input's model for as long as the trace (NULL: the model's own duration) with
// the seed, and keeps of it what is kept of a trace. Beside a trace it is held against that by the measure. TR_ERROR: flitgen
// fails, or memory ends.
enum tr_status surrogate_generate(struct input *input, const struct stream *trace, uint64_t seed,
				  struct likeness_measure *measure, struct tr_error *err);

#endif
