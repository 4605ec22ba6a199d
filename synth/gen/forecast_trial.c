// SPDX-License-Identifier: GPL-3.0-or-later
// The forecast of a family that has none: what its first packets show.
#include <math.h>

#include "gen/generator.h"

#define TRIAL_PACKETS 10000000u
#define BATCH 500u

// Adds up packets until enough of them, or all, have come; the time of the last one.
static enum tr_status measure(struct generator *generator, struct forecast_sender *sender, double *packets,
			      int64_t *last_ticks, struct tr_error *err)
{
	struct tr_packet batch[BATCH];
	enum tr_status status = TR_OK;
	size_t count;

	*packets = 0;
	*last_ticks = 0;
	while (*packets < TRIAL_PACKETS && (status = generator_next(generator, batch, BATCH, &count, err)) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			sender->payload_B += batch[i].payload_bytes;
			sender->wire_B += batch[i].wire_bytes;
			*last_ticks = batch[i].time_ticks;
			++*packets;
		}
	return status;
}

enum tr_status generator_try(const struct model *model, const struct generator_settings *settings, struct forecast *out,
			     struct tr_error *err)
{
	struct forecast_sender sender = {.who = "All nodes together", .what = "data and overhead", .senders = 1,
					 .burst_packets_per_s = NAN, .dispersion = NAN};
	struct generator generator;
	int64_t last_ticks;
	double packets;

	if (generator_open(&generator, model, settings, err) != TR_OK)
		return TR_ERROR;
	enum tr_status status = measure(&generator, &sender, &packets, &last_ticks, err);
	const double seconds = (double)last_ticks / (double)settings->ticks_per_s;

	*out = (struct forecast){.nodes = generator.kind->nodes(generator.state),
				 .duration_s = status == TR_END ? seconds : INFINITY,
				 .trial_packets = packets};
	generator_close(&generator);
	if (status == TR_ERROR)
		return TR_ERROR;
	if (!(packets > 0 && seconds > 0))
		return tr_fail(err, "the model gives no packets to tell of");
	sender.packets_per_s = packets / seconds;
	sender.payload_B /= packets;
	sender.wire_B /= packets;
	return forecast_add(out, &sender, err);
}
