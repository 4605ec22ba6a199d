// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_priority.h"

#include <stdio.h>
#include <string.h>

#define WEIGHT_MAX 1024u
#define WORD_MAX 64u

static const struct {
	const char *word;
	uint8_t classes;
} class_words[] = {{"data", 1u << TR_CLASS_DATA},
		   {"overhead", 1u << TR_CLASS_OVERHEAD},
		   {"unclassed", 1u << TR_CLASS_NONE}};

// Reads a whole number at *text up to most, and moves behind it. False: there is none.
static bool ethernet_priority_number(const char **text, uint64_t most, uint64_t *out)
{
	const char *at = *text;

	*out = 0;
	for (; *at >= '0' && *at <= '9' && *out <= most; at++)
		*out = 10 * *out + (uint64_t)(*at - '0');
	if (at == *text || *out > most)
		return false;
	*text = at;
	return true;
}

// Takes the next "WORD:NUMBER" of a list. False at its end; *ok is false where it is malformed.
static bool ethernet_priority_item(const char **text, char word[WORD_MAX], uint64_t most,
				   uint64_t *number, bool *ok)
{
	const size_t length = strcspn(*text, ":/");

	if (**text == '\0' || !*ok)
		return false;
	*ok = (*text)[length] == ':' && length > 0 && length < WORD_MAX;
	if (!*ok)
		return false;
	memcpy(word, *text, length);
	word[length] = '\0';
	*text += length + 1;
	*ok = ethernet_priority_number(text, most, number) &&
	      (**text == '\0' || (**text == '/' && (*text)[1] != '\0'));
	*text += *ok && **text == '/';
	return *ok;
}

static bool ethernet_priority_what(const char *word, uint32_t hosts,
				   struct ethernet_priority_rule *rule)
{
	uint64_t first, last;

	*rule = (struct ethernet_priority_rule){.last_host = UINT32_MAX};
	for (size_t i = 0; i < sizeof(class_words) / sizeof(*class_words); i++)
		if (strcmp(word, class_words[i].word) == 0) {
			rule->classes = class_words[i].classes;
			return true;
		}
	if (strncmp(word, "host", 4) != 0)
		return false;
	word += 4;
	if (!ethernet_priority_number(&word, UINT32_MAX, &first))
		return false;
	last = first;
	if (*word == '-') {
		word++;
		if (!ethernet_priority_number(&word, UINT32_MAX, &last))
			return false;
	}
	rule->first_host = (uint32_t)first;
	rule->last_host = (uint32_t)last;
	return *word == '\0' && first <= last && last < hosts;
}

// Every packet that no rule is about has the priority 0; those of all classes can be known.
static bool ethernet_priorities_are_whole(const struct ethernet_priorities *priorities)
{
	uint8_t classes = 0;

	for (uint32_t i = 0; i < priorities->count; i++)
		classes |= priorities->rules[i].classes;
	return classes == (1u << TR_CLASS_NONE | 1u << TR_CLASS_DATA | 1u << TR_CLASS_OVERHEAD);
}

enum tr_status ethernet_priorities_read(struct ethernet_priorities *priorities,
					const struct ethernet_priority_params *params,
					uint32_t hosts, struct tr_error *err)
{
	const char *text = params->of;
	char word[WORD_MAX];
	uint64_t number;
	bool ok = true;

	*priorities = (struct ethernet_priorities){.count = 0};
	while (ethernet_priority_item(&text, word, ETHERNET_PRIORITIES - 1, &number, &ok)) {
		struct ethernet_priority_rule *rule = &priorities->rules[priorities->count];

		if (priorities->count == ETHERNET_RULES_MAX)
			return tr_fail(err, "ethernet: priority: more than %u rules",
				       ETHERNET_RULES_MAX);
		if (!ethernet_priority_what(word, hosts, rule))
			return tr_fail(err,
				       "ethernet: priority: \"%s\" is not data, overhead, "
				       "unclassed, or hostN or hostN-M of %u hosts",
				       word, hosts);
		rule->priority = (uint8_t)number;
		priorities->used |= (uint8_t)(1u << number);
		priorities->count++;
	}
	if (!ok)
		return tr_fail(err,
			       "ethernet: priority: expected WHAT:PRIORITY, as in "
			       "overhead:6/host0-3:3, of priorities 0 to %u",
			       ETHERNET_PRIORITIES - 1);
	if (!ethernet_priorities_are_whole(priorities))
		priorities->used |= 1;
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++)
		priorities->weights[i] = 1;
	text = params->weights;
	while (ethernet_priority_item(&text, word, WEIGHT_MAX, &number, &ok)) {
		const char *at = word;
		uint64_t priority = 0;

		ok = ethernet_priority_number(&at, ETHERNET_PRIORITIES - 1, &priority) &&
		     *at == '\0' && number > 0;
		if (ok)
			priorities->weights[priority] = number;
	}
	return ok ? TR_OK
		  : tr_fail(err,
			    "ethernet: weights: expected PRIORITY:WEIGHT, as in 3:4/0:1, of "
			    "priorities 0 to %u and weights 1 to %u",
			    ETHERNET_PRIORITIES - 1, WEIGHT_MAX);
}

uint8_t ethernet_priority_of(const struct ethernet_priorities *priorities,
			     const struct net_worm *worm)
{
	for (uint32_t i = 0; i < priorities->count; i++) {
		const struct ethernet_priority_rule *rule = &priorities->rules[i];

		if (rule->classes != 0
			    ? worm->packet.class < 8 &&
				      (rule->classes >> worm->packet.class & 1) != 0
			    : worm->source >= rule->first_host && worm->source <= rule->last_host)
			return rule->priority;
	}
	return 0;
}

uint32_t ethernet_turns_take(struct ethernet_turns *turns,
			     const struct ethernet_priorities *priorities, uint64_t most_B,
			     const uint32_t *first_B, unsigned ready, unsigned waiting)
{
	for (;;) {
		const uint32_t at = turns->turn;

		if ((ready >> at & 1) != 0) {
			if (!turns->visited)
				turns->deficit_B[at] += priorities->weights[at] * most_B;
			turns->visited = true;
			if (turns->deficit_B[at] >= first_B[at]) {
				turns->deficit_B[at] -= first_B[at];
				return at;
			}
		} else if ((waiting >> at & 1) == 0) {
			turns->deficit_B[at] = 0;
		}
		turns->turn = (uint8_t)((at + 1) % ETHERNET_PRIORITIES);
		turns->visited = false;
	}
}
