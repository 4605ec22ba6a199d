// SPDX-License-Identifier: GPL-3.0-or-later
// The trace stream that becomes of a capture: opened when its first packet is known, since the
// header says the origin of time; names sent before they are used; begun anew at multiples of a
// period where asked.
#ifndef PACKET_OUTPUT_H
#define PACKET_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/anonymize.h"
#include "packet/flows.h"
#include "packet/nodes.h"
#include "trace/record.h"
#include "trace/writer.h"

#define PK_TICKS_PER_S 1000000000u // a tick is a nanosecond

// How a stream is opened and ended; the caller owns it between. open: a writer, or NULL after a
// failure that was reported; period_s is the begin of the period that it is for. close: counters
// and the end.
struct pk_stream_hooks {
	struct tr_writer *(*open)(void *context, const struct tr_header *header, int64_t period_s);
	void (*close)(void *context, struct tr_writer *writer);
	void *context;
};

struct pk_output {
	struct pk_stream_hooks hooks;
	const struct pk_nodes *nodes;
	const struct pk_flows *flows;
	const struct pk_anonymizer *anonymizer; // NULL: addresses as they are
	bool unsorted;
	int64_t period_s; // 0: one stream for all
	struct tr_writer *writer;
	uint32_t sent_nodes;
	uint32_t sent_flows;
	int64_t origin_s;
	int64_t period_end_ns; // of the open stream
};

// The end of the period in which time_ns is; INT64_MAX where one stream is for all.
int64_t pk_output_period_end(const struct pk_output *output, int64_t time_ns);

// Puts records, whose times are ns since the Unix epoch and become ticks of the stream. TR_ERROR:
// opening or writing failed, which the hooks' owner knows of, or err says why.
enum tr_status pk_output_put(struct pk_output *output, struct tr_packet *records, size_t count, struct tr_error *err);

// Sends what is held and says that all up to time_ns is out. TR_ERROR: the writer failed, and tells when it is closed.
enum tr_status pk_output_flush(struct pk_output *output, int64_t time_ns);

// Ends the stream; where no packet came, an empty one is begun first.
enum tr_status pk_output_finish(struct pk_output *output);

#endif
