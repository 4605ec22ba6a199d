// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitsim share: its options, inputs and outputs of a run.
#ifndef REPLAY_FLITSIM_FLITSIM_H
#define REPLAY_FLITSIM_FLITSIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/outfile.h"
#include "input/keys_input.h"
#include "input/map_input.h"
#include "input/network_input.h"
#include "input/node_map.h"
#include "net/engine.h"
#include "net/fabric.h"
#include "net/routings/reroutes.h"
#include "program/program.h"
#include "stream/reader.h"
#include "table/opt.h"
#include "table/table.h"
#include "timeline/run_over_time.h"
#include "tool/tool.h"

// --- keyed_options.c

// --loggops: the costs of messages outside the network, named as in Hoefler, Schneider and
// Lumsdaine (2010); L is the network.
struct loggops_options {
	struct num_ratio overhead_s;	  // o
	struct num_ratio byte_overhead_s; // O
	struct num_ratio gap_s;		  // g
	struct num_ratio byte_gap_s;	  // G
	uint64_t eager_bytes;		  // S
};

// The keys, over struct loggops_options.
extern const struct key_kind loggops_keys;

// --mpi.
struct mpi_options {
	enum mpi_transport { MPI_TCP, MPI_RDMA } transport;
	enum mpi_connect { MPI_CONNECT_USE, MPI_CONNECT_FIRST, MPI_CONNECT_NEVER } connect;
	bool asks;
	bool envelope_apart;
	uint64_t acks;
	struct num_ratio ack_delay_s;
	uint64_t header_bytes;
	uint64_t envelope_bytes;
	uint64_t window_bytes;
	struct num_ratio pace_s;
	uint64_t burst;
	char late[KEY_TEXT_BYTES];
	char ack[KEY_TEXT_BYTES];
	char answer[KEY_TEXT_BYTES];
	char receive[KEY_TEXT_BYTES];
	uint64_t seed;
	enum mpi_resend { MPI_RESEND_BY_FABRIC, MPI_RESEND_NO, MPI_RESEND_YES } resend;
	bool sacks;
	uint64_t initial_window;
	struct num_ratio rto_least_s;
	struct num_ratio timeout_s; // of RDMA
	struct dcqcn_options {
		bool on;
		struct num_ratio gain;
		struct num_ratio alpha_s;
		struct num_ratio increase_s;
		uint64_t increase_bytes;
		struct num_ratio step_bps;
		struct num_ratio fast_step_bps;
		struct num_ratio least_bps;
		struct num_ratio notice_s;
	} dcqcn;
};

// The keys, over struct mpi_options.
extern const struct key_kind mpi_keys;

// Converts the options to parameters of a run, whose clock has ticks_per_s, whose largest worm has
// mtu_bytes, and whose network drops packets. TR_ERROR, naming the key, where one is out of range.
enum tr_status mpi_options_settle(const struct mpi_options *options, uint64_t ticks_per_s,
				  uint32_t mtu_bytes, bool drops, struct program_mpi *params,
				  struct tr_error *err);

// --mapper.
struct mapper_options {
	struct num_ratio period_s;
	struct num_ratio timeout_s;
	uint64_t tries;
	uint64_t scout_bytes;
};

// The keys, over struct mapper_options.
extern const struct key_kind mapper_keys;

// --- window.c

// --only: the links and the time that a trace of characters or a timeline is limited to.
struct sim_window {
	bool *links; // by number; NULL: all
	int64_t from_ticks;
	int64_t to_ticks;
};

// Reads names of links, none for all, and times "FROM..TO", each of which may be missing. TR_ERROR
// where a link does not exist or a time is malformed. Close it in any case.
enum tr_status sim_window_open(struct sim_window *window, const struct opt_list *only,
			       const struct net_topology *topology, uint64_t ticks_per_s,
			       struct tr_error *err);

// Frees what it holds; it is empty then.
void sim_window_close(struct sim_window *window);

// --- character_trace.c

// A trace of the characters on links in a time window, as text: a line for each, fields separated
// by tabs.

struct sim_outputs;

struct character_trace {
	FILE *file;
	struct tr_outfile *out; // NULL: standard output
	struct sim_window window;
	const struct net_topology *topology; // lent
	uint64_t ticks_per_s;
	struct net_watch watch; // for a run; valid while the trace is open
	struct sim_outputs *outputs;
	bool failed;
};

// Opens the trace at path ("-": standard output), limited by only, and writes the header line.
// TR_ERROR where that has a fault, or the file cannot be created or is one of the input files.
// Writing that fails is an output lost (sim_outputs_lost; outputs is lent), and reported by the
// close. Close it in any case.
enum tr_status character_trace_open(struct character_trace *trace, const char *path,
				    const struct opt_list *only, const struct net_setup *setup,
				    const struct tr_files *files, struct sim_outputs *outputs,
				    struct tr_error *err);

// Closes; the file gets its name if whole. TR_ERROR where writing failed, but to the standard
// output, which the tool checks.
enum tr_status character_trace_close(struct character_trace *trace, bool whole,
				     struct tr_error *err);

// --- sim_options.c

// The traffic and its senders.
struct sim_traffic_options {
	const char *map;	  // as map_input_open takes it
	int size;		  // enum tr_size_of
	struct num_ratio empty_B; // size of a packet without payload
	const char *mtu;	  // a size or "none"; NULL: the network's
	struct num_ratio mtu_B;
	bool ignore_unmapped;
};

// A program instead of a trace, and its outputs.
struct sim_program_options {
	struct opt_list files; // none: no program; several are jobs of one run
	const char *messages;  // NULL: not written
	bool path, waits;
	bool beside; // a trace is carried beside them
	int repeats; // 1: exact
};

// Warm-up and stop rule, NULL: not given; and what may be kept.
struct sim_run_options {
	const char *warmup; // a time or "auto"
	const char *stop;   // stop_rule_read
	struct num_ratio memory_B;
	uint64_t threads; // 0: as many as the process may use
};

struct sim_output_options {
	const char *deliveries; // NULL: none
	const char *links;	// NULL: none
	struct num_ratio interval_s;
	bool compress;
	int level_percent;
	const char *characters; // NULL: none; "-": standard output
	const char *timeline;	// NULL: none
	bool watch;
	struct opt_list only; // sim_window_open
	struct table_style style;
};

struct sim_options {
	const char *network;
	const char *routes;	// a rule or a file
	const char *engine;	// its name, or "auto"
	struct opt_list fabric; // its words
	bool print_fabric;
	struct sim_traffic_options traffic;
	struct sim_run_options run;
	struct sim_output_options output;
	struct sim_program_options program;
	struct {
		struct opt_list words; // none: no MPI
		struct mpi_options values;
	} mpi;
	struct {
		struct opt_list words; // none: no mapper
		struct mapper_options values;
	} mapper;
	struct {
		struct opt_list words;
		struct loggops_options values;
	} loggops;
	struct opt_list faults;
};

#define SIM_OPTION_ROWS 72u

// Sets the defaults, and the rows of the option table that change them.
void sim_options_start(struct sim_options *options, struct opt *rows);

// Reads the keys of --mpi, --mapper and --loggops. Returns false after reporting an error.
bool sim_options_read(struct sim_options *options, struct tool *tool);

// What --memory is shared out to, in parts of SIM_MEMORY_PARTS, and the bytes of a part.
enum sim_memory {
	SIM_MEMORY_WORMS = 4,	// under way
	SIM_MEMORY_TRAFFIC = 3, // packets behind segments, or a program
	SIM_MEMORY_TIMELINE = 1
};
#define SIM_MEMORY_PARTS 8u
uint64_t sim_memory_part(const struct sim_options *options, enum sim_memory part);

// For tool_spec.hint: the key that an unknown option may mean.
const char *sim_options_hint(const char *name, char *out, size_t out_bytes);

// TR_ERROR where a value is out of range, or an option has no effect on this kind of network. The
// MTU of the network is that of the options where they give none.
enum tr_status sim_options_check(struct sim_options *options, const struct tool *tool,
				 const struct fabric *fabric, struct tr_error *err);

// --- fault_options.c

// Faults as given by options: "link:host0-switch0.3@1ms..2ms", "host:host0@1ms..",
// "switch:switch0@..5ms". A link is both directions of the cable between two ends, in either order;
// a switch is all its cables.

extern const struct opt_choice fault_words[]; // of --fault

enum fault_check { FAULT_CHECK_WARN, FAULT_CHECK_NO, FAULT_CHECK_REFUSE };

struct fault_list {
	struct net_fault *faults;
	uint32_t count;
	bool reroutes;	     // reroute=TIME was given
	bool fails_over;     // failover=TIME
	int64_t delay_ticks; // of that
	unsigned check;	     // of old and new routes together: enum fault_check
	struct reroutes routes;
};

// Reads the words of --fault, times rounded to ticks of the simulation, and gives the setup, which
// has its topology, routes and clock, the faults, and the routes that follow them where that is
// requested; it has them as long as the list. TR_ERROR where a word is malformed or names something
// not in the network, or the rule cannot route what is left of it. Free it with fault_list_close in
// any case.
enum tr_status fault_list_open(struct fault_list *list, const struct sim_options *options,
			       const struct net_fabric *kind, struct net_setup *setup,
			       struct tr_error *err);

// Frees what it holds; it is empty then.
void fault_list_close(struct fault_list *list);

// Reads "FROM..TO" of length bytes: a missing end leaves its value unchanged. TR_ERROR, with the
// text, for anything else.
enum tr_status fault_window(const char *text, uint64_t ticks_per_s, int64_t *from_ticks,
			    int64_t *to_ticks, struct tr_error *err);

// --- sim_outputs.c

// The streams written by flitsim: the fate of each packet, and samples of each link. One that fails
// is ended and reported, and the run goes on as long as there is another output, of these or of
// others: tables, messages, characters, a timeline.

// Samples of links on their way to a stream: consecutive intervals in which every link did the same
// are written as one, so that a long silence or deadlock costs one record per link. Zero is a valid
// empty one.
struct link_samples {
	struct tr_writer *out; // lent
	uint32_t links;	       // all; from the first interval on those that have samples
	uint32_t filled;       // entries of now
	int64_t width_ticks;   // of one interval
	uint64_t written;      // records
	int64_t count;	       // intervals that held represents; 0: none is held
	struct tr_link *held;  // per link: the first of these intervals
	struct tr_link *now;   // the current interval
};

// NULL writers: not requested, or not open.
struct sim_outputs {
	struct tool *tool;
	const struct sim_output_options *options;
	struct tr_writer *deliveries;
	struct tr_writer *links;
	struct link_samples samples; // on their way to links
	unsigned working;	     // outputs of the run that have not failed
	bool failed;		     // one has
};

// Whether one of them is standard output, so that nothing else may be printed.
bool sim_outputs_on_stdout(const struct sim_output_options *options);

// Opens the requested streams. in: the header of the packets, whose origin they share; ticks_per_s:
// of the simulation. Sets *sampling so that samples begin and end at multiples of their width since
// the Unix epoch. Returns false after reporting an error, or if no output is left.
bool sim_outputs_open(struct sim_outputs *outputs, const struct tr_header *in, uint64_t ticks_per_s,
		      const struct net_topology *topology, struct net_sampling *sampling);

// Opens another stream that is written beside these, after them. Returns false after reporting that
// its file cannot be opened; *out is NULL if it is open, but could not be written, which is
// reported and an output lost.
bool sim_outputs_stream(struct sim_outputs *outputs, const char *path,
			const struct tr_header *header, struct tr_writer **out);

// Each does nothing if its stream is not open.
enum tr_status sim_outputs_name(struct sim_outputs *outputs, const struct tr_name *name,
				struct tr_error *err);
enum tr_status sim_outputs_delivery(struct sim_outputs *outputs, const struct tr_delivery *delivery,
				    struct tr_error *err);
enum tr_status sim_outputs_sample(struct sim_outputs *outputs, const struct tr_link *link,
				  struct tr_error *err);

// Notes that an output of the run, of these or another, has failed, which its owner reports.
// TR_ERROR: it was the last one.
enum tr_status sim_outputs_lost(struct sim_outputs *outputs, struct tr_error *err);

// Notes in the deliveries how the run ended (flit-trace(5)), and warns if it was saturated.
void sim_outputs_end(struct sim_outputs *outputs, const char *ended_by, bool saturated);

// Ends the links' stream, cleanly only if just outputs failed; the tool ends the other one.
void sim_outputs_close(struct sim_outputs *outputs);

// --- run_timeline.c

struct program_run;

// The timeline of a run: --timeline writes it, --watch browses it. Zero is a valid one that is not
// wanted.
struct run_timeline {
	struct tool *tool;
	const struct sim_options *options;
	struct sim_window window;
	struct timeline timeline;
	struct tr_outfile *out; // NULL: not written
	bool wanted;
};

// Whether the options ask for one.
bool run_timeline_is_wanted(const struct sim_options *options);

// TR_ERROR where the file's name promises no form that is written, or there is no terminal to
// browse on.
enum tr_status run_timeline_check(const struct sim_options *options, struct tr_error *err);

// Prepares for a run of setup, whose clock is settled; program NULL: a trace. Requests samples of
// the links unless setup already does. Returns false after reporting an error. Close it in any
// case.
bool run_timeline_open(struct run_timeline *run, struct tool *tool,
		       const struct sim_options *options, const struct fabric *fabric,
		       struct net_setup *setup, const struct program_run *program);

// Records, during the run; each does nothing if no timeline is wanted.
enum tr_status run_timeline_packet(struct run_timeline *run, const struct net_worm *worm,
				   const struct tr_delivery *delivery, struct tr_error *err);
enum tr_status run_timeline_message(struct run_timeline *run, const struct tr_message *message,
				    struct tr_error *err);
enum tr_status run_timeline_turn(struct run_timeline *run, const struct program_turn *turn,
				 struct tr_error *err);
void run_timeline_sample(struct run_timeline *run, const struct tr_link *sample);

// After the run, writes and browses it. program is NULL without one. Reports errors.
void run_timeline_finish(struct run_timeline *run, const struct program_run *program);

// Frees what it holds. An output that run_timeline_finish has not completed is dropped.
void run_timeline_close(struct run_timeline *run);

// --- cycle_report.c

// Prints the first cycle of a deadlock on standard error: as the verdict of the run, or as a
// warning where it was broken.
struct cycle_report {
	struct tool *tool;
	const struct net_topology *topology;
	const struct net_traffic *traffic;
	uint64_t ticks_per_s;
	uint64_t count; // cycles so far
	void (*say)(struct tool *tool, const char *format, ...)
		__attribute__((format(printf, 2, 3)));
};

// A struct net_wait_cycles' function; context: the report.
void cycle_report_put(void *context, const struct net_wait_cycle *cycle);

// --- table_names.c

// TR_ERROR if --table names one that the other options do not give; ports: ports of hosts are
// chosen.
enum tr_status table_names_check(const struct sim_options *options, bool ports,
				 struct tr_error *err);

// --- deadlock_report.c

// After a run, reports as its verdict that it ended in a deadlock or livelock, what it came from,
// and what helps; and warns of deadlocks that were broken. cycles: that were found, and reported;
// without one the routes are searched for one.
void deadlock_report(struct tool *tool, const struct net_fabric *kind,
		     const struct net_setup *setup, const struct net_totals *totals,
		     uint64_t cycles);

// Before a run with routes computed anew: warns of a cycle of old and new ones together, or returns
// false after reporting it, as the list says; also false where the tool has failed before.
bool deadlock_check_anew(struct tool *tool, const struct net_fabric *kind,
			 const struct fault_list *list, const struct net_setup *setup);

// Before a run, warns of deadlocks that these routes allow.
void deadlock_warn_risk(struct tool *tool, const struct fabric *fabric,
			const struct net_routes *routes);

// --- link_counts.c

// By link. Zero is a valid empty one.
struct link_counts {
	uint64_t *drops, *marks;	// NULL: the kind of network drops nothing
	struct net_link_pauses *pauses; // NULL: it does not pause
};

// Makes room. Returns false where memory runs out; close it in any case.
bool link_counts_open(struct link_counts *counts, const struct fabric *fabric,
		      const struct net_topology *topology);

// Has a run count; results lends them.
void link_counts_give(const struct link_counts *counts, struct net_results *results);

// Frees what it holds; it is empty then.
void link_counts_close(struct link_counts *counts);

// Writes at most LINK_TABLES tables: of the links that have drops and marks, and of the links and
// priorities that were told of pauses or had no room. Returns how many; the caller frees them.
#define LINK_TABLES 3u
size_t link_tables(const struct link_counts *counts, const struct net_topology *topology,
		   uint64_t ticks_per_s, struct table *tables[LINK_TABLES]);

#endif
