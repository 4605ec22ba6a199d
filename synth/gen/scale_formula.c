// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/scale_rules.h"
#include "value/num.h"

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

static void scale_part(const struct pulse_part *at_2, const struct pulse_part *at_4, uint64_t nodes,
		       struct pulse_part *out)
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

static enum tr_status scale_formula_check(const struct pulse_model *at_2,
					  const struct pulse_model *at_4, uint64_t nodes,
					  struct tr_error *err)
{
	if (at_2->nodes != 2 || at_4->nodes != 4)
		return tr_fail(
			err, "expected models of 2 and 4 nodes, in this order; found %llu and %llu",
			(unsigned long long)at_2->nodes, (unsigned long long)at_4->nodes);
	if (nodes < 2 || nodes > PULSE_NODES_MAX || (nodes & (nodes - 1)))
		return tr_fail(err, "expected a power of two from 2 to %u nodes, found %llu",
			       PULSE_NODES_MAX, (unsigned long long)nodes);
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		if (at_2->part[p / 2][p % 2].present != at_4->part[p / 2][p % 2].present)
			return tr_fail(err, "only one of the models has [%s]",
				       pulse_section[p / 2][p % 2]);
	return TR_OK;
}

enum tr_status scale_model(const struct pulse_model *at_2, const struct pulse_model *at_4,
			   uint64_t nodes, struct pulse_model *out, struct tr_error *err)
{
	if (scale_formula_check(at_2, at_4, nodes, err) != TR_OK) {
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

#define POINT_BYTES 8.0
#define WIDTH_MAX ((uint64_t)1 << 20)

enum tr_status fft_workload_get(const char *text, struct fft_workload *out, struct tr_error *err)
{
	bool rc = strncmp(text, "rc:", 3) == 0;

	if (!rc && strncmp(text, "vr:", 3) != 0)
		return tr_fail(err, "\"%.40s\" is not like rc:256 or vr:256", text);
	out->algorithm = rc ? FFT_ROW_COLUMN : FFT_VECTOR_RADIX;
	return num_parse_count(text + 3, 2, WIDTH_MAX, &out->width, err);
}

enum tr_status fft_volume_of(const struct fft_workload *workload, enum pulse_role role,
			     uint64_t nodes, struct fft_volume *out, struct tr_error *err)
{
	double n = (double)workload->width, p = (double)nodes, chunk = POINT_BYTES * n * n / p;

	if (nodes < 2 || (nodes & (nodes - 1)) || nodes > workload->width)
		return tr_fail(err,
			       "an FFT of width %llu runs on a power of two from 2 to %llu nodes, "
			       "not on %llu",
			       (unsigned long long)workload->width,
			       (unsigned long long)workload->width, (unsigned long long)nodes);
	out->chunks = (struct fft_messages){role == PULSE_CONTROLLER ? p - 1 : 1, chunk};
	if (workload->algorithm == FFT_ROW_COLUMN) {
		out->exchanges = (struct fft_messages){p - 1, POINT_BYTES * (n / p) * (n / p)};
		out->phases = 2;
	} else {
		out->exchanges = (struct fft_messages){log2(p), chunk / 2};
		out->phases = 1 + (unsigned)lround(log2(p));
	}
	return TR_OK;
}

double fft_volume_bytes(const struct fft_volume *volume)
{
	return volume->chunks.count * volume->chunks.bytes +
	       volume->exchanges.count * volume->exchanges.bytes;
}

double fft_volume_packets(const struct fft_volume *volume, double mtu_B)
{
	return volume->chunks.count * ceil(volume->chunks.bytes / mtu_B) +
	       volume->exchanges.count * ceil(volume->exchanges.bytes / mtu_B);
}

#define DIGITS 9 // of a scaled value
#define BINS 3	 // full packets, and the remainders of two kinds of messages

// Adds the packets of the messages to the bins: whole packets of the MTU, and one with each
// remainder.
static size_t scale_formula_add_messages(struct size_bin *bins, size_t count,
					 const struct fft_messages *messages, double mtu_B)
{
	double full = floor(messages->bytes / mtu_B), rest_B = messages->bytes - full * mtu_B;

	if (full > 0)
		bins[count++] = (struct size_bin){
			.low_B = (uint32_t)mtu_B,
			.high_B = (uint32_t)mtu_B,
			.count = (uint64_t)lround(messages->count * full)};
	if (rest_B >= 1)
		bins[count++] = (struct size_bin){.low_B = (uint32_t)rest_B,
						  .high_B = (uint32_t)rest_B,
						  .count = (uint64_t)lround(messages->count)};
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
		squares += (double)part->bins[i].count * (part->bins[i].low_B - mean) *
			   (part->bins[i].low_B - mean);
	part->size_mean_B = model_settle(MODEL_SIZE, mean, DIGITS);
	part->size_variance_B2 = model_settle(MODEL_VARIANCE, squares / n, DIGITS);
}

static enum tr_status set_sizes(struct pulse_part *part, const struct fft_volume *volume,
				double mtu_B, struct tr_error *err)
{
	size_t count = 0;

	part->bins = calloc(BINS + 1, sizeof(*part->bins));
	if (!part->bins)
		return tr_no_memory(err, "the sizes");
	count = scale_formula_add_messages(part->bins, count, &volume->chunks, mtu_B);
	part->bin_count = join_bins(
		part->bins,
		scale_formula_add_messages(part->bins, count, &volume->exchanges, mtu_B));
	part->sizes = PULSE_EMPIRICAL;
	set_moments(part);
	return TR_OK;
}

static enum tr_status keep_sizes(struct pulse_part *part, const struct pulse_part *from,
				 struct tr_error *err)
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

// Data packets that a node of the role sends and receives per phase: as many exchanges received as
// sent; workers receive what the controller scatters, and vice versa.
static double sent_and_received(const struct fft_volume volumes[PULSE_ROLES], enum pulse_role role,
				uint64_t nodes, double mtu_B)
{
	const struct fft_volume *own = &volumes[role];
	double chunk = ceil(own->chunks.bytes / mtu_B),
	       chunks = role == PULSE_CONTROLLER ? (double)nodes - 1 : 1;

	return (2 * chunk * chunks +
		2 * own->exchanges.count * ceil(own->exchanges.bytes / mtu_B)) /
	       (own->phases + 1);
}

static enum tr_status find_volumes(const struct fft_workload *workload, uint64_t nodes,
				   struct fft_volume out[PULSE_ROLES], struct tr_error *err)
{
	for (unsigned role = 0; role < PULSE_ROLES; role++)
		if (fft_volume_of(workload, (enum pulse_role)role, nodes, &out[role], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status formula_part(const struct pulse_model *at,
				   const struct fft_volume was[PULSE_ROLES],
				   const struct fft_volume is[PULSE_ROLES], unsigned p,
				   struct pulse_model *out, struct tr_error *err)
{
	enum pulse_role role = (enum pulse_role)(p / PULSE_CLASSES);
	unsigned class = p % PULSE_CLASSES;
	struct pulse_part *part = &out->part[role][class];
	double ratio = class == PULSE_DATA
			       ? per_phase(&is[role], at->mtu_B) / per_phase(&was[role], at->mtu_B)
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
	return class == PULSE_DATA ? set_sizes(part, &is[role], at->mtu_B, err)
				   : keep_sizes(part, &at->part[role][class], err);
}

enum tr_status scale_by_formula(const struct pulse_model *at, const struct fft_workload *workload,
				uint64_t nodes, struct pulse_model *out, struct tr_error *err)
{
	struct fft_volume was[PULSE_ROLES], is[PULSE_ROLES];
	enum tr_status status = TR_OK;

	*out = (struct pulse_model){.nodes = 0};
	if (!(at->mtu_B >= 1))
		return tr_fail(
			err,
			"the model has no MTU, which the rule needs to cut messages into packets");
	if (find_volumes(workload, at->nodes, was, err) != TR_OK ||
	    find_volumes(workload, nodes, is, err) != TR_OK)
		return TR_ERROR;
	*out = (struct pulse_model){.nodes = nodes,
				    .duration_s = at->duration_s,
				    .mtu_B = at->mtu_B,
				    .silence_from = at->silence_from,
				    .destinations = at->destinations};
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES && status == TR_OK; p++)
		status = formula_part(at, was, is, p, out, err);
	if (status != TR_OK)
		pulse_model_clear(out);
	return status;
}
