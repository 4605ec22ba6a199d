// SPDX-License-Identifier: GPL-3.0-or-later
// The pulse train in words.
#include <math.h>

#include "gen/law_text.h"
#include "gen/pulse_model.h"

// With their mean and deviation, those of the normal law before it is clipped.
static void explain_sizes(const struct pulse_part *part, FILE *out)
{
	const bool bins = part->sizes == PULSE_EMPIRICAL;
	const double mean_B = bins ? size_bins_mean_B(part->bins, part->bin_count) : part->size_mean_B;
	const double variance_B2 = bins ? size_bins_variance_B2(part->bins, part->bin_count) : part->size_variance_B2;
	char mean[MODEL_NUMBER_BYTES];

	fprintf(out, "  Sizes are %s, mean %s, deviation %.4g B.\n", bins ? "as their bins say" : "normal",
		model_format(MODEL_SIZE, model_settle(MODEL_SIZE, mean_B, 6), mean), sqrt(variance_B2));
}

// Where they are not the usual ones.
static void explain_laws(const struct pulse_part *part, FILE *out)
{
	char silence[LAW_DESCRIPTION_BYTES], pulses[LAW_DESCRIPTION_BYTES], between[LAW_DESCRIPTION_BYTES];

	if (part->silence_law.name != LAW_EXPONENTIAL || part->pulses_law.name != LAW_GEOMETRIC ||
	    part->inter_pulse_law.name != LAW_EXPONENTIAL)
		fprintf(out, "  Laws: silences %s, numbers of packets %s, times between them %s.\n",
			law_describe(&part->silence_law, silence), law_describe(&part->pulses_law, pulses),
			law_describe(&part->inter_pulse_law, between));
}

static void explain_part(const struct pulse_model *model, unsigned role, unsigned class, FILE *out)
{
	static const char *const who[] = {"The controller (node0)", "Each worker"};
	static const char *const what[] = {"data", "overhead"};
	const struct pulse_part *part = &model->part[role][class];
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	if (!part->present)
		return;
	fprintf(out, "%s sends %s in bursts: silences of %s on average, then %.4g packets, %s apart.\n", who[role], what[class],
		model_format(MODEL_TIME, part->silence_s, a), part->pulses, model_format(MODEL_TIME, part->inter_pulse_s, b));
	explain_sizes(part, out);
	explain_laws(part, out);
	if (part->sizes == PULSE_NORMAL)
		fprintf(out, "  Above %s they are cut, below %s drawn again.\n", model_format(MODEL_SIZE, model->mtu_B, a),
			model_format(MODEL_SIZE, part->size_floor_B, b));
}

enum tr_status pulse_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	struct pulse_model model;
	char duration[MODEL_NUMBER_BYTES];

	if (pulse_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "A bursty pulse train of %llu nodes for %s unless told otherwise.\n", (unsigned long long)model.nodes,
		model_format(MODEL_TIME, model.duration_s, duration));
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		explain_part(&model, p / 2, p % 2, out);
	fprintf(out, "Silence is counted from the %s. Destinations are %s.\n",
		model.silence_from == PULSE_FROM_LAST_PULSE ? "burst's last packet" : "burst's first packet",
		model.destinations == PULSE_UNIFORM ? "any other node, all alike" : "drawn by the shares of the fitted trace");
	pulse_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}
