// SPDX-License-Identifier: GPL-3.0-or-later
// Two processes that exchange messages over one of several transports. One side times, the other
// answers.
//
// A message of n bytes is the n bytes before out_end on the sender's side and the n before in_end
// on the receiver's, so that it ends on a cache line; its last byte is its mark. Successive
// messages that a side waits for have different marks, 1 to 255 in turn; mark 0 marks a message
// that is not waited for. A message of no bytes has no mark.
#ifndef FLITBENCH_CHANNEL_H
#define FLITBENCH_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "value/status.h"

#define CHANNEL_ALIGN 64u
#define CHANNEL_BYTES_MAX ((size_t)64 << 20) // of a message

enum channel_side { CHANNEL_TIMES, CHANNEL_ANSWERS };

struct channel;

struct transport {
	const char *name;
	size_t bytes_min; // of a message
	bool overwrites; // messages lie in one place, so of several only the last can be waited for
	// Before the fork: what both sides share. NULL: nothing.
	enum tr_status (*prepare)(struct channel *channel, struct tr_error *err);
	// In each of the two processes; sets out_end and in_end, for messages of room bytes.
	enum tr_status (*join)(struct channel *channel, enum channel_side side,
			       struct tr_error *err);
	enum tr_status (*send)(struct channel *channel, size_t bytes, uint8_t mark,
			       struct tr_error *err);
	// Waits for the next message, or where the transport overwrites for one with this mark.
	enum tr_status (*await)(struct channel *channel, size_t bytes, uint8_t mark,
				struct tr_error *err);
	void (*leave)(struct channel *channel);
};

extern const struct transport transport_shm, transport_tcp;

// The caller sets transport, room and timeout_ns; the rest is zero.
struct channel {
	const struct transport *transport;
	size_t room; // longest message in bytes
	int64_t timeout_ns;
	int64_t deadline_ns; // CLOCK_MONOTONIC: waiting fails then
	uint8_t *out_end, *in_end;
	uint8_t last_sent, last_awaited; // marks
	int socket;			 // of TCP; 0: none
	void *shared;			 // of shared memory: the arrays of both sides
	size_t shared_bytes;
	uint8_t *own; // of the other transports: both buffers
	int64_t pause_ns, send_ns,
		receive_ns; // of the test overhead: between send and receive; sums spent in them
	pid_t partner;	    // a child whose end ends waiting; 0: none
};

// ---- the clock

// end - start in nanoseconds.
int64_t channel_elapsed_ns(struct timespec start, struct timespec end);

// CLOCK_MONOTONIC in nanoseconds.
int64_t channel_now_ns(void);

// TR_ERROR after the deadline; by the coarse clock, so it costs some nanoseconds.
enum tr_status channel_check(const struct channel *channel, struct tr_error *err);

// The same, or when the partner process has ended; a system call.
enum tr_status channel_check_partner(const struct channel *channel, struct tr_error *err);

// Sets the deadline to timeout_ns from now.
void channel_set_deadline(struct channel *channel);

// ---- messages

// Sends a message that the other side waits for.
enum tr_status channel_send(struct channel *channel, size_t bytes, struct tr_error *err);

// Sends a message that the other side does not wait for.
enum tr_status channel_send_unmarked(struct channel *channel, size_t bytes, struct tr_error *err);

// Waits for a message of so many bytes.
enum tr_status channel_await(struct channel *channel, size_t bytes, struct tr_error *err);

// Waits for an unmarked message; at once where the transport overwrites.
enum tr_status channel_await_unmarked(struct channel *channel, size_t bytes, struct tr_error *err);

// Fills a message with bytes that depend on seed, except for its mark; or checks them in the one
// received.
void channel_fill(struct channel *channel, size_t bytes, uint64_t seed);
enum tr_status channel_verify(const struct channel *channel, size_t bytes, uint64_t seed,
			      struct tr_error *err);

// Two buffers of room bytes for a transport without a place of its own for messages.
enum tr_status channel_own_buffers(struct channel *channel, struct tr_error *err);

// Makes such buffers larger if they are shorter than bytes; received bytes are lost. TR_ERROR
// beyond CHANNEL_BYTES_MAX, and where the transport has its place for messages.
enum tr_status channel_grow(struct channel *channel, size_t bytes, struct tr_error *err);

// Leaves the transport and frees the buffers; a channel of zeros is accepted.
void channel_close(struct channel *channel);

// ---- TCP between two hosts; address is "[HOST:]PORT" or "[HOST]:PORT" in brackets for IPv6

// Waits at the address for one connection until the deadline. listening(context, port), if not
// NULL, is called as soon as a connection is possible.
enum tr_status channel_listen(struct channel *channel, const char *address,
			      void (*listening)(void *context, unsigned port), void *context,
			      struct tr_error *err);

// Connects to the address, trying again until the deadline while nobody listens.
enum tr_status channel_connect(struct channel *channel, const char *address, struct tr_error *err);

// ---- MPI, where the build has it

// Whether this build can measure over MPI.
bool channel_has_mpi(void);

// Joins the two processes of an MPI job: rank 1 times, rank 0 answers.
enum tr_status channel_join_mpi(struct channel *channel, enum channel_side *side,
				struct tr_error *err);

// Ends the job, if one was joined: cleanly, or the other process too.
void channel_end_mpi(bool well);

#endif
