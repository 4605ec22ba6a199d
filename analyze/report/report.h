// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of a report, recognised by their magic, and what is kept of each.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "file/source.h"
#include "report/carried.h"
#include "report/message_log.h"
#include "report/printed_tables.h"
#include "report/stream.h"
#include "stat/bursts/congestion.h"
#include "stat/collectives/exchange_run.h"
#include "stat/judge/panel.h"
#include "stream/header.h"
#include "stream/odd_times.h"
#include "stream/reader.h"
#include "text/model.h"
#include "value/escape.h"

// ---- likeness.c
// How close the traffic of the models is to a trace, by the criteria for choosing among families
// (stat/judge). One run of each model is compared with the whole trace; the yardstick is the
// distance between the trace's halves.

#define LIKENESS_PACKETS 2000000u // of a trace; longer ones are not compared

// What it keeps of one stream: packets until measured, then curves. 25 bytes a packet, then up to
// 10.
struct likeness {
	struct packet_sample packets;
	bool too_many;
	double *curve[JUDGE_CRITERIA]; // NULL: not measured
	struct judge_distance distance[JUDGE_CRITERIA];
	double score;
};

// What all models are compared with. Zero is valid: nothing.
struct likeness_measure {
	struct judge_panel panel;
	bool open;
};

// Starts without packets of a model that is generated in the ticks of this header. likeness_free
// frees it. TR_ERROR if out of memory.
enum tr_status likeness_new(struct likeness **out, const struct tr_header *header,
			    struct tr_error *err);

// Adds count packets, stride_bytes apart. Beyond LIKENESS_PACKETS it drops all.
enum tr_status likeness_add(struct likeness *likeness, const void *records, size_t stride_bytes,
			    size_t count, struct tr_error *err);

// Takes the trace as the data. With too few packets, or too many, the measure stays closed.
// TR_ERROR: out of memory.
enum tr_status likeness_open(struct likeness_measure *measure, struct likeness *trace,
			     struct tr_error *err);

// Measures the model's packets, from tick 0 to end_ticks, and drops them.
enum tr_status likeness_mark(struct likeness_measure *measure, struct likeness *model,
			     int64_t end_ticks, struct tr_error *err);

// NULL is accepted.
void likeness_free(struct likeness *likeness);

// Frees what it holds; nothing is open then.
void likeness_close(struct likeness_measure *measure);

// ---- report.c

#define REPORT_MODELS 64u // that are ranked
#define REPORT_STREAMS 4  // of traffic shown side by side in a section

// Bits, for sets of kinds that a section wants.
enum input_kind {
	INPUT_PACKETS = 1,
	INPUT_MODEL = 2,
	INPUT_DELIVERIES = 4,
	INPUT_LINKS = 8,
	INPUT_MESSAGES = 16,
	INPUT_SERIES = 32,
	INPUT_TABLES = 64,
	INPUT_CONGESTION = 256,	 // of a report: packets or links say something of congestion
	INPUT_COLLECTIVES = 512, // of a report: collective operations were found in messages
	INPUT_GENERATED = 128,	 // of a report: traffic that flitgen generated from a model
};
#define INPUT_ANY 127u

// Bins of a series stream.
struct series_sums {
	struct moments count;
	uint64_t bins;
	uint64_t size_bytes;
	int64_t width_ticks; // of the first bin
	bool mixed;	     // bins of other widths, nodes or classes came as well
	uint32_t node;
	uint8_t class;
	struct timeline timeline; // of the first bin's width, node and class
};

// Of the bursts and the microbursts to find.
struct burst_wishes {
	struct burst_gap_rule rule;
	struct num_ratio microburst_width; // seconds
};

struct input {
	enum input_kind kind;
	char name[TEXT_LABEL_BYTES];  // of the file, without its folder
	struct tr_reader *in;	      // NULL for a model or tables; lent
	bool whole;		      // read to its clean end
	char odd[TR_ODD_TIMES_BYTES]; // in the times of packets, deliveries or messages; "" if
				      // nothing is
	bool compared;		      // set by the caller: keep what likeness needs
	bool beside;		      // likewise: keep what side_by_side needs, also of deliveries
	double level;		      // of the intervals; set by the caller
	struct burst_wishes bursts;   // set by the caller
	struct model model;
	char *explanation; // of a model, in sentences; or NULL
	bool piped;	   // a model that cannot be read again
	bool no_generator; // of a model: flitgen is missing
	struct {
		char *label;
		uint64_t seed;
		uint32_t nodes; // as many as the trace has; 0: as the model has
		bool cut;	// the traffic was cut at the bound on packets
	} generated;		// of a model
	struct stream *stream;	// of packets, or generated from a model; of deliveries if there are
				// other inputs
	struct likeness *likeness; // likewise, if models are compared with a trace; else NULL
	struct carried *carried;
	struct congestion congestion; // of packets and deliveries
	struct link_map *links;
	struct message_log *messages;
	struct exchange_run *exchanges; // of messages, not longer than the log
	struct series_sums *series;
	struct printed_tables tables;
};

struct report {
	struct input *inputs;
	size_t count;
	unsigned kinds;			 // set of the inputs' kinds
	bool compare;			 // compare all with the first
	double level;			 // of the intervals
	uint64_t seed;			 // of traffic generated for comparison
	struct burst_wishes bursts;	 // set by the caller
	struct likeness_measure measure; // that the models are compared with
};

// Reads an opened trace to its end into the fields of its kind, and sets whole; in stays the
// caller's and must live as long as the input. TR_ERROR: out of memory, or a stream that is not in
// time order.
enum tr_status input_read(struct input *input, struct tr_reader *in, struct tr_error *err);

// What it adds to the kinds of its report: its own, and what was found in it.
unsigned input_kinds(const struct input *input);

// Frees the input's memory, but not the reader.
void input_clear(struct input *input);

// When its first packet was captured, in seconds since 1970. False if it has none or no origin of
// time.
bool input_begin_s(const struct input *input, time_t *seconds);

// The models by their distance from the trace, nearest first, then those not compared with it in
// order of the inputs: fills list with up to max, returns their number.
size_t report_models(const struct report *report, const struct input **list, size_t max);

// The streams of a report: the traces in order of the inputs, then the models' in the order of
// report_models. Fills list with up to max, returns their number.
size_t report_streams(const struct report *report, const struct stream **list, size_t max);

// A model's name in figures: its file without the common ending, in at most max characters. Returns
// out.
const char *report_model_name(const struct input *model, size_t max, char out[TEXT_LABEL_BYTES]);

// A stream's name among the others: "trace" or "model" if it is the only one of its kind, else its
// label or model's name, shortened to the height of a plot in a stack. Returns out.
const char *report_short_name(const struct report *report, const struct stream *stream,
			      char out[TEXT_LABEL_BYTES]);

// The first input of a kind, NULL if there is none.
const struct input *report_first(const struct report *report, enum input_kind kind);

// ---- surrogate.c
// Models: read, explained, and run by flitgen, to compare the traffic that they generate with the
// trace. flitgen is the one beside the running program, else the one on PATH.

// Packets generated at most: SURROGATE_FACTOR times those of the trace, between the bounds.
#define SURROGATE_FACTOR 4u
#define SURROGATE_PACKETS_MIN 100000u
#define SURROGATE_PACKETS_MAX 20000000u

// Reads a model text into the input; source stays the caller's. TR_ERROR: it is not a model, or
// flitgen refuses it or fails. TR_END: flitgen is missing, as err says; the model is read but not
// explained.
enum tr_status surrogate_read(struct input *input, struct tr_source *source, struct tr_error *err);

// Generates traffic from the input's model with the seed, for as long as the trace and, if the
// model is one for any number of nodes, for as many nodes (NULL: the model's own duration and
// nodes), and keeps of it what is kept of a trace. With a trace, the measure compares the two.
// TR_ERROR: flitgen fails, or out of memory.
enum tr_status surrogate_generate(struct input *input, const struct stream *trace, uint64_t seed,
				  struct likeness_measure *measure, struct tr_error *err);

#endif
