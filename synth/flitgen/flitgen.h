// SPDX-License-Identifier: GPL-3.0-or-later
// What the two halves of flitgen share: from a model (flitgen.c) and from a trace (replay_trace.c).
#ifndef SYNTH_FLITGEN_H
#define SYNTH_FLITGEN_H

#include "gen/families/family.h"
#include "stat/counts/bins.h"
#include "table/table.h"
#include "tool/tool.h"

// The options. Quantities that were not given are zero.
struct gen_request {
	uint64_t nodes, seed, count, ticks_per_s, loops;
	struct num_ratio time, until, counts, link_rate;   // of a model
	struct num_ratio stretch, shift, from, to, period; // of a replay
	const char *workload, *matrix, *output, *replay, *map, *load, *program;
	struct opt_list set; // words KEY=VALUE
	double stretched;    // factor by which the model's times are stretched (--load)
	double of_link;	     // the load as a share of the link's rate; 0: not known
	bool explain, compress, pairs;
	struct table_style style; // of the tables of --explain
};

// Progress of the output, and its limits besides the generator's own end.
struct gen_progress {
	uint64_t packets_left;
	uint64_t data_bytes_left;
	uint64_t written;
	int64_t end_ticks;		 // 0: no time limits it
	int64_t first_ticks, last_ticks; // of the packets written
};

// Nothing written yet; the limits are those of the request.
struct gen_progress gen_progress_make(const struct gen_request *request);

// Counts in progress. Must not be moved.
struct gen_counts {
	struct tr_writer *writer; // of the series; set before the first packet
	struct binner binner;
	int64_t next; // bin after the last written
	bool begun;
};

// Sets bins of this width, starting at the epoch of the stream's header. TR_ERROR where the width
// is not a whole number of ticks.
enum tr_status gen_counts_set(struct gen_counts *counts, struct num_ratio width,
			      const struct tr_header *header, struct tr_error *err);

// Adds count packets in order of time, and writes the bins that are complete. TR_ERROR where
// that fails.
enum tr_status gen_counts_add(struct gen_counts *counts, const struct tr_packet *packets,
			      size_t count, struct tr_error *err);

// Writes the last bin.
enum tr_status gen_counts_end(struct gen_counts *counts, struct tr_error *err);

// Where packets go: to the stream, or into counts written to it (NULL: no counts).
struct gen_output {
	struct tr_writer *writer;
	struct gen_counts *counts;
};

// Writes the generator's packets until it ends (TR_END), as much as was asked for is written
// (TR_END with nothing left) or something fails (TR_ERROR, after reporting it).
enum tr_status gen_write(struct tool *tool, struct generator *generator,
			 struct gen_progress *progress, const struct gen_output *out);

// Counts the generator's packets without writing them. TR_OK: there are as many as requested;
// TR_END: it ends earlier.
enum tr_status gen_suffices(struct generator *generator, struct gen_progress *progress,
			    struct tr_error *err);

// Warns if nothing failed but nothing was written.
void gen_tell_empty(struct tool *tool, const struct gen_progress *progress);

// Runs --read.
void gen_replay(struct tool *tool, const struct gen_request *request);

// The factor by which to stretch the model's times for the requested load; 1 without one, and for
// the family load, whose keys are set instead. *of_link is the load as a share of the link's rate,
// 0 where it is not known. TR_ERROR: not a load, or one beyond the clock.
enum tr_status gen_load(const struct gen_request *request, struct model *model, double *stretch,
			double *of_link, struct tr_error *err);

// The rate of a link, as given or that of Myrinet.
double gen_link_bps(const struct gen_request *request);

// Adds a table with the columns src, dst and bytes to a model as its pairs, and the number of nodes
// if it has none. The caller keeps source. TR_ERROR with file and line.
enum tr_status gen_read_matrix(struct model *model, struct tr_source *source, struct tr_error *err);

// With --pairs: tables of nodes and of what each sends each other one. TR_ERROR: the family does
// not know, or there are too many.
enum tr_status gen_pairs(const struct gen_request *request, const struct model *model,
			 const struct family *family, FILE *out, struct tr_error *err);

// Runs --explain. May set the model's number of nodes from the options.
void gen_explain(struct tool *tool, const struct gen_request *request, struct model *model);

// Reports why the model generates nothing and, where it is of other numbers of nodes, which one
// beside it scales.
void gen_refuse_model(struct tool *tool, const struct gen_request *request,
		      const struct tr_error *err);

// Writes the schedule of the program of processes that --program names. Reports errors.
void process_program_write(struct tool *tool, const struct gen_request *request);

#endif
