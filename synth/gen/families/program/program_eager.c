// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_eager.h"

#include <math.h>

#define DIGITS 9

// Libraries by the payload of their requests and grants (capture/packet/openmpi.c, ucx.c) over TCP.
struct program_eager_library {
	const char *name;
	double request_B, grant_B, eager_B;
	double envelope_B; // of a message without a request; NAN: not known
	const char *limit;
};

static const struct program_eager_library libraries[] = {
	{"Open MPI", 40, 64, 65536, 22,
	 "its default, btl_tcp_eager_limit"}, // opal/mca/btl/tcp/btl_tcp_component.c
	{"UCX", 56, 55, 20480, NAN,
	 "near where its version 1.13 began on Ethernet, between 17896 B and 24279 B; it computes "
	 "it from the link's rate"},
};

// The library whose requests and grants these are; NULL.
static const struct program_eager_library *program_eager_recognise(const struct program_flow *flow)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (flow->request_B == libraries[i].request_B &&
		    flow->grant_B == libraries[i].grant_B)
			return &libraries[i];
	return NULL;
}

double program_eager_envelope(const struct program_flow *flow)
{
	const struct program_eager_library *library = program_eager_recognise(flow);

	return library ? library->envelope_B : NAN;
}

// The power of two nearest to the geometric mean of two sizes, or that mean where none is in
// between. Without a smaller size the largest power of two.
static double program_eager_between(double eager_B, double granted_B)
{
	double limit_B = 1;

	if (eager_B == 0)
		return exp2(floor(log2(fmax(1, granted_B))));
	while (2 * limit_B * limit_B < eager_B * granted_B)
		limit_B *= 2;
	if (limit_B <= eager_B)
		limit_B *= 2;
	return limit_B <= granted_B ? limit_B : ceil(sqrt(eager_B * granted_B));
}

// Says for which numbers of nodes a phase has messages of a size of which no capture shows whether
// they have a request.
static void note_phase(const struct program_model *model, const struct program_phase *phase,
		       double eager_B, double granted_B, struct model *text)
{
	uint64_t first = 0, last = 0;

	for (uint64_t nodes = 2; nodes <= PROGRAM_NODES_MAX; nodes *= 2) {
		const double bytes = (double)program_phase_bytes(model, phase, (uint32_t)nodes);

		if (bytes <= eager_B || bytes >= granted_B || bytes < 1)
			continue;
		first = first ? first : nodes;
		last = nodes;
	}
	if (first && first < last)
		model_comment(text,
			      "Not known for %llu to %llu nodes: whether messages of [%s] have a "
			      "request.",
			      (unsigned long long)first, (unsigned long long)last, phase->name);
	else if (first)
		model_comment(text,
			      "Not known for %llu nodes: whether messages of [%s] have a request.",
			      (unsigned long long)first, phase->name);
}

void program_eager_fit(struct program_model *model, double eager_B, double granted_B,
		       struct model *text)
{
	char low[MODEL_NUMBER_BYTES], high[MODEL_NUMBER_BYTES];
	const struct program_eager_library *library;

	model->flow.eager_B = INFINITY;
	if (isinf(granted_B)) {
		model_comment(text,
			      "No message is sent after a request and a grant; the largest has %s. "
			      "Set the key eager if larger ones are.",
			      model_format(MODEL_SIZE, round(eager_B), low));
	} else {
		eager_B = eager_B < granted_B ? eager_B : 0;
		library = program_eager_recognise(&model->flow);
		if (library && (library->eager_B <= eager_B || library->eager_B > granted_B))
			library = NULL;
		model->flow.eager_B = model_settle(
			MODEL_SIZE,
			library ? library->eager_B : program_eager_between(eager_B, granted_B),
			DIGITS);
		model_comment(text,
			      "Messages of %s have a request, those of %s have none. Where "
			      "requests begin no capture shows: set the key eager if it is known, "
			      "since smaller messages than these are of another regime.",
			      model_format(MODEL_SIZE, round(granted_B), high),
			      model_format(MODEL_SIZE, round(eager_B), low));
		if (library)
			model_comment(text, "Requests and grants are those of %s: eager is %s.",
				      library->name, library->limit);
	}
	for (uint32_t p = 0; p < model->phase_count; p++)
		note_phase(model, &model->phases[p], eager_B, granted_B, text);
}
