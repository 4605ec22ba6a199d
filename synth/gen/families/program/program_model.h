// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program by its phases: who sends whom how much after what, for any number of nodes.
// The parameters of the family "program" (man/flit-model.5). Rank r of the program is node r; rank
// 0 is the controller.
//
// Times of an iteration follow from a max-plus recurrence (Baccelli, Cohen, Olsder, Quadrat:
// Synchronization and Linearity, 1992): a message begins at the latest end of what it waits for
// plus a time of computing, and when the ports at both of its ends are free (program_times.c).
#ifndef GEN_FAMILIES_PROGRAM_MODEL_H
#define GEN_FAMILIES_PROGRAM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/families/family.h"
#include "gen/law.h"
#include "text/model.h"
#include "value/status.h"

#define PROGRAM_NODES_MAX 65536u
#define PROGRAM_MESSAGES_MAX (UINT32_C(1) << 22) // of an iteration
#define PROGRAM_PHASES_MAX 1024u
#define PROGRAM_STALLS_MAX 0.9

// a p^b N^c, with p nodes and a problem of size N.
struct program_power {
	double a, p_exponent, n_exponent;
};

// Its value for so many nodes and this size of the problem.
double program_power_of(const struct program_power *power, uint32_t nodes, double problem);

// What the first message that a rank sends in a phase waits for.
enum program_after {
	PROGRAM_AFTER_ALL, // all that its sender sent and received before, in this iteration and in
			   // those before
	PROGRAM_AFTER_BEGIN, // likewise, and the begin of the iteration
	PROGRAM_AFTER_PEER, // what its sender last received from the same peer in an earlier phase;
			    // each message by itself
	PROGRAM_AFTER_SEND, // what its sender sent last in an earlier phase
};

// What the next messages of a rank in the phase wait for.
enum program_order {
	PROGRAM_IN_TURN,     // what the rank sends and receives in earlier turns
	PROGRAM_IN_SEQUENCE, // what it sends before; and receives are in sequence likewise
	PROGRAM_AT_ONCE,     // nothing more
};

// Neighbours in a grid.
enum program_along { PROGRAM_ALONG_BOTH, PROGRAM_ALONG_ROWS, PROGRAM_ALONG_COLUMNS };

struct program_pair {
	uint32_t src, dst;
};

// Times the rounds: so often; for each other node; and, in messages as large for any number of
// nodes, for a p-th of the data that all have, which goes to each other node, or to one.
enum program_rounds {
	PROGRAM_ROUNDS,
	PROGRAM_ROUNDS_OTHERS,
	PROGRAM_ROUNDS_PARTS_OTHERS,
	PROGRAM_ROUNDS_PARTS,
};
#define PROGRAM_ROUNDS_LAWS 4

struct program_phase;

// Messages of a phase or an iteration, in the order of phases and turns. Zero is an empty one.
struct program_list {
	struct program_message {
		uint32_t src, dst;
		uint32_t phase, turn, parts; // of the phase's bytes it has one of so many
		uint64_t bytes; // of a collective operation; of others all of a phase are as large
		uint32_t train; // for the plan (program_plan.h)
	} * messages;		// owned
	uint32_t count, capacity;
	uint32_t phase; // of those that are added
	double problem; // N, for the sizes of collective operations
};

// A pattern of messages among any number of nodes.
struct program_pattern {
	const char *name, *what;
	bool power_of_two; // of nodes
	int order;	   // usual enum program_order
	// Adds the messages of the first round, whose turns are numbered from 0. TR_ERROR: too
	// many, or no memory.
	enum tr_status (*add)(struct program_list *list, const struct program_phase *phase,
			      uint32_t nodes, struct tr_error *err);
};

// By name, ended by NULL; the last one is the explicit list of pairs.
extern const struct program_pattern *const program_patterns[];
extern const struct program_pattern program_patterns_sweep; // one of them

// The most square grid of the nodes, unless the phase has one.
void program_grid_of(const struct program_phase *phase, uint32_t nodes, uint32_t *rows,
		     uint32_t *columns);

struct program_phase {
	char *name;
	const struct program_pattern *pattern;
	char *collective; // of a collective operation: which, by what algorithm
			  // (program_collective.h); owned; else NULL
	uint32_t window; // of messages in sequence: a rank sends one behind what it received of the
			 // phase so many turns before; 0: it does not wait for them
	int window_by;	 // as rounds_by
	uint32_t rounds; // how often the pattern is repeated,
	int rounds_by;	 // by enum program_rounds
	struct program_pair *pairs; // of an explicit list; owned
	uint32_t pair_count;
	uint32_t grid[2]; // sides; 0: as square as the nodes allow
	bool open;	  // edges of the grid
	int along;	  // enum program_along
	bool down;	  // turns of a butterfly or pairwise exchange from the last on
	bool turned;	  // of a sweep: in its columns the other way than in its rows
	bool split;	  // likewise: bytes are those of a side of the grid, of which each rank of
			  // a column, or of a row, sends its part
	int after, order; // enum program_after, enum program_order
	struct program_power bytes;
	struct program_time {
		struct program_power mean_s;
		struct law law; // its shape
	} compute, between; // before the first message of a rank in the phase; before each later
			    // one, in turn or in sequence
};

// How the packets of a message flow.
struct program_flow {
	double segment_B; // payload of a full packet
	double header_B;  // bytes on the wire beside a packet's payload
	double pace_s;	  // from one full packet of a port to the next
	double burst_B;	  // on the wire, that a port which was idle sends pair_gap_s apart before
			  // that pace, as by a token bucket; at most a packet: none
	double pairs; // share of the gaps inside a message that are short, at most half: packets in
		      // pairs
	double pair_gap_s;	// the short gap
	double stalls, stall_s; // share of the gaps inside a message in which its sender stalls;
				// mean of that time
	double stall_after_B;	// of a message that go before its first stall
	double acks, ack_s;	// acknowledgements for each packet of data; delay of one
	int joins; // a message to the same receiver as the one before it that waits for its port:
		   // in one stream of bytes with it; not 0
	double envelope_B; // bytes that a message has besides its data
	double eager_B;	   // a message of this size or more is sent after a request and a grant;
			   // INFINITY: none
	double request_B, grant_B; // payload of these packets
	double end_B;		   // further bytes of a granted message
	double turn_s;		   // mean time in which a request and a grant are answered
	struct law turn;
	double take_s, lag_s; // from the last packet of a message until its receiver grants the
			      // next one in sequence, and until it goes on
	double look_s;	 // mean time from the first message without a request that a rank which
			 // waits has not seen until it sees all that have come
	struct law look; // its shape
};

// Zero is empty; program_model_clear frees it.
struct program_model {
	uint64_t nodes, iterations; // iterations 0: until duration_s
	double duration_s;	    // 0: of the iterations
	double problem;		    // N
	double silence_s;	    // from the end of an iteration to the begin of the next: mean
	struct law silence;
	struct program_flow flow;
	struct program_phase *phases; // owned
	uint32_t phase_count;
};

// Reads a model. TR_ERROR with file and line; *out is empty then.
enum tr_status program_model_get(const struct model *text, struct program_model *out,
				 struct tr_error *err);

// Adds the model's lines to the text. notes[i], which may be NULL as a whole or each, are comments
// on its phases.
void program_model_put(struct model *text, const struct program_model *model,
		       const char *const *notes);

// Frees what it holds; it is empty then.
void program_model_clear(struct program_model *model);

// Adds all messages of the phase; TR_ERROR where the number of nodes does not suit the pattern, or
// there are too many messages.
enum tr_status program_phase_list(struct program_list *list, const struct program_phase *phase,
				  uint32_t nodes, struct tr_error *err);

// Adds a message to the list. TR_ERROR: too many, or no memory.
enum tr_status program_list_add(struct program_list *list, uint32_t src, uint32_t dst,
				uint32_t turn, struct tr_error *err);

// The phases' messages of an iteration, for program_list_clear to free, also after TR_ERROR.
enum tr_status program_list_make(struct program_list *list, const struct program_model *model,
				 uint32_t nodes, struct tr_error *err);
void program_list_clear(struct program_list *list);

// A number by a law of the nodes (enum program_rounds), of so many; a part of one is one.
uint64_t program_rounds_at(uint32_t number, int by, uint32_t nodes);

// How often the phase's pattern is repeated on so many nodes.
uint64_t program_phase_rounds(const struct program_phase *phase, uint32_t nodes);

// Its window among so many ranks, in turns; 0: none.
uint64_t program_phase_window(const struct program_phase *phase, uint32_t nodes);

// Bytes of data in a message of the phase.
uint64_t program_phase_bytes(const struct program_model *model, const struct program_phase *phase,
			     uint32_t nodes);

// In words, and as a forecast, as struct generator_kind wants them.
enum tr_status program_explain(const struct model *text, FILE *out, struct tr_error *err);
enum tr_status program_forecast(const struct model *text, struct forecast *out,
				struct tr_error *err);
enum tr_status program_pairs(const struct model *text, struct pairs *out, struct tr_error *err);

// Writes the program for this many nodes (0: the model's) as GOAL text, with the times of computing
// that the generator draws with this seed. The silence before an iteration is of each rank that
// begins it, after what it did before. TR_ERROR: as by the generator. For write failures check out.
enum tr_status program_write_goal(const struct model *text, uint64_t nodes, uint64_t seed,
				  FILE *out, struct tr_error *err);

#endif
