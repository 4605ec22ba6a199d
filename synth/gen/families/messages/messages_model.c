// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/messages/messages_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "gen/pairs.h"
#include "value/num.h"
#include "value/order.h"

#define PACKETS_MOST 1e9 // of one message
#define SIZE_MOST 1e15
#define ACKNOWLEDGED_MOST 1000000000u
#define MEMORY_PACKET_B 64u // of a message under way, or an acknowledgement

#define AT(member) offsetof(struct messages_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL},
	{"controllers", MODEL_COUNT, AT(controllers), false, 0, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"segment", MODEL_SIZE, AT(segment_B), true, 1, 1e9, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"pace", MODEL_TIME, AT(pace_s), false, 0, 1e6, NULL},
	{"pairs", MODEL_SHARE, AT(pairs), false, 0, 1, NULL},
	{"first-pairs", MODEL_SHARE, AT(first_pairs), false, 0, 1, NULL},
	{"pair-gap", MODEL_TIME, AT(pair_gap_s), false, 0, 1e6, NULL},
	{"tail-gap", MODEL_TIME, AT(tail_gap_s), false, 0, 1e6, NULL},
	{"stall", MODEL_TIME, AT(stall_s), false, 0, 1e6, NULL},
	{"acknowledge", MODEL_REAL, AT(acknowledge), false, 0, 1e9, NULL},
	{"acknowledge-after", MODEL_TIME, AT(acknowledge_after_s), false, 0, 1e6, NULL},
	{"request", MODEL_SIZE, AT(request_B), false, 0, 1e9, NULL},
	{"answer", MODEL_SIZE, AT(answer_B), false, 0, 1e9, NULL},
	{"answer-before", MODEL_TIME, AT(answer_before_s), false, 0, 1e6, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

static const struct opt_choice once_words[] = {{"yes", 1}, {"no", 0}, {NULL, 0}};

#define AT(member) offsetof(struct messages_iteration, member)
static const struct model_field iteration_fields[] = {
	{"lasts", MODEL_TIME, AT(lasts_s), true, 0, 1e9, NULL},
	{"silence", MODEL_TIME, AT(silence_s), false, 0, 1e9, NULL},
	{"once", MODEL_WORD, AT(once), false, 0, 0, once_words},
	{"send", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"part", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

uint64_t messages_packets(const struct messages_model *model, const struct messages_send *send)
{
	const uint64_t segment_B = (uint64_t)model->segment_B;

	return send->size_B > segment_B ? (send->size_B + segment_B - 1) / segment_B : 1;
}

// Cuts " word " and what follows off the text; its value goes to *out. Returns TR_OK, with *out as
// it was, where it is absent.
static enum tr_status messages_model_take_time(char *text, const char *word, double *out,
					       struct tr_error *err)
{
	char *at = strstr(text, word);

	if (!at)
		return TR_OK;
	*at = '\0';
	if (model_value(MODEL_TIME, at + strlen(word), out, err) != TR_OK)
		return TR_ERROR;
	return *out >= 0 && *out <= 1e9
		       ? TR_OK
		       : tr_fail(err, "the time after%sis below 0 or too long", word);
}

static enum tr_status get_nodes(char *text, uint64_t nodes, struct messages_send *out,
				struct tr_error *err)
{
	uint64_t src, dst;
	char *to = strchr(text, '>');

	if (!to)
		return tr_fail(err, "expected two nodes, such as 0>3, found \"%.30s\"", text);
	*to = '\0';
	if (num_parse_count(text, 0, nodes - 1, &src, err) != TR_OK ||
	    num_parse_count(to + 1, 0, nodes - 1, &dst, err) != TR_OK)
		return TR_ERROR;
	if (src == dst)
		return tr_fail(err, "node %llu cannot send to itself", (unsigned long long)src);
	out->src = (uint32_t)src;
	out->dst = (uint32_t)dst;
	return TR_OK;
}

// Cuts " acked " and what follows off the text, such as " acked 8 after 40 us for 1.8 ms",
// likewise.
static enum tr_status take_acknowledged(char *text, struct messages_send *out, struct tr_error *err)
{
	char *at = strstr(text, " acked ");
	uint64_t number;

	if (!at)
		return TR_OK;
	*at = '\0';
	at += strlen(" acked ");
	if (messages_model_take_time(at, " for ", &out->acknowledging_s, err) != TR_OK ||
	    messages_model_take_time(at, " after ", &out->acknowledged_s, err) != TR_OK ||
	    num_parse_count(at, 0, ACKNOWLEDGED_MOST, &number, err) != TR_OK)
		return TR_ERROR;
	out->acknowledged = (int64_t)number;
	return TR_OK;
}

// "0>3 131072 B at 12.3 ms after 210 us for 1.9 ms", of which the times but the first may be
// absent, and the acknowledgements.
static enum tr_status get_send(const char *value, const struct messages_model *model,
			       struct messages_send *out, struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *rest = text;
	double size_B = 0, at_s = -1, flow_s = -1;

	*out = (struct messages_send){.acknowledged = -1};
	(void)snprintf(text, sizeof(text), "%s", value);
	const char *pair = strsep(&rest, " ");

	if (!rest)
		return tr_fail(err, "expected such as 0>3 131072 B at 12.3 ms");
	if (take_acknowledged(rest, out, err) != TR_OK ||
	    messages_model_take_time(rest, " for ", &flow_s, err) != TR_OK ||
	    messages_model_take_time(rest, " after ", &out->wait_s, err) != TR_OK ||
	    messages_model_take_time(rest, " at ", &at_s, err) != TR_OK ||
	    model_value(MODEL_SIZE, rest, &size_B, err) != TR_OK ||
	    get_nodes((char *)pair, model->nodes, out, err) != TR_OK)
		return TR_ERROR;
	if (at_s < 0)
		return tr_fail(err, "the time is missing, such as at 12.3 ms");
	if (!(size_B >= 1 && size_B <= SIZE_MOST) || size_B / model->segment_B > PACKETS_MOST)
		return tr_fail(err, "expected 1 B to %g packets", PACKETS_MOST);
	out->at_s = at_s;
	out->size_B = (uint64_t)size_B;
	out->flow_s = flow_s;
	if (flow_s >= 0)
		return TR_OK;
	if (messages_packets(model, out) > 1 && model->pace_s == 0)
		return tr_fail(err, "without the time after \"for\" the model needs the key pace");
	out->flow_s = model->pace_s * (double)(messages_packets(model, out) - 1);
	return TR_OK;
}

static int messages_model_by_time(const void *left, const void *right)
{
	const struct messages_send *a = left, *b = right;

	ORDER_BY(a->at_s, b->at_s);
	ORDER_BY(a->src, b->src);
	ORDER_BY(a->dst, b->dst);
	return ORDER(a->size_B, b->size_B);
}

static enum tr_status get_sends(const struct model *text, const struct model_entry *section,
				struct messages_model *out, struct messages_iteration *iteration,
				struct tr_error *err)
{
	const struct model_entry *entry = NULL;

	iteration->first = out->send_count;
	while ((entry = model_next(text, section->key, NULL, entry))) {
		struct messages_send *send = &out->sends[out->send_count];
		struct tr_error why = {""};
		const bool part = strcmp(entry->key, "part") == 0;

		if (!part && strcmp(entry->key, "send") != 0)
			continue;
		if (get_send(entry->value, out, send, &why) != TR_OK)
			return model_fail(text, entry, err, "%s: %s", entry->key, why.text);
		if (send->at_s > iteration->lasts_s)
			return model_fail(text, entry, err,
					  "%s: it begins after the iteration, which lasts %.9g s",
					  entry->key, iteration->lasts_s);
		send->part = part;
		out->send_count++;
	}
	iteration->end = out->send_count;
	if (iteration->end == iteration->first)
		return model_fail(text, section, err, "[%s] sends nothing", section->key);
	qsort(out->sends + iteration->first, iteration->end - iteration->first, sizeof(*out->sends),
	      messages_model_by_time);
	return TR_OK;
}

static enum tr_status get_iterations(const struct model *text, struct messages_model *out,
				     struct tr_error *err)
{
	if (text->sections == 0)
		return model_fail(text, NULL, err,
				  "expected at least one section, such as [iteration 1]");
	out->iterations = calloc(text->sections, sizeof(*out->iterations));
	out->sends = calloc(text->count, sizeof(*out->sends));
	if (!out->iterations || !out->sends)
		return model_no_memory(text, err);
	for (size_t i = 0; i < text->count; i++) {
		struct messages_iteration *iteration = &out->iterations[out->iteration_count];

		if (text->entries[i].kind != MODEL_SECTION)
			continue;
		iteration->silence_s = -1;
		if (model_get(text, text->entries[i].key, iteration_fields, iteration, err) !=
			    TR_OK ||
		    get_sends(text, &text->entries[i], out, iteration, err) != TR_OK)
			return TR_ERROR;
		out->iteration_count++;
	}
	return messages_period_s(out) > 0
		       ? TR_OK
		       : model_fail(text, NULL, err,
				    "no iteration is repeated, or they take no time");
}

enum tr_status messages_model_get(const struct model *text, struct messages_model *out,
				  struct tr_error *err)
{
	*out = (struct messages_model){.controllers = 1, .duration_s = 1};
	if (model_get(text, "", fields, out, err) != TR_OK)
		return TR_ERROR;
	if (out->controllers > out->nodes)
		return model_fail(text, model_find(text, "", "controllers"), err,
				  "more controllers than nodes");
	if (out->acknowledge > 0 && out->acknowledge < 1)
		return model_fail(
			text, model_find(text, "", "acknowledge"), err,
			"acknowledge: expected 0, or 1 packet or more for each acknowledgement");
	out->segment_B = floor(out->segment_B);
	return get_iterations(text, out, err);
}

void messages_model_clear(struct messages_model *model)
{
	free(model->iterations);
	free(model->sends);
	*model = (struct messages_model){.nodes = 0};
}

double messages_silence_s(const struct messages_model *model)
{
	double silence_s = 0, known = 0;

	for (size_t i = 0; i < model->iteration_count; i++)
		if (!model->iterations[i].once && model->iterations[i].silence_s >= 0) {
			silence_s += model->iterations[i].silence_s;
			known++;
		}
	return known > 0 ? silence_s / known : 0;
}

double messages_period_s(const struct messages_model *model)
{
	double lasts_s = 0, repeated = 0;

	for (size_t i = 0; i < model->iteration_count; i++) {
		lasts_s += model->iterations[i].once ? 0 : model->iterations[i].lasts_s;
		repeated += !model->iterations[i].once;
	}
	return repeated > 0 ? lasts_s / repeated + messages_silence_s(model) : 0;
}

static void messages_model_put_send(struct model *text, const struct messages_model *model,
				    const struct messages_send *send)
{
	char value[9 * MODEL_NUMBER_BYTES], at[MODEL_NUMBER_BYTES], size[MODEL_NUMBER_BYTES],
		time[MODEL_NUMBER_BYTES];
	int n = snprintf(value, sizeof(value), "%u>%u %s at %s", send->src, send->dst,
			 model_format(MODEL_SIZE, (double)send->size_B, size),
			 model_format(MODEL_TIME, send->at_s, at));

	if (send->wait_s > 0)
		n += snprintf(value + n, sizeof(value) - (size_t)n, " after %s",
			      model_format(MODEL_TIME, send->wait_s, time));
	if (messages_packets(model, send) > 1)
		n += snprintf(value + n, sizeof(value) - (size_t)n, " for %s",
			      model_format(MODEL_TIME, send->flow_s, time));
	if (send->acknowledged >= 0)
		n += snprintf(value + n, sizeof(value) - (size_t)n, " acked %lld",
			      (long long)send->acknowledged);
	if (send->acknowledged > 0)
		n += snprintf(value + n, sizeof(value) - (size_t)n, " after %s",
			      model_format(MODEL_TIME, send->acknowledged_s, time));
	if (send->acknowledged > 1)
		(void)snprintf(value + n, sizeof(value) - (size_t)n, " for %s",
			       model_format(MODEL_TIME, send->acknowledging_s, time));
	model_key(text, send->part ? "part" : "send", value, NULL);
}

void messages_model_put(struct model *text, const struct messages_model *model)
{
	static const char *const comments[] = {
		NULL,
		NULL,
		"the first nodes; the others are workers",
		NULL,
		"payload of a full packet",
		"bytes on the wire beside the payload",
		"usual gap between the packets of a message",
		"share of these gaps that are short",
		"of the first gaps of messages",
		"length of a short gap",
		"before a last packet that is not full",
		"by how much some are longer",
		"packets for each acknowledgement",
		NULL,
		"payload of the packet that asks to send a large message",
		"and of the one that allows it",
		"the data",
	};
	char number[MODEL_NUMBER_BYTES], name[MODEL_NUMBER_BYTES];

	model_key(text, "family", "messages", NULL);
	model_put(text, fields, model, comments);
	for (size_t i = 0; i < model->iteration_count; i++) {
		const struct messages_iteration *iteration = &model->iterations[i];

		(void)snprintf(name, sizeof(name), "iteration %zu", i + 1);
		model_blank(text);
		model_section(text, name, NULL);
		model_key(text, "lasts", model_format(MODEL_TIME, iteration->lasts_s, number),
			  NULL);
		if (iteration->silence_s >= 0)
			model_key(text, "silence",
				  model_format(MODEL_TIME, iteration->silence_s, number), NULL);
		if (iteration->once)
			model_key(text, "once", "yes", "at the start only");
		for (size_t k = iteration->first; k < iteration->end; k++)
			messages_model_put_send(text, model, &model->sends[k]);
	}
}

// Of all iterations that are repeated, once each.
struct messages_model_volume {
	double iterations, messages, data_packets, packets, payload_B, acknowledgements;
};

double messages_acknowledgements(const struct messages_model *model,
				 const struct messages_send *send)
{
	if (send->acknowledged >= 0)
		return (double)send->acknowledged;
	return model->acknowledge > 0 ? (double)messages_packets(model, send) / model->acknowledge
				      : 0;
}

static struct messages_model_volume volume_of(const struct messages_model *model)
{
	struct messages_model_volume sum = {.iterations = 0};

	for (size_t i = 0; i < model->iteration_count; i++) {
		const struct messages_iteration *iteration = &model->iterations[i];

		sum.iterations += !iteration->once;
		for (size_t k = iteration->first; k < iteration->end && !iteration->once; k++) {
			const struct messages_send *send = &model->sends[k];
			const bool asked = send->wait_s > 0;

			sum.messages += !send->part;
			sum.data_packets += (double)messages_packets(model, send);
			sum.acknowledgements += messages_acknowledgements(model, send);
			sum.packets += (double)messages_packets(model, send) +
				       messages_acknowledgements(model, send) +
				       (asked && model->request_B > 0) +
				       (asked && model->answer_B > 0);
			sum.payload_B += (double)send->size_B +
					 (asked ? model->request_B + model->answer_B : 0);
		}
	}
	return sum;
}

enum tr_status messages_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char number[MODEL_NUMBER_BYTES], other[MODEL_NUMBER_BYTES];
	struct messages_model model;
	struct messages_model_volume volume;

	if (messages_model_get(text, &model, err) != TR_OK) {
		messages_model_clear(&model);
		return TR_ERROR;
	}
	volume = volume_of(&model);
	fprintf(out,
		"%llu nodes, of them %llu controller%s, repeat %.0f iteration%s of a program in "
		"random order, each whole,\n",
		(unsigned long long)model.nodes, (unsigned long long)model.controllers,
		model.controllers == 1 ? "" : "s", volume.iterations,
		volume.iterations == 1 ? "" : "s");
	fprintf(out, "  with %.4g messages of %.4g B on average, every %s.\n",
		volume.messages / volume.iterations, volume.payload_B / volume.messages,
		model_format(MODEL_TIME, model_settle(MODEL_TIME, messages_period_s(&model), 4),
			     number));
	if (volume.iterations < (double)model.iteration_count)
		fprintf(out, "  Before these, %.0f others come once.\n",
			(double)model.iteration_count - volume.iterations);
	fprintf(out, "  A message is sent in packets of up to %.0f B over the time that it took",
		model.segment_B);
	if (model.pairs > 0)
		fprintf(out, ", %s of them %s after the one before",
			model_format(MODEL_SHARE, model_settle(MODEL_SHARE, model.pairs, 3),
				     number),
			model_format(MODEL_TIME, model_settle(MODEL_TIME, model.pair_gap_s, 3),
				     other));
	fprintf(out, ".\n");
	if (volume.acknowledgements > 0)
		fprintf(out, "  Every %.4g packets are acknowledged by a packet without payload.\n",
			volume.data_packets / volume.acknowledgements);
	fprintf(out, "  What nodes do together within an iteration is kept; dependence between "
		     "iterations is lost.\n");
	messages_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

enum tr_status messages_forecast(const struct model *text, struct forecast *out,
				 struct tr_error *err)
{
	struct forecast_sender sender = {.who = "All nodes together",
					 .what = "data and overhead",
					 .senders = 1,
					 .burst_packets_per_s = NAN,
					 .dispersion = NAN};
	struct messages_model model;
	enum tr_status status = messages_model_get(text, &model, err);

	*out = (struct forecast){.senders = NULL};
	if (status == TR_OK) {
		const struct messages_model_volume volume = volume_of(&model);

		out->nodes = model.nodes;
		out->duration_s = model.duration_s;
		out->memory_B = (double)(sizeof(*model.sends) * model.send_count) +
				(double)MEMORY_PACKET_B *
					(double)(model.send_count / model.iteration_count + 1);
		sender.packets_per_s = volume.packets / volume.iterations /
				       messages_period_s(&model);
		sender.payload_B = volume.payload_B / volume.packets;
		sender.wire_B = sender.payload_B + model.header_B;
		status = forecast_add(out, &sender, err);
	}
	messages_model_clear(&model);
	return status;
}

static void messages_model_add_pair(const struct messages_model *model,
				    const struct messages_send *send, double per_s,
				    struct pairs *out)
{
	const bool request = send->wait_s > 0 && model->request_B > 0,
		   answer = send->wait_s > 0 && model->answer_B > 0;

	out->wire_Bps[(size_t)send->src * out->nodes + send->dst] +=
		per_s *
		((double)send->size_B + model->header_B * (double)messages_packets(model, send) +
		 (request ? model->request_B + model->header_B : 0));
	out->wire_Bps[(size_t)send->dst * out->nodes + send->src] +=
		per_s * (messages_acknowledgements(model, send) * model->header_B +
			 (answer ? model->answer_B + model->header_B : 0));
}

enum tr_status messages_pairs(const struct model *text, struct pairs *out, struct tr_error *err)
{
	struct messages_model model;
	enum tr_status status = messages_model_get(text, &model, err);
	double per_s;

	*out = (struct pairs){.nodes = 0};
	if (status == TR_OK)
		status = pairs_open(out, model.nodes, err);
	per_s = status == TR_OK ? 1 / messages_period_s(&model) / volume_of(&model).iterations : 0;
	for (size_t i = 0; status == TR_OK && i < model.iteration_count; i++)
		for (size_t k = model.iterations[i].first;
		     k < model.iterations[i].end && !model.iterations[i].once; k++)
			messages_model_add_pair(&model, &model.sends[k], per_s, out);
	messages_model_clear(&model);
	return status;
}
