// SPDX-License-Identifier: GPL-3.0-or-later
// Two kinds of lines: all messages of a node that sends one at a time, and, of other nodes, messages of two nodes that follow one
// another at the pace of their packets, since those may be pieces of one.
#include "gen/families/messages_turns.h"

#include <math.h>
#include <stdlib.h>

#define AT_ONCE 0.05 // share of a node's messages that begin during another by inaccuracy alone

// What a node sends in the iterations that are repeated.
struct sender {
	double messages, at_once; // the latter begin during another
	double busy_s, end_s;	  // all of them; the end of the last one so far, since the iteration began
};

double messages_sending_s(const struct messages_model *model, const struct messages_send *send)
{
	const uint64_t full_B = (messages_packets(model, send) - 1) * (uint64_t)model->segment_B;
	const double last_B = (double)(send->size_B - full_B) + model->header_B;

	return send->flow_s + model->pace_s * last_B / (model->segment_B + model->header_B);
}

static double first_s(const struct messages_send *send)
{
	return send->at_s + send->wait_s;
}

static void add_iteration(const struct messages_model *model, const struct messages_iteration *iteration,
			  struct sender *senders)
{
	for (size_t k = iteration->first; k < iteration->end; k++)
		senders[model->sends[k].src].end_s = 0;
	for (size_t k = iteration->first; k < iteration->end; k++) {
		const struct messages_send *send = &model->sends[k];
		struct sender *sender = &senders[send->src];

		sender->messages++;
		sender->at_once += first_s(send) < sender->end_s;
		sender->end_s = fmax(sender->end_s, first_s(send) + send->flow_s);
		sender->busy_s += messages_sending_s(model, send);
	}
}

static bool one_at_a_time(const struct sender *sender)
{
	return sender->at_once <= AT_ONCE * sender->messages;
}

static enum tr_status check_time(const struct messages_model *model, const struct sender *senders, double repeated,
				 double stretch, struct tr_error *err)
{
	for (uint64_t node = 0; node < model->nodes; node++) {
		const double share = senders[node].busy_s / (repeated * messages_period_s(model));

		if (one_at_a_time(&senders[node]) && share >= stretch)
			return tr_fail(
				err,
				"node %llu sends one message at a time, %.3g %% of the time, which leaves no room for %.4g "
				"times as many; to make the messages faster, too, stretch the traffic without --load: "
				"flitgen --read TRACE --stretch %.4g",
				(unsigned long long)node, 100 * share, 1 / stretch, stretch);
	}
	return TR_OK;
}

static int by_pair(const void *left, const void *right)
{
	const struct messages_send *a = *(const struct messages_send *const *)left;
	const struct messages_send *b = *(const struct messages_send *const *)right;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return (a > b) - (a < b); // by time
}

static bool follows(const struct messages_model *model, const struct messages_send *before, const struct messages_send *send)
{
	return before->src == send->src && before->dst == send->dst &&
	       first_s(send) < first_s(before) + messages_sending_s(model, before) + model->pace_s;
}

// The lines of nodes that send one message at a time have their numbers; the others come after them.
static void number_lines(const struct messages_model *model, const struct sender *senders, const struct messages_send **sorted,
			 size_t *line)
{
	size_t lines = model->nodes;

	for (size_t i = 0; i < model->send_count; i++)
		sorted[i] = &model->sends[i];
	for (size_t i = 0; i < model->iteration_count; i++) {
		const size_t first = model->iterations[i].first, end = model->iterations[i].end;

		qsort(sorted + first, end - first, sizeof(*sorted), by_pair);
		for (size_t k = first; k < end; k++) {
			size_t *of = &line[sorted[k] - model->sends];

			if (one_at_a_time(&senders[sorted[k]->src]))
				*of = sorted[k]->src;
			else if (k > first && follows(model, sorted[k - 1], sorted[k]))
				*of = line[sorted[k - 1] - model->sends];
			else
				*of = lines++;
		}
	}
}

enum tr_status messages_turns_find(struct messages_turns *out, const struct messages_model *model, double stretch,
				   struct tr_error *err)
{
	struct sender *senders = calloc(model->nodes, sizeof(*senders));
	const struct messages_send **sorted = calloc(model->send_count, sizeof(*sorted));
	double repeated = 0;
	enum tr_status status = TR_OK;

	*out = (struct messages_turns){calloc(model->send_count, sizeof(*out->line)),
				       calloc(model->nodes + model->send_count, sizeof(*out->free_ticks))};
	if (!senders || !sorted || !out->line || !out->free_ticks)
		status = tr_no_memory(err, "%zu messages", model->send_count);
	for (size_t i = 0; status == TR_OK && i < model->iteration_count; i++)
		if (!model->iterations[i].once) {
			repeated++;
			add_iteration(model, &model->iterations[i], senders);
		}
	if (status == TR_OK)
		status = check_time(model, senders, repeated, stretch, err);
	if (status == TR_OK)
		number_lines(model, senders, sorted, out->line);
	free(senders);
	free(sorted);
	return status;
}

void messages_turns_clear(struct messages_turns *turns)
{
	free(turns->line);
	free(turns->free_ticks);
	*turns = (struct messages_turns){.line = NULL};
}
