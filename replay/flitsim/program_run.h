// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a program, or several as jobs of one run, runs it over a network, and reports on it.
#ifndef FLITSIM_PROGRAM_RUN_H
#define FLITSIM_PROGRAM_RUN_H

#include "flitsim.h"
#include "net/drive/worm.h"
#include "sim_ports.h"

#define PROGRAM_TABLES_MAX 10u
struct program_run;
struct job_trace;
struct job_waits;

// A form of program text: a schedule of operations in GOAL, or processes whose values matter.
struct program_form {
	const char *magic; // with which its texts begin; of GOAL NULL
	// overrides: of parameters, NULL for none. TR_ERROR where the text is wrong.
	enum tr_status (*read)(struct program_run *run, struct tr_source *source,
			       const char *overrides, struct tr_error *err);
	uint32_t (*ranks)(const struct program_run *run); // or processors
	// What ranks send; NULL: that is known only when they have.
	enum tr_status (*pattern)(const struct program_run *run, struct place_pattern *pattern,
				  struct tr_error *err);
	// Prepares the run over the network of setup.
	enum tr_status (*open)(struct program_run *run, const struct fabric *fabric,
			       const struct net_setup *setup, struct tr_error *err);
	// Before the run: TOOL_NO, after reporting it, if the program can never finish; NULL: that
	// is not known.
	enum tool_status (*check)(struct program_run *run);
	// Makes the program the setup's traffic and receiver of results.
	void (*connect)(struct program_run *run, struct net_setup *setup);
	// After the run: TOOL_NO, after reporting it, if the program has not finished or a check of
	// its values failed.
	enum tool_status (*end)(struct program_run *run);
	// Writes at most PROGRAM_TABLES_MAX tables; returns how many.
	size_t (*tables)(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX]);
	void (*close)(struct program_run *run);
};

// What a word of --program, or the trace beside programs, says of its job, besides the file.
struct job_keys {
	struct num_ratio start_s;
	bool alone;		    // it also runs alone
	bool repeats;		    // it begins again until the others have ended
	bool cut;		    // of a trace: it ends with the programs
	char hosts[KEY_TEXT_BYTES]; // FROM..TO, where it is; empty: anywhere
	enum job_order { JOB_AS_ALL, JOB_BY_NUMBER, JOB_AT_RANDOM } order; // of these hosts
	enum job_unit { JOB_HOSTS, JOB_SWITCHES, JOB_GROUPS } unit;	   // at random
	uint64_t seed;							   // likewise
};

// The packets of a job that were delivered.
struct job_packets {
	uint64_t count, bytes;
	unsigned __int128 latency_ticks; // of all
};

// The jobs of a run, by number: those of the programs, then the trace. Zero: they begin at 0, and
// none was run alone.
struct job_runs {
	struct job_keys *keys;	      // NULL: one job, without keys
	struct program_plan *plans;   // of programs; NULL: likewise
	struct job_packets *packets;  // NULL: of one job, likewise the next two
	struct job_packets *by_alone; // in the run alone
	int64_t *alone_ticks;	      // -1: not known; NULL: of none
};

// One run of one program, or of several as jobs. Zero is a valid empty one.
struct program_run {
	struct tool *tool;
	struct sim_options *options;
	const struct program_form *form; // NULL: none was read
	struct goal_program goal;
	uint64_t goal_bytes;	 // of the programs read, in the share of --memory
	struct program *program; // of GOAL
	struct program_params params;
	struct job_runs jobs;
	struct job_trace *trace;     // beside the programs; NULL: none
	struct job_waits *waits;     // NULL: not asked
	struct study_values *values; // of processes
	uint32_t *host_of;	     // by rank
	struct net_wire *wires;	     // with RDMA: of the ranks' hosts
	struct map_result placed;
	struct tr_writer *messages;
	struct sim_outputs *outputs;
	struct sim_ports *ports;	  // lent; of hosts
	struct program_listener listener; // gets what came of worms, samples, messages, turns
	// With the listener's context: gets the names of ranks, and of a trace's nodes.
	enum tr_status (*name)(void *context, const struct tr_name *name, struct tr_error *err);
	bool reads_stdin;     // a program came from there
	const char *ended_by; // of the run, for the tables; static
	bool unfinished;      // it waits for ever
	struct net_topology
		hosts; // one per rank, if the network has no links and no other number is given
	uint64_t ticks_per_s;
};

// --- program_read.c

extern const struct program_form program_form_goal;

// The rule read of GOAL: a further program becomes another job.
enum tr_status program_read_goal(struct program_run *run, struct tr_source *source,
				 const char *overrides, struct tr_error *err);

// Reads the programs that the options of the run name, FILE or FILE:NAME=VALUE,...; the file "-" is
// standard input. Of several the ranks follow each other. Returns false after reporting an error.
bool program_run_read(struct program_run *run);

// --- program_run.c

// Prepares the run of the program over the network of setup, whose topology, params and clock are
// set; without links in the fabric and without --net it has one host per rank. TOOL_NO, after
// reporting it, if the program can never finish.
enum tool_status program_run_prepare(struct program_run *run, const struct fabric *fabric,
				     struct net_setup *setup);

// Makes the program the setup's traffic, and names its ranks.
enum tr_status program_run_start(struct program_run *run, const struct fabric *fabric,
				 struct net_setup *setup, struct tr_error *err);

// Writes a message to the stream of messages, if there is one. TR_ERROR: no other output is left.
enum tr_status program_run_put_message(struct program_run *run, const struct tr_message *message,
				       struct tr_error *err);

// --- job_places.c

#define RANK_NAME_BYTES 16u

// The name of a rank, in text.
void job_places_name(uint32_t rank, char text[RANK_NAME_BYTES], struct tr_name *name);

// Assigns ranks to hosts in run->host_of, unless each is on that of its number, and nodes of a
// trace beside them to others. kind: of the network. TR_ERROR: *err is empty if that was
// reported.
enum tr_status job_places_find(struct program_run *run, const struct net_setup *setup,
			       const struct net_fabric *kind, struct tr_error *err);

// --- job_trace.c

// Opens the trace that the operand names, beside the programs, and makes *ticks_per_s a clock of
// both. Its nodes, which follow the ranks, are named when they are read. Returns false after
// reporting an error; true, without one, where there is no operand.
bool job_trace_open(struct program_run *run, uint64_t *ticks_per_s);

// The map of its nodes, to be opened, which may be on room hosts.
struct node_map *job_trace_map(struct job_trace *trace, uint32_t room);

// For the programs' parameters; NULL: they wait for no trace.
const struct program_beside *job_trace_beside(const struct job_trace *trace);

// Before a run whose traffic and results are those of the programs: the packets of the trace go
// along. TR_ERROR where memory runs out.
enum tr_status job_trace_start(struct program_run *run, const struct fabric *fabric,
			       struct net_setup *setup, struct tr_error *err);

// Runs the trace alone, as job_runs_alone does. TR_ERROR where it cannot be read again, or fails.
enum tr_status job_trace_alone(struct program_run *run, const struct net_engine *engine,
			       const struct net_setup *setup, struct tr_error *err);

// What became of it, after the run: its nodes, and as of a program.
uint32_t job_trace_nodes(const struct job_trace *trace);
const char *job_trace_name(const struct job_trace *trace);
struct program_job job_trace_result(const struct job_trace *trace);

// Says what of it was cut, or is more than links carry. NULL does nothing; nor does the next.
void job_trace_tell(const struct job_trace *trace, const struct net_setup *setup);

// Whether its end has failed the run, which was reported.
bool job_trace_failed(const struct job_trace *trace, const struct tr_error *err);

// Frees it.
void job_trace_close(struct job_trace *trace);

// --- job_runs.c

// How many jobs there are; and that of a node of the streams.
uint32_t job_runs_count(const struct program_run *run);
uint32_t job_runs_of(const struct program_run *run, uint32_t node);

// Reads the keys behind the file of the job that is read next, or of the trace. TR_ERROR where they
// are wrong.
enum tr_status job_runs_read(struct program_run *run, const char *text, struct tr_error *err);
enum tr_status job_runs_read_trace(struct program_run *run, const char *text, struct tr_error *err);

// Adds a packet to those of its job. Nothing where there is one job, or no program.
void job_runs_add(struct program_run *run, const struct net_worm *worm,
		  const struct tr_delivery *delivery);

// Converts the keys of all jobs to parameters of a run. TR_ERROR where one is out of range.
enum tr_status job_runs_open(struct program_run *run, uint64_t ticks_per_s, struct tr_error *err);

// After the run: runs each of several jobs that have ended once more, alone on the same hosts. Does
// nothing for one, or without a program. Reports an error.
void job_runs_alone(struct program_run *run, const struct net_engine *engine,
		    const struct net_setup *setup);

// After the run: warns of jobs that did not repeat until the others had ended.
void job_runs_tell(const struct program_run *run);

// The caller frees it; NULL: there is one job, which says nothing.
struct table *job_runs_table(const struct program_run *run);

// Frees what it holds; it is empty then.
void job_runs_close(struct job_runs *jobs);

// --- job_waits.c

// With --waits and several jobs: has the setup of the engine tell who waits for whom on links, or
// warns that it cannot; where no engine was named it may take another. Returns false after
// reporting an error.
bool job_waits_begin_run(struct program_run *run, const struct fabric *fabric,
			 const struct net_engine **engine, struct net_setup *setup);

// After the run: adds up, and checks that nothing is left. Returns false after reporting an error.
bool job_waits_end_run(struct program_run *run, const struct net_totals *totals);

// The caller frees it; NULL: it was not asked, or not told.
struct table *job_waits_table(const struct program_run *run);

// Frees it; NULL does nothing.
void job_waits_close(struct job_waits *waits);

// --- program_tables.c

// The tables of a GOAL program. Reports an error where memory runs out.
size_t program_goal_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX]);

// --- program_run.c

// The most worms of a host that the network takes before they are delivered; 0: it takes none.
uint32_t program_run_window(const struct fabric *fabric);

// Reports a line of a verdict; and, if count is above told, how many more there are.
void program_tell(void *tool, const char *line);
void program_tell_more(struct tool *tool, size_t count, size_t told);

// Ends the messages' stream, cleanly only if nothing failed, and frees everything.
void program_run_close(struct program_run *run);

#endif
