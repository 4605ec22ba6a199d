// SPDX-License-Identifier: GPL-3.0-or-later
// What is decoded of each frame, as text.
#include "flitcap.h"

#include <string.h>

#include "packet/decode.h"
#include "trace/ticks.h"
#include "trace/words.h"

#define TEXT_BYTES 64u

static void print_end(const struct cap *cap, const struct pk_flow_key *flow, const uint8_t *bytes)
{
	struct pk_address address = {.family = flow->family};
	char text[PK_ADDRESS_TEXT_BYTES];

	memcpy(address.bytes, bytes, sizeof(address.bytes));
	if (cap->anonymizer)
		pk_anonymize(cap->anonymizer, &address);
	(void)fprintf(cap->print, "\t%s", pk_address_format(&address, text));
}

static void print_packet(const struct cap *cap, const struct pk_frame *frame, const struct pk_packet *packet)
{
	const struct pk_flow_key *flow = &packet->flow;
	char protocol[8], flags[TEXT_BYTES];

	print_end(cap, flow, flow->src);
	print_end(cap, flow, flow->dst);
	(void)fprintf(cap->print, "\t%s\t%u\t%u\t%u\t%u\t%u\t", tr_protocol_format(flow->protocol, protocol, sizeof(protocol)),
		      flow->src_port, flow->dst_port, packet->payload_bytes, pk_frame_wire_bytes(frame), packet->tunnels);
	if (flow->protocol == TR_PROTOCOL_IB)
		(void)fprintf(cap->print, "%u\t%u", packet->opcode, packet->sequence);
	else
		(void)fputs("-\t-", cap->print);
	(void)fprintf(cap->print, "\t%s\t-\n", tr_flags_format(packet->flags, flags, sizeof(flags)));
}

static void print_frame(const struct cap *cap, const struct pk_frame *frame, uint64_t number)
{
	struct pk_packet packet;
	char text[TEXT_BYTES];
	const uint32_t why = pk_decode(frame, cap->options->outer, &packet);

	(void)fprintf(cap->print, "%llu\t", (unsigned long long)number);
	(void)fputs(frame->time_state == PK_TIME_KNOWN ? tr_ticks_format(frame->time_ns, PK_TICKS_PER_S, text, sizeof(text))
						       : "-",
		    cap->print);
	if (why == PK_DECODED)
		print_packet(cap, frame, &packet);
	else
		(void)fprintf(cap->print, "\t-\t-\t-\t-\t-\t-\t%u\t-\t-\t-\t-\t%s\n", pk_frame_wire_bytes(frame),
			      pk_why_key(why, text));
}

bool cap_open_print(struct cap *cap)
{
	const char *write = cap->options->write;

	if (!cap->options->print)
		return true;
	if (write && strcmp(write, "-") == 0) {
		tool_error(cap->tool, "--print and -w -: both to the standard output");
		return false;
	}
	cap->print = tool_text_output(cap->tool, NULL);
	if (cap->print)
		(void)fputs("frame\ttime_s\tsrc\tdst\tprotocol\tsrc_port\tdst_port\tpayload_B\twire_B\t"
			    "tunnels\topcode\tsequence\tflags\tundecoded\n",
			    cap->print);
	return cap->print;
}

void cap_print(const struct cap *cap, const struct pk_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		print_frame(cap, &frames[i], cap->feed.frames + i + 1);
}
