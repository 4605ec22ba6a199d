// SPDX-License-Identifier: GPL-3.0-or-later
// The processes of one run, its ranks, and the letters that each sends to each. Rank 0 gives
// orders: its letters to others begin with one.
#ifndef SIM_LETTERS_H
#define SIM_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What carries letters. Those from one rank to another come in the order in which they were sent.
struct sim_post {
	void *state;
	uint32_t rank;
	uint32_t count; // of ranks
	// Sends a letter, whose bytes must stay as they are until settle returns.
	void (*send)(void *state, uint32_t to, const void *bytes, size_t count);
	// Waits for the next letter from a rank; returns its size, and take writes its bytes.
	size_t (*wait)(void *state, uint32_t from);
	void (*take)(void *state, void *bytes);
	void (*settle)(void *state);
	void (*close)(void *state);
};

enum sim_order {
	SIM_ORDER_OVER, // the run is over: the rank ends with the status that follows
	SIM_ORDER_BEGIN,
	SIM_ORDER_PART, // which part of the network is whose
	SIM_ORDER_WINDOW,
	SIM_ORDER_SAMPLE,
	SIM_ORDER_REST,
	SIM_ORDER_CLOSE,
};

// The parts of a letter are aligned to 8 bytes.
struct sim_letter {
	unsigned char *bytes;
	uint64_t count;
	uint64_t room;
	uint64_t read; // those before it
};

struct sim_ranks {
	struct sim_post post;
	struct sim_letter *out; // by rank
	struct sim_letter *in;
	int status;  // of an order OVER
	bool over;   // it has come, or rank 0 has sent it
	bool owes;   // a rank has got its part, and has not said whether it is ready
	bool broken; // out of memory: what it sends from now on is empty
};

// Makes the letters. False if out of memory.
bool sim_ranks_open(struct sim_ranks *ranks, const struct sim_post *post);

// Frees the letters and closes the post.
void sim_ranks_close(struct sim_ranks *ranks);

// Appends to the letter to a rank.
void sim_ranks_put(struct sim_ranks *ranks, uint32_t to, const void *bytes, size_t count);

// Room for so many bytes at the end of the letter to a rank, until the next one is appended. NULL:
// out of memory.
void *sim_ranks_add(struct sim_ranks *ranks, uint32_t to, size_t count);

// Sends the letter to a rank; it is empty again after sim_ranks_settle.
void sim_ranks_send(struct sim_ranks *ranks, uint32_t to);
void sim_ranks_settle(struct sim_ranks *ranks);

// Waits for the letter of a rank. False: that rank is out of memory, or this one.
bool sim_ranks_receive(struct sim_ranks *ranks, uint32_t from);

// The next bytes of the letter of a rank, until the next one is received; NULL: it has no more.
const void *sim_ranks_get(struct sim_ranks *ranks, uint32_t from, size_t count);

// Whether the letter of a rank has been read to its end.
bool sim_ranks_read(const struct sim_ranks *ranks, uint32_t from);

// For rank 0: begins the letters to all others with an order.
void sim_ranks_order(struct sim_ranks *ranks, enum sim_order order);

// Sends the letters to all others. With an order: false, and for them the run is over, where rank 0
// is out of memory.
void sim_ranks_send_all(struct sim_ranks *ranks);
bool sim_ranks_send_order(struct sim_ranks *ranks);

// Sends an order with the same bytes to all others.
bool sim_ranks_tell(struct sim_ranks *ranks, enum sim_order order, const void *bytes, size_t count);

// The run is over for all others, which end with this status.
void sim_ranks_end(struct sim_ranks *ranks, int status);

// For other ranks: waits for the next order.
enum sim_order sim_ranks_hear(struct sim_ranks *ranks);

// One could not do its part: it says why where that is waited for, until the run is over.
void sim_ranks_refuse(struct sim_ranks *ranks, const char *why, size_t why_bytes);

#endif
