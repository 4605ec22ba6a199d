// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of PyTorch's profiler, which its library Kineto writes as Chrome trace events in JSON, one
// file a rank. Learned from what pytorch/kineto 114171d (libkineto/src/output_json.cpp) and PyTorch
// 2.3 to 2.9 (torch/csrc/profiler/util.cpp, saveNcclMeta) write.
//
// A collective operation is there twice: as the call on the host, "record_param_comms", which has
// all that is said of it, and as the kernel that the device ran, which has the times. "External id"
// joins them.
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
};

// A rank's part in an operation.
struct kineto_call {
	int64_t begin_ns, end_ns;
	int64_t idle_ns; // the device computed nothing from then to the end; KINETO_NO_TIME: it did
	int64_t host_ns; // of the call on the host; KINETO_NO_TIME: it is not in the trace
	uint64_t id;	 // "External id"; 0: none
	uint64_t bytes;	 // as enum event_collective has them
	int64_t sequence; // of its process group; -1: not said
	uint64_t nth;	  // of those of the same sequence number
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

// What the trace does not say, or says otherwise.
struct kineto_counts {
	uint64_t alone;	   // calls without a kernel, in files with kernels
	uint64_t host;	   // files without kernels of operations
	uint64_t unlinked; // kernels of which nothing is said
	uint64_t unknown;  // calls of an unknown kind
	char unknown_name[KINETO_NAME_BYTES];
	uint64_t cut;	    // times cut to whole ns
	uint64_t splits;    // all-to-alls whose counts are cut: in equal parts
	uint64_t rounded;   // all-to-alls whose elements are no multiple of the members
	uint64_t rootless;  // operations from or to the group's first member
	uint64_t outside;   // calls of operations that other members' traces lack
	uint64_t unordered; // process groups without sequence numbers
};

// Zero is a valid empty one.
struct kineto_trace {
	const struct foreign_input *input;
	struct events kept; // words and counts, until the number of ranks is known
	struct kineto_group *groups;
	uint32_t group_count, group_room;
	struct kineto_call *calls;
	uint32_t call_count, call_room;
	uint32_t world;		   // ranks; 0: not known yet
	uint32_t rank;		   // of the file that was read last
	struct kineto_span span;   // of what its device computed
	struct kineto_span *spans; // of each rank
	char library[64];
	struct kineto_counts counts;
};

// ---- an event: the texts and numbers that are read of it, as they are in the file

enum kineto_field {
	KINETO_NAME,
	KINETO_CATEGORY,
	KINETO_PHASE,
	KINETO_TIME,
	KINETO_DURATION,
	KINETO_ARGS, // those from here on are in its member args
	KINETO_ID = KINETO_ARGS,
	KINETO_COLLECTIVE,
	KINETO_IN,
	KINETO_OUT,
	KINETO_TYPE,
	KINETO_SIZE,
	KINETO_GROUP,
	KINETO_DESCRIPTION,
	KINETO_RANKS,
	KINETO_START,
	KINETO_STRIDE,
	KINETO_SPLITS,
	KINETO_PLACE,
	KINETO_SEQUENCE,
	KINETO_FIELDS,
};

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

// Microseconds as ns, cut to whole ones, which counts it in *cut.
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

// Finds which calls are one operation, by their group and sequence numbers, or in their order; its
// root; and which are not in the traces of all members that are present. Sorts calls by rank and
// time. TR_ERROR: members do different operations, or out of memory.
enum tr_status kineto_match_operations(struct kineto_trace *trace, const bool *present,
				       struct tr_error *err);

// Reads a file: adds its calls, with its groups, and says whose it is. Memory: 16 B for each kernel
// and copy, until it returns, and 104 for each call. TR_ERROR: err names the file and the offset.
enum tr_status kineto_read_file(struct kineto_trace *trace, const char *path, struct tr_error *err);

#endif
