// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/words.h"

#include <stdio.h>
#include <string.h>

#include "trace/names.h"
#include "trace/num.h"

const struct opt_choice tr_class_words[] = {
	{"none", TR_CLASS_NONE},
	{"data", TR_CLASS_DATA},
	{"overhead", TR_CLASS_OVERHEAD},
	{NULL, 0},
};

const struct opt_choice tr_status_words[] = {
	{"delivered", TR_DELIVERED},
	{"dropped", TR_DROPPED},
	{"in_flight", TR_IN_FLIGHT},
	{NULL, 0},
};

const struct opt_choice tr_reason_words[] = {
	{"none", TR_DROP_NONE},
	{"queue", TR_DROP_QUEUE},
	{"timeout", TR_DROP_TIMEOUT},
	{"error", TR_DROP_ERROR},
	{"dead", TR_DROP_DEAD},
	{"unmapped", TR_DROP_UNMAPPED},
	{"route", TR_DROP_ROUTE},
	{"deadlock", TR_DROP_DEADLOCK},
	{"lost", TR_DROP_LOST},
	{"buffer", TR_DROP_BUFFER},
	{NULL, 0},
};

const struct opt_choice tr_operation_words[] = {
	{"other", TR_OP_OTHER},		{"send", TR_OP_SEND},	      {"recv", TR_OP_RECV},
	{"isend", TR_OP_ISEND},		{"irecv", TR_OP_IRECV},	      {"wait", TR_OP_WAIT},
	{"barrier", TR_OP_BARRIER},	{"bcast", TR_OP_BCAST},	      {"reduce", TR_OP_REDUCE},
	{"allreduce", TR_OP_ALLREDUCE}, {"gather", TR_OP_GATHER},     {"allgather", TR_OP_ALLGATHER},
	{"scatter", TR_OP_SCATTER},	{"alltoall", TR_OP_ALLTOALL}, {"ignore_me", TR_OP_IGNORE_ME},
	{"birth", TR_OP_BIRTH},		{"death", TR_OP_DEATH},	      {"reduce-scatter", TR_OP_REDUCE_SCATTER},
	{"scan", TR_OP_SCAN},		{"exscan", TR_OP_EXSCAN},     {NULL, 0},
};

const struct opt_choice tr_role_words[] = {
	{"unknown", TR_ROLE_UNKNOWN},
	{"controller", TR_ROLE_CONTROLLER},
	{"worker", TR_ROLE_WORKER},
	{NULL, 0},
};

static const struct opt_choice flag_words[] = {
	{"fragment", TR_FLAG_FRAGMENT},	  {"snapped", TR_FLAG_SNAPPED},
	{"late", TR_FLAG_LATE},		  {"setup", TR_FLAG_SETUP},
	{"close", TR_FLAG_CLOSE},	  {"resent", TR_FLAG_RESENT},
	{"duplicate", TR_FLAG_DUPLICATE}, {NULL, 0},
};

static const struct opt_choice message_flag_words[] = {
	{"eager", TR_MESSAGE_EAGER},
	{"rendezvous", TR_MESSAGE_RENDEZVOUS},
	{"rule", TR_MESSAGE_RULE},
	{"partly", TR_MESSAGE_PARTLY},
	{NULL, 0},
};

static const struct opt_choice no_words[] = {{NULL, 0}};

// IANA's assigned numbers of protocols in clusters.
static const struct {
	uint8_t number;
	const char *word;
} protocols[] = {
	{1, "icmp"}, {2, "igmp"}, {4, "ipip"}, {6, "tcp"},    {17, "udp"},  {33, "dccp"},  {41, "ipv6"},
	{47, "gre"}, {50, "esp"}, {51, "ah"},  {58, "icmp6"}, {89, "ospf"}, {132, "sctp"}, {TR_PROTOCOL_IB, "ib"},
};
#define PROTOCOL_COUNT (sizeof(protocols) / sizeof(protocols[0]))

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

const char *tr_flags_format(enum tr_field_meaning meaning, unsigned flags, char *out, size_t out_bytes)
{
	size_t used = 0;

	(void)snprintf(out, out_bytes, "-");
	for (const struct opt_choice *row = words_of(meaning); row->word && used < out_bytes; row++) {
		if (!(flags & (unsigned)row->value))
			continue;
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used ? "+" : "", row->word);
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

	if (!strcmp(text, "roce")) // the same over Ethernet
		text = "ib";
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
