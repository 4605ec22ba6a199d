// SPDX-License-Identifier: GPL-3.0-or-later
// DUMPI, the traces of SST's libdumpi: calls of MPI with their arguments, a file for each rank,
// binary or as dumpi2ascii prints it. Both readers (dumpi_binary.c, dumpi_text.c) make a struct
// dumpi_call of each call, from which dumpi_calls.c makes events. Learned from sst-dumpi a4c8bf5,
// docs/traceformat.dox and dumpi/common.
#ifndef FOREIGN_DUMPI_H
#define FOREIGN_DUMPI_H

#include "foreign/foreign.h"

#define DUMPI_FUNCTIONS 290u
#define DUMPI_COMM_NULL 1
#define DUMPI_COMM_WORLD 2
#define DUMPI_COMM_SELF 3
#define DUMPI_FIRST_REQUEST 2 // lower ones name none
#define DUMPI_FIRST_OWN_TYPE 28u

// The arguments of a function, in the order of the file: a letter for the type and one for the
// meaning, "." for one that is not needed. Parentheses: only in the file of the root.
//
// Types: b, h, i, q whole numbers of 1, 2, 4 and 8 bytes, big-endian; B, H, I a count of 4 bytes
// and as many numbers; J a count and as many I; C a count and as many characters; D a count and as
// many C; E a count and as many D; S a count and statuses; A, V, W as versions before 0.6.2, 0.6.9
// and 0.6.8 wrote D, I and I.
//
// Meanings: c, C count sent, received; t, T their types; d destination; s source; o root; g, G tag
// sent, received; m communicator; n new communicator; r request or requests; S status or statuses;
// x index; X indices; O how many; f flag; v, V counts sent, received; R own rank; P size; j
// communicator of the peers; h high; k color; y key; u, U groups; N new group; M ranks or ranges; b
// old type; e new type; B length of a block; L lengths of blocks; l, w types sent and received of
// members; q sizes of a part; a, p sizes of an array and of a grid of processes; D dimensions; i
// rank; z size.
struct dumpi_function {
	const char *name; // without MPI_
	const char *arguments;
};

extern const struct dumpi_function dumpi_functions[DUMPI_FUNCTIONS];

// NULL: there is none.
const struct dumpi_function *dumpi_find(const char *name);

#define DUMPI_MEANINGS 64u // letters, from 'A'
#define DUMPI_NUMBERS_MAX ((uint32_t)1 << 24)

enum {
	DUMPI_STATUS_BYTES,
	DUMPI_STATUS_SOURCE,
	DUMPI_STATUS_TAG,
	DUMPI_STATUS_CANCELLED,
	DUMPI_STATUS_NUMBERS
};

struct dumpi_argument {
	bool given;
	bool many;
	int64_t value;	// of a single one
	uint32_t first; // of many: in the call's numbers
	uint32_t count; // of numbers; of statuses DUMPI_STATUS_NUMBERS for each
};

struct dumpi_call {
	const struct dumpi_function *function;
	int64_t enter_ns, leave_ns;
	struct dumpi_argument arguments[DUMPI_MEANINGS];
	int32_t *numbers;
	uint32_t number_count, number_capacity;
};

// The argument with this meaning, a letter from A, to be filled in.
static inline struct dumpi_argument *dumpi_argument(struct dumpi_call *call, char meaning)
{
	return &call->arguments[meaning - 'A'];
}

// The same as it was read; given is false where the call has none.
static inline const struct dumpi_argument *dumpi_given(const struct dumpi_call *call, char meaning)
{
	return &call->arguments[meaning - 'A'];
}

// The numbers of an argument, *count of them, lent; none if it is not given.
static inline const int32_t *dumpi_numbers(const struct dumpi_call *call, char meaning,
					   uint32_t *count)
{
	const struct dumpi_argument *argument = dumpi_given(call, meaning);

	*count = argument->given ? argument->count : 0;
	return call->numbers ? call->numbers + argument->first : NULL;
}

// Empties the call for the next one; keeps its memory.
void dumpi_call_start(struct dumpi_call *call, const struct dumpi_function *function);

// Adds a number to the argument, which was given as many. TR_ERROR: too many, or out of memory.
enum tr_status dumpi_call_add(struct dumpi_call *call, struct dumpi_argument *argument,
			      int32_t number, struct tr_error *err);

// Frees what it holds; it is empty then.
void dumpi_call_clear(struct dumpi_call *call);

struct dumpi_rank;

// Begins the calls of a rank; closed by dumpi_rank_close. TR_ERROR: out of memory, *out is NULL.
enum tr_status dumpi_rank_open(struct dumpi_rank **out, struct events *events, uint32_t rank,
			       struct tr_error *err);

// Sets the size of a type of the trace, in bytes.
void dumpi_rank_type(struct dumpi_rank *rank, uint16_t type, uint64_t bytes);

// Adds the events of a call. TR_ERROR: what the call says does not fit; err says what.
enum tr_status dumpi_rank_call(struct dumpi_rank *rank, const struct dumpi_call *call,
			       struct tr_error *err);

// NULL is accepted.
void dumpi_rank_close(struct dumpi_rank *rank);

// Reads the calls of one file. TR_ERROR with the file and where in it.
enum tr_status dumpi_read_binary(struct tr_source *source, struct dumpi_rank *rank,
				 struct tr_error *err);
enum tr_status dumpi_read_text(struct tr_source *source, struct dumpi_rank *rank,
			       struct tr_error *err);

// Whether a file begins as that form does.
bool dumpi_is_binary(struct tr_source *source);
bool dumpi_is_text(struct tr_source *source);

#endif
