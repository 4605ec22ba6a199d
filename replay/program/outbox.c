// SPDX-License-Identifier: GPL-3.0-or-later
// Messages become worms: those of a host in order, with at most its window under way, each no
// larger than the MTU. Inside the run a packet's id is the message's number and, from bit 32 on,
// the number of the worm in it.
#include "program/mpi_flows.h"
#include "program/program_jobs.h"
#include "program/divided.h"

#define WORM_SHIFT 32

static bool outbox_is_control(const struct message *message)
{
	return message->stage == STAGE_REQUEST || message->stage == STAGE_REPLY;
}

// Sending and receiving rank at the message's stage.
static uint32_t from_rank(const struct message *message)
{
	return message->stage == STAGE_REPLY ? message->destination : message->source;
}

static uint32_t to_rank(const struct message *message)
{
	return message->stage == STAGE_REPLY ? message->source : message->destination;
}

static enum program_part outbox_part_of(const struct program *program,
					const struct message *message)
{
	if (outbox_is_control(message))
		return PROGRAM_RENDEZVOUS;
	return program->goal->ops[message->send].size > 0 ? PROGRAM_DATA : PROGRAM_ENVELOPE;
}

// An empty message counts as MPI's own only with an MPI.
static bool is_overhead(const struct program *program, const struct message *message)
{
	enum program_part part = outbox_part_of(program, message);

	return part == PROGRAM_RENDEZVOUS || (part == PROGRAM_ENVELOPE && program->params.mpi.on);
}

uint32_t outbox_host(const struct program *program, uint32_t rank)
{
	return program->host_of ? program->host_of[rank] : rank;
}

static bool outbox_has_window(const struct program *program, uint32_t rank)
{
	return program->log ? part_has_window(program, rank)
			    : program->ranks[rank].window_used < program->params.window_worms;
}

void outbox_join(struct program *program, uint32_t number)
{
	struct rank *rank = &program->ranks[number];
	struct chain *sending = &program->due.sending;

	if (rank->sending || (rank->outbox.first == NOTHING && rank->noting.first == NOTHING) ||
	    !outbox_has_window(program, number))
		return;
	rank->sending = true;
	rank->joined = program->log ? program->log->high : 0;
	rank->next_sending = NOTHING;
	CHAIN_APPEND(sending, program->ranks, next_sending, number);
}

uint32_t outbox_segment_bytes(const struct program *program)
{
	return program->params.mtu_bytes - program->params.mpi.header_bytes;
}

// Whether the message, at its stage, has bytes of the program's.
static bool has_data(const struct program *program, const struct message *message)
{
	return !outbox_is_control(message) && program->goal->ops[message->send].size > 0;
}

static uint64_t bytes_to_travel(const struct program *program, const struct message *message)
{
	const struct program_mpi *mpi = &program->params.mpi;

	if (!has_data(program, message))
		return mpi->on ? mpi->envelope_bytes : program->params.empty_bytes;
	return program->goal->ops[message->send].size +
	       (mpi->on && !mpi->envelope_apart ? mpi->envelope_bytes : 0);
}

void outbox_add(struct program *program, uint32_t number)
{
	struct message *message = &program->pool.messages[number];
	struct chain *outbox = &program->ranks[from_rank(message)].outbox;

	message->left_bytes = bytes_to_travel(program, message);
	message->worms_made = 0;
	message->worms_due = (uint32_t)((message->left_bytes - 1) / outbox_segment_bytes(program) +
					1);
	if (program->log) {
		part_log_worms(program, number);
	} else {
		message->first_id = program->totals.worms;
		program->totals.worms += message->worms_due;
	}
	message->next = NOTHING;
	if (program->params.mpi.on) {
		flow_add(program, number);
		return;
	}
	CHAIN_APPEND(outbox, program->pool.messages, next, number);
	outbox_join(program, from_rank(message));
}

// The message whose worm this rank sends next, NOTHING if there is none.
static uint32_t outbox_front(struct program *program, uint32_t rank)
{
	return program->params.mpi.on ? flow_message(program, rank)
				      : program->ranks[rank].outbox.first;
}

// Of the message's next worm.
static uint64_t worm_id(const struct program *program, uint32_t number)
{
	const struct message *message = &program->pool.messages[number];

	if (program->mpi.tcp)
		return note_segment_id(program, program->ranks[from_rank(message)].outbox.first);
	return number | (uint64_t)message->worms_made << WORM_SHIFT;
}

static void outbox_offer_worm(const struct program *program, uint32_t number,
			      struct net_offer *offer)
{
	const struct message *message = &program->pool.messages[number];
	uint32_t piece = outbox_segment_bytes(program);
	uint32_t payload = message->left_bytes < piece ? (uint32_t)message->left_bytes : piece;
	uint32_t bytes = payload + program->params.mpi.header_bytes;

	*offer = (struct net_offer){.packet = {.time_ticks = program->now_ticks,
					       .id = worm_id(program, number),
					       .flow = TR_FLOW_NONE,
					       .src = from_rank(message),
					       .dst = to_rank(message),
					       .payload_bytes = payload,
					       .wire_bytes = bytes,
					       .class = is_overhead(program, message)
								? TR_CLASS_OVERHEAD
								: TR_CLASS_DATA},
				    .source = outbox_host(program, from_rank(message)),
				    .destination = outbox_host(program, to_rank(message)),
				    .size_bytes = bytes,
				    .continues = message->worms_made > 0};
}

// Removes the first sending rank, which is done for now.
static void outbox_leave(struct program *program)
{
	struct rank *rank = &program->ranks[program->due.sending.first];

	program->due.sending.first = rank->next_sending;
	rank->sending = false;
}

bool outbox_next(struct program *program, struct net_offer *offer)
{
	for (; program->due.sending.first != NOTHING; outbox_leave(program)) {
		uint32_t rank = program->due.sending.first;
		uint32_t number;

		if (program->log && !part_has_window(program, rank))
			continue;
		if (program->params.mpi.on && note_next(program, rank, offer))
			return true;
		number = outbox_front(program, rank);
		if (number == NOTHING)
			continue;
		outbox_offer_worm(program, number, offer);
		return true;
	}
	return false;
}

static void count_worm(struct program *program, const struct message *message, uint32_t bytes)
{
	struct program_share *part = &program->totals.parts[outbox_part_of(program, message)];

	part->packets++;
	part->bytes += bytes;
}

static void take_worm(struct program *program, uint32_t rank, const struct net_offer *offer)
{
	uint32_t number = outbox_front(program, rank);
	struct message *message = &program->pool.messages[number];

	const struct tcp_packet packet = {.name = message->first_id + message->worms_made,
					  .message = number,
					  .bytes = offer->size_bytes,
					  .payload_bytes = offer->packet.payload_bytes,
					  .kind = NOTE_SEGMENT};
	const uint32_t flow = program->ranks[rank].outbox.first;

	message->left_bytes -= offer->packet.payload_bytes;
	message->worms_made++;
	count_worm(program, message, offer->size_bytes);
	if (program->params.mpi.rdma.on)
		flow_occupy(program, rank, offer->size_bytes);
	if (program->params.mpi.on)
		acknowledge_sent(program, flow, offer->packet.id);
	if (program->mpi.tcp)
		tcp_sent(program, flow, offer->packet.id, &packet);
	if (program->params.mpi.on)
		flow_sent(program, rank, offer->packet.payload_bytes, message->left_bytes == 0);
	else if (message->left_bytes == 0)
		program->ranks[rank].outbox.first = message->next;
}

void outbox_take(struct program *program, const struct net_offer *offer)
{
	uint32_t number = program->due.sending.first;
	struct rank *rank = &program->ranks[number];

	if (is_note(offer->packet.id) && !note_is_segment(offer->packet.id))
		note_take(program, offer);
	else
		take_worm(program, number, offer);
	rank->window_used++;
	if (program->log)
		part_log_entry(program, rank->joined);
	if ((rank->outbox.first != NOTHING || rank->noting.first != NOTHING) &&
	    outbox_has_window(program, number))
		return;
	outbox_leave(program);
}

bool outbox_find_name(const struct program *program, uint64_t *id)
{
	if (is_note(*id))
		return note_name(program, *id, id);
	*id = program->pool.messages[(uint32_t)*id].first_id + (*id >> WORM_SHIFT);
	return true;
}

void outbox_name(struct program *program, uint64_t *id)
{
	if (!outbox_find_name(program, id))
		*id = program->totals.worms++;
}

// The message arrives if all of it, at its stage, is there.
static void end_if_whole(struct program *program, uint32_t number)
{
	struct message *message = &program->pool.messages[number];

	if (message->worms_due > 0)
		return;
	message->due_ticks = program->now_ticks;
	if (program->params.mpi.on && !outbox_is_control(message))
		message->due_ticks = later(program, message->due_ticks,
					   flow_receive_ticks(program, number));
	message_due(program, number, &program->due.arrivals, WHAT_ARRIVE);
}

void outbox_arrive(struct program *program, uint32_t number)
{
	program->pool.messages[number].worms_due--;
	end_if_whole(program, number);
}

static void outbox_worm_done(struct program *program, uint64_t id, bool arrived)
{
	uint32_t number = (uint32_t)id;
	struct message *message = &program->pool.messages[number];

	if (!arrived) {
		message->lost = true;
		return;
	}
	message->worms_due--;
	if (program->params.mpi.on)
		flow_heard(program, number, id);
	end_if_whole(program, number);
}

void outbox_come(struct program *part, uint64_t id)
{
	outbox_worm_done(part, id, true);
}

void outbox_done(struct program *program, uint64_t *id, bool arrived, bool marked)
{
	uint64_t worm = *id;
	uint32_t rank = is_note(worm) ? note_rank(program, worm)
				      : from_rank(&program->pool.messages[(uint32_t)worm]);

	outbox_name(program, id);
	program->ranks[rank].window_used--;
	program->totals.lost_worms += !arrived;
	if (program->due.jobs)
		job_packet_ended(program, rank);
	if (!is_note(worm))
		outbox_worm_done(program, worm, arrived);
	else if (arrived)
		note_arrive(program, worm, marked);
	else
		note_lost(program, worm);
	outbox_join(program, rank);
}
