// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/scale_formula.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 9 // of a scaled value
#define BINS 3	 // full packets, and the rests of two sorts of messages

// Adds the packets of the messages to the bins: whole packets of the MTU, and one with the rest each.
static size_t add_messages(struct size_bin *bins, size_t count, const struct fft_messages *messages, double mtu_B)
{
	double full = floor(messages->bytes / mtu_B), rest_B = messages->bytes - full * mtu_B;

	if (full > 0)
		bins[count++] = (struct size_bin){
			.low_B = (uint32_t)mtu_B, .high_B = (uint32_t)mtu_B, .count = (uint64_t)lround(messages->count * full)};
	if (rest_B >= 1)
		bins[count++] = (struct size_bin){
			.low_B = (uint32_t)rest_B, .high_B = (uint32_t)rest_B, .count = (uint64_t)lround(messages->count)};
	return count;
}

static size_t join_bins(struct size_bin *bins, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		size_t same = 0;

		while (same < kept && bins[same].low_B != bins[i].low_B)
			same++;
		if (same < kept)
			bins[same].count += bins[i].count;
		else
			bins[kept++] = bins[i];
	}
	return kept;
}

static void set_moments(struct pulse_part *part)
{
	double n = 0, sum = 0, squares = 0, mean;

	for (size_t i = 0; i < part->bin_count; i++) {
		n += (double)part->bins[i].count;
		sum += (double)part->bins[i].count * part->bins[i].low_B;
	}
	mean = sum / n;
	for (size_t i = 0; i < part->bin_count; i++)
		squares += (double)part->bins[i].count * (part->bins[i].low_B - mean) * (part->bins[i].low_B - mean);
	part->size_mean_B = model_settle(MODEL_SIZE, mean, DIGITS);
	part->size_variance_B2 = model_settle(MODEL_VARIANCE, squares / n, DIGITS);
}

static enum tr_status set_sizes(struct pulse_part *part, const struct fft_volume *volume, double mtu_B, struct tr_error *err)
{
	size_t count = 0;

	part->bins = calloc(BINS + 1, sizeof(*part->bins));
	if (!part->bins)
		return tr_no_memory(err, "the sizes");
	count = add_messages(part->bins, count, &volume->chunks, mtu_B);
	part->bin_count = join_bins(part->bins, add_messages(part->bins, count, &volume->exchanges, mtu_B));
	part->sizes = PULSE_EMPIRICAL;
	set_moments(part);
	return TR_OK;
}

static enum tr_status keep_sizes(struct pulse_part *part, const struct pulse_part *from, struct tr_error *err)
{
	part->bins = calloc(from->bin_count + 1, sizeof(*part->bins));
	if (!part->bins)
		return tr_no_memory(err, "the sizes");
	part->bin_count = from->bin_count;
	for (size_t i = 0; i < from->bin_count; i++)
		part->bins[i] = from->bins[i];
	return TR_OK;
}

static double per_phase(const struct fft_volume *volume, double mtu_B)
{
	return fft_volume_packets(volume, mtu_B) / volume->phases;
}

// Data packets that a node of the role sends and receives, in a phase: of the exchanges it receives as many as it sends; what the
// controller scatters a worker receives, and the other way about.
static double sent_and_received(const struct fft_volume volumes[PULSE_ROLES], enum pulse_role role, uint64_t nodes,
				double mtu_B)
{
	const struct fft_volume *own = &volumes[role];
	double chunk = ceil(own->chunks.bytes / mtu_B), chunks = role == PULSE_CONTROLLER ? (double)nodes - 1 : 1;

	return (2 * chunk * chunks + 2 * own->exchanges.count * ceil(own->exchanges.bytes / mtu_B)) / (own->phases + 1);
}

static enum tr_status find_volumes(const struct fft_workload *workload, uint64_t nodes, struct fft_volume out[PULSE_ROLES],
				   struct tr_error *err)
{
	for (unsigned role = 0; role < PULSE_ROLES; role++)
		if (fft_volume_of(workload, (enum pulse_role)role, nodes, &out[role], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status scale_part(const struct pulse_model *at, const struct fft_volume was[PULSE_ROLES],
				 const struct fft_volume is[PULSE_ROLES], unsigned p, struct pulse_model *out,
				 struct tr_error *err)
{
	enum pulse_role role = (enum pulse_role)(p / PULSE_CLASSES);
	unsigned class = p % PULSE_CLASSES;
	struct pulse_part *part = &out->part[role][class];
	double ratio = class == PULSE_DATA ? per_phase(&is[role], at->mtu_B) / per_phase(&was[role], at->mtu_B)
					   : sent_and_received(is, role, out->nodes, at->mtu_B) /
						     sent_and_received(was, role, at->nodes, at->mtu_B);

	*part = at->part[role][class];
	part->bins = NULL;
	part->bin_count = 0;
	if (pulse_part_own(part, err) != TR_OK)
		return TR_ERROR;
	if (!part->present)
		return TR_OK;
	part->pulses = model_settle(MODEL_REAL, fmax(part->pulses * ratio, 1), DIGITS);
	return class == PULSE_DATA ? set_sizes(part, &is[role], at->mtu_B, err) : keep_sizes(part, &at->part[role][class], err);
}

enum tr_status scale_by_formula(const struct pulse_model *at, const struct fft_workload *workload, uint64_t nodes,
				struct pulse_model *out, struct tr_error *err)
{
	struct fft_volume was[PULSE_ROLES], is[PULSE_ROLES];
	enum tr_status status = TR_OK;

	*out = (struct pulse_model){.nodes = 0};
	if (!(at->mtu_B >= 1))
		return tr_fail(err, "the model says no MTU, by which messages are cut into packets");
	if (find_volumes(workload, at->nodes, was, err) != TR_OK || find_volumes(workload, nodes, is, err) != TR_OK)
		return TR_ERROR;
	*out = (struct pulse_model){.nodes = nodes,
				    .duration_s = at->duration_s,
				    .mtu_B = at->mtu_B,
				    .silence_from = at->silence_from,
				    .destinations = at->destinations};
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES && status == TR_OK; p++)
		status = scale_part(at, was, is, p, out, err);
	if (status != TR_OK)
		pulse_model_clear(out);
	return status;
}
