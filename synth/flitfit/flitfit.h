// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of flitfit share: the one-pass fit of a pulse train and the roles of nodes
// (fit_pulse.c), the fits of packets in memory (fit_families.c), of a parallel program
// (fit_program.c, fit_join.c, fit_held_out.c), the choice among families (fit_rank.c), also by
// their latency over a network (fit_net.c), and scaling (scale_models.c).
#ifndef SYNTH_FLITFIT_H
#define SYNTH_FLITFIT_H

#include "gen/families/family.h"
#include "gen/fit/doubt.h"
#include "gen/judge/ranking.h"
#include "stat/intervals/interval.h"
#include "stat/nodes/discovery.h"
#include "stat/nodes/role.h"
#include "table/table.h"
#include "tool/tool.h"

// The options.
struct fit_request {
	struct fit_options fit;
	const char *burst_gap; // the option; NULL: found
	int level_percent;
	struct opt_list families;
	struct table_style style;
	bool rank;	// print the ranking
	bool every;	// fit by several groupings
	bool all_nodes; // keep discovery and multicast
	bool force;	// write a model even if it is not to be trusted
	uint64_t replicates, seed;
	struct num_ratio memory_B;
	uint64_t max_packets;  // of this memory
	uint64_t scale;	       // node count to scale to
	struct opt_list rules; // scaling rules; none: the best
	const char *output, *write_all;
	const char *problem; // of a program: sizes
	const char *network; // over which the ranking carries the traffic; NULL: none
	struct opt_list fabric;
};

// A trace whose packets are in memory, and what is asked of it.
struct fit_source {
	struct tool *tool;
	const struct fit_request *request;
	const struct tr_reader *in;
	const struct packet_sample *sample;
};

// Runs --scale.
void fit_scale(struct tool *tool, struct fit_request *request);

// Converts the options to the ticks of this trace. TR_ERROR: it holds no packets.
enum tr_status fit_settle(const struct tr_reader *in, struct fit_request *request,
			  struct tr_error *err);

// Adds the packet to those left out if it is one of discovery (*aside: it is). With --all-nodes
// none is left out. TR_ERROR if out of memory.
enum tr_status fit_set_aside(const struct fit_request *request, struct discovery *discovery,
			     const struct tr_reader *in, const struct tr_packet *packet,
			     bool *aside, struct tr_error *err);

// Warns of the packets left out, and clears them. TR_ERROR after reporting that nothing is left.
enum tr_status fit_tell_aside(struct tool *tool, const char *trace, struct discovery *discovery);

// TR_ERROR after reporting that more than one packet, and all of them, have one time: no gap or
// rate can be fitted. Not with --force.
enum tr_status fit_check_times(struct tool *tool, const struct fit_request *request,
			       const char *trace, uint64_t packets, int64_t first_ticks,
			       int64_t last_ticks);

// Reads the packets of a trace into a sample, but for those that are left out (*aside: there are
// some). Returns the roles of nodes by id, for the caller to free; NULL after reporting a failure,
// also one that fit_tell_aside or fit_check_times reports.
enum tr_role *fit_read_packets(struct tool *tool, const struct fit_request *request,
			       struct tr_reader *in, struct packet_sample *sample, bool *aside);

// Whether the trace holds counts instead of packets.
bool fit_counts(const struct tr_reader *in);

// Reads the trace in one pass and fits a pulse train. TR_ERROR after reporting a failure.
enum tr_status fit_pulse_read(struct tool *tool, const struct fit_request *request,
			      struct tr_reader *in, struct pulse_fitted *out);

// Fits a parallel program to all operands.
void fit_program(struct tool *tool, const struct fit_request *request);

// The model for as many nodes, of the problem and for the iterations of the capture, with the
// acknowledgements of its hosts.
struct program_capture;
struct program_others;
void fit_program_model_for(const struct model *model, const struct program_capture *capture,
			   struct model *out);

// Joins captures of messages with those of packets, of as many nodes, which are left out then
// (fit_join.c): *count remain. What messages do not show of packets they have from these, and those
// of the same run as packets to compare with.
void fit_program_join(struct program_capture *each, size_t *count);

// Frees what the capture holds.
void fit_capture_clear(struct program_capture *capture);

// The packets that its model is compared with, which borrow those of the capture: all, or of
// recorded messages those of the iterations.
struct packet_sample fit_program_packets(const struct program_capture *capture);

// Whether a program's model holds for what was held out of a fit (fit_held_out.c): of captures that
// program_fit has taken, and with what it found that they leave open. Adds comments to the text.
// TR_END: it does not, and no --force; err says what is off. TR_ERROR: it cannot be run.
enum tr_status fit_held_out(struct tool *tool, const struct fit_request *request,
			    const struct program_capture *captures, size_t count,
			    struct program_others *others, struct model *text,
			    struct tr_error *err);

// Reads a stream of messages. Without ranks, the ids of nodes are ranks. Returns false after
// reporting an error.
struct program_trace;
bool fit_take_messages(struct tool *tool, struct tr_reader *in, struct program_trace *out);

// The ranks in a parallel program, by id, of the nodes that exchange payload in the sample, for the
// caller to free; UINT32_MAX of others. The controller is rank 0, the others are in the order of
// their addresses, numbers in them by value. *nodes: how many have ranks. NULL after reporting that
// memory ran out.
uint32_t *fit_ranks(struct tool *tool, const struct tr_names *names,
		    const struct packet_sample *sample, const enum tr_role *roles, uint32_t *nodes);

// No family given, or only the pulse train: reads the trace in one pass.
void fit_pulse_train(struct tool *tool, const struct fit_request *request, struct tr_reader *in);

// Families given: reads the packets into memory and fits.
void fit_families_run(struct tool *tool, const struct fit_request *request, struct tr_reader *in);

// Ranks several families and writes the requested outputs.
void fit_rank(const struct fit_source *source, const struct family *const *families, size_t count);

// Fits the family, with this grouping, to the whole sample and adds the model, with comments on how
// it was made, to the text, to be written to path (NULL: in the current folder). notes: of the fit;
// may be NULL. TR_END: not to be trusted, and no --force. TR_ERROR: it cannot be fitted; err says
// why.
enum tr_status fit_family_text(const struct fit_source *source, const struct family *family,
			       enum fit_by by, const char *path, struct model *text,
			       struct fit_notes *notes, struct tr_error *err);

// ---- The latency over a network: the mean and the 99th percentile of all packets, of a trace and
// of runs of models of it.

#define FIT_LOADS 3u

// The loads: the trace's own (0), and these shares of what the network carries of the trace if it
// is offered at once.
extern const double fit_loads[FIT_LOADS];

// At one load. NaN: none.
struct fit_load {
	double mean_us, p99_us;	   // means over the runs
	struct interval mean, p99; // Student's, kept above 0, of these
	double off, p99_off;	   // percent of the trace's
	double limit, p99_limit; // percent: 10, above the trace's own load two standard deviations
				 // of the runs, 10 to 30
};

enum fit_carries { FIT_CARRIES_NOT, FIT_CARRIES_OWN, FIT_CARRIES_ALL };

struct fit_latency {
	bool carried;		  // else the reason says why not
	enum fit_carries carries; // mean and 99th percentile are both within the limits: at the
				  // trace's own load, at all
	bool unsure;		  // a limit is inside an interval
	bool scales;		  // as judged_scales
	struct fit_load at[FIT_LOADS];	 // NaN where the network does not queue
	unsigned freedom;		 // free parameters of the fit to the whole trace
	char reason[JUDGE_REASON_BYTES]; // explains its rank
};

// Zero is empty; the caller frees each.
struct fit_net {
	struct fit_latency trace; // with the interval of flitsim, and none of its 99th percentile
	struct fit_latency *each; // by struct judged's place
	double speed[FIT_LOADS];  // of packets against the trace's own; 0: not carried at this load
	enum fit_carries poisson; // what a Poisson process carries: it does not tell families apart
};

// Carries the trace and runs of each family, fitted to the whole trace, over the request's network
// at all loads, and sorts the list: those that carry the latency at all loads first, then those
// that do at the trace's own, each with the fewest free parameters before others (where a Poisson
// process does as well: as they were, or the nearest at the other loads), then the nearest; those
// that could not be carried last. Returns false after reporting that the trace cannot be carried,
// or that memory ran out.
bool fit_net_carry(const struct fit_source *source, struct judged *list, size_t count,
		   struct fit_net *net);

// Columns of the ranking for the latency, and one row's cells (of the trace: without carries).
#define FIT_NET_COLUMN_COUNT 13u
void fit_net_columns(struct table *table);
void fit_net_cells(struct table *table, const struct fit_latency *latency);

// The notes below the ranking: what carries means, and the loads. poisson_carries: whether a
// Poisson process does as well as the first.
void fit_net_notes(struct table *table, const struct fit_request *request,
		   const struct fit_net *net, bool poisson_carries);

// The latency of these packets, its mean and its 99th percentile, in s. Over a switch (line: 0)
// nodes are hosts in the order in which they appear; over a line of so many switches node r is at
// switch r, and adapters are faster than links.
#define FIT_LINE_FABRIC "myrinet:preset=pci66,receive-reserve=64KiB"
enum tr_status fit_net_latency(const struct fit_request *request,
			       const struct packet_sample *packets, uint32_t line, double out[2],
			       struct tr_error *err);

// ---- fit_rank.c, and rank_table.c, which prints the ranking.

// A ranking of families, of which the best is written.
struct fit_choice {
	struct fit_source source;
	const struct judged *list;
	size_t count;
	const struct fit_net *net; // NULL: the distances alone decide
};

// The latency of this one of the list over the network; NULL without one.
const struct fit_latency *fit_choice_latency(const struct fit_choice *choice, size_t i);

// Whether this one of the list has a rank, and why it has that rank or none.
bool fit_choice_is_ranked(const struct fit_choice *choice, size_t i);
const char *fit_choice_reason(const struct fit_choice *choice, size_t i);

// Whether it generates traffic for any number of nodes.
bool fit_choice_scales(const struct fit_choice *choice, size_t i);

// With a network: whether a Poisson process carries the latency at all loads, so that the distances
// decide.
bool fit_choice_poisson_carries(const struct fit_choice *choice);

// Prints the ranking as a table, with the distance between the halves of the trace below it.
void fit_choice_print(const struct fit_choice *choice, const struct judge_panel *panel);

// ---- Whether to write a model.

// TR_OK: yes; also with --force, which then adds a comment to the text. TR_END: not to be trusted,
// as err says. TR_ERROR: it cannot be run; err says why. A program is carried over a switch, if no
// network is given.
enum tr_status fit_trust(const struct fit_source *source, const struct fit_doubt *doubt,
			 struct model *text, struct tr_error *err);

// The same where the reason is known; "": none.
enum tr_status fit_trust_reason(const struct fit_request *request, const char *reason,
				struct model *text, struct tr_error *err);

// Compares a program's model with the packets of its trace, also by their latency over a switch, by
// a few runs, and adds this to out. TR_ERROR: it cannot be run or carried; err says why.
enum tr_status fit_try_program(struct tool *tool, const struct fit_request *request,
			       const struct fit_doubt *doubt, const struct packet_sample *sample,
			       struct fit_comparison *out, struct tr_error *err);

// ---- What to type where a fit is refused: commands for a shell, with the names of the trace and
// of the output, which the caller frees. NULL if out of memory.

// The part of the trace whose halves can be compared. Also NULL where that is all of it, or none.
char *fit_advice_part(const struct fit_request *request, const char *trace,
		      const struct packet_sample *sample);

// Another family for so many packets: the closest one, if need be of a part of the sample (NULL:
// not in memory); a Poisson process if there are too few to compare families.
char *fit_advice_other(const struct fit_request *request, const char *trace, uint64_t packets,
		       const struct packet_sample *sample);

// This family.
char *fit_advice_family(const struct fit_request *request, const char *trace, const char *family);

// The time that parts the sample for a comparison: its middle or, where that leaves too few packets
// on one side, the time of the middle packet.
int64_t fit_middle(const struct packet_sample *sample);

// Whether so many packets can be parted into halves that can be compared.
bool fit_comparable(uint64_t packets);

// Whether the model goes to a file that the options name.
bool fit_writes_file(const struct fit_request *request);

// Writes the model to path unless something has failed.
void fit_write_model(struct tool *tool, const char *path, const struct model *text);

// Adds the comments of every fit: provenance and digest of the trace.
void fit_describe_source(struct tool *tool, const struct tr_reader *in, struct model *text);

// Adds the packet to the role finder; overhead is ignored. TR_ERROR where memory runs out.
enum tr_status fit_note_role(struct role_finder *finder, const struct tr_packet *packet,
			     const struct tr_names *names, struct tr_error *err);

// The roles by node id, which the caller frees: from the names, or found in this number of packets,
// with a warning. NULL after reporting that memory ran out.
enum tr_role *fit_roles(struct tool *tool, const struct role_finder *finder,
			const struct tr_names *names, uint64_t packets);

// Warns that only one node sends.
void fit_warn_lone(struct tool *tool);

#endif
