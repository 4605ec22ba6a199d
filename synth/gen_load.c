// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --load: any model at a wanted load, its times stretched. Load is what a node puts on its link on average, in bytes on the
// wire, as a share of the link's rate.
#include <math.h>
#include <string.h>

#include "flitgen.h"

#define LINK_RATE_BPS 1.28e9 // Myrinet's, as the family load has it
#define LOAD_MOST 1000.0
#define TICKS_MOST 0x1p62

// The wanted bits per second of a node: "30%" or "0.3" of the link's rate, or "160Mb/s".
static enum tr_status wanted_bps(const struct gen_request *request, double *out, struct tr_error *err)
{
	const double link_bps = request->link_rate.num ? num_value(request->link_rate) : LINK_RATE_BPS;
	const bool rate = strchr(request->load, '/');
	struct num_ratio value;
	struct tr_error why;

	if (num_parse(request->load, rate ? NUM_RATE : NUM_PLAIN, &value, &why) != TR_OK)
		return tr_fail(err, "--load: %s", why.text);
	*out = num_value(value) * (rate ? 1 : link_bps);
	if (!(*out > 0 && *out <= LOAD_MOST * link_bps))
		return tr_fail(err, "--load: expected above 0 and at most %g times the link's rate", LOAD_MOST);
	return TR_OK;
}

// The family load has a load and a rate of its own.
static void set_own(const struct gen_request *request, struct model *model)
{
	char rate[64];

	model_set(model, "load", request->load);
	if (request->link_rate.num)
		model_set(model, "rate", num_format_exact(request->link_rate, NUM_RATE, rate, sizeof(rate)));
}

// What a node puts on its link on average.
static enum tr_status offered_bps(const struct family *family, const struct model *model, double *out, struct tr_error *err)
{
	struct forecast forecast;

	if (family->generator->forecast(model, &forecast, err) != TR_OK)
		return TR_ERROR;
	*out = forecast_total(&forecast).wire_bps / (double)forecast.nodes;
	forecast_clear(&forecast);
	return *out > 0 && isfinite(*out) ? TR_OK
					  : tr_fail(err, "--load: what the model puts on the links is not known beforehand");
}

enum tr_status gen_load(const struct gen_request *request, struct model *model, double *stretch, struct tr_error *err)
{
	const double ticks_per_s = (double)request->ticks_per_s;
	const struct family *family;
	double wanted, offered;

	*stretch = 1;
	if (!request->load)
		return TR_OK;
	if (family_of(model, &family, err) != TR_OK)
		return TR_ERROR;
	if (family == &load_family) {
		set_own(request, model);
		return model->failed ? tr_no_memory(err, "the model") : TR_OK;
	}
	if (wanted_bps(request, &wanted, err) != TR_OK || offered_bps(family, model, &offered, err) != TR_OK)
		return TR_ERROR;
	*stretch = offered / wanted;
	if (*stretch * ticks_per_s < 1 || *stretch * ticks_per_s > TICKS_MOST)
		return tr_fail(err, "--load: %.3g times the model's load is beyond the clock (--ticks sets another one)",
			       1 / *stretch);
	return TR_OK;
}
