// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/words.h"

#include <stdio.h>
#include <string.h>

#include "trace/num.h"

struct word {
	uint8_t meaning; // enum tr_field_meaning
	uint8_t value;
	const char *word;
};

static const struct word words[] = {
	{TR_CLASS_CODE, TR_CLASS_NONE, "none"},
	{TR_CLASS_CODE, TR_CLASS_DATA, "data"},
	{TR_CLASS_CODE, TR_CLASS_OVERHEAD, "overhead"},
	{TR_STATUS_CODE, TR_DELIVERED, "delivered"},
	{TR_STATUS_CODE, TR_DROPPED, "dropped"},
	{TR_STATUS_CODE, TR_IN_FLIGHT, "in_flight"},
	{TR_REASON_CODE, TR_DROP_NONE, "none"},
	{TR_REASON_CODE, TR_DROP_QUEUE, "queue"},
	{TR_REASON_CODE, TR_DROP_TIMEOUT, "timeout"},
	{TR_REASON_CODE, TR_DROP_ERROR, "error"},
	{TR_REASON_CODE, TR_DROP_DEAD, "dead"},
	{TR_REASON_CODE, TR_DROP_UNMAPPED, "unmapped"},
	{TR_OPERATION_CODE, TR_OP_OTHER, "other"},
	{TR_OPERATION_CODE, TR_OP_SEND, "send"},
	{TR_OPERATION_CODE, TR_OP_RECV, "recv"},
	{TR_OPERATION_CODE, TR_OP_ISEND, "isend"},
	{TR_OPERATION_CODE, TR_OP_IRECV, "irecv"},
	{TR_OPERATION_CODE, TR_OP_WAIT, "wait"},
	{TR_OPERATION_CODE, TR_OP_BARRIER, "barrier"},
	{TR_OPERATION_CODE, TR_OP_BCAST, "bcast"},
	{TR_OPERATION_CODE, TR_OP_REDUCE, "reduce"},
	{TR_OPERATION_CODE, TR_OP_ALLREDUCE, "allreduce"},
	{TR_OPERATION_CODE, TR_OP_GATHER, "gather"},
	{TR_OPERATION_CODE, TR_OP_ALLGATHER, "allgather"},
	{TR_OPERATION_CODE, TR_OP_SCATTER, "scatter"},
	{TR_OPERATION_CODE, TR_OP_ALLTOALL, "alltoall"},
	{TR_FLAG_BITS, TR_FLAG_FRAGMENT, "fragment"},
	{TR_FLAG_BITS, TR_FLAG_SNAPPED, "snapped"},
	{TR_FLAG_BITS, TR_FLAG_LATE, "late"},
	{TR_FLAG_BITS, TR_FLAG_SETUP, "setup"},
	{TR_FLAG_BITS, TR_FLAG_CLOSE, "close"},
};
#define WORD_COUNT (sizeof words / sizeof words[0])

// Assigned numbers of IANA for what clusters send.
static const struct {
	uint8_t number;
	const char *word;
} protocols[] = {
	{1, "icmp"}, {2, "igmp"}, {4, "ipip"}, {6, "tcp"}, {17, "udp"}, {33, "dccp"}, {41, "ipv6"},
	{47, "gre"}, {50, "esp"}, {51, "ah"}, {58, "icmp6"}, {89, "ospf"}, {132, "sctp"},
};
#define PROTOCOL_COUNT (sizeof protocols / sizeof protocols[0])

const char *tr_word(enum tr_field_meaning meaning, int64_t value)
{
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (words[i].meaning == meaning && words[i].value == value)
			return words[i].word;
	return NULL;
}

bool tr_word_find(enum tr_field_meaning meaning, const char *word, int64_t *value)
{
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (words[i].meaning == meaning && !strcmp(words[i].word, word)) {
			*value = words[i].value;
			return true;
		}
	return false;
}

const char *tr_flags_format(unsigned flags, char *out, size_t out_bytes)
{
	size_t used = 0;

	(void)snprintf(out, out_bytes, "-");
	for (size_t i = 0; i < WORD_COUNT && used < out_bytes; i++) {
		if (words[i].meaning != TR_FLAG_BITS || !(flags & words[i].value))
			continue;
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used ? "+" : "",
					 words[i].word);
		flags &= ~(unsigned)words[i].value;
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

bool tr_flags_parse(const char *text, unsigned *flags)
{
	char word[16];
	unsigned bits;
	int64_t value;

	*flags = 0;
	if (!strcmp(text, "-"))
		return true;
	for (bool more = true; more; text++) {
		size_t length = strcspn(text, "+");

		if (length >= sizeof word)
			return false;
		memcpy(word, text, length);
		word[length] = '\0';
		if (!strncmp(word, "0x", 2) && parse_hex(word, &bits))
			*flags |= bits;
		else if (tr_word_find(TR_FLAG_BITS, word, &value))
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
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		if (protocols[i].number == protocol) {
			(void)snprintf(out, out_bytes, "%s", protocols[i].word);
			return out;
		}
	(void)snprintf(out, out_bytes, "%u", protocol);
	return out;
}

bool tr_protocol_parse(const char *text, uint8_t *protocol)
{
	uint64_t number;

	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		if (!strcmp(protocols[i].word, text)) {
			*protocol = protocols[i].number;
			return true;
		}
	if (num_parse_count(text, 0, UINT8_MAX, &number, NULL) != TR_OK)
		return false;
	*protocol = (uint8_t)number;
	return true;
}
