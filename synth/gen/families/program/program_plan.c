// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_plan.h"

#include <math.h>
#include <stdlib.h>

#include "gen/packet_source.h"
#include "value/grow.h"

#define TICKS_MAX 0x1p59 // of a drawn time

static enum tr_status plan_time(const struct program_plan *plan, const struct program_time *time,
				struct law_plan *out, double ticks_per_s, struct tr_error *err)
{
	struct law law = time->law;

	law.mean = program_power_of(&time->mean_s, plan->nodes, plan->model->problem);
	return law.mean > 0 ? law_plan_make(out, &law, ticks_per_s, err) : TR_OK;
}

void program_plan_pack(const struct program_plan *plan, struct program_train *train,
		       uint64_t stream_B)
{
	const struct program_flow *flow = &plan->model->flow;
	const double full_B = flow->segment_B + flow->header_B, total = (double)stream_B;
	const double packets = ceil(total / flow->segment_B),
		     first_B = packets > 1 ? flow->segment_B : total;

	train->stream_B = stream_B;
	train->packets = (uint64_t)packets;
	train->first_ticks = (int64_t)((first_B + flow->header_B) / full_B * plan->pace.full);
	train->span_ticks = (int64_t)((total - first_B + (packets - 1) * flow->header_B) / full_B *
				      plan->pace.full);
}

static enum tr_status plan_train(struct program_plan *plan, uint32_t number, uint64_t bytes,
				 struct tr_error *err)
{
	const struct program_flow *flow = &plan->model->flow;
	const struct program_phase *phase = &plan->model->phases[number];
	struct program_train *train;
	double total;

	if (!GROW(plan->trains, plan->train_capacity, plan->train_count))
		return tr_no_memory(err, "%u sizes of messages", plan->train_count);
	train = &plan->trains[plan->train_count++];
	*train = (struct program_train){.bytes = bytes, .phase = number};
	train->granted = (double)train->bytes >= flow->eager_B;
	total = floor((double)train->bytes + flow->envelope_B + (train->granted ? flow->end_B : 0) +
		      0.5);
	if (total < 1)
		total = 1;
	if (!(ceil(total / flow->segment_B) * plan->pace.full < 0x1p60) || !(total < 0x1p60))
		return tr_fail(err, "[%s]: messages of %.4g B last too long", phase->name, total);
	program_plan_pack(plan, train, (uint64_t)total);
	return TR_OK;
}

// The train of a message of the phase whose trains begin at first.
static enum tr_status find_train(struct program_plan *plan, struct program_message *message,
				 uint64_t bytes, uint32_t first, struct tr_error *err)
{
	for (message->train = first; message->train < plan->train_count; message->train++)
		if (plan->trains[message->train].bytes == bytes)
			return TR_OK;
	return plan_train(plan, message->phase, bytes, err);
}

// Messages are in the order of phases.
static enum tr_status plan_trains(struct program_plan *plan, struct tr_error *err)
{
	uint32_t first = 0;

	for (uint32_t m = 0; m < plan->list.count; m++) {
		struct program_message *message = &plan->list.messages[m];
		const struct program_phase *phase = &plan->model->phases[message->phase];
		const uint64_t bytes = phase->collective ? message->bytes
							 : program_phase_bytes(plan->model, phase,
									       plan->nodes) /
								   message->parts;

		if (m > 0 && plan->list.messages[m - 1].phase != message->phase)
			first = plan->train_count;
		if (find_train(plan, message, bytes, first, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// What a rank computes with what it received last, before all else; NULL: nothing.
static const struct law_plan *plan_work(const struct program_plan *plan, uint32_t first,
					uint32_t end)
{
	const struct program_op *last = &plan->ops[end - 1];
	const uint32_t phase = end > first ? plan->list.messages[last->message].phase : 0;

	return end > first && !last->sends &&
			       plan->model->phases[phase].pattern == &program_patterns_sweep
		       ? &plan->pauses[phase].between
		       : NULL;
}

// A rank's gates: a new one at each phase, and at each turn of a phase in turns, in which it
// computes if it sends.
static void program_plan_cut(struct program_plan *plan, uint32_t rank, uint32_t first, uint32_t end)
{
	const struct program_message *before = NULL;
	const struct program_gate *opening = NULL;
	bool begun = false;

	plan->first_gate[rank] = plan->gate_count;
	for (uint32_t i = first; i < end; i++) {
		const struct program_message *message = &plan->list.messages[plan->ops[i].message];
		const struct program_phase *phase = &plan->model->phases[message->phase];
		const bool fresh = !before || message->phase != before->phase;
		struct program_gate *gate;

		if (fresh || (phase->order == PROGRAM_IN_TURN && message->turn != before->turn)) {
			gate = &plan->gates[plan->gate_count++];
			*gate = (struct program_gate){
				.rank = rank, .phase = message->phase, .first = i};
			if (fresh)
				gate->also = plan_work(plan, first, i);
			if (fresh && phase->after == PROGRAM_AFTER_ALL)
				gate->computes = &plan->pauses[message->phase].compute;
		}
		gate = &plan->gates[plan->gate_count - 1];
		gate->end = i + 1;
		opening = fresh ? gate : opening;
		if (plan->ops[i].sends && gate != opening && phase->order == PROGRAM_IN_TURN)
			gate->computes = &plan->pauses[message->phase].between;
		begun = begun && !fresh;
		if (phase->after == PROGRAM_AFTER_BEGIN && plan->ops[i].sends && !begun) {
			begun = gate->begins = true;
			gate->computes = &plan->pauses[message->phase].compute;
		}
		before = message;
	}
	plan->gates[plan->gate_count++] = (struct program_gate){
		.rank = rank,
		.phase = PROGRAM_NONE,
		.first = end,
		.end = end,
		.also = plan_work(plan, first, end)};
}

static enum tr_status plan_gates(struct program_plan *plan, struct tr_error *err)
{
	const uint32_t count = plan->list.count;
	uint32_t *end = calloc((size_t)plan->nodes + 1, sizeof(*end));

	plan->ops = calloc(2 * (size_t)count + 1, sizeof(*plan->ops));
	plan->gates = calloc(2 * (size_t)count + plan->nodes, sizeof(*plan->gates));
	plan->first_gate = calloc((size_t)plan->nodes + 1, sizeof(*plan->first_gate));
	if (!end || !plan->ops || !plan->gates || !plan->first_gate) {
		free(end);
		return tr_no_memory(err, "%u messages", count);
	}
	for (uint32_t i = 0; i < count; i++) {
		end[plan->list.messages[i].src]++;
		end[plan->list.messages[i].dst]++;
	}
	for (uint32_t r = 0, sum = 0; r < plan->nodes; r++) {
		const uint32_t own = end[r];

		end[r] = sum;
		sum += own;
	}
	for (uint32_t i = 0; i < count; i++) {
		plan->ops[end[plan->list.messages[i].src]++] = (struct program_op){i, true};
		plan->ops[end[plan->list.messages[i].dst]++] = (struct program_op){i, false};
	}
	for (uint32_t r = 0; r < plan->nodes; r++)
		program_plan_cut(plan, r, r > 0 ? end[r - 1] : 0, end[r]);
	plan->first_gate[plan->nodes] = plan->gate_count;
	free(end);
	return TR_OK;
}

// The last message from src to dst in a phase before that of the message at the gate, among the
// operations of dst.
static uint32_t last_from(const struct program_plan *plan, const struct program_gate *gate,
			  uint32_t src)
{
	const uint32_t begin = plan->gates[plan->first_gate[gate->rank]].first;

	for (uint32_t i = gate->first; i-- > begin;) {
		const struct program_message *message = &plan->list.messages[plan->ops[i].message];

		if (message->phase != gate->phase && !plan->ops[i].sends && message->src == src)
			return plan->ops[i].message;
	}
	return PROGRAM_NONE;
}

// What the send waits for. sent_before: the last message sent before this phase; sent: the one
// sent before this one in it; PROGRAM_NONE: there is none. A phase "after the peer" sends to a rank
// as soon as that rank's last message of the gate has come; one "in sequence" sends each message
// behind the one before; one "after the send" begins behind what the rank sent in an earlier phase.
// All else waits for the gate alone.
static void plan_send(struct program_plan *plan, uint32_t number, uint32_t op, uint32_t sent_before,
		      uint32_t sent)
{
	const struct program_gate *gate = &plan->gates[number];
	const struct program_message *message = &plan->list.messages[plan->ops[op].message];
	const struct program_phase *phase = &plan->model->phases[gate->phase];
	struct program_waits *waits = &plan->waits[plan->ops[op].message];
	uint32_t wait = PROGRAM_NONE;

	waits->send = number;
	if (phase->after == PROGRAM_AFTER_PEER)
		wait = last_from(plan, gate, message->dst);
	else if (sent != PROGRAM_NONE && phase->order == PROGRAM_IN_SEQUENCE)
		waits->send = plan->gate_count + sent;
	else if (phase->after == PROGRAM_AFTER_SEND &&
		 (sent == PROGRAM_NONE || phase->order == PROGRAM_AT_ONCE))
		wait = sent_before;
	if (wait != PROGRAM_NONE)
		waits->send = plan->gate_count + wait;
	if (phase->after == PROGRAM_AFTER_PEER ||
	    (phase->after == PROGRAM_AFTER_SEND && sent == PROGRAM_NONE))
		waits->computes = &plan->pauses[gate->phase].compute;
	else if (sent != PROGRAM_NONE && phase->order == PROGRAM_IN_SEQUENCE)
		waits->computes = &plan->pauses[gate->phase].between;
}

// The last message that the rank of the gate receives so many turns before the one that it sends,
// or earlier; PROGRAM_NONE. *op: where to look for it on, of messages in the order of turns.
static uint32_t received_before(const struct program_plan *plan, const struct program_gate *gate,
				uint32_t sent, uint64_t turns, uint32_t *op, uint32_t last)
{
	const struct program_message *messages = plan->list.messages;

	for (; *op < gate->end; (*op)++) {
		const struct program_op *other = &plan->ops[*op];

		if (messages[other->message].turn + turns > messages[sent].turn)
			break;
		last = other->sends ? last : plan->gate_count + other->message;
	}
	return last;
}

// What the messages of a rank wait for, gate by gate in the order of its program: what it sends
// (plan_send), in sequence behind what it received a window before; and what it receives where the
// sender asks first: such a one is granted when the gate opens, or in sequence behind the one
// received before.
static void plan_waits(struct program_plan *plan, uint32_t rank)
{
	uint32_t phase = PROGRAM_NONE, sent = PROGRAM_NONE, sent_before = PROGRAM_NONE,
		 got = PROGRAM_NONE;

	for (uint32_t g = plan->first_gate[rank]; g < plan->first_gate[rank + 1]; g++) {
		const struct program_gate *gate = &plan->gates[g];
		uint32_t op = gate->first, behind = PROGRAM_NONE;
		uint64_t window = 0;
		bool sequence;

		if (gate->first == gate->end)
			continue; // a rank's last one
		if (gate->phase != phase) {
			sent_before = sent != PROGRAM_NONE ? sent : sent_before;
			sent = got = PROGRAM_NONE;
			phase = gate->phase;
		}
		sequence = plan->model->phases[phase].order == PROGRAM_IN_SEQUENCE;
		if (sequence)
			window = program_phase_window(&plan->model->phases[phase], plan->nodes);
		for (uint32_t i = gate->first; i < gate->end; i++) {
			const uint32_t m = plan->ops[i].message;

			if (plan->ops[i].sends) {
				plan_send(plan, g, i, sent_before, sent);
				if (window > 0)
					behind = received_before(plan, gate, m, window, &op,
								 behind);
				plan->waits[m].behind = behind;
				sent = m;
				continue;
			}
			plan->waits[m].receive = PROGRAM_NONE;
			if (plan->trains[plan->list.messages[m].train].granted)
				plan->waits[m].receive = sequence && got != PROGRAM_NONE
								 ? plan->gate_count + got
								 : g;
			got = m;
		}
	}
}

static enum tr_status plan_draws(struct program_plan *plan, double ticks_per_s, uint64_t seed,
				 struct tr_error *err)
{
	const struct program_flow *flow = &plan->model->flow;
	const double burst = flow->burst_B / (flow->segment_B + flow->header_B) - 1;
	struct law silence = plan->model->silence, turn = flow->turn, look = flow->look;

	draw_tables_make(&plan->tables);
	silence.mean = plan->model->silence_s;
	turn.mean = flow->turn_s;
	look.mean = flow->look_s;
	if ((silence.mean > 0 &&
	     law_plan_make(&plan->silence, &silence, ticks_per_s, err) != TR_OK) ||
	    (turn.mean > 0 && law_plan_make(&plan->turn, &turn, ticks_per_s, err) != TR_OK) ||
	    (look.mean > 0 && law_plan_make(&plan->look, &look, ticks_per_s, err) != TR_OK))
		return TR_ERROR;
	plan->streams = calloc(plan->nodes, sizeof(*plan->streams));
	plan->stall = program_stalls_make(flow, ticks_per_s);
	plan->take_ticks = source_ticks(flow->take_s * ticks_per_s);
	plan->lag_ticks = source_ticks(flow->lag_s * ticks_per_s);
	plan->pace.burst_ticks = (int64_t)(fmax(burst, 0) * flow->pace_s * ticks_per_s);
	plan->pace.gap_ticks = source_ticks(flow->pair_gap_s * ticks_per_s);
	if (!plan->streams)
		return tr_no_memory(err, "%u nodes", plan->nodes);
	source_streams_open(&(struct source_stream){&plan->silences, "silence"}, 1, seed,
			    "program");
	for (uint32_t r = 0; r < plan->nodes; r++) {
		struct program_streams *own = &plan->streams[r];
		const struct source_stream streams[] = {{&own->compute, "compute"},
							{&own->turn, "turn"},
							{&own->stall, "stall"},
							{&own->look, "look"}};

		source_streams_open(streams, 4, seed, "node%u", r);
	}
	return TR_OK;
}

enum tr_status program_plan_make(struct program_plan *plan, const struct program_model *model,
				 uint32_t nodes, double ticks_per_s, uint64_t seed,
				 struct tr_error *err)
{
	*plan = (struct program_plan){
		.model = model, .nodes = nodes, .pace = {.full = model->flow.pace_s * ticks_per_s}};
	if (program_list_make(&plan->list, model, nodes, err) != TR_OK)
		return TR_ERROR;
	if (plan->list.count == 0)
		return tr_fail(err, "no phase has a message among %u nodes", nodes);
	plan->pauses = calloc(model->phase_count, sizeof(*plan->pauses));
	plan->waits = calloc(plan->list.count, sizeof(*plan->waits));
	if (!plan->pauses || !plan->waits)
		return tr_no_memory(err, "%u messages", plan->list.count);
	for (uint32_t i = 0; i < model->phase_count; i++)
		if (plan_time(plan, &model->phases[i].compute, &plan->pauses[i].compute,
			      ticks_per_s, err) != TR_OK ||
		    plan_time(plan, &model->phases[i].between, &plan->pauses[i].between,
			      ticks_per_s, err) != TR_OK)
			return TR_ERROR;
	if (plan_trains(plan, err) != TR_OK)
		return TR_ERROR;
	if (plan_gates(plan, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t r = 0; r < nodes; r++)
		plan_waits(plan, r);
	return plan_draws(plan, ticks_per_s, seed, err);
}

void program_plan_clear(struct program_plan *plan)
{
	for (uint32_t i = 0; plan->pauses && i < plan->model->phase_count; i++) {
		law_plan_clear(&plan->pauses[i].compute);
		law_plan_clear(&plan->pauses[i].between);
	}
	free(plan->pauses);
	law_plan_clear(&plan->silence);
	law_plan_clear(&plan->turn);
	law_plan_clear(&plan->look);
	program_list_clear(&plan->list);
	free(plan->trains);
	free(plan->gates);
	free(plan->ops);
	free(plan->waits);
	free(plan->first_gate);
	free(plan->streams);
	*plan = (struct program_plan){.model = NULL};
}

// At most a quarter of what a clock counts, so that sums of a few fit.
static int64_t draw_program_plan(const struct program_plan *plan, const struct law_plan *law,
				 struct tr_random *random)
{
	const double ticks = law->kind ? law_draw(law, &plan->tables, random) : 0;

	return ticks < TICKS_MAX ? (int64_t)ticks : (int64_t)TICKS_MAX;
}

int64_t program_plan_look(struct program_plan *plan, uint32_t rank)
{
	return draw_program_plan(plan, &plan->look, &plan->streams[rank].look);
}

int64_t program_plan_silence(struct program_plan *plan)
{
	return draw_program_plan(plan, &plan->silence, &plan->silences);
}

void program_plan_draw(struct program_plan *plan, uint32_t rank)
{
	struct program_streams *streams = &plan->streams[rank];

	for (uint32_t g = plan->first_gate[rank]; g < plan->first_gate[rank + 1]; g++) {
		struct program_gate *gate = &plan->gates[g];

		gate->compute_ticks = 0;
		if (gate->computes)
			gate->compute_ticks = draw_program_plan(plan, gate->computes,
								&streams->compute);
		if (gate->also)
			gate->compute_ticks += draw_program_plan(plan, gate->also,
								 &streams->compute);
		for (uint32_t i = gate->first; i < gate->end; i++) {
			struct program_waits *waits = &plan->waits[plan->ops[i].message];

			if (plan->ops[i].sends && waits->computes)
				waits->compute_ticks = draw_program_plan(plan, waits->computes,
									 &streams->compute);
			if (plan->ops[i].sends && plan->stall.chance > 0)
				waits->stall_seed = tr_random_u64(&streams->stall);
			if (plan->trains[plan->list.messages[plan->ops[i].message].train].granted)
				*(plan->ops[i].sends ? &waits->begin_ticks : &waits->grant_ticks) =
					draw_program_plan(plan, &plan->turn, &streams->turn);
		}
	}
}
