// SPDX-License-Identifier: GPL-3.0-or-later
// All that the report keeps of one stream of packets, captured or generated. One pass, bounded memory: nothing grows
// with the number of packets.
#ifndef REPORT_TRAFFIC_H
#define REPORT_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "report/counts.h"
#include "report/senders.h"
#include "stat/moments.h"
#include "stat/quantile.h"
#include "trace/header.h"
#include "trace/names.h"
#include "trace/status.h"

#define TRAFFIC_ALL SENDERS_CLASSES           // the place of all classes together
#define TRAFFIC_CLASSES (SENDERS_CLASSES + 1u)

// Sizes are payload bytes.
struct traffic_class {
	struct moments size_bytes;
	struct quantile sizes;
	uint64_t wire_bytes;
};

struct traffic {
	const char *label;   // in figures and tables; lent
	bool generated;      // made from a model for comparison
	uint64_t ticks_per_s;
	int64_t first_ticks; // of nothing while there are no packets
	int64_t last_ticks;
	struct traffic_class classes[TRAFFIC_CLASSES]; // by enum tr_class, and all of them
	struct moments gap_ticks; // between one packet and the next, whoever sent them
	struct quantile gaps;
	struct counts counts;
	struct senders senders;
	enum tr_role *roles; // by node id, for the senders' nodes
	struct role_finding finding; // where the stream's names gave no controller
	bool roles_given;
};

// Starts an empty one (on the heap: it is large and must not move) for a sorted stream. TR_ERROR without memory.
enum tr_status traffic_open(struct traffic **out, const char *label, const struct tr_header *header,
			    struct tr_error *err);

// Adds count packets or deliveries, stride_bytes apart, in order of time.
enum tr_status traffic_add(struct traffic *traffic, const void *records, size_t stride_bytes, size_t count,
			   struct tr_error *err);

// Completes it: no more may be added. Roles are those of names, else what is found; names may be NULL.
enum tr_status traffic_finish(struct traffic *traffic, const struct tr_names *names,
			      struct tr_error *err);

uint64_t traffic_packets(const struct traffic *traffic);

// From the first packet to the last, in seconds.
double traffic_duration(const struct traffic *traffic);

// Name of a class or of TRAFFIC_ALL.
const char *traffic_class_name(unsigned class);

// NULL is accepted.
void traffic_close(struct traffic *traffic);

#endif
