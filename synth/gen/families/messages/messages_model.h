// SPDX-License-Identifier: GPL-3.0-or-later
// The model of messages: iterations of a parallel program, each a list of messages with their times
// since it began; and how a message becomes packets. Family "messages" (man/flit-model.5).
#ifndef GEN_FAMILIES_MESSAGES_MODEL_H
#define GEN_FAMILIES_MESSAGES_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"
#include "text/model.h"
#include "value/status.h"

#define MESSAGES_ITERATIONS_MAX (MODEL_SECTIONS_MAX - 1)

// One message. The request, where there is one, goes at at_s, its data begin wait_s later and last
// flow_s.
struct messages_send {
	double at_s, wait_s, flow_s; // since the iteration began; wait_s 0: not requested
	uint64_t size_B;
	int64_t acknowledged; // by so many packets; below 0: as the model's key acknowledge says
	double acknowledged_s,
		acknowledging_s; // the first of these since the data begin, and from it to the last
	uint32_t src, dst;
	bool part; // of the message before between these nodes, which had stopped
};

struct messages_iteration {
	double lasts_s;	   // no message begins later
	double silence_s;  // after it; below 0: not known, that of messages_silence_s
	int once;	   // not 0: at the start only
	size_t first, end; // its sends
};

// Zero is empty; messages_model_clear frees it.
struct messages_model {
	uint64_t nodes, controllers; // controllers come first
	double duration_s;
	double segment_B,
		header_B; // payload of a full packet; bytes on the wire beside the payload
	double pace_s;	  // usual gap between packets of a message; 0: not given
	double pairs,
		first_pairs; // share of the gaps that are short, and of the first ones of messages
	double pair_gap_s;   // their length
	double tail_gap_s;   // before a last packet that is not full; 0: as the others
	double stall_s;	     // by how much a gap is longer where a message takes longer; 0: evenly
	double acknowledge;  // packets for each acknowledgement; 0: there are none
	double acknowledge_after_s;
	double request_B, answer_B; // payload of the handshake; 0: no such packet
	double answer_before_s;	    // data
	struct messages_iteration *iterations;
	size_t iteration_count;
	struct messages_send *sends; // by iteration, then by time
	size_t send_count;
};

// Packets with bytes of the message itself: 1 or more.
uint64_t messages_packets(const struct messages_model *model, const struct messages_send *send);

// Acknowledgements of all its packets, about.
double messages_acknowledgements(const struct messages_model *model,
				 const struct messages_send *send);

// Mean of the known silences after iterations that are repeated; 0 where there are none.
double messages_silence_s(const struct messages_model *model);

// Mean time from the begin of an iteration to that of the next one.
double messages_period_s(const struct messages_model *model);

// Reads the text. TR_ERROR with file and line; *out must be cleared all the same.
enum tr_status messages_model_get(const struct model *text, struct messages_model *out,
				  struct tr_error *err);

// Adds the model to the text.
void messages_model_put(struct model *text, const struct messages_model *model);

// Frees what it holds; it is empty then.
void messages_model_clear(struct messages_model *model);

// The family's explain, forecast and pairs (gen/families/family.h).
enum tr_status messages_explain(const struct model *text, FILE *out, struct tr_error *err);
enum tr_status messages_forecast(const struct model *text, struct forecast *out,
				 struct tr_error *err);
enum tr_status messages_pairs(const struct model *text, struct pairs *out, struct tr_error *err);

extern const struct family_fit messages_fit;

#endif
