// SPDX-License-Identifier: GPL-3.0-or-later
// Lines are of two kinds: all messages of a node that sends one at a time, and, of other nodes,
// messages of two nodes that follow one another at the pace of their packets, since those may be
// pieces of one. In iterations that silences separate, which programs have, a message also waits
// for what both of its nodes had received.
#include "gen/families/messages/messages_turns.h"

#include <math.h>
#include <stdlib.h>

#include "gen/packet_source.h"
#include "value/order.h"
#include "value/ticks.h"

#define AT_ONCE 0.05 // share of a node's messages that begin during another by inaccuracy alone

// What a node sends in the iterations that are repeated.
struct messages_turns_sender {
	double messages, at_once; // the latter begin during another
	double busy_s;		  // all of them together
};

static double first_s(const struct messages_send *send)
{
	return send->at_s + send->wait_s;
}

static double pace_s(const struct messages_model *model, const struct messages_send *send)
{
	if (model->pace_s > 0 || model->tail_gap_s > 0)
		return model->pace_s > 0 ? model->pace_s : model->tail_gap_s;
	return send->flow_s / fmax(1, (double)messages_packets(model, send) - 1);
}

// From the first packet until the sender has sent the last one.
static double sending_s(const struct messages_model *model, const struct messages_send *send)
{
	const uint64_t full_B = (messages_packets(model, send) - 1) * (uint64_t)model->segment_B;
	const double last_B = (double)(send->size_B - full_B) + model->header_B;

	return send->flow_s + pace_s(model, send) * last_B / (model->segment_B + model->header_B);
}

static double ended_s(const struct messages_model *model, const struct messages_send *send)
{
	return first_s(send) + sending_s(model, send);
}

static int turns_by_data(const void *left, const void *right)
{
	const struct messages_send *a = *(const struct messages_send *const *)left;
	const struct messages_send *b = *(const struct messages_send *const *)right;

	ORDER_BY(first_s(a), first_s(b));
	return ORDER(a, b);
}

static int turns_by_pair(const void *left, const void *right)
{
	const struct messages_send *a = *(const struct messages_send *const *)left;
	const struct messages_send *b = *(const struct messages_send *const *)right;

	ORDER_BY(a->src, b->src);
	ORDER_BY(a->dst, b->dst);
	return turns_by_data(left, right);
}

// A message by when it has ended.
struct ended {
	double at_s;
	size_t number;
};

static int by_end(const void *left, const void *right)
{
	const struct ended *a = left, *b = right;

	ORDER_BY(a->at_s, b->at_s);
	return ORDER(a->number, b->number);
}

static void sort_ended(const struct messages_model *model, struct ended *ended)
{
	for (size_t k = 0; k < model->send_count; k++)
		ended[k] = (struct ended){ended_s(model, &model->sends[k]), k};
	for (size_t i = 0; i < model->iteration_count; i++)
		qsort(ended + model->iterations[i].first,
		      model->iterations[i].end - model->iterations[i].first, sizeof(*ended),
		      by_end);
}

static void sort_turns(const struct messages_turns *turns, const struct messages_model *model,
		       int (*by)(const void *left, const void *right))
{
	for (size_t i = 0; i < model->send_count; i++)
		turns->sorted[i] = &model->sends[i];
	for (size_t i = 0; i < model->iteration_count; i++)
		qsort(turns->sorted + model->iterations[i].first,
		      model->iterations[i].end - model->iterations[i].first, sizeof(*turns->sorted),
		      by);
}

// Of messages sorted turns_by_data. ends_s has room for all nodes.
static void add_to_senders(const struct messages_turns *turns, const struct messages_model *model,
			   const struct messages_iteration *iteration,
			   struct messages_turns_sender *senders, double *ends_s)
{
	for (size_t k = iteration->first; k < iteration->end; k++)
		ends_s[model->sends[k].src] = 0;
	for (size_t k = iteration->first; k < iteration->end; k++) {
		const struct messages_send *send = turns->sorted[k];
		struct messages_turns_sender *sender = &senders[send->src];

		sender->messages++;
		sender->at_once += first_s(send) < ends_s[send->src];
		sender->busy_s += sending_s(model, send);
		ends_s[send->src] = fmax(ends_s[send->src], first_s(send) + send->flow_s);
	}
}

static bool one_at_a_time(const struct messages_turns_sender *sender)
{
	return sender->at_once <= AT_ONCE * sender->messages;
}

static enum tr_status check_time(const struct messages_model *model,
				 const struct messages_turns_sender *senders, double repeated,
				 double stretch, struct tr_error *err)
{
	for (uint64_t node = 0; node < model->nodes; node++) {
		const double share = senders[node].busy_s / (repeated * messages_period_s(model));

		if (one_at_a_time(&senders[node]) && share >= stretch)
			return tr_fail(err,
				       "node %llu sends one message at a time, %.3g %% of the "
				       "time, which leaves no room for %.4g "
				       "times as many; to make the messages faster, too, stretch "
				       "the traffic without --load: "
				       "flitgen --read TRACE --stretch %.4g",
				       (unsigned long long)node, 100 * share, 1 / stretch, stretch);
	}
	return TR_OK;
}

static bool follows(const struct messages_model *model, const struct messages_send *before,
		    const struct messages_send *send)
{
	return before->src == send->src && before->dst == send->dst &&
	       first_s(send) < first_s(before) + sending_s(model, before) + pace_s(model, before);
}

// The lines of nodes that send one message at a time have their numbers; the others come after
// them. Of messages sorted turns_by_pair.
static void number_lines(const struct messages_turns *turns, const struct messages_model *model,
			 const struct messages_turns_sender *senders)
{
	size_t lines = model->nodes;

	for (size_t i = 0; i < model->iteration_count; i++)
		for (size_t k = model->iterations[i].first; k < model->iterations[i].end; k++) {
			const struct messages_send *send = turns->sorted[k];
			struct messages_turn *turn = &turns->each[send - model->sends];

			if (one_at_a_time(&senders[send->src]))
				turn->line = send->src;
			else if (k > model->iterations[i].first &&
				 follows(model, turns->sorted[k - 1], send))
				turn->line = turns->each[turns->sorted[k - 1] - model->sends].line;
			else
				turn->line = lines++;
		}
}

// What each node has received last of the messages that are over when another begins. ended: sorted
// by_end; last: room for all nodes.
static void find_received(const struct messages_turns *turns, const struct messages_model *model,
			  const struct messages_iteration *iteration, const struct ended *ended,
			  size_t *last)
{
	size_t e = iteration->first;

	for (size_t k = iteration->first; k < iteration->end; k++)
		last[model->sends[k].src] = last[model->sends[k].dst] = model->send_count;
	for (size_t k = iteration->first; k < iteration->end; k++) {
		const struct messages_send *send = turns->sorted[k];
		struct messages_turn *turn = &turns->each[send - model->sends];

		for (; e < iteration->end && ended[e].at_s <= first_s(send); e++)
			last[model->sends[ended[e].number].dst] = ended[e].number;
		turn->after[0] = iteration->silence_s >= 0 ? last[send->src] : model->send_count;
		turn->after[1] = iteration->silence_s >= 0 ? last[send->dst] : model->send_count;
	}
}

static enum tr_status find_turns(struct messages_turns *turns, const struct messages_model *model,
				 struct messages_turns_sender *senders, struct ended *ended,
				 size_t *last, double *ends_s, struct tr_error *err)
{
	double repeated = 0;

	sort_ended(model, ended);
	sort_turns(turns, model, turns_by_data);
	for (size_t i = 0; i < model->iteration_count; i++)
		if (!model->iterations[i].once) {
			repeated++;
			add_to_senders(turns, model, &model->iterations[i], senders, ends_s);
		}
	if (check_time(model, senders, repeated, turns->stretch, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < model->iteration_count; i++)
		find_received(turns, model, &model->iterations[i], ended, last);
	sort_turns(turns, model, turns_by_pair);
	number_lines(turns, model, senders);
	sort_turns(turns, model, turns_by_data);
	return TR_OK;
}

enum tr_status messages_turns_find(struct messages_turns *out, const struct messages_model *model,
				   double ticks_per_s, double stretch, struct tr_error *err)
{
	struct messages_turns_sender *senders = calloc(model->nodes, sizeof(*senders));
	struct ended *ended = calloc(model->send_count, sizeof(*ended));
	size_t *last = calloc(model->nodes, sizeof(*last));
	double *ends_s = calloc(model->nodes, sizeof(*ends_s));
	enum tr_status status;

	*out = (struct messages_turns){
		.each = calloc(model->send_count + 1, sizeof(*out->each)),
		.sorted = calloc(model->send_count, sizeof(*out->sorted)),
		.free_ticks = calloc(model->nodes + model->send_count, sizeof(*out->free_ticks)),
		.ticks_per_s = ticks_per_s,
		.stretch = stretch};
	status = senders && ended && last && ends_s && out->each && out->sorted && out->free_ticks
			 ? find_turns(out, model, senders, ended, last, ends_s, err)
			 : tr_no_memory(err, "%zu messages", model->send_count);
	free(senders);
	free(ended);
	free(last);
	free(ends_s);
	return status;
}

void messages_turns_plan(struct messages_turns *turns, const struct messages_model *model,
			 const struct messages_iteration *iteration, int64_t begin_ticks)
{
	for (size_t k = iteration->first; k < iteration->end; k++) {
		const struct messages_send *send = turns->sorted[k];
		struct messages_turn *turn = &turns->each[send - model->sends];
		int64_t *free_ticks = &turns->free_ticks[turn->line];

		turn->data_ticks = ticks_later(
			ticks_later(source_after(begin_ticks, first_s(send) * turns->stretch *
								      turns->ticks_per_s),
				    *free_ticks),
			ticks_later(turns->each[turn->after[0]].end_ticks,
				    turns->each[turn->after[1]].end_ticks));
		turn->end_ticks = *free_ticks = source_after(
			turn->data_ticks, sending_s(model, send) * turns->ticks_per_s);
	}
}

void messages_turns_clear(struct messages_turns *turns)
{
	free(turns->each);
	free(turns->sorted);
	free(turns->free_ticks);
	*turns = (struct messages_turns){.each = NULL};
}
