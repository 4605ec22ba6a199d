// SPDX-License-Identifier: GPL-3.0-or-later
// Packets as a pcap or pcapng file: raw IP (link type 101) with headers made from the names,
// nanosecond stamps. The payload is missing: a packet is cut after its headers, and its length on
// the wire is that of the record.
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "flitcut.h"
#include "stream/ib.h"
#include "value/little_endian.h"
#include "value/ticks.h"

#define MAGIC_NANOSECONDS UINT32_C(0xa1b23c4d)
#define PCAPNG_SECTION 0x0a0d0d0au
#define PCAPNG_BYTE_ORDER 0x1a2b3c4du
#define PCAPNG_INTERFACE 1u
#define PCAPNG_RESOLUTION 9u // an option of it
#define PCAPNG_PACKET 6u
#define LINKTYPE_RAW 101u
#define SNAP_BYTES 262144u

#define IPV4_BYTES 20u
#define IPV6_BYTES 40u
#define TCP_BYTES 20u
#define UDP_BYTES 8u
#define BTH_BYTES 12u // base transport header of InfiniBand
#define ICRC_BYTES 4u
#define ROCE_PORT 4791u
#define ROCE_SOURCE_PORT 49152u // the first that the specification proposes
#define SEQUENCE_MASK 0xffffffu
#define HEADERS_MAX ((size_t)IPV6_BYTES + UDP_BYTES + BTH_BYTES + TR_IB_HEADER_BYTES_MAX)
#define PROTOCOL_TCP 6u
#define PROTOCOL_UDP 17u
#define PROTOCOL_UNKNOWN 253u // for experiments (RFC 3692)
#define MORE_FRAGMENTS 0x2000u

#define TCP_FIN 0x01u
#define TCP_SYN 0x02u
#define TCP_PSH 0x08u
#define TCP_ACK 0x10u

// The data for a packet's headers.
struct wire {
	int family; // AF_INET or AF_INET6
	uint8_t src[16], dst[16];
	struct tr_flow flow;
	const struct tr_packet *packet;
	bool later_fragment; // has no transport header
	uint32_t sequence, acknowledged;
	bool answers; // the other direction has sent something
};

static bool cut_pcap_open_file(struct cut_output *output)
{
	const char *word = output->form->word;

	if (output->field_list) {
		tool_error(output->tool, "--fields cannot be combined with --format %s", word);
		return false;
	}
	if (!tr_kind_has_packet(output->header.kind)) {
		tool_error(output->tool, "only packets and deliveries can be written as %s", word);
		return false;
	}
	output->file = tool_text_output(output->tool, output->path);
	if (!output->file)
		return false;
	if (isatty(fileno(output->file))) {
		tool_error(output->tool,
			   "a %s file is not written to a terminal; use -w FILE or a pipe", word);
		return false;
	}
	return true;
}

static bool cut_pcap_pcap_open(struct cut_output *output)
{
	uint8_t head[24] = {0};

	if (!cut_pcap_open_file(output))
		return false;
	tr_set_u32(head, MAGIC_NANOSECONDS);
	tr_set_u16(head + 4, 2);
	tr_set_u16(head + 6, 4);
	tr_set_u32(head + 16, SNAP_BYTES);
	tr_set_u32(head + 20, LINKTYPE_RAW);
	(void)fwrite(head, sizeof(head), 1, output->file);
	return true;
}

static void set_be16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void set_be32(uint8_t *at, uint32_t value)
{
	set_be16(at, value >> 16);
	set_be16(at + 2, value & 0xffff);
}

// Parses a node's name as an address, with or without a port; false if it is not one.
static bool cut_pcap_parse_address(int family, const char *name, uint8_t *out)
{
	char text[INET6_ADDRSTRLEN];
	const bool bracketed = *name == '[';
	const char *end = strrchr(name, ':');

	if (inet_pton(family, name, out) == 1)
		return true;
	if (!end || bracketed != (family == AF_INET6))
		return false;
	if (bracketed && (*--end != ']' || end == name++))
		return false;
	if ((size_t)(end - name) >= sizeof(text))
		return false;
	memcpy(text, name, (size_t)(end - name));
	text[end - name] = '\0';
	return inet_pton(family, text, out) == 1;
}

// Addresses of both ends; if they are not of one family, the ids within 10.0.0.0/8.
static void set_addresses(const struct tr_names *names, struct wire *wire)
{
	const char *src = tr_names_node(names, wire->packet->src);
	const char *dst = tr_names_node(names, wire->packet->dst);
	const uint32_t ids[2] = {wire->packet->src, wire->packet->dst};

	for (wire->family = AF_INET;; wire->family = AF_INET6) {
		if (cut_pcap_parse_address(wire->family, src, wire->src) &&
		    cut_pcap_parse_address(wire->family, dst, wire->dst))
			return;
		if (wire->family == AF_INET6)
			break;
	}
	wire->family = AF_INET;
	for (int end = 0; end < 2; end++) {
		uint32_t address = htonl(10u << 24 | ((ids[end] + 1) & 0xffffff));

		memcpy(end ? wire->dst : wire->src, &address, sizeof(address));
	}
}

// RFC 1071.
static unsigned checksum(const uint8_t *bytes, size_t count)
{
	unsigned sum = 0;

	for (size_t i = 0; i < count; i += 2)
		sum += (unsigned)bytes[i] << 8 | bytes[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

static uint8_t ip_protocol(const struct wire *wire)
{
	return wire->flow.protocol == TR_PROTOCOL_IB ? PROTOCOL_UDP : wire->flow.protocol;
}

static size_t extended_bytes(const struct wire *wire)
{
	int deth_at;

	return tr_ib_header_bytes(wire->packet->opcode, &deth_at);
}

// RoCE pads a payload to four bytes, and ends with a checksum.
static unsigned pad_bytes(const struct wire *wire)
{
	return -wire->packet->payload_bytes & 3u;
}

static size_t transport_bytes(const struct wire *wire)
{
	if (wire->later_fragment)
		return 0;
	if (wire->flow.protocol == TR_PROTOCOL_IB)
		return UDP_BYTES + BTH_BYTES + extended_bytes(wire);
	return wire->flow.protocol == PROTOCOL_TCP   ? TCP_BYTES
	       : wire->flow.protocol == PROTOCOL_UDP ? UDP_BYTES
						     : 0;
}

// The length in the IP header; 0 if it exceeds 16 bits (as with segmentation offload).
static unsigned content_length(const struct wire *wire, size_t header_bytes)
{
	uint64_t length = header_bytes + transport_bytes(wire) + wire->packet->payload_bytes;

	if (wire->flow.protocol == TR_PROTOCOL_IB)
		length += pad_bytes(wire) + ICRC_BYTES;
	return length > UINT16_MAX ? 0 : (unsigned)length;
}

// RFC 3168: which of the two forms of ECT the sender had is not known.
static uint8_t ecn_bits(uint16_t flags)
{
	return flags & TR_FLAG_MARKED ? 3 : flags & TR_FLAG_MARKABLE ? 2 : 0;
}

static size_t cut_pcap_put_ipv4(const struct wire *wire, uint8_t *out)
{
	bool fragment = wire->packet->flags & TR_FLAG_FRAGMENT;

	out[0] = 0x45;
	out[1] = ecn_bits(wire->packet->flags);
	set_be16(out + 2, content_length(wire, IPV4_BYTES));
	set_be16(out + 4, wire->packet->id & 0xffff);
	set_be16(out + 6, wire->later_fragment ? 1 : fragment ? MORE_FRAGMENTS : 0);
	out[8] = 64;
	out[9] = ip_protocol(wire);
	memcpy(out + 12, wire->src, 4);
	memcpy(out + 16, wire->dst, 4);
	set_be16(out + 10, checksum(out, IPV4_BYTES));
	return IPV4_BYTES;
}

static size_t put_ipv6(const struct wire *wire, uint8_t *out)
{
	out[0] = 0x60;
	out[1] = (uint8_t)(ecn_bits(wire->packet->flags) << 4);
	set_be16(out + 4, content_length(wire, 0));
	out[6] = ip_protocol(wire);
	out[7] = 64;
	memcpy(out + 8, wire->src, 16);
	memcpy(out + 24, wire->dst, 16);
	return IPV6_BYTES;
}

static void set_be24(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 16);
	set_be16(at + 1, value & 0xffff);
}

// RoCE version 2; of the extended headers only the source's queue pair is known.
static void put_roce(const struct wire *wire, uint8_t *out)
{
	uint8_t *bth = out + UDP_BYTES;
	int deth_at;

	set_be16(out, ROCE_SOURCE_PORT);
	set_be16(out + 2, ROCE_PORT);
	set_be16(out + 4, content_length(wire, 0));
	bth[0] = wire->packet->opcode;
	bth[1] = (uint8_t)(pad_bytes(wire) << 4);
	set_be16(bth + 2, UINT16_MAX); // the default partition
	set_be24(bth + 5, wire->flow.dst_port);
	set_be24(bth + 9, wire->sequence);
	(void)tr_ib_header_bytes(bth[0], &deth_at);
	if (deth_at >= 0)
		set_be24(bth + BTH_BYTES + deth_at + 5, wire->flow.src_port);
}

static size_t put_transport(const struct wire *wire, uint8_t *out)
{
	unsigned flags = wire->packet->flags & TR_FLAG_SETUP
				 ? (wire->answers ? TCP_SYN | TCP_ACK : TCP_SYN)
			 : wire->packet->flags & TR_FLAG_CLOSE ? TCP_FIN | TCP_ACK
							       : TCP_ACK;
	size_t bytes = transport_bytes(wire);

	if (!bytes)
		return 0;
	if (wire->flow.protocol == TR_PROTOCOL_IB) {
		put_roce(wire, out);
		return bytes;
	}
	set_be16(out, wire->flow.src_port & 0xffff);
	set_be16(out + 2, wire->flow.dst_port & 0xffff);
	if (wire->flow.protocol == PROTOCOL_UDP) {
		set_be16(out + 4, content_length(wire, 0));
		return bytes;
	}
	set_be32(out + 4, wire->sequence);
	set_be32(out + 8, flags & TCP_ACK ? wire->acknowledged : 0);
	out[12] = (TCP_BYTES / 4) << 4;
	out[13] = (uint8_t)(flags | (wire->packet->payload_bytes ? TCP_PSH : 0));
	set_be16(out + 14, UINT16_MAX);
	return bytes;
}

// The packet's time in nanoseconds since the epoch, rounded down.
static __int128 cut_pcap_time_ns(const struct cut_output *output, int64_t time_ticks)
{
	__int128 rate = (__int128)output->header.ticks_per_s;
	__int128 seconds = time_ticks / rate - (time_ticks % rate < 0);
	__int128 ns = (time_ticks - seconds * rate) * TR_NS_PER_S / rate + output->header.origin_ns;

	return (seconds + output->header.origin_s) * TR_NS_PER_S + ns;
}

static bool refuse_time(const struct cut_output *output, const struct tr_packet *packet,
			const char *years)
{
	tool_error(output->tool, "packet %" PRIu64 ": its time is out of the range of %s (%s)",
		   packet->id, output->form->word, years);
	return false;
}

// Sequence number of a flow's next byte. A flow whose setup was not seen begins at 1, after the
// setup's 0.
static uint32_t next_sequence(const struct cut_output *output, uint32_t flow)
{
	uint32_t next = tr_id_get(&output->sequence, flow);

	return next == UINT32_MAX ? 1 : next;
}

// Numbers packets of a queue pair one by one; one sent again repeats the previous number. false,
// printed, if out of memory.
static bool set_pair_sequence(struct cut_output *output, struct wire *wire)
{
	uint32_t next = next_sequence(output, wire->packet->flow);
	struct tr_error err;

	if (wire->packet->flags & TR_FLAG_RESENT)
		next--;
	wire->sequence = next & SEQUENCE_MASK;
	if (tr_id_set(&output->sequence, wire->packet->flow, wire->sequence + 1, &err) == TR_OK)
		return true;
	tool_error(output->tool, "%s", err.text);
	return false;
}

// Numbers the packet's bytes as if every flow had begun at 0 and all packets had been seen; false,
// printed, if out of memory.
static bool set_sequence(struct cut_output *output, struct wire *wire)
{
	const struct tr_packet *packet = wire->packet;
	bool setup = packet->flags & TR_FLAG_SETUP;
	struct tr_name back = {
		.kind = TR_NAME_FLOW,
		.src = wire->flow.dst,
		.dst = wire->flow.src,
		.src_port = wire->flow.dst_port,
		.dst_port = wire->flow.src_port,
		.protocol = wire->flow.protocol,
	};
	struct tr_error err;
	uint32_t next, back_id;

	if (wire->flow.protocol == TR_PROTOCOL_IB)
		return set_pair_sequence(output, wire);
	if (wire->flow.protocol != PROTOCOL_TCP || wire->later_fragment)
		return true;
	wire->sequence = setup ? 0 : next_sequence(output, packet->flow);
	back_id = tr_name_index_find(output->context.index, &back);
	wire->acknowledged = next_sequence(output, back_id);
	wire->answers = tr_id_get(&output->sequence, back_id) != UINT32_MAX;
	next = wire->sequence + packet->payload_bytes +
	       (packet->flags & (TR_FLAG_SETUP | TR_FLAG_CLOSE) ? 1 : 0);
	if (tr_id_set(&output->sequence, packet->flow, next, &err) == TR_OK)
		return true;
	tool_error(output->tool, "%s", err.text);
	return false;
}

// Writes the packet's headers to out, which is zero, *caught bytes of them; false, printed, if out
// of memory.
static bool put_headers(struct cut_output *output, const struct tr_packet *packet, uint8_t *out,
			size_t *caught)
{
	const struct tr_names *names = output->context.index->names;
	struct wire wire = {.packet = packet, .flow = {.protocol = PROTOCOL_UNKNOWN}};

	if (packet->flow < names->flow_count)
		wire.flow = *tr_names_flow(names, packet->flow);
	wire.later_fragment = packet->flags & TR_FLAG_FRAGMENT && !wire.flow.src_port &&
			      !wire.flow.dst_port;
	set_addresses(names, &wire);
	if (!set_sequence(output, &wire))
		return false;
	*caught = wire.family == AF_INET ? cut_pcap_put_ipv4(&wire, out) : put_ipv6(&wire, out);
	*caught += put_transport(&wire, out + *caught);
	return true;
}

static uint32_t wire_bytes(const struct tr_packet *packet, size_t caught)
{
	return packet->wire_bytes > caught ? packet->wire_bytes : (uint32_t)caught;
}

// Whether a packet is a pause, of a link and not of IP; counts it.
static bool cut_pcap_leaves_out(struct cut_output *output, const struct tr_packet *packet)
{
	if (!tr_names_pause(output->context.index->names, packet->flow))
		return false;
	output->pauses++;
	return true;
}

static bool pcap_record(struct cut_output *output, const union tr_record *record)
{
	const struct tr_packet *packet = &record->packet;
	const __int128 ns = cut_pcap_time_ns(output, packet->time_ticks);
	uint8_t bytes[16 + HEADERS_MAX] = {0};
	size_t caught;

	if (cut_pcap_leaves_out(output, packet))
		return true;
	if (ns < 0 || ns / TR_NS_PER_S > UINT32_MAX)
		return refuse_time(output, packet, "1970 to 2106");
	if (!put_headers(output, packet, bytes + 16, &caught))
		return false;
	tr_set_u32(bytes, (uint32_t)(ns / TR_NS_PER_S));
	tr_set_u32(bytes + 4, (uint32_t)(ns % TR_NS_PER_S));
	tr_set_u32(bytes + 8, (uint32_t)caught);
	tr_set_u32(bytes + 12, wire_bytes(packet, caught));
	return fwrite(bytes, 16 + caught, 1, output->file) == 1;
}

// ---- pcapng: a section, an interface with nanoseconds, and an enhanced packet block for each
// packet

static bool cut_pcap_pcapng_open(struct cut_output *output)
{
	uint8_t section[28] = {0}, interface[32] = {0};

	if (!cut_pcap_open_file(output))
		return false;
	tr_set_u32(section, PCAPNG_SECTION);
	tr_set_u32(section + 4, sizeof(section));
	tr_set_u32(section + 8, PCAPNG_BYTE_ORDER);
	tr_set_u16(section + 12, 1);
	memset(section + 16, 0xff, 8); // its length is unspecified
	tr_set_u32(section + 24, sizeof(section));
	tr_set_u32(interface, PCAPNG_INTERFACE);
	tr_set_u32(interface + 4, sizeof(interface));
	tr_set_u16(interface + 8, LINKTYPE_RAW);
	tr_set_u32(interface + 12, SNAP_BYTES);
	tr_set_u16(interface + 16, PCAPNG_RESOLUTION);
	tr_set_u16(interface + 18, 1);
	interface[20] = 9; // 10^-9 seconds; then the end of the options
	tr_set_u32(interface + 28, sizeof(interface));
	(void)fwrite(section, sizeof(section), 1, output->file);
	(void)fwrite(interface, sizeof(interface), 1, output->file);
	return true;
}

static bool pcapng_record(struct cut_output *output, const union tr_record *record)
{
	const struct tr_packet *packet = &record->packet;
	const __int128 ns = cut_pcap_time_ns(output, packet->time_ticks);
	uint8_t bytes[32 + HEADERS_MAX] = {0};
	size_t caught;
	uint32_t block_bytes;

	if (cut_pcap_leaves_out(output, packet))
		return true;
	if (ns < 0 || ns > UINT64_MAX)
		return refuse_time(output, packet, "1970 to 2554");
	if (!put_headers(output, packet, bytes + 28, &caught))
		return false;
	block_bytes = (uint32_t)(32 + (caught + 3) / 4 * 4);
	tr_set_u32(bytes, PCAPNG_PACKET);
	tr_set_u32(bytes + 4, block_bytes);
	tr_set_u32(bytes + 12, (uint32_t)((uint64_t)ns >> 32));
	tr_set_u32(bytes + 16, (uint32_t)(uint64_t)ns);
	tr_set_u32(bytes + 20, (uint32_t)caught);
	tr_set_u32(bytes + 24, wire_bytes(packet, caught));
	tr_set_u32(bytes + block_bytes - 4, block_bytes);
	return fwrite(bytes, block_bytes, 1, output->file) == 1;
}

static void pcap_close(struct cut_output *output, const struct tr_trailer *trailer)
{
	(void)trailer;
	if (output->pauses)
		tool_warn(output->tool,
			  "%" PRIu64 " pauses are left out: they are frames of links, and the file "
			  "has packets of IP",
			  output->pauses);
	tr_id_array_clear(&output->sequence);
}

const struct cut_form cut_form_pcap = {"pcap", false,	    cut_pcap_pcap_open,
				       NULL,   pcap_record, pcap_close};
const struct cut_form cut_form_pcapng = {"pcapng", false,	  cut_pcap_pcapng_open,
					 NULL,	   pcapng_record, pcap_close};
