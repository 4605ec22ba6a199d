// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/family.h"

#include <stdlib.h>
#include <string.h>

const struct family *const family_table[] = {
#define FAMILY(name) &name##_family,
#include "gen/families/list.def"
#undef FAMILY
	NULL,
};

const struct family *family_find(const char *name)
{
	for (const struct family *const *family = family_table; *family; family++)
		if (!(*family)->text && strcmp((*family)->name, name) == 0)
			return *family;
	return NULL;
}

enum tr_status family_of(const struct model *model, const struct family **out, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "family");
	char known[300] = "";

	if (!entry)
		return model_fail(model, NULL, err, "the key family is missing");
	*out = family_find(entry->value);
	if (*out)
		return TR_OK;
	for (const struct family *const *family = family_table; *family; family++) {
		if ((*family)->text)
			continue;
		strncat(known, " ", sizeof(known) - strlen(known) - 1);
		strncat(known, (*family)->name, sizeof(known) - strlen(known) - 1);
	}
	return model_fail(model, entry, err, "unknown family \"%.40s\"; expected one of%s",
			  entry->value, known);
}

enum tr_status generator_open(struct generator *out, const struct model *model,
			      const struct generator_settings *settings, struct tr_error *err)
{
	const struct family *family;
	void *state;

	*out = (struct generator){0};
	if (family_of(model, &family, err) != TR_OK)
		return TR_ERROR;
	state = calloc(1, family->generator->state_bytes);
	if (!state)
		return tr_no_memory(err, "the generator");
	*out = (struct generator){family->generator, state};
	if (out->kind->open(state, model, settings, err) == TR_OK)
		return TR_OK;
	generator_close(out);
	return TR_ERROR;
}

enum tr_status generator_next(struct generator *generator, struct tr_packet *packets, size_t max,
			      size_t *count, struct tr_error *err)
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

const char *const fit_by_names[] = {
	[FIT_BY_ROLE] = "role", [FIT_BY_ALL] = "all",	[FIT_BY_CLASS] = "class",
	[FIT_BY_NODE] = "node", [FIT_BY_PAIR] = "pair", [FIT_BY_NETWORK] = "network",
};

size_t families_fitted(const struct family *out[FAMILIES_MAX])
{
	size_t count = 0;

	for (const struct family *const *family = family_table; *family && count < FAMILIES_MAX;
	     family++)
		if ((*family)->fit)
			out[count++] = *family;
	return count;
}

const char *fit_by_word(const struct family *family, enum fit_by by)
{
	return family->fit->always ? family->fit->always : fit_by_names[by];
}

enum tr_status fit_by_refuse(const struct family *family, struct tr_error *err)
{
	char words[200] = "";

	for (int by = FIT_BY_ROLE; by <= FIT_BY_NETWORK; by++) {
		if ((family->fit->by >> by & 1) == 0)
			continue;
		strncat(words, *words ? " or " : "", sizeof(words) - strlen(words) - 1);
		strncat(words, fit_by_names[by], sizeof(words) - strlen(words) - 1);
	}
	return tr_fail(err, "can only be fitted with --by %s", words);
}

void family_scalable_path(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
		   *dot = strrchr(base, '.');
	const size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path);

	(void)snprintf(out, PATH_MAX, "%.*s.scalable%s", (int)stem, path, path + stem);
}
