// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double scale_step(double at_n, double p, uint64_t n)
{
	return at_n * (1 + p / (n == 64 ? 32 : (double)n));
}

double scale_statistic(double x2, double x4, uint64_t nodes)
{
	double x = nodes == 2 ? x2 : x4, p = x4 / x2 - 1;

	if (!(x2 > 0))
		return x;
	for (uint64_t n = 4; n < nodes; n *= 2)
		x = scale_step(x, p, n);
	return x;
}

static void scale_part(const struct pulse_part *at_2, const struct pulse_part *at_4, uint64_t nodes, struct pulse_part *out)
{
	for (int i = 0; i < PULSE_SCALED; i++) {
		const struct model_field *field = &pulse_part_fields[i];
		double x2, x4, x;

		memcpy(&x2, (const char *)at_2 + field->offset, sizeof(x2));
		memcpy(&x4, (const char *)at_4 + field->offset, sizeof(x4));
		x = scale_statistic(x2, x4, nodes);
		if (nodes > 4)
			x = model_settle(field->type, fmin(fmax(x, field->min), field->max), 9);
		memcpy((char *)out + field->offset, &x, sizeof(x));
	}
}

static enum tr_status check(const struct pulse_model *at_2, const struct pulse_model *at_4, uint64_t nodes,
			    struct tr_error *err)
{
	if (at_2->nodes != 2 || at_4->nodes != 4)
		return tr_fail(err,
			       "the rule needs models of 2 and 4 nodes, in this order; these are of "
			       "%llu and %llu",
			       (unsigned long long)at_2->nodes, (unsigned long long)at_4->nodes);
	if (nodes < 2 || nodes > PULSE_NODES_MAX || (nodes & (nodes - 1)))
		return tr_fail(err, "the rule knows powers of two from 2 to %u nodes, not %llu", PULSE_NODES_MAX,
			       (unsigned long long)nodes);
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		if (at_2->part[p / 2][p % 2].present != at_4->part[p / 2][p % 2].present)
			return tr_fail(err, "only one of the models has [%s]", pulse_section[p / 2][p % 2]);
	return TR_OK;
}

enum tr_status scale_model(const struct pulse_model *at_2, const struct pulse_model *at_4, uint64_t nodes,
			   struct pulse_model *out, struct tr_error *err)
{
	if (check(at_2, at_4, nodes, err) != TR_OK) {
		*out = (struct pulse_model){.nodes = 0};
		return TR_ERROR;
	}
	enum tr_status status = TR_OK;

	*out = *(nodes == 2 ? at_2 : at_4);
	out->nodes = nodes;
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		struct pulse_part *part = &out->part[p / 2][p % 2];

		scale_part(&at_2->part[p / 2][p % 2], &at_4->part[p / 2][p % 2], nodes, part);
		struct tr_error why;

		if (pulse_part_own(part, &why) != TR_OK)
			status = tr_fail_for(err, &why, "%s", why.text);
	}
	if (status != TR_OK)
		pulse_model_clear(out);
	return status;
}
