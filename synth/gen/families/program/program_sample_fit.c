// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a parallel program to the packets of one trace, in a ranking. Sizes and times have no
// exponents then.
#include <ctype.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/program/program_fit.h"

// The numbers in the text but those that say for how many nodes and how long.
static unsigned count_numbers(const struct model *text)
{
	static const char *const extent[] = {"nodes", "problem", "iterations", "duration"};
	unsigned numbers = 0;

	for (size_t i = 0; i < text->count; i++) {
		const struct model_entry *entry = &text->entries[i];
		bool counts = entry->key && entry->value;

		for (size_t k = 0; counts && k < sizeof(extent) / sizeof(*extent); k++)
			counts = strcmp(entry->key, extent[k]) != 0;
		for (const char *at = entry->value; counts && *at; at++)
			numbers += isdigit((unsigned char)*at) &&
				   (at == entry->value || at[-1] == ' ');
	}
	return numbers;
}

static bool names_pairs(const struct model *text)
{
	for (size_t i = 0; i < text->count; i++)
		if (text->entries[i].value && text->entries[i].key &&
		    strcmp(text->entries[i].key, "pair") == 0)
			return true;
	return false;
}

static uint32_t count_ranks(const struct packet_sample *sample, const uint32_t *ranks)
{
	uint32_t nodes = 0;

	for (uint32_t id = 0; id < sample->people.count; id++)
		if (ranks[id] != UINT32_MAX && ranks[id] >= nodes)
			nodes = ranks[id] + 1;
	return nodes;
}

static enum tr_status fit_program_sample(const struct family *family,
					 const struct packet_sample *sample,
					 const struct fit_options *options, struct model *text,
					 struct fit_notes *notes, struct tr_error *err)
{
	struct program_capture capture = {.trace = {.name = "the trace"}};
	struct tr_error why = {.text = ""};
	enum tr_status status;
	uint32_t nodes;

	(void)family;
	if (sample->bin_ticks > 0)
		return tr_fail(err, "counts do not show messages");
	if (!options->ranks)
		return tr_fail(err, "the ranks of the nodes are not known");
	nodes = count_ranks(sample, options->ranks);
	if (nodes > PROGRAM_FIT_NODES_MAX)
		return tr_fail(err, "expected at most %u nodes, found %u", PROGRAM_FIT_NODES_MAX,
			       nodes);
	status = program_trace_find(&capture.trace, sample, options->ranks, nodes, err);
	if (status == TR_OK) {
		status = program_fit(&capture, 1, text, NULL, &why);
		if (status != TR_OK)
			(void)tr_fail_for(err, &why, "%s", why.text);
	}
	if (status == TR_OK) {
		notes->freedom = count_numbers(text);
		notes->names_nodes = names_pairs(text);
		notes->iterations = capture.iterations;
		(void)snprintf(notes->method, sizeof(notes->method), "%zu messages",
			       capture.trace.count);
	}
	program_trace_clear(&capture.trace);
	return status == TR_OK ? TR_OK : TR_ERROR;
}

const struct family_fit program_sample_fit = {
	.by = FIT_BY_ANY,
	.always = "network",
	.fit = fit_program_sample,
};
