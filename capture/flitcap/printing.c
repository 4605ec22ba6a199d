// SPDX-License-Identifier: GPL-3.0-or-later
// What flitcap prints: each decoded frame as text, and the counts in words on standard error.
#include "flitcap.h"

#include <stdio.h>
#include <string.h>

#include "packet/decode.h"
#include "stream/words.h"
#include "value/ticks.h"

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

static void print_packet(const struct cap *cap, const struct pk_packet *packet,
			 uint16_t packet_flags)
{
	const struct pk_flow_key *flow = &packet->flow;
	char protocol[8], flags[TEXT_BYTES];

	print_end(cap, flow, flow->src);
	print_end(cap, flow, flow->dst);
	(void)fprintf(cap->print, "\t%s\t%u\t%u\t%u\t%u\t%u\t",
		      tr_protocol_format(flow->protocol, protocol, sizeof(protocol)),
		      flow->src_port, flow->dst_port, packet->payload_bytes, packet->wire_bytes,
		      packet->tunnels);
	if (flow->protocol == TR_PROTOCOL_IB)
		(void)fprintf(cap->print, "%u\t%u", packet->opcode, packet->sequence);
	else if (flow->protocol == TR_PROTOCOL_PAUSE)
		(void)fprintf(cap->print, "%u\t-", packet->opcode);
	else
		(void)fputs("-\t-", cap->print);
	(void)fprintf(cap->print, "\t%s\t-\n",
		      tr_flags_format(TR_FLAG_BITS, packet_flags, flags, sizeof(flags)));
}

static void print_frame(const struct cap *cap, const struct pk_frame *frame,
			const struct pk_packet *packet, uint32_t why, uint16_t flags,
			uint64_t number)
{
	char text[TEXT_BYTES];

	(void)fprintf(cap->print, "%llu\t", (unsigned long long)number);
	(void)fputs(pk_frame_is_timed(frame)
			    ? tr_ticks_format(frame->time_ns, PK_TICKS_PER_S, text, sizeof(text))
			    : "-",
		    cap->print);
	if (why == PK_DECODED)
		print_packet(cap, packet, flags);
	else
		(void)fprintf(cap->print, "\t-\t-\t-\t-\t-\t-\t%u\t-\t-\t-\t-\t%s\n",
			      pk_frame_wire_bytes(frame), pk_why_key(why, text));
}

static void print_seen(void *context, const struct pk_frame *frame, const struct pk_packet *packet,
		       uint32_t why, uint16_t flags)
{
	const struct cap *cap = context;

	print_frame(cap, frame, packet, why, flags, cap->feed.frames);
}

bool cap_open_print(struct cap *cap)
{
	const char *write = cap->options->write;

	if (!cap->options->print)
		return true;
	if (write && strcmp(write, "-") == 0) {
		tool_error(cap->tool, "--print and -w - both write to standard output");
		return false;
	}
	cap->print = tool_text_output(cap->tool, NULL);
	if (cap->print)
		(void)fputs(
			"frame\ttime_s\tsrc\tdst\tprotocol\tsrc_port\tdst_port\tpayload_B\twire_B\t"
			"tunnels\topcode\tsequence\tflags\tundecoded\n",
			cap->print);
	cap->feed.seen = print_seen;
	cap->feed.seen_context = cap;
	return cap->print;
}

static const char *printing_seconds(int64_t time_ns, char text[TEXT_BYTES])
{
	return tr_ticks_format(time_ns, PK_TICKS_PER_S, text, TEXT_BYTES);
}

static void print_times(const struct pk_counts *counts)
{
	char first[TEXT_BYTES], last[TEXT_BYTES], span[TEXT_BYTES];
	int64_t span_ns;

	if (!counts->timed || __builtin_sub_overflow(counts->last_ns, counts->first_ns, &span_ns))
		return;
	(void)fprintf(stderr, "flitcap: from %s to %s s, %s s\n",
		      printing_seconds(counts->first_ns, first),
		      printing_seconds(counts->last_ns, last), printing_seconds(span_ns, span));
}

// A reason that pk_counts_each visits; context counts the reasons.
static enum tr_status print_reason(void *context, const char *key, uint64_t value)
{
	static const char prefix[] = "undecoded.";
	unsigned *printed = context;

	if (strncmp(key, prefix, sizeof(prefix) - 1) == 0)
		(void)fprintf(stderr, "%s%s %llu", (*printed)++ ? ", " : ": ",
			      key + sizeof(prefix) - 1, (unsigned long long)value);
	return TR_OK;
}

static void print_undecoded(const struct pk_counts *counts)
{
	unsigned printed = 0;

	if (!counts->undecoded)
		return;
	(void)fprintf(stderr, "flitcap: %llu not decoded", (unsigned long long)counts->undecoded);
	(void)pk_counts_each(counts, print_reason, &printed);
	(void)fputc('\n', stderr);
}

// Starts or continues a list of items of more than one frame in a hundred.
static void print_share(const struct cap *cap, const char *list, const char *name, uint64_t frames,
			unsigned *printed)
{
	if (frames <= cap->total.frames / 100)
		return;
	(void)fprintf(stderr, "%s%s %.1f %%", *printed ? ", " : list, name,
		      100 * (double)frames / (double)cap->total.frames);
	++*printed;
}

// Names what is a large part of the capture but not, or only partly, in the trace.
static void print_notable(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	unsigned whys = 0, protocols = 0;
	char key[PK_WHY_KEY_BYTES];

	for (uint32_t i = 0; i < counts->why_count; i++) {
		const char *name = pk_why_name(counts->whys[i].why);

		print_share(cap, "flitcap: not decoded, of all frames: ",
			    name ? name : pk_why_key(counts->whys[i].why, key),
			    counts->whys[i].frames, &whys);
	}
	if (whys)
		(void)fputc('\n', stderr);
	for (uint32_t i = 0; i < counts->opaque_count; i++)
		print_share(cap, "flitcap: not decoded beyond IP, of all frames: ",
			    tr_protocol_format(counts->opaque[i].protocol, key, sizeof(key)),
			    counts->opaque[i].packets, &protocols);
	if (protocols)
		(void)fputc('\n', stderr);
}

// What the capture says of lengths and cannot be so.
static void print_lengths(const struct pk_counts *counts)
{
	if (counts->length_lost)
		(void)fprintf(stderr,
			      "flitcap: the capture lacks the length on the link of %llu frames: "
			      "their headers give it and add %llu bytes\n",
			      (unsigned long long)counts->length_lost,
			      (unsigned long long)counts->length_lost_bytes);
	if (counts->length_short)
		(void)fprintf(stderr,
			      "flitcap: %llu frames have more captured bytes than their stated "
			      "length on the link: using the captured bytes and headers\n",
			      (unsigned long long)counts->length_short);
}

// Packets seen twice: those left out, or where they are many.
static void print_copies(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	const uint64_t packets = counts->frames - counts->undecoded;
	const double share = packets ? 100 * (double)counts->copies / (double)packets : 0;

	if (cap->options->dedup.count && counts->copies)
		(void)fprintf(stderr,
			      "flitcap: %llu packets, %.1f %%, are copies of earlier ones and were "
			      "dropped\n",
			      (unsigned long long)counts->copies, share);
	else if (counts->copies > packets / 100)
		(void)fprintf(stderr,
			      "flitcap: %s%llu packets, %.1f %%, are copies of packets up to 10 ms "
			      "earlier, as from a mirror or a bridge: --dedup drops them\n",
			      counts->frames > PK_COPIES_SURE_FRAMES ? "about " : "",
			      (unsigned long long)counts->copies, share);
	if (cap->options->dedup.count && pk_copies_forgotten(cap->feed.copies))
		(void)fprintf(stderr,
			      "flitcap: the window of --dedup had more packets than fit into "
			      "--memory: %llu were forgotten early, and their copies kept\n",
			      (unsigned long long)pk_copies_forgotten(cap->feed.copies));
}

static void print_order(const struct pk_order *order)
{
	char step[TEXT_BYTES];

	if (order->late)
		(void)fprintf(stderr, "flitcap: %llu out of order by up to %s s%s\n",
			      (unsigned long long)order->late,
			      printing_seconds(order->step_max_ns, step),
			      order->straggler == PK_STRAGGLER_KEEP ? "" : ", sorted");
	if (order->clamped)
		(void)fprintf(stderr,
			      "flitcap: %llu of these were too late and got the time of the "
			      "previous packet, after %llu step%s back\n",
			      (unsigned long long)order->clamped, (unsigned long long)order->steps,
			      order->steps == 1 ? "" : "s");
}

// Appends the link types that frames have and no decoder has, by number and libpcap's name; returns
// their frames.
static uint64_t list_links(const struct pk_counts *counts, char *out, size_t out_bytes)
{
	uint64_t frames = 0;

	for (uint32_t i = 0; i < counts->why_count; i++) {
		const struct pk_why_count *row = &counts->whys[i];
		const char *name = pk_why_name(row->why);
		const size_t used = strlen(out);

		if (row->why >> 16 != PK_LINK)
			continue;
		(void)snprintf(out + used, out_bytes - used, "%s%u%s%s%s", used ? ", " : "",
			       row->why & 0xffff, name ? " (" : "", name ? name : "",
			       name ? ")" : "");
		frames += row->frames;
	}
	return frames;
}

// What no frame of the whole capture can be decoded for: its link types, or times that no trace can
// contain.
void cap_end_undecoded(struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	char links[4 * TEXT_BYTES] = "";
	uint64_t by_link, by_time = 0;

	if (!counts->frames || counts->undecoded < counts->frames)
		return;
	by_link = list_links(counts, links, sizeof(links));
	for (uint32_t i = 0; i < counts->why_count; i++)
		if (counts->whys[i].why >> 16 == PK_TIME)
			by_time = counts->whys[i].frames;
	if (!by_link && !by_time)
		return;
	tool_error(cap->tool, "%s%snone of the %llu frames could be decoded: %s%s%s%s",
		   cap->from.name ? cap->from.name : "", cap->from.name ? ": " : "",
		   (unsigned long long)counts->frames, by_link ? "link type " : "", links,
		   by_link && by_time ? "; " : "",
		   by_time ? "times outside the years 1677 to 2262, which a trace cannot contain"
			   : "");
}

// What did not fit a trace, or the memory.
static void print_given_up(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	const uint64_t flows = pk_flows_given_up(cap->feed.flows), early = cap->feed.order.hurried;

	if (counts->node_other)
		(void)fprintf(
			stderr,
			"flitcap: %llu packets of nodes beyond the first %u, which are \"other\"\n",
			(unsigned long long)counts->node_other, pk_nodes_count(cap->feed.nodes));
	if (counts->flow_other > counts->node_other)
		(void)fprintf(stderr,
			      "flitcap: %llu packets without a flow, beyond the first %u flows\n",
			      (unsigned long long)(counts->flow_other - counts->node_other),
			      pk_flows_numbers(cap->feed.flows));
	if (flows)
		(void)fprintf(stderr,
			      "flitcap: %llu idle flows were forgotten to stay within --memory\n",
			      (unsigned long long)flows);
	if (early)
		(void)fprintf(stderr,
			      "flitcap: %llu packets were sorted before their window had passed, "
			      "to stay within --memory\n",
			      (unsigned long long)early);
}

static void print_rings(const struct cap *cap)
{
	for (unsigned i = 0; i < cap->interface.rings; i++) {
		const struct pk_ring_count *count = &cap->interface.ring_counts[i];

		(void)fprintf(stderr, "flitcap: ring %u: %llu frames, %llu lost\n", i + 1,
			      (unsigned long long)count->frames, (unsigned long long)count->lost);
	}
	if (cap->interface.put_late)
		(void)fprintf(stderr,
			      "flitcap: %llu frames came from their ring after later ones of "
			      "another\n",
			      (unsigned long long)cap->interface.put_late);
}

// What a class of one link's pauses asks for.
static void print_class_pauses(const struct pk_class_pauses *pauses, unsigned class)
{
	if (!pauses->asked && !pauses->resumed)
		return;
	if (class + 1 < PK_PAUSE_CLASSES)
		(void)fprintf(stderr, "flitcap: priority %u: ", class);
	else
		(void)fputs("flitcap: whole link: ", stderr);
	(void)fprintf(stderr, "%llu pauses of up to %u quanta, %llu ends of pauses\n",
		      (unsigned long long)pauses->asked, pauses->quanta_max,
		      (unsigned long long)pauses->resumed);
}

static void print_congestion(const struct pk_congestion *congestion)
{
	if (congestion->markable || congestion->marked)
		(void)fprintf(
			stderr,
			"flitcap: %llu packets can be marked (ECN), %llu are marked as having met "
			"congestion\n",
			(unsigned long long)congestion->markable,
			(unsigned long long)congestion->marked);
	if (congestion->notifications)
		(void)fprintf(stderr, "flitcap: %llu congestion notification packets (CNP)\n",
			      (unsigned long long)congestion->notifications);
	if (!congestion->pauses)
		return;
	(void)fprintf(stderr, "flitcap: %llu frames of flow control",
		      (unsigned long long)congestion->pauses);
	if (congestion->mixed)
		(void)fprintf(stderr,
			      ", %llu of different lengths for several priorities: a record each",
			      (unsigned long long)congestion->mixed);
	if (congestion->unrated)
		(void)fprintf(stderr,
			      "; the times paused need the rate of the link, which %s: --link-rate",
			      congestion->unrated == congestion->pauses ? "the capture does not say"
									: "some of it lacks");
	(void)fputc('\n', stderr);
	for (unsigned i = 0; i < PK_PAUSE_CLASSES; i++)
		print_class_pauses(&congestion->classes[i], i);
}

void cap_summary(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	char odd[TR_ODD_TIMES_BYTES];

	if (tool_quiet(cap->tool))
		return;
	if (*tr_times_odd(&cap->feed.output.times, PK_TICKS_PER_S, odd))
		(void)fprintf(stderr, "flitcap: odd: %s\n", odd);
	(void)fprintf(stderr, "flitcap: %llu frames, %llu bytes on the wire\n",
		      (unsigned long long)counts->frames, (unsigned long long)counts->wire_bytes);
	print_times(counts);
	print_copies(cap);
	if (counts->rejected)
		(void)fprintf(stderr, "flitcap: %llu rejected by the filter\n",
			      (unsigned long long)counts->rejected);
	if (counts->untimed)
		(void)fprintf(stderr, "flitcap: %llu without a time\n",
			      (unsigned long long)counts->untimed);
	if (counts->carried)
		(void)fprintf(stderr,
			      "flitcap: %llu times have a fraction of one second or more, which "
			      "was added\n",
			      (unsigned long long)counts->carried);
	print_undecoded(counts);
	print_notable(cap);
	print_congestion(&counts->congestion);
	print_lengths(counts);
	print_order(&cap->feed.order);
	print_given_up(cap);
	cap_print_messages(cap);
	cap_print_points(cap);
	print_rings(cap);
	if (cap->lost)
		(void)fprintf(stderr, "flitcap: %llu lost by the capture\n",
			      (unsigned long long)cap->lost);
}
