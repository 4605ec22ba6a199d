// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a fitted model may be written: it must make as many packets as its trace, a parallel
// program also as long iterations and the same latency over a switch.
#include "flitfit.h"

#include <stdio.h>

enum tr_status fit_try_program(struct tool *tool, const struct fit_request *request,
			       const struct fit_doubt *doubt, const struct packet_sample *sample,
			       struct fit_comparison *out, struct tr_error *err)
{
	const unsigned runs = fit_rerun_count(doubt->traced.packets),
		       all = out->held_out ? runs * FIT_RERUNS_MAX / FIT_RERUNS : runs;
	struct packet_sample trace = *sample;
	struct fit_reruns reruns = {.count = 0};
	double of_trace[2], of_model[2][FIT_RERUNS] = {{0}};
	enum tr_status status = fit_doubt_try(doubt, err);

	trace.count = trace.count < FIT_RERUN_PACKETS ? trace.count : FIT_RERUN_PACKETS;
	tool_progress_part(tool, 0, "trying the program: the trace over a switch");
	if (status == TR_OK)
		status = fit_net_latency(request, &trace, 0, of_trace, err);
	for (unsigned r = 0; r < runs && status == TR_OK; r++) {
		struct packet_sample first = {.ticks_per_s = trace.ticks_per_s,
					      .most = FIT_RERUN_PACKETS};
		double latencies[2] = {0, 0};

		tool_progress_part(tool, (r + 1.0) / (runs + 1), "trying the program: run %u of %u",
				   r + 1, runs);
		status = fit_rerun_add(&reruns, doubt->text, &doubt->traced, request->seed + r,
				       &first, err);
		if (status == TR_OK)
			status = fit_net_latency(request, &first, 0, latencies, err);
		for (unsigned i = 0; i < 2; i++)
			of_model[i][r] = latencies[i];
		packet_sample_clear(&first);
	}
	for (unsigned r = runs; r < all && status == TR_OK; r++)
		status = fit_rerun_add(&reruns, doubt->text, &doubt->traced, request->seed + r,
				       NULL, err);
	if (status != TR_OK)
		return status;
	fit_compare_reruns(out, &reruns, &doubt->traced);
	fit_compare_runs(out, "mean latency over a switch", MODEL_TIME, of_trace[0], of_model[0],
			 runs, 1, true);
	fit_compare_runs(out, "its 99th percentile", MODEL_TIME, of_trace[1], of_model[1], runs, 1,
			 out->held_out && out->tails);
	if (!out->held_out)
		fit_compare_outside(out, &doubt->traced);
	return TR_OK;
}

// Why it is not to be trusted, "" if it is.
static enum tr_status find_reason(const struct fit_source *source, const struct fit_doubt *doubt,
				  char reason[FIT_DOUBT_BYTES], struct tr_error *err)
{
	struct fit_comparison comparison = {.text = ""};

	reason[0] = '\0';
	if (doubt->traced.iterations.count == 0 || source->request->network)
		return fit_doubt_find(doubt, reason, err);
	if (fit_try_program(source->tool, source->request, doubt, source->sample, &comparison,
			    err) != TR_OK)
		return TR_ERROR;
	if (comparison.misses)
		(void)snprintf(reason, FIT_DOUBT_BYTES, "%s", comparison.text);
	return TR_OK;
}

enum tr_status fit_trust_reason(const struct fit_request *request, const char *reason,
				struct model *text, struct tr_error *err)
{
	if (!*reason)
		return TR_OK;
	if (!request->force) {
		(void)tr_fail(err, "%s", reason);
		return TR_END;
	}
	model_comment(text, "This model cannot be trusted: %s. Written because of --force.",
		      reason);
	return TR_OK;
}

enum tr_status fit_trust(const struct fit_source *source, const struct fit_doubt *doubt,
			 struct model *text, struct tr_error *err)
{
	char reason[FIT_DOUBT_BYTES];

	if (find_reason(source, doubt, reason, err) != TR_OK)
		return TR_ERROR;
	return fit_trust_reason(source->request, reason, text, err);
}
