// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/words.h"

#include <stdio.h>
#include <string.h>

#include "stream/names.h"
#include "value/num.h"

const struct opt_choice tr_class_words[] = {
	{"none", TR_CLASS_NONE, "not classified"},
	{"data", TR_CLASS_DATA, "has more payload than the threshold of overhead"},
	{"overhead", TR_CLASS_OVERHEAD, "has at most that much payload"},
	{NULL, 0},
};

const struct opt_choice tr_status_words[] = {
	{"delivered", TR_DELIVERED, "arrived"},
	{"dropped", TR_DROPPED, "did not arrive; the reason says why"},
	{"in_flight", TR_IN_FLIGHT, "still on its way at the end"},
	{NULL, 0},
};

const struct opt_choice tr_reason_words[] = {
	{"none", TR_DROP_NONE, "not dropped"},
	{"queue", TR_DROP_QUEUE, "the queue of its source was full"},
	{"timeout", TR_DROP_TIMEOUT, "removed by a timeout or reset"},
	{"error", TR_DROP_ERROR, "damaged on the way"},
	{"dead", TR_DROP_DEAD, "a link or host was dead"},
	{"unmapped", TR_DROP_UNMAPPED, "a node is not in the network"},
	{"route", TR_DROP_ROUTE, "its route does not lead to its destination"},
	{"deadlock", TR_DROP_DEADLOCK, "taken out of a deadlock"},
	{"lost", TR_DROP_LOST, "captured where it was sent, and not where it should have arrived"},
	{"buffer", TR_DROP_BUFFER, "the buffer of a switch was full"},
	{"no-route", TR_DROP_NO_ROUTE, "faults have left no route to its destination"},
	{NULL, 0},
};

const struct opt_choice tr_operation_words[] = {
	{"other", TR_OP_OTHER, "any other call"},
	{"send", TR_OP_SEND, "blocking send"},
	{"recv", TR_OP_RECV, "blocking receive"},
	{"isend", TR_OP_ISEND, "send that does not block"},
	{"irecv", TR_OP_IRECV, "receive that does not block"},
	{"wait", TR_OP_WAIT, "wait for one that does not block"},
	{"barrier", TR_OP_BARRIER, "all ranks wait for all"},
	{"bcast", TR_OP_BCAST, "one rank sends to all"},
	{"reduce", TR_OP_REDUCE, "the data of all are combined at one"},
	{"allreduce", TR_OP_ALLREDUCE, "the data of all are combined at all"},
	{"gather", TR_OP_GATHER, "one rank receives a block of each"},
	{"allgather", TR_OP_ALLGATHER, "all ranks receive a block of each"},
	{"scatter", TR_OP_SCATTER, "one rank sends a block to each"},
	{"alltoall", TR_OP_ALLTOALL, "each rank sends a block to each"},
	{"ignore_me", TR_OP_IGNORE_ME, "a value for a reference, of a program of processes"},
	{"birth", TR_OP_BIRTH, "a process begins"},
	{"death", TR_OP_DEATH, "a process ends"},
	{"reduce-scatter", TR_OP_REDUCE_SCATTER, "the data of all are combined, a block at each"},
	{"scan", TR_OP_SCAN, "each rank gets the combination up to its own data"},
	{"exscan", TR_OP_EXSCAN, "each rank gets the combination before its own data"},
	{"write", TR_OP_WRITE, "RDMA: into the memory of the destination"},
	{"read", TR_OP_READ, "RDMA: from the memory of the source, for the destination"},
	{"atomic", TR_OP_ATOMIC, "RDMA: compare and swap, or fetch and add"},
	{NULL, 0},
};

const struct opt_choice tr_role_words[] = {
	{"unknown", TR_ROLE_UNKNOWN, "not known"},
	{"controller", TR_ROLE_CONTROLLER, "hands out the work"},
	{"worker", TR_ROLE_WORKER, "does the work"},
	{NULL, 0},
};

static const struct opt_choice flag_words[] = {
	{"fragment", TR_FLAG_FRAGMENT},
	{"snapped", TR_FLAG_SNAPPED},
	{"late", TR_FLAG_LATE},
	{"setup", TR_FLAG_SETUP},
	{"close", TR_FLAG_CLOSE},
	{"resent", TR_FLAG_RESENT},
	{"duplicate", TR_FLAG_DUPLICATE},
	{"after-loss", TR_FLAG_AFTER_LOSS},
	{"marked", TR_FLAG_MARKED},
	{"markable", TR_FLAG_MARKABLE},
	{NULL, 0},
};

static const struct opt_choice message_flag_words[] = {
	{"eager", TR_MESSAGE_EAGER},
	{"rendezvous", TR_MESSAGE_RENDEZVOUS},
	{"rule", TR_MESSAGE_RULE},
	{"partly", TR_MESSAGE_PARTLY},
	{NULL, 0},
};

static const struct opt_choice no_words[] = {{NULL, 0}};

const struct opt_choice tr_size_words[] = {
	{"payload", TR_SIZE_PAYLOAD, "bytes above TCP and UDP, without headers"},
	{"wire", TR_SIZE_WIRE, "bytes on the wire, with headers"},
	{NULL, 0},
};

// IANA's assigned numbers of protocols in clusters.
const struct opt_choice tr_protocol_words[] = {
	{"icmp", 1, "Internet Control Message Protocol"},
	{"igmp", 2, "Internet Group Management Protocol"},
	{"ipip", 4, "IPv4 in IP"},
	{"tcp", 6, "Transmission Control Protocol"},
	{"udp", 17, "User Datagram Protocol"},
	{"dccp", 33, "Datagram Congestion Control Protocol"},
	{"ipv6", 41, "IPv6 in IP"},
	{"gre", 47, "Generic Routing Encapsulation"},
	{"esp", 50, "Encapsulating Security Payload"},
	{"ah", 51, "Authentication Header"},
	{"icmp6", 58, "ICMP for IPv6"},
	{"ospf", 89, "Open Shortest Path First"},
	{"sctp", 132, "Stream Control Transmission Protocol"},
	{"pause", TR_PROTOCOL_PAUSE, "Ethernet's PAUSE and priority flow control"},
	{"ib", TR_PROTOCOL_IB, "InfiniBand, also over Ethernet (roce)"},
	{NULL, 0},
};

static const struct opt_choice *words_of(enum tr_field_meaning meaning)
{
	switch (meaning) {
	case TR_CLASS_CODE: return tr_class_words;
	case TR_STATUS_CODE: return tr_status_words;
	case TR_REASON_CODE: return tr_reason_words;
	case TR_OPERATION_CODE: return tr_operation_words;
	case TR_FLAG_BITS: return flag_words;
	case TR_MESSAGE_FLAG_BITS: return message_flag_words;
	default: return no_words;
	}
}

const char *tr_word(enum tr_field_meaning meaning, int64_t value)
{
	for (const struct opt_choice *row = words_of(meaning); row->word; row++)
		if (row->value == value)
			return row->word;
	return NULL;
}

bool tr_word_find(enum tr_field_meaning meaning, const char *word, int64_t *value)
{
	for (const struct opt_choice *row = words_of(meaning); row->word; row++)
		if (!strcmp(row->word, word)) {
			*value = row->value;
			return true;
		}
	return false;
}

const char *tr_flags_format(enum tr_field_meaning meaning, unsigned flags, char *out,
			    size_t out_bytes)
{
	size_t used = 0;

	(void)snprintf(out, out_bytes, "-");
	for (const struct opt_choice *row = words_of(meaning); row->word && used < out_bytes;
	     row++) {
		if (!(flags & (unsigned)row->value))
			continue;
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used ? "+" : "",
					 row->word);
		flags &= ~(unsigned)row->value;
	}
	if (flags && used < out_bytes)
		(void)snprintf(out + used, out_bytes - used, "%s0x%x", used ? "+" : "", flags);
	return out;
}

// A number such as 0x40: at most 4 digits of base 16.
static bool parse_hex(const char *text, unsigned *value)
{
	size_t digits = strspn(text + 2, "0123456789abcdef");

	*value = 0;
	if (!digits || digits > 4 || text[2 + digits])
		return false;
	for (text += 2; *text; text++)
		*value = *value * 16 + (unsigned)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
	return true;
}

bool tr_flags_parse(enum tr_field_meaning meaning, const char *text, unsigned *flags)
{
	char word[16];
	unsigned bits;
	int64_t value;

	*flags = 0;
	if (!strcmp(text, "-"))
		return true;
	for (bool more = true; more; text++) {
		size_t length = strcspn(text, "+");

		if (length >= sizeof(word))
			return false;
		memcpy(word, text, length);
		word[length] = '\0';
		if (!strncmp(word, "0x", 2) && parse_hex(word, &bits))
			*flags |= bits;
		else if (tr_word_find(meaning, word, &value))
			*flags |= (unsigned)value;
		else
			return false;
		text += length;
		more = *text != '\0';
	}
	return true;
}

const char *tr_protocol_format(uint8_t protocol, char *out, size_t out_bytes)
{
	for (const struct opt_choice *row = tr_protocol_words; row->word; row++)
		if (row->value == protocol) {
			(void)snprintf(out, out_bytes, "%s", row->word);
			return out;
		}
	(void)snprintf(out, out_bytes, "%u", protocol);
	return out;
}

bool tr_protocol_parse(const char *text, uint8_t *protocol)
{
	uint64_t number;

	if (!strcmp(text, "roce")) // the same over Ethernet
		text = "ib";
	for (const struct opt_choice *row = tr_protocol_words; row->word; row++)
		if (!strcmp(row->word, text)) {
			*protocol = (uint8_t)row->value;
			return true;
		}
	if (num_parse_count(text, 0, UINT8_MAX, &number, NULL) != TR_OK)
		return false;
	*protocol = (uint8_t)number;
	return true;
}
