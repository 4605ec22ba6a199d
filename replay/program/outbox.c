// SPDX-License-Identifier: GPL-3.0-or-later
// Messages become worms: those of a host in their order, no more of them under way than its window,
// each no larger than the MTU. Inside the run a packet's id is the message's number and, from bit 32 on,
// that of the worm in it.
#include "program/state.h"

#define WORM_SHIFT 32

static bool is_control(const struct message *message)
{
	return message->stage == STAGE_REQUEST || message->stage == STAGE_REPLY;
}

// Rank that sends, and that which receives, at the message's stage.
static uint32_t from_rank(const struct message *message)
{
	return message->stage == STAGE_REPLY ? message->destination : message->source;
}

static uint32_t to_rank(const struct message *message)
{
	return message->stage == STAGE_REPLY ? message->source : message->destination;
}

static uint32_t host_of(const struct program *program, uint32_t rank)
{
	return program->host_of != NULL ? program->host_of[rank] : rank;
}

// The rank is among those that send where it has something and may.
static void join(struct program *program, uint32_t number)
{
	struct rank *rank = &program->ranks[number];
	struct chain *sending = &program->sending;

	if (rank->sending || rank->outbox.first == NOTHING ||
	    rank->window_used >= program->params.window_worms)
		return;
	rank->sending = true;
	rank->next_sending = NOTHING;
	if (sending->first == NOTHING)
		sending->first = number;
	else
		program->ranks[sending->last].next_sending = number;
	sending->last = number;
}

void outbox_add(struct program *program, uint32_t number)
{
	struct message *message = &program->messages[number];
	struct chain *outbox = &program->ranks[from_rank(message)].outbox;
	uint64_t size = program->goal->ops[message->send].size;

	message->left_bytes = is_control(message) || size == 0 ? program->params.empty_bytes : size;
	message->worms_made = 0;
	message->worms_left = 0;
	message->first_id = program->totals.worms;
	program->totals.worms += (message->left_bytes - 1) / program->params.mtu_bytes + 1;
	message->next = NOTHING;
	if (outbox->first == NOTHING)
		outbox->first = number;
	else
		program->messages[outbox->last].next = number;
	outbox->last = number;
	join(program, from_rank(message));
}

bool outbox_next(struct program *program, struct net_offer *offer)
{
	const struct message *message;
	uint64_t size;
	uint32_t number;

	if (program->sending.first == NOTHING)
		return false;
	number = program->ranks[program->sending.first].outbox.first;
	message = &program->messages[number];
	size = message->left_bytes < program->params.mtu_bytes ? message->left_bytes :
								 program->params.mtu_bytes;
	*offer = (struct net_offer){
		.packet = {.time_ticks = program->now_ticks,
			   .id = number | (uint64_t)message->worms_made << WORM_SHIFT,
			   .flow = TR_FLOW_NONE, .src = from_rank(message),
			   .dst = to_rank(message), .payload_bytes = (uint32_t)size,
			   .wire_bytes = (uint32_t)size,
			   .class = is_control(message) ? TR_CLASS_OVERHEAD : TR_CLASS_DATA},
		.source = host_of(program, from_rank(message)),
		.destination = host_of(program, to_rank(message)),
		.size_bytes = (uint32_t)size};
	return true;
}

void outbox_take(struct program *program, const struct net_offer *offer)
{
	uint32_t number = program->sending.first;
	struct rank *rank = &program->ranks[number];
	struct message *message = &program->messages[rank->outbox.first];

	message->left_bytes -= offer->size_bytes;
	message->worms_made++;
	message->worms_left++;
	if (message->left_bytes == 0)
		rank->outbox.first = message->next;
	rank->window_used++;
	if (rank->outbox.first != NOTHING && rank->window_used < program->params.window_worms)
		return;
	program->sending.first = rank->next_sending;
	rank->sending = false;
}

void outbox_done(struct program *program, uint64_t *id, bool arrived)
{
	uint32_t number = (uint32_t)*id;
	struct message *message = &program->messages[number];
	uint32_t rank = from_rank(message);

	*id = message->first_id + (*id >> WORM_SHIFT);
	program->ranks[rank].window_used--;
	message->worms_left--;
	if (!arrived) {
		message->lost = true;
		program->totals.lost_worms++;
	} else if (message->left_bytes == 0 && message->worms_left == 0 && !message->lost) {
		remind(program, program->now_ticks, message->order, WHAT_ARRIVE, number);
	}
	join(program, rank);
}
