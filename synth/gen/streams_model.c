// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/streams_model.h"

#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "stream/words.h"
#include "value/grow.h"
#include "value/num.h"

static void node_shares_clear(struct node_shares *shares)
{
	free(shares->each);
	*shares = (struct node_shares){0};
}

// "3 25 %".
static enum tr_status get_share(const char *value, uint64_t nodes, struct node_share *out,
				struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1];
	char *blank;
	uint64_t node;

	(void)snprintf(text, sizeof(text), "%s", value);
	blank = strchr(text, ' ');
	if (!blank)
		return tr_fail(err, "expected a node and a share such as 3 25 %%, found \"%.60s\"",
			       value);
	*blank = '\0';
	if (num_parse_count(text, 0, nodes - 1, &node, err) != TR_OK ||
	    model_value(MODEL_SHARE, blank + 1, &out->share, err) != TR_OK)
		return TR_ERROR;
	out->node = (uint32_t)node;
	return out->share >= 0 && out->share <= 1
		       ? TR_OK
		       : tr_fail(err, "expected a share from 0 %% to 100 %%");
}

static enum tr_status streams_model_add_share(const char *value, uint64_t nodes,
					      struct node_shares *shares, struct tr_error *err)
{
	const size_t n = shares->count;
	struct node_share share;

	if (get_share(value, nodes, &share, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < n; i++)
		if (shares->each[i].node == share.node)
			return tr_fail(err, "node %u is given twice", share.node);
	if (!GROW_BY_COUNT(shares->each, n))
		return tr_no_memory(err, "the shares of nodes");
	shares->each[shares->count++] = share;
	return TR_OK;
}

// The lines of this key in the section, in their order; node_shares_clear frees them. TR_ERROR with
// file and line, and nothing to free: a malformed line, a node number of nodes or more, or a
// repeated node.
static enum tr_status node_shares_get(const struct model *model, const char *section,
				      const char *key, uint64_t nodes, struct node_shares *out,
				      struct tr_error *err)
{
	const struct model_entry *entry = NULL;
	struct tr_error why = {""};

	*out = (struct node_shares){0};
	while ((entry = model_next(model, section, key, entry)))
		if (streams_model_add_share(entry->value, nodes, out, &why) != TR_OK) {
			node_shares_clear(out);
			return model_fail_for(model, entry, err, &why, key);
		}
	return TR_OK;
}

// Adds them as lines.
static void node_shares_put(struct model *model, const char *key, const struct node_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++) {
		char share[MODEL_NUMBER_BYTES], text[2 * MODEL_NUMBER_BYTES];

		(void)snprintf(text, sizeof(text), "%u %s", shares->each[i].node,
			       model_format(MODEL_SHARE, shares->each[i].share, share));
		model_key(model, key, text, NULL);
	}
}

double node_shares_of(const struct node_shares *shares, uint32_t node)
{
	for (size_t i = 0; i < shares->count; i++)
		if (shares->each[i].node == node)
			return shares->each[i].share;
	return 0;
}

double node_shares_of_others(const struct node_shares *shares, uint32_t node)
{
	double sum = 0;

	for (size_t i = 0; i < shares->count; i++)
		sum += shares->each[i].node == node ? 0 : shares->each[i].share;
	return sum;
}

// ---- A section's name: who sends, and of which class.

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
static size_t streams_model_split(char *text, const char *words[WORDS_MAX])
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

static enum tr_status get_node(const char *word, uint64_t nodes, uint32_t *out,
			       struct tr_error *err)
{
	uint64_t node;

	if (num_parse_count(word, 0, nodes - 1, &node, err) != TR_OK)
		return TR_ERROR;
	*out = (uint32_t)node;
	return TR_OK;
}

// Parses who sends, and the class, from a section's name; nodes are below nodes. TR_ERROR: err says
// what was expected.
static enum tr_status streams_section_who(const char *name, uint64_t nodes,
					  struct streams_section *out, struct tr_error *err)
{
	const char *words[WORDS_MAX] = {""};
	char text[MODEL_LINE_MAX + 1];
	size_t count, i = 0;

	(void)snprintf(text, sizeof(text), "%s", name);
	count = streams_model_split(text, words);
	while (i < sizeof(forms) / sizeof(*forms) &&
	       !(count == forms[i].numbers + 2 && strcmp(forms[i].word, words[0]) == 0))
		i++;
	if (i == sizeof(forms) / sizeof(*forms) || !find_class(words[count - 1], &out->class))
		return tr_fail(err,
			       "unknown section [%.60s]; expected [controller data], [worker "
			       "data], [node data], [node 3 data], [pair 3 5 data], [network "
			       "data], or the same with overhead",
			       name);
	out->who = forms[i].who;
	if ((count > 2 && get_node(words[1], nodes, &out->node, err) != TR_OK) ||
	    (count > 3 && get_node(words[2], nodes, &out->to, err) != TR_OK))
		return TR_ERROR;
	return count > 3 && out->node == out->to ? tr_fail(err, "a pair needs two different nodes")
						 : TR_OK;
}

const char *streams_section_name(const struct streams_section *section,
				 char out[STREAMS_NAME_BYTES])
{
	const uint32_t numbers[] = {section->node, section->to};
	size_t i = 0, bytes;

	while (forms[i].who != section->who)
		i++;
	bytes = (size_t)snprintf(out, STREAMS_NAME_BYTES, "%s", forms[i].word);
	for (size_t n = 0; n < forms[i].numbers; n++)
		bytes += (size_t)snprintf(out + bytes, STREAMS_NAME_BYTES - bytes, " %u",
					  numbers[n]);
	(void)snprintf(out + bytes, STREAMS_NAME_BYTES - bytes, " %s",
		       tr_word(TR_CLASS_CODE, section->class));
	return out;
}

enum tr_status streams_section_open(struct streams_section *section,
				    const struct arrival_process *process, struct tr_error *err)
{
	section->parameters = calloc(1, process->parameter_bytes);
	if (!section->parameters)
		return tr_no_memory(err, "parameters");
	if (process->defaults)
		process->defaults(section->parameters);
	return TR_OK;
}

static void streams_section_clear(struct streams_section *section,
				  const struct arrival_process *process)
{
	if (section->parameters && process->clear)
		process->clear(section->parameters);
	free(section->parameters);
	free(section->bins);
	node_shares_clear(&section->from_nodes);
	node_shares_clear(&section->to_nodes);
	*section = (struct streams_section){.parameters = NULL};
}

#define AT(member) offsetof(struct streams_model, member)
#define GLOBAL_FIELDS \
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL}, \
		{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL}, \
	{ \
		"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL \
	}
// Fields to put, without those that destinations_put writes.
static const struct model_field fields_to_put[] = {GLOBAL_FIELDS,
						   {NULL, MODEL_END, 0, false, 0, 0, NULL}};
static const struct model_field fields_to_get[] = {GLOBAL_FIELDS,
						   DESTINATIONS_FIELDS(AT(destinations)),
						   {NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef GLOBAL_FIELDS
#undef AT

// Keys of a section besides the kind's.
#define AT(member) offsetof(struct streams_section, member)
static const struct model_field section_fields[] = {
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"to-controller", MODEL_SHARE, AT(to_controller), false, 0, 1, NULL},
	{"from", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"to", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT
#define SECTION_FIELDS (sizeof(section_fields) / sizeof(*section_fields))

// The fields of the process and the section in one table, so that an unknown key is rejected: first
// a copy of the parameters, then the section.
struct joined {
	struct model_field fields[ARRIVAL_FIELDS_MAX + SECTION_FIELDS];
	size_t section_at; // bytes
};

static enum tr_status streams_model_join(const struct family *family, struct joined *out,
					 struct tr_error *err)
{
	const struct arrival_process *process = family->arrivals;
	size_t n = 0;

	out->section_at = (process->parameter_bytes + 15) & ~(size_t)15;
	for (; process->fields[n].type != MODEL_END; n++) {
		if (n == ARRIVAL_FIELDS_MAX)
			return tr_fail(err, "the family %s has too many keys", family->name);
		out->fields[n] = process->fields[n];
	}
	for (size_t i = 0; i < SECTION_FIELDS; i++, n++) {
		out->fields[n] = section_fields[i];
		out->fields[n].offset += out->section_at;
	}
	return TR_OK;
}

static enum tr_status get_fields(const struct model *text, const char *name,
				 const struct family *family, struct streams_section *section,
				 struct tr_error *err)
{
	const size_t parameter_bytes = family->arrivals->parameter_bytes;
	struct joined joined;
	enum tr_status status;
	char *both;

	if (streams_model_join(family, &joined, err) != TR_OK)
		return TR_ERROR;
	both = malloc(joined.section_at + sizeof(*section));
	if (!both)
		return tr_no_memory(err, "a section");
	memcpy(both, section->parameters, parameter_bytes);
	memcpy(both + joined.section_at, section, sizeof(*section));
	status = model_get(text, name, joined.fields, both, err);
	memcpy(section->parameters, both, parameter_bytes);
	memcpy(section, both + joined.section_at, sizeof(*section));
	free(both);
	return status;
}

static enum tr_status check_section(const struct model *text, const struct model_entry *at,
				    const struct streams_section *section, struct tr_error *err)
{
	const struct model_entry *from = model_find(text, at->section, "from"),
				 *to = model_find(text, at->section, "to");

	if (from && section->who != STREAMS_NETWORK)
		return model_fail(text, from, err,
				  "from: only in [network data] and [network overhead]");
	if (to && section->who == STREAMS_PAIR)
		return model_fail(text, to, err, "to: not in the section of a pair");
	return TR_OK;
}

static enum tr_status get_section(const struct model *text, const struct model_entry *at,
				  const struct streams_model *model,
				  struct streams_section *section, struct tr_error *err)
{
	const struct arrival_process *process = model->family->arrivals;
	const char *name = at->key;
	struct tr_error why = {""};

	if (streams_section_who(name, model->nodes, section, &why) != TR_OK ||
	    streams_section_open(section, process, &why) != TR_OK)
		return model_fail_for(text, at, err, &why, "");
	if (get_fields(text, name, model->family, section, err) != TR_OK ||
	    check_section(text, at, section, err) != TR_OK ||
	    size_bins_or_size(text, name, &section->bins, &section->bin_count, err) != TR_OK ||
	    node_shares_get(text, name, "from", model->nodes, &section->from_nodes, err) != TR_OK ||
	    node_shares_get(text, name, "to", model->nodes, &section->to_nodes, err) != TR_OK)
		return TR_ERROR;
	return process->get ? process->get(section->parameters, text, name, err) : TR_OK;
}

static bool same_source(const struct streams_section *a, const struct streams_section *b)
{
	return a->who == b->who && a->class == b->class && a->node == b->node && a->to == b->to;
}

static enum tr_status get_sections(const struct model *text, struct streams_model *out,
				   struct tr_error *err)
{
	enum tr_status status = TR_OK;

	out->sections = calloc(text->sections ? text->sections : 1, sizeof(*out->sections));
	if (!out->sections)
		return tr_no_memory(err, "%u sections", text->sections);
	for (size_t i = 0; status == TR_OK && i < text->count; i++) {
		struct streams_section *section = &out->sections[out->count];

		if (text->entries[i].kind != MODEL_SECTION)
			continue;
		out->count++;
		status = get_section(text, &text->entries[i], out, section, err);
		for (const struct streams_section *other = out->sections;
		     status == TR_OK && other < section; other++)
			if (same_source(other, section))
				status = model_fail(text, &text->entries[i], err,
						    "[%s]: this source already has a section",
						    text->entries[i].key);
	}
	if (status == TR_OK && out->count == 0)
		status = model_fail(text, NULL, err, "expected at least one section");
	return status;
}

enum tr_status streams_model_get(const struct model *text, struct streams_model *out,
				 struct tr_error *err)
{
	const struct model_entry *family = model_find(text, "", "family");
	struct tr_error why = {""};
	enum tr_status status;

	*out = (struct streams_model){.family = family ? family_find(family->value) : NULL,
				      .duration_s = 60,
				      .destinations = destinations_default()};
	if (!out->family || !out->family->arrivals)
		return model_fail(text, family, err, "the family is not an arrival process");
	status = model_get(text, "", fields_to_get, out, err);
	if (status == TR_OK)
		status = destinations_get(text, true, &out->destinations, err);
	if (status == TR_OK)
		status = get_sections(text, out, err);
	if (status == TR_OK && streams_model_check(out, out->nodes, &why) != TR_OK)
		status = model_fail_for(text, NULL, err, &why, "");
	if (status != TR_OK)
		streams_model_clear(out);
	return status;
}

static void put_section(struct model *text, const struct arrival_process *process,
			const struct streams_section *section, const struct streams_notes *notes)
{
	const char *beside[ARRIVAL_FIELDS_MAX] = {NULL};
	char name[STREAMS_NAME_BYTES];

	for (size_t i = 0; notes && i < ARRIVAL_FIELDS_MAX; i++)
		if (*notes->times.field[i])
			beside[i] = notes->times.field[i];
	model_blank(text);
	model_section(text, streams_section_name(section, name),
		      notes && *notes->section ? notes->section : NULL);
	if (notes && *notes->times.method)
		model_comment(text, "%s", notes->times.method);
	model_put(text, process->fields, section->parameters, beside);
	if (process->put)
		process->put(section->parameters, text);
	size_bins_or_size_put(text, section->bins, section->bin_count);
	model_put(text, section_fields, section, NULL);
	node_shares_put(text, "from", &section->from_nodes);
	node_shares_put(text, "to", &section->to_nodes);
}

void streams_model_put(struct model *text, const struct streams_model *model,
		       const struct streams_notes *notes)
{
	model_key(text, "family", model->family->text ? model->family->text : model->family->name,
		  NULL);
	model_put(text, fields_to_put, model, NULL);
	destinations_put(text, &model->destinations);
	for (size_t i = 0; i < model->count; i++)
		put_section(text, model->family->arrivals, &model->sections[i],
			    notes ? &notes[i] : NULL);
}

static void settle_streams_model(const struct model_field *fields, void *in, int digits)
{
	for (; fields->type != MODEL_END; fields++) {
		double *value = (double *)(void *)((char *)in + fields->offset);

		if (fields->type != MODEL_REPEATED && fields->type != MODEL_WORD &&
		    fields->type != MODEL_COUNT)
			*value = model_settle(fields->type, *value, digits);
	}
}

void streams_model_settle(struct streams_model *model, int digits)
{
	settle_streams_model(fields_to_get, model, digits);
	for (size_t i = 0; i < model->count; i++) {
		struct streams_section *section = &model->sections[i];

		settle_streams_model(model->family->arrivals->fields, section->parameters, digits);
		settle_streams_model(section_fields, section, digits);
		for (size_t k = 0; k < section->from_nodes.count; k++)
			section->from_nodes.each[k].share = model_settle(
				MODEL_SHARE, section->from_nodes.each[k].share, digits);
		for (size_t k = 0; k < section->to_nodes.count; k++)
			section->to_nodes.each[k].share = model_settle(
				MODEL_SHARE, section->to_nodes.each[k].share, digits);
	}
}

void streams_model_clear(struct streams_model *model)
{
	for (size_t i = 0; i < model->count; i++)
		streams_section_clear(&model->sections[i], model->family->arrivals);
	free(model->sections);
	destinations_model_clear(&model->destinations);
	*model = (struct streams_model){.family = NULL};
}
