// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/priorities.h"

#include <stdio.h>
#include <string.h>

#include "net/topology/adapters.h"

static const struct {
	const char *word;
	uint8_t classes;
} class_words[] = {{"data", 1u << TR_CLASS_DATA},
		   {"overhead", 1u << TR_CLASS_OVERHEAD},
		   {"unclassed", 1u << TR_CLASS_NONE}};

bool net_priorities_number(const char **text, uint64_t most, uint64_t *out)
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

bool net_priorities_item(const char **text, char word[NET_PRIORITY_WORD_MAX], uint64_t most,
			 uint64_t *number, bool *ok)
{
	const size_t length = strcspn(*text, ":/");

	if (**text == '\0' || !*ok)
		return false;
	*ok = (*text)[length] == ':' && length > 0 && length < NET_PRIORITY_WORD_MAX;
	if (!*ok)
		return false;
	memcpy(word, *text, length);
	word[length] = '\0';
	*text += length + 1;
	*ok = net_priorities_number(text, most, number) &&
	      (**text == '\0' || (**text == '/' && (*text)[1] != '\0'));
	*text += *ok && **text == '/';
	return *ok;
}

static bool net_priorities_what(const char *word, const struct net_topology *topology,
				struct net_priority_rule *rule)
{
	uint64_t first, last;

	*rule = (struct net_priority_rule){.last_adapter = UINT32_MAX};
	for (size_t i = 0; i < sizeof(class_words) / sizeof(*class_words); i++)
		if (strcmp(word, class_words[i].word) == 0) {
			rule->classes = class_words[i].classes;
			return true;
		}
	if (strncmp(word, "host", 4) != 0)
		return false;
	word += 4;
	if (!net_priorities_number(&word, UINT32_MAX, &first))
		return false;
	last = first;
	if (*word == '-') {
		word++;
		if (!net_priorities_number(&word, UINT32_MAX, &last))
			return false;
	}
	if (*word != '\0' || first > last || last >= net_host_count(topology))
		return false;
	rule->first_adapter = net_host_first(topology, (uint32_t)first);
	rule->last_adapter = net_host_first(topology, (uint32_t)last) +
			     net_host_ports(topology, (uint32_t)last) - 1;
	return true;
}

// Every packet that no rule is about has the priority 0; those of all classes can be known.
static bool net_priorities_are_whole(const struct net_priorities *priorities)
{
	uint8_t classes = 0;

	for (uint32_t i = 0; i < priorities->count; i++)
		classes |= priorities->rules[i].classes;
	return classes == (1u << TR_CLASS_NONE | 1u << TR_CLASS_DATA | 1u << TR_CLASS_OVERHEAD);
}

enum tr_status net_priorities_read(struct net_priorities *priorities, const char *kind,
				   const char *text, const struct net_topology *topology,
				   struct tr_error *err)
{
	char word[NET_PRIORITY_WORD_MAX];
	uint64_t number;
	bool ok = true;

	*priorities = (struct net_priorities){.count = 0};
	while (net_priorities_item(&text, word, NET_PRIORITIES - 1, &number, &ok)) {
		struct net_priority_rule *rule = &priorities->rules[priorities->count];

		if (priorities->count == NET_PRIORITY_RULES_MAX)
			return tr_fail(err, "%s: priority: more than %u rules", kind,
				       NET_PRIORITY_RULES_MAX);
		if (!net_priorities_what(word, topology, rule))
			return tr_fail(err,
				       "%s: priority: \"%s\" is not data, overhead, "
				       "unclassed, or hostN or hostN-M of %u hosts",
				       kind, word, net_host_count(topology));
		rule->priority = (uint8_t)number;
		priorities->used |= (uint8_t)(1u << number);
		priorities->count++;
	}
	if (!ok)
		return tr_fail(err,
			       "%s: priority: expected WHAT:PRIORITY, as in "
			       "overhead:6/host0-3:3, of priorities 0 to %u",
			       kind, NET_PRIORITIES - 1);
	if (!net_priorities_are_whole(priorities))
		priorities->used |= 1;
	return TR_OK;
}

uint8_t net_priority_of(const struct net_priorities *priorities, const struct net_worm *worm)
{
	for (uint32_t i = 0; i < priorities->count; i++) {
		const struct net_priority_rule *rule = &priorities->rules[i];

		if (rule->classes != 0 ? worm->packet.class < 8 &&
						 (rule->classes >> worm->packet.class & 1) != 0
				       : worm->source >= rule->first_adapter &&
						 worm->source <= rule->last_adapter)
			return rule->priority;
	}
	return 0;
}
