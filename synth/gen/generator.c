// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/generator.h"

#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/kind.h"

static const struct generator_kind *const kinds[] = {
	&pulse_train_kind, &load_train_kind, &on_off_train_kind, &bootstrap_kind, &client_server_kind, &traffic_matrix_kind,
#ifdef FLIT_TRANSFORMS
	&noise_train_kind,
#endif
};

static void add_known(char *known, size_t bytes, const char *family)
{
	strncat(known, " ", bytes - strlen(known) - 1);
	strncat(known, family, bytes - strlen(known) - 1);
}

enum tr_status generator_find(const struct model *model, const struct generator_kind **out, struct tr_error *err)
{
	const struct model_entry *family = model_find(model, "", "family");
	char known[300] = "";

	if (!family)
		return model_fail(model, NULL, err, "the key family is missing");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		*out = kinds[i];
		if (strcmp(kinds[i]->family, family->value) == 0)
			return TR_OK;
		add_known(known, sizeof(known), kinds[i]->family);
	}
	*out = &streams_train_kind;
	if (arrival_find(family->value))
		return TR_OK;
	for (const struct arrival_kind *const *kind = arrival_kinds; *kind; kind++)
		add_known(known, sizeof(known), (*kind)->family);
	return model_fail(model, family, err, "unknown family \"%.40s\"; known:%s", family->value, known);
}

enum tr_status generator_open(struct generator *out, const struct model *model, const struct generator_settings *settings,
			      struct tr_error *err)
{
	const struct generator_kind *kind;
	void *state;

	*out = (struct generator){0};
	if (generator_find(model, &kind, err) != TR_OK)
		return TR_ERROR;
	state = calloc(1, kind->state_bytes);
	if (!state)
		return tr_no_memory(err, "the generator");
	*out = (struct generator){kind, state};
	if (kind->open(state, model, settings, err) == TR_OK)
		return TR_OK;
	generator_close(out);
	return TR_ERROR;
}

enum tr_status generator_next(struct generator *generator, struct tr_packet *packets, size_t max, size_t *count,
			      struct tr_error *err)
{
	return generator->kind->next(generator->state, packets, max, count, err);
}

void generator_close(struct generator *generator)
{
	if (generator->kind)
		generator->kind->close(generator->state);
	free(generator->state);
	*generator = (struct generator){0};
}
