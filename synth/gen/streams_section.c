// SPDX-License-Identifier: GPL-3.0-or-later
// A section's name: who sends, and of which class.
#include <stdlib.h>
#include <string.h>

#include "gen/streams_model.h"
#include "trace/num.h"
#include "trace/words.h"

#define WORDS_MAX 4

static const struct {
	const char *word;
	size_t numbers;
	enum streams_who who;
} forms[] = {
	{"controller", 0, STREAMS_CONTROLLER},
	{"worker", 0, STREAMS_WORKER},
	{"node", 0, STREAMS_EACH},
	{"node", 1, STREAMS_NODE},
	{"pair", 2, STREAMS_PAIR},
	{"network", 0, STREAMS_NETWORK},
};

// Splits the text in place; WORDS_MAX + 1 where there are more.
static size_t split(char *text, const char *words[WORDS_MAX])
{
	size_t count = 0;
	char *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (count < WORDS_MAX)
			words[count] = word;
		if (count++ == WORDS_MAX)
			break;
	}
	return count;
}

static bool find_class(const char *word, enum tr_class *out)
{
	int64_t class;

	if (!tr_word_find(TR_CLASS_CODE, word, &class) || class == TR_CLASS_NONE)
		return false;
	*out = (enum tr_class) class;
	return true;
}

static enum tr_status get_node(const char *word, uint64_t nodes, uint32_t *out, struct tr_error *err)
{
	uint64_t node;

	if (num_parse_count(word, 0, nodes - 1, &node, err) != TR_OK)
		return TR_ERROR;
	*out = (uint32_t)node;
	return TR_OK;
}

enum tr_status streams_section_who(const char *name, uint64_t nodes, struct streams_section *out, struct tr_error *err)
{
	const char *words[WORDS_MAX] = {""};
	char text[MODEL_LINE_MAX + 1];
	size_t count, i = 0;

	(void)snprintf(text, sizeof(text), "%s", name);
	count = split(text, words);
	while (i < sizeof(forms) / sizeof(*forms) && !(count == forms[i].numbers + 2 && strcmp(forms[i].word, words[0]) == 0))
		i++;
	if (i == sizeof(forms) / sizeof(*forms) || !find_class(words[count - 1], &out->class))
		return tr_fail(err,
			       "unknown section [%.60s]; there are [controller data], [worker data], [node data], "
			       "[node 3 data], [pair 3 5 data], [network data], and the same with overhead",
			       name);
	out->who = forms[i].who;
	if ((count > 2 && get_node(words[1], nodes, &out->node, err) != TR_OK) ||
	    (count > 3 && get_node(words[2], nodes, &out->to, err) != TR_OK))
		return TR_ERROR;
	return count > 3 && out->node == out->to ? tr_fail(err, "a pair is of two nodes") : TR_OK;
}

const char *streams_section_name(const struct streams_section *section, char out[STREAMS_NAME_BYTES])
{
	const uint32_t numbers[] = {section->node, section->to};
	size_t i = 0, bytes;

	while (forms[i].who != section->who)
		i++;
	bytes = (size_t)snprintf(out, STREAMS_NAME_BYTES, "%s", forms[i].word);
	for (size_t n = 0; n < forms[i].numbers; n++)
		bytes += (size_t)snprintf(out + bytes, STREAMS_NAME_BYTES - bytes, " %u", numbers[n]);
	(void)snprintf(out + bytes, STREAMS_NAME_BYTES - bytes, " %s", tr_word(TR_CLASS_CODE, section->class));
	return out;
}

enum tr_status streams_section_open(struct streams_section *section, const struct arrival_process *process,
				    struct tr_error *err)
{
	section->parameters = calloc(1, process->parameter_bytes);
	if (!section->parameters)
		return tr_no_memory(err, "parameters");
	if (process->defaults)
		process->defaults(section->parameters);
	return TR_OK;
}

void streams_section_clear(struct streams_section *section, const struct arrival_process *process)
{
	if (section->parameters && process->clear)
		process->clear(section->parameters);
	free(section->parameters);
	free(section->bins);
	node_shares_clear(&section->from_nodes);
	node_shares_clear(&section->to_nodes);
	*section = (struct streams_section){.parameters = NULL};
}
