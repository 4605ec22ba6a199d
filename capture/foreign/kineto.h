// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of PyTorch's profiler, which its library Kineto writes as Chrome trace events in JSON, one
// file a rank. Learned from what pytorch/kineto 114171d (libkineto/src/output_json.cpp) and PyTorch
// 2.3 to 2.9 (torch/csrc/profiler/util.cpp, saveNcclMeta) write.
//
// A collective operation is there twice: as the call on the host, "record_param_comms", which has
// all that is said of it, and as the kernel that the device ran, which has the times. "External id"
// joins them. Grouped calls (batch_isend_irecv, coalesced) return before the kernel of all is
// launched, outside of any: "correlation" joins that with its launch on their thread.
#ifndef FOREIGN_KINETO_H
#define FOREIGN_KINETO_H

#include "foreign/foreign.h"
#include "foreign/process_groups.h"
#include "foreign/rank_events.h"

#define KINETO_TICKS_PER_S 1000000000u
#define KINETO_NAME_BYTES PROCESS_GROUP_BYTES
#define KINETO_NO_TIME INT64_MIN

struct kineto_span {
	int64_t first_ns, last_ns; // none: the first is after the last
};

// A process group.
struct kineto_group {
	char name[KINETO_NAME_BYTES];
	char description[KINETO_NAME_BYTES];
	uint32_t *members; // ranks; NULL: they are not known here
	uint32_t count;
	int64_t after_ns; // while a file is read: the begin of its last kernel
	bool used;
	bool sequenced; // some operation has a number
};

// A rank's part in an operation.
struct kineto_call {
	int64_t begin_ns, end_ns;
	int64_t idle_ns; // the device computed nothing from then to the end; KINETO_NO_TIME: it did
	int64_t host_ns; // of the call on the host; KINETO_NO_TIME: it is not in the trace
	uint64_t id;	 // "External id"; 0: none
	uint64_t bytes;	 // as enum event_collective has them
	int64_t sequence; // of its process group; -1: not said
	uint64_t nth;	  // of those of the same sequence number; of a kernel "correlation"
	uint32_t thread;  // of the host
	uint32_t rank;
	uint32_t group;
	uint32_t place;	 // of the root or the other end; EVENT_NOBODY: not said
	uint32_t counts; // as struct event has them
	uint32_t kernel; // its name, in events.words; EVENT_NOBODY: none
	uint8_t kind;	 // enum event_kind; EVENT_CALL: a kernel of which nothing is said
	uint8_t collective;
	bool cut;     // its counts are not all there: in equal parts
	bool rounded; // its elements are no multiple of its members
	bool on_device;
	bool outside; // other members' traces do not have the operation
};

// What the trace does not say, or says otherwise, and is counted.
#define KINETO_DOUBTS(ROW) \
	ROW(KINETO_HOST, "files have no kernels of collective operations: times are those of the " \
			 "calls on the host, which may return before the operation ends") \
	ROW(KINETO_DEVICES, "kernels ran on another device than the first: taken as of one") \
	ROW(KINETO_GROUPED, "calls were grouped: they have the times of the kernel that their " \
			    "thread launched next") \
	ROW(KINETO_ALONE, \
	    "calls have no kernel of their own (grouped, or after the trace): times " \
	    "are those of the calls on the host") \
	ROW(KINETO_UNLINKED, "kernels of NCCL left out: no event says what they do (grouped " \
			     "calls)") \
	ROW(KINETO_UNKNOWN, "calls of an unknown kind left out, such as ") \
	ROW(KINETO_OUTSIDE, "calls left out: the traces of other members lack the operation " \
			    "(Seq)") \
	ROW(KINETO_UNORDERED, "process groups without sequence numbers (Seq): the k-th operation " \
			      "in the trace of one member is taken for the k-th of the others") \
	ROW(KINETO_ROOTLESS, "collective operations go from or to the first member of their " \
			     "group: the trace does not say the root") \
	ROW(KINETO_SPLIT, \
	    "calls of all-to-all are read in equal parts: the trace has the first of " \
	    "their counts only") \
	ROW(KINETO_ROUNDED, \
	    "calls of all-to-all whose elements are no multiple of their members: " \
	    "blocks are rounded up") \
	ROW(KINETO_CUT, "times cut to whole nanoseconds")

#define KINETO_WORD(word, text) word,
enum kineto_doubt { KINETO_DOUBTS(KINETO_WORD) KINETO_DOUBT_COUNT };

struct kineto_calls {
	struct kineto_call *items;
	uint32_t count, room;
};

// Zero is a valid empty one.
struct kineto_trace {
	const struct foreign_input *input;
	struct events kept; // words and counts, until the number of ranks is known
	struct kineto_group *groups;
	uint32_t group_count, group_room;
	struct kineto_calls calls;
	uint32_t world;		   // ranks; 0: not known yet
	uint32_t rank;		   // of the file that was read last
	struct kineto_span span;   // of what its device computed
	struct kineto_span *spans; // of each rank
	char library[64];
	uint64_t doubts[KINETO_DOUBT_COUNT];
	char unknown[KINETO_NAME_BYTES + 2]; // the first call of an unknown kind, quoted
};

// ---- an event: the texts and numbers that are read of it, as they are in the file

// The first are members of the event, those from KINETO_ARGS on of its member args.
#define KINETO_MEMBERS(ROW) \
	ROW(KINETO_NAME, "name") \
	ROW(KINETO_CATEGORY, "cat") \
	ROW(KINETO_PHASE, "ph") \
	ROW(KINETO_TIME, "ts") \
	ROW(KINETO_DURATION, "dur") \
	ROW(KINETO_THREAD, "tid") \
	ROW(KINETO_ID, "External id") \
	ROW(KINETO_CORRELATION, "correlation") \
	ROW(KINETO_DEVICE, "device") \
	ROW(KINETO_COLLECTIVE, "Collective name") \
	ROW(KINETO_IN, "In msg nelems") \
	ROW(KINETO_OUT, "Out msg nelems") \
	ROW(KINETO_TYPE, "dtype") \
	ROW(KINETO_SIZE, "Group size") \
	ROW(KINETO_GROUP, "Process Group Name") \
	ROW(KINETO_DESCRIPTION, "Process Group Description") \
	ROW(KINETO_RANKS, "Process Group Ranks") \
	ROW(KINETO_START, "Global rank start") \
	ROW(KINETO_STRIDE, "Global rank stride") \
	ROW(KINETO_SPLITS, "In split size") \
	ROW(KINETO_PLACE, "Rank") \
	ROW(KINETO_SEQUENCE, "Seq")

enum kineto_field { KINETO_MEMBERS(KINETO_WORD) KINETO_FIELDS, KINETO_ARGS = KINETO_ID };

// Zero is a valid empty one.
struct kineto_event {
	char *texts; // of the fields, each with a NUL
	size_t used, texts_room;
	size_t at[KINETO_FIELDS]; // 1 + where a field begins in texts; 0: it is not there
	struct rank_list list;
};

// Keeps a value if it is one of the fields from first to before end. TR_ERROR: out of memory.
enum tr_status kineto_keep(struct kineto_event *event, enum kineto_field first,
			   enum kineto_field end, const struct json_value *value,
			   struct tr_error *err);

// A field's text; "": it is not there.
const char *kineto_field(const struct kineto_event *event, enum kineto_field field);

// Microseconds as ns, cut to whole ones, which *cut counts.
enum tr_status kineto_time(const struct kineto_event *event, enum kineto_field field,
			   int64_t *out_ns, uint64_t *cut, struct tr_error *err);

// Fills in what the event says of an operation, and adds its group to the trace. TR_END: it is no
// operation, of a kind that is known (EVENT_CALL) or not (EVENT_KINDS). TR_ERROR: err says what is
// wrong.
enum tr_status kineto_take_call(struct kineto_trace *trace, struct kineto_event *event,
				struct kineto_call *call, struct tr_error *err);

// ---- a trace

// The group of this name and these members (NULL: not known, count of them), which is added if it
// is new. TR_ERROR: out of memory.
enum tr_status kineto_group_find(struct kineto_trace *trace, const char *name,
				 const uint64_t *members, uint32_t count, uint32_t *out,
				 struct tr_error *err);

// A rank's place in a group; EVENT_NOBODY: none, or the members are not known.
uint32_t kineto_place(const struct kineto_group *group, uint32_t rank);

// Gives all calls a group whose members are known, once all files are read. TR_ERROR: there is
// none.
enum tr_status kineto_know_groups(struct kineto_trace *trace, struct tr_error *err);

// Orders calls by rank and time, for qsort.
int kineto_by_time(const void *a, const void *b);

// Finds which calls are one operation, by their group and sequence numbers, or in their order; its
// root; and which are not in the traces of all members that are present. Sorts calls by rank and
// time. TR_ERROR: members do different operations, or out of memory.
enum tr_status kineto_match_operations(struct kineto_trace *trace, const bool *present,
				       struct tr_error *err);

// Reads a file: adds its calls, with its groups, and says whose it is. Memory: 16 B for each kernel
// and copy, until it returns, and 104 for each call. TR_ERROR: err names the file and the offset.
enum tr_status kineto_read_file(struct kineto_trace *trace, const char *path, struct tr_error *err);

#endif
