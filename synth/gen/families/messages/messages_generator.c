// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of a parallel program, iteration by iteration: the regenerative bootstrap (Bertail and
// Clemencon, Bernoulli 12(4) (2006) 689-712) of what the nodes do together, balanced (Davison,
// Hinkley and Schechtman, Biometrika 73(3) (1986) 555-566): whole iterations, each with the silence
// after it, follow in random order, and each comes once before any comes again: a short run has as
// many of the rare and long ones as the capture. A message becomes a train of packets over the time
// that it took, some of them close behind the one before: a receiver that acknowledges every other
// packet lets a sender go on by two (RFC 9293, delayed acknowledgements: RFC 1122 4.2.3.2). At
// another load messages begin sooner or later, but each takes its time, and those that follow one
// another in the model still do. Streams: "messages/iteration", "messages/phase".
#include <math.h>
#include <stdlib.h>

#include "gen/families/messages/messages_model.h"
#include "gen/families/messages/messages_turns.h"
#include "gen/packet_source.h"
#include "stat/nodes/packet_sample.h"
#include "value/grow.h"
#include "value/heap.h"
#include "value/random.h"

enum event_what { EVENT_REQUEST, EVENT_ANSWER, EVENT_DATA, EVENT_ACKNOWLEDGE };

// The next packet of a message.
struct messages_generator_event {
	int64_t ticks;
	uint64_t order; // of beginning: decides within a tick
	const struct messages_send *send;
	int64_t first_ticks; // of its data
	uint64_t next;	     // packets of data so far
	double pair_phase, stall_phase, acknowledge_phase;
	bool first_short; // the first gap
	enum event_what what;
};

struct messages {
	struct messages_model model;
	double ticks_per_s; // inside a message
	double stretch;	    // of the times from message to message
	struct messages_turns turns;
	int64_t end_ticks;
	struct tr_random iteration, phase;
	double silence_s; // where none is known
	size_t *order;	  // the iterations that come once, then the others
	size_t once_count, order_next;
	int64_t begin_ticks; // of the current iteration
	size_t current, next_send;
	struct messages_generator_event *heap; // by time, then order
	size_t heap_count, heap_capacity;
	uint64_t begun, packets;
	bool over;
};

static bool messages_generator_before(const struct messages_generator_event *a,
				      const struct messages_generator_event *b)
{
	return a->ticks != b->ticks ? a->ticks < b->ticks : a->order < b->order;
}

HEAP(messages_event, struct messages_generator_event, messages_generator_before);

static enum tr_status messages_generator_push(struct messages *state,
					      struct messages_generator_event event,
					      struct tr_error *err)
{
	size_t at = state->heap_count;

	if (!GROW(state->heap, state->heap_capacity, at))
		return tr_no_memory(err, "%zu messages at a time", at);
	event.order = state->begun++;
	messages_event_put(state->heap, state->heap_count++, event);
	return TR_OK;
}

static int64_t messages_generator_later(const struct messages *state, int64_t ticks, double seconds)
{
	return source_after(ticks, seconds * state->ticks_per_s);
}

static int64_t begins_later(const struct messages *state, int64_t ticks, double seconds)
{
	return messages_generator_later(state, ticks, seconds * state->stretch);
}

static uint32_t payload_B(const struct messages_model *model, const struct messages_send *send,
			  uint64_t packet)
{
	const uint64_t segment_B = (uint64_t)model->segment_B,
		       left_B = send->size_B - packet * segment_B;

	return (uint32_t)(left_B < segment_B ? left_B : segment_B);
}

// How many of the message's first gaps are short, its last one aside where that is a tail's: the
// first one by chance, of the others their share, evenly spread from a random phase.
static double short_gaps(const struct messages_model *model,
			 const struct messages_generator_event *event, uint64_t gaps)
{
	return gaps == 0 ? 0
			 : event->first_short +
				   floor((double)(gaps - 1) * model->pairs + event->pair_phase);
}

// The time of a packet of data. Short gaps and that of a tail have their length, the others that of
// the pace; what is left of the time that the message took makes some of them longer, by about the
// stall's length. Without that, and where a message was faster, the others share the time.
static int64_t packet_ticks(const struct messages *state,
			    const struct messages_generator_event *event, uint64_t packet)
{
	const struct messages_model *model = &state->model;
	const uint64_t gaps = messages_packets(model, event->send) - 1;
	const uint64_t tail = model->tail_gap_s > 0 &&
			      payload_B(model, event->send, gaps) < (uint64_t)model->segment_B;
	const double all_short = short_gaps(model, event, gaps - tail);
	const double here_short = short_gaps(model, event, packet < gaps ? packet : gaps - tail);
	const double others = (double)(gaps - tail) - all_short,
		     here = (double)(packet < gaps ? packet : gaps - tail) - here_short;
	const double fixed_s = all_short * model->pair_gap_s + (double)tail * model->tail_gap_s;
	const double rest_s = event->send->flow_s - fixed_s,
		     left_s = rest_s - others * model->pace_s;
	const double before_s = here_short * model->pair_gap_s +
				(packet == gaps ? (double)tail * model->tail_gap_s : 0);
	double stalls;

	if (packet == 0)
		return event->first_ticks;
	if (rest_s < 0 || others == 0)
		return messages_generator_later(state, event->first_ticks,
						event->send->flow_s * (double)packet /
							(double)gaps);
	if (left_s <= 0 || model->stall_s == 0)
		return messages_generator_later(state, event->first_ticks,
						before_s + here * rest_s / others);
	stalls = fmin(fmax(1, round(left_s / model->stall_s)), others);
	return messages_generator_later(state, event->first_ticks,
					before_s + here * model->pace_s +
						floor(here * stalls / others + event->stall_phase) *
							left_s / stalls);
}

static enum tr_status begin_send(struct messages *state, const struct messages_send *send,
				 int64_t due_ticks, struct tr_error *err)
{
	const int64_t due_data_ticks = begins_later(state, due_ticks, send->wait_s);
	const int64_t first_ticks =
		state->turns.each ? state->turns.each[send - state->model.sends].data_ticks
				  : due_data_ticks;
	const int64_t ticks = first_ticks - due_data_ticks + due_ticks;
	const bool asked = send->wait_s > 0;
	const int64_t answer_before = messages_generator_later(state, 0,
							       state->model.answer_before_s);
	struct messages_generator_event event = {
		.ticks = ticks, .send = send, .first_ticks = first_ticks, .what = EVENT_REQUEST};

	event.first_short = tr_random_unit(&state->phase) < state->model.first_pairs;
	event.pair_phase = tr_random_unit(&state->phase);
	if (event.first_short && state->model.pairs <= 0.5)
		event.pair_phase *= 1 - state->model.pairs; // packets come in twos, none in threes
	event.stall_phase = tr_random_unit(&state->phase);
	event.acknowledge_phase = tr_random_unit(&state->phase);
	if (asked && state->model.request_B > 0 &&
	    messages_generator_push(state, event, err) != TR_OK)
		return TR_ERROR;
	event.what = EVENT_ANSWER;
	event.ticks = event.first_ticks - answer_before > ticks ? event.first_ticks - answer_before
								: ticks;
	if (asked && state->model.answer_B > 0 &&
	    messages_generator_push(state, event, err) != TR_OK)
		return TR_ERROR;
	event.what = EVENT_ACKNOWLEDGE;
	event.ticks = messages_generator_later(state, event.first_ticks, send->acknowledged_s);
	if (send->acknowledged > 0 && messages_generator_push(state, event, err) != TR_OK)
		return TR_ERROR;
	event.what = EVENT_DATA;
	event.ticks = event.first_ticks;
	return messages_generator_push(state, event, err);
}

static void messages_generator_fill_packet(struct messages *state,
					   const struct messages_generator_event *event,
					   uint32_t size_B, struct tr_packet *packet)
{
	const bool back = event->what == EVENT_ANSWER || event->what == EVENT_ACKNOWLEDGE;

	*packet = (struct tr_packet){
		.time_ticks = event->ticks,
		.id = state->packets++,
		.flow = TR_FLOW_NONE,
		.src = back ? event->send->dst : event->send->src,
		.dst = back ? event->send->src : event->send->dst,
		.payload_bytes = size_B,
		.wire_bytes = source_wire_B(size_B, (uint32_t)(state->model.header_B + 0.5)),
		.class = size_B > PACKET_SAMPLE_OVERHEAD_MAX ? TR_CLASS_DATA : TR_CLASS_OVERHEAD,
	};
}

// Whether the packet of data is acknowledged where the model does not say so of the message: every
// so many, from a random phase.
static bool acknowledged(const struct messages_model *model,
			 const struct messages_generator_event *event)
{
	const double each = model->acknowledge, so_far = (double)event->next;

	return each > 0 && event->send->acknowledged < 0 &&
	       floor((so_far + 1) / each + event->acknowledge_phase) >
		       floor(so_far / each + event->acknowledge_phase);
}

static enum tr_status send_data(struct messages *state, struct messages_generator_event *event,
				struct tr_packet *packet, struct tr_error *err)
{
	struct messages_generator_event acknowledgement = *event;

	messages_generator_fill_packet(state, event,
				       payload_B(&state->model, event->send, event->next), packet);
	acknowledgement.what = EVENT_ACKNOWLEDGE;
	acknowledgement.ticks = messages_generator_later(state, event->ticks,
							 state->model.acknowledge_after_s);
	if (acknowledged(&state->model, event) &&
	    messages_generator_push(state, acknowledgement, err) != TR_OK)
		return TR_ERROR;
	if (++event->next == messages_packets(&state->model, event->send))
		return TR_OK;
	event->ticks = packet_ticks(state, event, event->next);
	return messages_generator_push(state, *event, err);
}

// Acknowledgements that the model states of the message are spread evenly over their time.
static enum tr_status acknowledge(struct messages *state, struct messages_generator_event *event,
				  struct tr_packet *packet, struct tr_error *err)
{
	const struct messages_send *send = event->send;

	messages_generator_fill_packet(state, event, 0, packet);
	if (send->acknowledged < 0 || ++event->next >= (uint64_t)send->acknowledged)
		return TR_OK;
	event->ticks = messages_generator_later(
		state, event->first_ticks,
		send->acknowledged_s + send->acknowledging_s * (double)event->next /
					       (double)(send->acknowledged - 1));
	return messages_generator_push(state, *event, err);
}

static enum tr_status send_packet(struct messages *state, struct tr_packet *packet,
				  struct tr_error *err)
{
	struct messages_generator_event event = messages_event_take(state->heap,
								    --state->heap_count);

	switch (event.what) {
	case EVENT_REQUEST:
		messages_generator_fill_packet(state, &event, (uint32_t)state->model.request_B,
					       packet);
		return TR_OK;
	case EVENT_ANSWER:
		messages_generator_fill_packet(state, &event, (uint32_t)state->model.answer_B,
					       packet);
		return TR_OK;
	case EVENT_ACKNOWLEDGE: return acknowledge(state, &event, packet, err);
	default: return send_data(state, &event, packet, err);
	}
}

// Those that come once first, then the others in random order, again and again.
static void draw_iteration(struct messages *state)
{
	const size_t count = state->model.iteration_count;

	if (state->order_next == count)
		state->order_next = state->once_count;
	if (state->order_next >= state->once_count) {
		const size_t drawn = state->order_next +
				     tr_random_below(&state->iteration, count - state->order_next);
		const size_t index = state->order[drawn];

		state->order[drawn] = state->order[state->order_next];
		state->order[state->order_next] = index;
	}
	state->current = state->order[state->order_next++];
	state->next_send = state->model.iterations[state->current].first;
	if (state->turns.each)
		messages_turns_plan(&state->turns, &state->model,
				    &state->model.iterations[state->current], state->begin_ticks);
}

static void next_iteration(struct messages *state)
{
	const int64_t begin_ticks = state->begin_ticks;
	const struct messages_iteration *iteration = &state->model.iterations[state->current];
	const double span_s = iteration->lasts_s +
			      (iteration->silence_s >= 0 ? iteration->silence_s : state->silence_s);

	state->begin_ticks = begins_later(state, begin_ticks, span_s);
	if (state->begin_ticks == begin_ticks && begin_ticks < SOURCE_NEVER)
		state->begin_ticks++; // the clock is too coarse for it
	draw_iteration(state);
}

// When the next message of the current iteration begins, of the next one where it has no more.
static int64_t next_begin(struct messages *state)
{
	if (state->next_send == state->model.iterations[state->current].end)
		next_iteration(state);
	return begins_later(state, state->begin_ticks, state->model.sends[state->next_send].at_s);
}

static enum tr_status messages_next(void *opaque, struct tr_packet *packets, size_t max,
				    size_t *count, struct tr_error *err)
{
	struct messages *state = opaque;
	size_t n = 0;

	while (n < max && !state->over) {
		const int64_t begin_ticks = next_begin(state);

		if (state->heap_count == 0 || begin_ticks <= state->heap[0].ticks) {
			if (begin_ticks >= state->end_ticks && state->heap_count == 0)
				state->over = true;
			else if (begin_ticks < state->end_ticks) {
				if (begin_send(state, &state->model.sends[state->next_send++],
					       begin_ticks, err) != TR_OK)
					return TR_ERROR;
				continue;
			}
		}
		if (state->over || state->heap[0].ticks >= state->end_ticks)
			state->over = true;
		else if (send_packet(state, &packets[n++], err) != TR_OK)
			return TR_ERROR;
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t messages_nodes(const void *state)
{
	return (uint32_t)((const struct messages *)state)->model.nodes;
}

static enum tr_role messages_node(const void *opaque, uint32_t id,
				  char address[GENERATOR_NAME_BYTES])
{
	const struct messages *state = opaque;

	(void)source_worker(state, id, address);
	return id < state->model.controllers ? TR_ROLE_CONTROLLER : TR_ROLE_WORKER;
}

static void messages_close(void *opaque)
{
	struct messages *state = opaque;

	messages_model_clear(&state->model);
	messages_turns_clear(&state->turns);
	free(state->order);
	free(state->heap);
}

static enum tr_status list_iterations(struct messages *state, struct tr_error *err)
{
	const struct messages_iteration *iterations = state->model.iterations;
	const size_t count = state->model.iteration_count;
	size_t at = 0;

	state->order = calloc(count, sizeof(*state->order));
	if (!state->order)
		return tr_no_memory(err, "%zu iterations", count);
	for (int once = 1; once >= 0; once--) {
		for (size_t i = 0; i < count; i++)
			if (iterations[i].once == once)
				state->order[at++] = i;
		state->once_count = once ? at : state->once_count;
	}
	return TR_OK;
}

static enum tr_status messages_open(void *opaque, const struct model *text,
				    const struct generator_settings *settings, struct tr_error *err)
{
	struct messages *state = opaque;
	const struct source_stream streams[] = {{&state->iteration, "iteration"},
						{&state->phase, "phase"}};

	if (messages_model_get(text, &state->model, err) != TR_OK)
		return TR_ERROR;
	if (settings->nodes > 0 && settings->nodes != state->model.nodes)
		return tr_fail(err,
			       "messages of %llu nodes cannot be those of %u (flitfit --rank shows "
			       "which families scale)",
			       (unsigned long long)state->model.nodes, settings->nodes);
	if (list_iterations(state, err) != TR_OK)
		return TR_ERROR;
	state->silence_s = messages_silence_s(&state->model);
	state->stretch = settings->stretch > 0 ? settings->stretch : 1;
	state->ticks_per_s = (double)settings->ticks_per_s / state->stretch;
	if (state->stretch < 1 &&
	    messages_turns_find(&state->turns, &state->model, state->ticks_per_s, state->stretch,
				err) != TR_OK)
		return TR_ERROR;
	state->end_ticks = source_end_ticks(settings, state->model.duration_s);
	source_streams_open(streams, sizeof(streams) / sizeof(*streams), settings->seed,
			    "messages");
	draw_iteration(state);
	return TR_OK;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct messages),
	.open = messages_open,
	.next = messages_next,
	.nodes = messages_nodes,
	.node = messages_node,
	.explain = messages_explain,
	.forecast = messages_forecast,
	.pairs = messages_pairs,
	.close = messages_close,
};

const struct family messages_family = {
	.name = "messages",
	.summary = "messages by iteration, sent as trains",
	.generator = &generator,
	.fit = &messages_fit,
};
