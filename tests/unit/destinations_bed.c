// SPDX-License-Identifier: GPL-3.0-or-later
#include "destinations_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_run.h"

enum tr_status destinations_bed_get(const struct model *model, struct destinations_model *out,
				    struct tr_error *err)
{
	static const struct model_field fields[] = {DESTINATIONS_FIELDS(0),
						    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

	*out = destinations_default();
	if (model_get(model, "", fields, out, err) != TR_OK)
		return TR_ERROR;
	return destinations_get(model, true, out, err);
}

enum tr_status destinations_bed_open(struct destinations *out, const char *text, uint32_t nodes,
				     uint64_t seed, struct tr_error *err)
{
	struct destinations_model parameters;
	struct model model;
	enum tr_status status;

	model_of_text(&model, text);
	status = destinations_bed_get(&model, &parameters, err);
	if (status == TR_OK)
		status = destinations_open(out, &parameters, nodes, seed, &model, err);
	destinations_model_clear(&parameters);
	model_clear(&model);
	return status;
}

void destinations_bed_refused(const char *text, uint32_t nodes, const char *message)
{
	struct destinations d;
	struct tr_error err = {""};

	assert_int_equal(destinations_bed_open(&d, text, nodes, 1, &err), TR_ERROR);
	assert_string_equal(err.text, message);
}
