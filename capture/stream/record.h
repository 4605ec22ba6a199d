// SPDX-License-Identifier: GPL-3.0-or-later
// The record kinds of the trace stream: one registry with the byte offset of every field.
// Layouts are those of man/flit-trace.5; in memory a record has the host's byte order.
#ifndef STREAM_RECORD_H
#define STREAM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tr_kind {
	TR_PACKET = 1,	 // a packet seen on a wire, or generated
	TR_DELIVERY = 2, // what became of a packet in a network
	TR_MESSAGE = 3,	 // an operation of a message-passing program
	TR_SERIES = 4,	 // counts and bytes of one bin
	TR_LINK = 5,	 // what a link did in an interval
};

enum tr_class { TR_CLASS_NONE = 0, TR_CLASS_DATA = 1, TR_CLASS_OVERHEAD = 2 };

// Flags of a packet.
#define TR_FLAG_FRAGMENT 1u // an IP fragment; only the first carries the ports
#define TR_FLAG_SNAPPED 2u  // the capture cut this packet; sizes are those of the headers
#define TR_FLAG_LATE 4u	    // its time stamp stepped back and it was sorted
#define TR_FLAG_SETUP 8u    // opens a connection (TCP SYN)
#define TR_FLAG_CLOSE 16u   // closes one (TCP FIN or RST)
// Its sequence number is not after the last of its queue pair (InfiniBand, RoCE); joined from
// several points, its first byte is not after the last of its TCP connection's direction.
#define TR_FLAG_RESENT 32u
#define TR_FLAG_DUPLICATE 64u // a further copy of one packet (joined from several points)
// The capture lost packets between the one before in the stream and this one.
#define TR_FLAG_AFTER_LOSS 128u
#define TR_FLAG_MARKED \
	256u // a switch, simulated or not, said that it was congested (ECN's CE, FECN)
#define TR_FLAG_MARKABLE 512u // its sender lets switches mark it (ECN's ECT, or CE)

// Flags of a message.
#define TR_MESSAGE_EAGER 1u	 // sent at once
#define TR_MESSAGE_RENDEZVOUS 2u // its sender asked first
#define TR_MESSAGE_RULE 4u	 // found by a rule from sizes and times of packets, not by a header
#define TR_MESSAGE_PARTLY \
	8u // partly unseen: the capture began or ended within it, or lost packets of it

// Ids that name nobody.
#define TR_NODE_OTHER UINT32_MAX // a node beyond the bound of the table
#define TR_FLOW_NONE UINT32_MAX	 // no flow is known
#define TR_RANK_NONE UINT32_MAX	 // the rank is not known

// Times are ticks since the header's origin. payload_bytes is what the transport carried (TCP or
// UDP payload), wire_bytes the frame as it was on the link.
struct tr_packet {
	int64_t time_ticks;
	uint64_t id;
	uint32_t flow;
	uint32_t src;
	uint32_t dst;
	uint32_t payload_bytes;
	uint32_t wire_bytes;
	uint16_t flags;
	uint8_t class;
	// Operation of InfiniBand's base transport header; of TR_PROTOCOL_PAUSE the classes, a bit
	// each, 0 where the whole link is meant; 0 for others.
	uint8_t opcode;
};

enum tr_delivery_status { TR_DELIVERED = 0, TR_DROPPED = 1, TR_IN_FLIGHT = 2 };

enum tr_drop_reason {
	TR_DROP_NONE = 0,
	TR_DROP_QUEUE = 1,     // the source's queue was full
	TR_DROP_TIMEOUT = 2,   // removed by a timeout or reset
	TR_DROP_ERROR = 3,     // damaged on the way (checksum)
	TR_DROP_DEAD = 4,      // a link or host had died
	TR_DROP_UNMAPPED = 5,  // a node that is not in the network
	TR_DROP_ROUTE = 6,     // its route does not lead to its destination
	TR_DROP_DEADLOCK = 7,  // removed from a cycle of packets that waited for each other
	TR_DROP_LOST = 8,      // captured where it was sent and not where it should have arrived
	TR_DROP_BUFFER = 9,    // a switch's buffer was full
	TR_DROP_NO_ROUTE = 10, // faults have left its source no route to its destination
	TR_DROP_REASONS,
};

// packet.time_ticks is the time of the recorded event: the end of the transfer into the
// destination's memory, the drop, or the end of the run. A time that was not reached is -1.
struct tr_delivery {
	struct tr_packet packet;
	int64_t created_ticks;	// the worm entered the source's queue
	int64_t started_ticks;	// the source's adapter began to fetch it
	int64_t injected_ticks; // its first character left on the first link
	int64_t head_ticks;	// its first character reached the destination's adapter
	uint8_t status;		// enum tr_delivery_status
	uint8_t reason;		// enum tr_drop_reason
	uint16_t hops;		// switches on its route
	uint32_t reserved;
};

struct tr_message {
	int64_t begin_ticks;
	int64_t end_ticks;
	uint64_t id;
	uint64_t size_bytes;
	uint32_t src;
	uint32_t dst;
	int32_t tag;
	uint32_t communicator;
	uint16_t operation; // enum tr_operation
	uint16_t flags;	    // TR_MESSAGE_...
	uint32_t reserved;
	uint32_t src_rank; // in MPI_COMM_WORLD; TR_RANK_NONE where unknown
	uint32_t dst_rank;
};

enum tr_operation {
	TR_OP_OTHER = 0,
	TR_OP_SEND,
	TR_OP_RECV,
	TR_OP_ISEND,
	TR_OP_IRECV,
	TR_OP_WAIT,
	TR_OP_BARRIER,
	TR_OP_BCAST,
	TR_OP_REDUCE,
	TR_OP_ALLREDUCE,
	TR_OP_GATHER,
	TR_OP_ALLGATHER,
	TR_OP_SCATTER,
	TR_OP_ALLTOALL,
	TR_OP_IGNORE_ME, // of programs of processes: a value written back,
	TR_OP_BIRTH,	 // the begin of a process,
	TR_OP_DEATH,	 // and its end
	TR_OP_REDUCE_SCATTER,
	TR_OP_SCAN,
	TR_OP_EXSCAN,
	TR_OP_WRITE,  // of RDMA, as are those below: into the memory of the destination
	TR_OP_READ,   // from the memory of the source, for which the destination asked
	TR_OP_ATOMIC, // on the memory of the destination
};

// Whether a message record is a rank's part in an operation of all members of its communicator.
static inline bool tr_operation_is_collective(uint16_t operation)
{
	return (operation >= TR_OP_BARRIER && operation <= TR_OP_ALLTOALL) ||
	       (operation >= TR_OP_REDUCE_SCATTER && operation <= TR_OP_EXSCAN);
}

// Bin [start, start + width). node is a node id, or TR_NODE_OTHER for all of them.
struct tr_series {
	int64_t start_ticks;
	int64_t width_ticks;
	uint64_t count;
	uint64_t size_bytes;
	uint32_t node;
	uint8_t class; // enum tr_class; TR_CLASS_NONE for all
	uint8_t reserved[3];
};

// Interval [start, start + width) of one direction of a link.
struct tr_link {
	int64_t start_ticks;
	int64_t width_ticks;
	int64_t busy_ticks;	      // time spent sending characters
	int64_t blocked_stop_ticks;   // a worm waited because the far end had said STOP
	int64_t blocked_port_ticks;   // a worm's head at the far end waited for an output port
	int64_t blocked_memory_ticks; // a worm waited for adapter memory
	uint64_t characters;	      // sent in the interval
	uint64_t occupancy_area;      // far slack buffer: characters x ticks
	uint32_t link;
	uint32_t occupancy_peak; // characters
};

// A record lent by a reader. A delivery begins with its packet, so packet is valid for both.
union tr_record {
	int64_t time_ticks; // of every kind: the stream's order
	struct tr_packet packet;
	struct tr_delivery delivery;
	struct tr_message message;
	struct tr_series series;
	struct tr_link link;
};

enum tr_field_type { TR_I64, TR_U64, TR_U32, TR_I32, TR_U16, TR_U8 };

enum tr_field_meaning { // how the text form writes the number
	TR_PLAIN,
	TR_TIME,
	TR_SPAN,
	TR_NODE_ID,
	TR_FLOW_ID,
	TR_LINK_ID,
	TR_BYTES,
	TR_CLASS_CODE,
	TR_STATUS_CODE,
	TR_REASON_CODE,
	TR_OPERATION_CODE,
	TR_FLAG_BITS,
	TR_MESSAGE_FLAG_BITS,
	TR_RANK,
	TR_AREA, // AREA: characters x ticks
};

struct tr_field {
	const char *name; // as in the text form
	uint16_t offset_bytes;
	uint8_t type;	 // enum tr_field_type
	uint8_t meaning; // enum tr_field_meaning
	const char *what;
};

struct tr_kind_info {
	enum tr_kind kind;
	const char *name;
	uint16_t size_bytes;
	uint16_t field_count;
	const struct tr_field *fields;
};

// The registry's row of a kind, NULL if there is no such kind. Static; never freed.
const struct tr_kind_info *tr_kind_find(unsigned kind);

// Whether records of this kind begin with a tr_packet.
bool tr_kind_has_packet(unsigned kind);

// Size in bytes of a field type.
unsigned tr_field_size(enum tr_field_type type);

// Whether the field is there only to fill the record.
bool tr_field_is_reserved(const struct tr_field *field);

// The field's value, sign-extended where the type is signed. record has the host's byte order.
int64_t tr_field_get(const void *record, const struct tr_field *field);

// Stores value; false, and nothing stored, where the type cannot hold it.
bool tr_field_set(void *record, const struct tr_field *field, int64_t value);

// Converts count records of record_bytes each between the stream's byte order (little-endian) and
// the host's, in place. Does nothing on a little-endian host.
void tr_records_swap(const struct tr_kind_info *kind, void *records, size_t record_bytes,
		     size_t count);

#endif
