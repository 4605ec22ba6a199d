// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/bootstrap_model.h"

#include <stdlib.h>
#include <string.h>

#include "gen/bootstrap_trace.h"
#include "gen/model_field.h"
#include "trace/files.h"

#define DIGEST_DIGITS 16

#define AT(member) offsetof(struct bootstrap_model, member)
static const struct model_field fields[] = {{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"trace", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"digest", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {"from", MODEL_TIME, AT(from_s), false, 0, 1e9, NULL},
					    {"to", MODEL_TIME, AT(to_s), false, 1e-9, 1e9, NULL},
					    {"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
					    {"block", MODEL_TIME, AT(block_s), false, 1e-9, 1e9, NULL},
					    {"episode-gap", MODEL_TIME, AT(episode_gap_s), false, 1e-9, 1e9, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

static enum tr_status get_digest(const struct model *model, uint64_t *out, struct tr_error *err)
{
	const struct model_entry *digest = model_find(model, "", "digest");
	char *end;

	if (!digest)
		return TR_OK;
	*out = strtoull(digest->value, &end, 16);
	if (strlen(digest->value) == DIGEST_DIGITS && strspn(digest->value, "0123456789abcdef") == DIGEST_DIGITS)
		return TR_OK;
	return model_fail(model, digest, err, "digest: expected %d hexadecimal digits", DIGEST_DIGITS);
}

enum tr_status bootstrap_model_get(const struct model *model, struct bootstrap_model *out, struct tr_error *err)
{
	const struct model_entry *trace = model_find(model, "", "trace");

	*out = (struct bootstrap_model){.trace = NULL};
	if (model_get(model, "", fields, out, err) != TR_OK)
		return TR_ERROR;
	if (model->sections > 0)
		return model_fail(model, NULL, err, "the family bootstrap has no sections");
	if (!trace)
		return model_fail(model, NULL, err, "the key trace is missing");
	if (strcmp(trace->value, "-") == 0)
		return model_fail(model, trace, err, "trace: must be a file");
	if ((out->block_s > 0) == (out->episode_gap_s > 0))
		return model_fail(model, NULL, err, "expected one of the keys block and episode-gap");
	if (get_digest(model, &out->digest, err) != TR_OK)
		return TR_ERROR;
	out->trace = strdup(trace->value);
	out->found = tr_files_beside(model->name, trace->value);
	if (out->trace && out->found)
		return TR_OK;
	bootstrap_model_clear(out);
	return tr_no_memory(err, "the model");
}

// A key where the time is above 0.
static void put_time(struct model *model, const char *key, double seconds)
{
	char text[MODEL_NUMBER_BYTES];

	if (seconds > 0)
		model_key(model, key, model_format(MODEL_TIME, seconds, text), NULL);
}

void bootstrap_model_put(struct model *model, const struct bootstrap_model *bootstrap)
{
	model_key(model, "family", "bootstrap", NULL);
	model_key(model, "trace", bootstrap->trace, NULL);
	if (bootstrap->digest) {
		char digits[DIGEST_DIGITS + 1];

		(void)snprintf(digits, sizeof(digits), "%0*llx", DIGEST_DIGITS, (unsigned long long)bootstrap->digest);
		model_key(model, "digest", digits, NULL);
	}
	put_time(model, "from", bootstrap->from_s);
	put_time(model, "to", bootstrap->to_s);
	put_time(model, "duration", bootstrap->duration_s);
	put_time(model, "block", bootstrap->block_s);
	put_time(model, "episode-gap", bootstrap->episode_gap_s);
}

enum tr_status bootstrap_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char length[MODEL_NUMBER_BYTES];
	struct bootstrap_model model;
	struct bootstrap_trace trace;
	enum tr_status status;

	if (bootstrap_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = bootstrap_trace_read(&trace, &model, 1000000000, err);
	if (status == TR_OK) {
		fprintf(out, "The %zu packets of %s come again, with their nodes and sizes, ", trace.count, model.trace);
		if (model.block_s > 0)
			fprintf(out, "in blocks of %s that begin at any of its times.\n",
				model_format(MODEL_TIME, model.block_s, length));
		else
			fprintf(out,
				"in episodes that silences of the whole network longer than %s part;\n  any "
				"episode follows any other, after any of these silences.\n",
				model_format(MODEL_TIME, model.episode_gap_s, length));
		fprintf(out, "  What is alike over longer times than that is lost; all else is the trace's own.\n");
		bootstrap_trace_clear(&trace);
	}
	bootstrap_model_clear(&model);
	return status == TR_OK && ferror(out) ? tr_fail(err, "cannot write the explanation") : status;
}

void bootstrap_model_clear(struct bootstrap_model *bootstrap)
{
	free(bootstrap->trace);
	free(bootstrap->found);
	*bootstrap = (struct bootstrap_model){.trace = NULL};
}
