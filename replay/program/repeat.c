// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "program/mpi_flows.h"
#include "value/xxh3.h"

// ---- memory

static bool repeat_take_memory(struct program *program)
{
	struct repeat *repeat = program->repeat;
	const size_t ranks = program->goal->ranks, ops = program->goal->op_count,
		     messages = program->pool.message_capacity;

	repeat->low = calloc(ranks + 1, sizeof(*repeat->low));
	repeat->high = calloc(ranks + 1, sizeof(*repeat->high));
	repeat->period = calloc(ranks + 1, sizeof(*repeat->period));
	repeat->mark.state.low = calloc(ranks + 1, sizeof(*repeat->mark.state.low));
	repeat->mark.ranks = calloc(ranks + 1, sizeof(*repeat->mark.ranks));
	repeat->needs = calloc(ops + 1, sizeof(*repeat->needs));
	repeat->names = calloc(messages + 1, sizeof(*repeat->names));
	repeat->live = calloc(messages + 1, sizeof(*repeat->live));
	repeat->tasks = calloc(ops + messages + 1, sizeof(*repeat->tasks));
	return repeat->low && repeat->high && repeat->period && repeat->mark.state.low &&
	       repeat->mark.ranks && repeat->needs && repeat->names && repeat->live &&
	       repeat->tasks;
}

static void repeat_drop_sample(struct repeat *repeat, struct repeat_sample *sample)
{
	repeat->words -= sample->count;
	free(sample->words);
	free(sample->low);
	*sample = (struct repeat_sample){0};
}

static void repeat_drop_samples(struct repeat *repeat)
{
	for (size_t i = 0; i < REPEAT_SAMPLES; i++)
		repeat_drop_sample(repeat, &repeat->samples[i]);
}

// Nothing more is left out.
static void repeat_end(struct repeat *repeat, const char *why_not)
{
	repeat->stage = REPEAT_ENDED;
	repeat->result.why_not = why_not;
	repeat_drop_samples(repeat);
}

// A message by the id of its packet, and which packet of it.
static uint64_t repeat_name(const void *context, uint64_t packet)
{
	const struct program *program = context;

	return packet >> 32 << 32 | program->repeat->names[(uint32_t)packet];
}

// ---- the loop of a rank

// Where an operation of the loop does what one before it does; tags do not count here.
static bool repeat_resembles(const struct program *program, uint32_t a, uint32_t b)
{
	const struct goal_op *x = &program->goal->ops[a], *y = &program->goal->ops[b];

	return x->kind == y->kind && x->size == y->size && x->peer == y->peer && x->cpu == y->cpu &&
	       x->nic == y->nic && program->ops.all[a].waits == program->ops.all[b].waits;
}

// The shortest period of the count operations from first on, by the prefix function of Knuth,
// Morris and Pratt (SIAM J. Comput. 6, 1977); borders has room for count.
static uint32_t repeat_period_of(const struct program *program, uint32_t first, uint32_t count,
				 uint32_t *borders)
{
	borders[0] = 0;
	for (uint32_t i = 1, border = 0; i < count; i++) {
		while (border > 0 && !repeat_resembles(program, first + i, first + border))
			border = borders[border - 1];
		border += repeat_resembles(program, first + i, first + border);
		borders[i] = border;
	}
	return count - borders[count - 1];
}

// The loop is that of the middle half of the rank with most operations. Writes why there is none.
static void repeat_find_loop(struct program *program)
{
	struct repeat *repeat = program->repeat;
	const uint32_t *first = program->goal->first;
	uint32_t count;

	for (uint32_t rank = 1; rank < program->goal->ranks; rank++)
		if (first[rank + 1] - first[rank] > first[repeat->rank + 1] - first[repeat->rank])
			repeat->rank = rank;
	count = (first[repeat->rank + 1] - first[repeat->rank]) / 2;
	if (count > 0)
		repeat->length = repeat_period_of(program, first[repeat->rank] + count / 2, count,
						  repeat->tasks);
	if (count == 0 || repeat->length > count / 3)
		repeat_end(repeat, "it has no loop of equal iterations");
	repeat->due = first[repeat->rank] + repeat->length;
}

enum tr_status repeat_open(struct program *program, struct tr_error *err)
{
	struct repeat *repeat = program->repeat = calloc(1, sizeof(*repeat));

	if (!repeat || !repeat_take_memory(program))
		return tr_no_memory(err, "the states of %s", program->goal->name);
	repeat->result.why_not = "no state came again";
	repeat->view.name = repeat_name;
	repeat->view.context = program;
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		repeat->low[rank] = repeat->high[rank] = program->goal->first[rank];
	for (uint32_t op = 0; op < program->goal->op_count; op++)
		repeat->needs[op] = program->ops.all[op].waits;
	repeat_find_loop(program);
	if (program->params.mpi.on)
		repeat_end(repeat, "the state of --mpi is not compared");
	else if (program->matching.wildcards)
		repeat_end(repeat, "it has receives from any rank, or of any tag");
	return TR_OK;
}

void repeat_close(struct program *program)
{
	struct repeat *repeat = program->repeat;

	if (!repeat)
		return;
	repeat_drop_samples(repeat);
	free(repeat->mark.state.words);
	free(repeat->mark.state.low);
	free(repeat->mark.ranks);
	free(repeat->view.words);
	free(repeat->low);
	free(repeat->high);
	free(repeat->period);
	free(repeat->needs);
	free(repeat->names);
	free(repeat->live);
	free(repeat->tasks);
	free(repeat);
}

// ---- states

static bool repeat_is_state(const struct repeat_sample *sample, const struct net_view *view)
{
	return sample->words && sample->count == view->count &&
	       memcmp(sample->words, view->words, view->count * sizeof(*view->words)) == 0;
}

// The latest state like that of the view; NULL for none.
static const struct repeat_sample *repeat_find(const struct repeat *repeat, uint64_t hash)
{
	for (uint32_t i = 0; i < REPEAT_SAMPLES && i < repeat->looks; i++) {
		const struct repeat_sample *sample =
			&repeat->samples[(repeat->looks - 1 - i) % REPEAT_SAMPLES];

		if (sample->hash == hash && repeat_is_state(sample, &repeat->view))
			return sample;
	}
	return NULL;
}

static bool repeat_keep(const struct program *program, struct repeat_sample *sample, uint64_t hash)
{
	const struct net_view *view = &program->repeat->view;
	const size_t low_bytes = program->goal->ranks * sizeof(*sample->low);

	*sample = (struct repeat_sample){.hash = hash,
					 .words = malloc(view->count * sizeof(*view->words)),
					 .count = view->count,
					 .low = malloc(low_bytes)};
	if (!sample->words || !sample->low) {
		free(sample->words);
		free(sample->low);
		*sample = (struct repeat_sample){0};
		return false;
	}
	memcpy(sample->words, view->words, view->count * sizeof(*view->words));
	memcpy(sample->low, program->repeat->low, low_bytes);
	return true;
}

// The oldest go where there is no room.
static void repeat_add(struct program *program, uint64_t hash)
{
	struct repeat *repeat = program->repeat;
	struct repeat_sample *sample = &repeat->samples[repeat->looks % REPEAT_SAMPLES];

	repeat_drop_sample(repeat, sample);
	for (uint32_t i = 1;
	     i < REPEAT_SAMPLES && repeat->words + repeat->view.count > REPEAT_WORDS; i++)
		repeat_drop_sample(repeat, &repeat->samples[(repeat->looks + i) % REPEAT_SAMPLES]);
	if (repeat_keep(program, sample, hash))
		repeat->words += sample->count;
	repeat->looks++;
}

// ---- periods

// Until where the rank whose iterations count is to come for the next look.
static void repeat_next_due(struct repeat *repeat)
{
	while (repeat->due <= repeat->low[repeat->rank])
		repeat->due += repeat->length;
}

static enum tr_status repeat_tell(const struct program *program, const struct program_repeat *what)
{
	if (!program->listener.repeat)
		return TR_OK;
	return program->listener.repeat(program->listener.context, what, program->err);
}

// A state has come again: how long its period is, and whether it is to come more than twice.
static bool repeat_goes_on(struct program *program, const struct repeat_sample *since)
{
	struct repeat *repeat = program->repeat;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		repeat->period[rank] = repeat->low[rank] - since->low[rank];
	return repeat_most(program, since->low, repeat->period) > 2;
}

// The begin of the next one.
static enum tr_status repeat_measure(struct program *program, const struct repeat_sample *since)
{
	struct repeat *repeat = program->repeat;
	struct repeat_mark *mark = &repeat->mark;
	const uint32_t ranks = program->goal->ranks;
	struct repeat_sample state;

	if (!repeat_keep(program, &state, since->hash))
		return TR_OK;
	free(mark->state.words);
	free(mark->state.low);
	mark->state = state;
	mark->now_ticks = repeat->view.now_ticks;
	mark->steps = program->path.count;
	path_mark(program);
	mark->totals = program->totals;
	mark->net = *repeat->view.totals;
	for (uint32_t rank = 0; rank < ranks; rank++)
		mark->ranks[rank] = program->ranks[rank].sums;
	repeat->stage = REPEAT_MEASURES;
	repeat->due = repeat->low[repeat->rank] + repeat->period[repeat->rank];
	return repeat_tell(program, &(struct program_repeat){.times = 0});
}

// Adds what was added since the mark so many times more.
static void repeat_add_count(uint64_t *count, uint64_t before, uint64_t times)
{
	*count += times * (*count - before);
}

static void repeat_add_ticks(int64_t *ticks, int64_t before, uint64_t times)
{
	*ticks += (int64_t)times * (*ticks - before);
}

static void repeat_add_rank(struct program_rank *sums, const struct program_rank *before,
			    const struct program_repeat *skip)
{
	const uint64_t times = skip->times;

	if (sums->finish_ticks > before->finish_ticks)
		sums->finish_ticks += (int64_t)times * skip->period_ticks;
	repeat_add_ticks(&sums->compute_ticks, before->compute_ticks, times);
	repeat_add_ticks(&sums->send_ticks, before->send_ticks, times);
	repeat_add_ticks(&sums->receive_ticks, before->receive_ticks, times);
	repeat_add_ticks(&sums->wait_sender_ticks, before->wait_sender_ticks, times);
	repeat_add_ticks(&sums->wait_network_ticks, before->wait_network_ticks, times);
	repeat_add_ticks(&sums->wait_gap_ticks, before->wait_gap_ticks, times);
	repeat_add_ticks(&sums->wait_rank_ticks, before->wait_rank_ticks, times);
	repeat_add_count(&sums->sent, before->sent, times);
	repeat_add_count(&sums->sent_bytes, before->sent_bytes, times);
}

static void repeat_add_totals(struct program_totals *totals, const struct program_totals *before,
			      uint64_t times)
{
	repeat_add_count(&totals->ended, before->ended, times);
	repeat_add_count(&totals->sent, before->sent, times);
	repeat_add_count(&totals->messages, before->messages, times);
	repeat_add_count(&totals->message_bytes, before->message_bytes, times);
	repeat_add_count(&totals->controls, before->controls, times);
	repeat_add_count(&totals->worms, before->worms, times);
	repeat_add_count(&totals->lost_worms, before->lost_worms, times);
	for (int i = 0; i < PROGRAM_PARTS; i++) {
		repeat_add_count(&totals->parts[i].packets, before->parts[i].packets, times);
		repeat_add_count(&totals->parts[i].bytes, before->parts[i].bytes, times);
	}
}

static void repeat_add_net(const struct net_view *view, const struct net_totals *before,
			   uint64_t times)
{
	struct net_totals *totals = view->totals;

	repeat_add_count(&totals->offered, before->offered, times);
	repeat_add_count(&totals->delivered, before->delivered, times);
	repeat_add_count(&totals->events, before->events, times);
	for (unsigned i = 0; i < NET_OWN_MAX; i++)
		if ((view->peaks >> i & 1) == 0)
			repeat_add_count(&totals->own[i], before->own[i], times);
}

// Leaves out as many periods as there are.
static enum tr_status repeat_skip(struct program *program, uint64_t times)
{
	struct repeat *repeat = program->repeat;
	const struct repeat_mark *mark = &repeat->mark;
	struct program_repeat *skip = &repeat->result;

	*skip = (struct program_repeat){.from_ticks = mark->now_ticks,
					.period_ticks = repeat->view.now_ticks - mark->now_ticks,
					.times = times,
					.operations = program->totals.ended - mark->totals.ended};
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++) {
		repeat_add_rank(&program->ranks[rank].sums, &mark->ranks[rank], skip);
		program->ranks[rank].ops_left -= (uint32_t)(times * repeat->period[rank]);
	}
	repeat_add_totals(&program->totals, &mark->totals, times);
	repeat_add_net(&repeat->view, &mark->net, times);
	path_skip(program, mark->steps, skip);
	repeat_move(program, times);
	program->skipped_ticks = (int64_t)times * skip->period_ticks;
	repeat_end(repeat, NULL);
	return repeat_tell(program, skip);
}

// Whether a message at work arrived before the period: what its step does is noted once it is
// received.
static bool repeat_is_old(const struct program *program)
{
	for (uint32_t i = 0; program->path.steps && i < program->pool.fresh_message; i++)
		if (program->pool.messages[i].send != NOTHING &&
		    program->path.of_message[i] < program->repeat->mark.steps)
			return true;
	return false;
}

// Whether the state is that of the mark, a period later.
static bool repeat_is_period(const struct program *program)
{
	const struct repeat *repeat = program->repeat;
	const struct repeat_mark *mark = &repeat->mark;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		if (repeat->low[rank] - mark->state.low[rank] != repeat->period[rank])
			return false;
	return repeat_is_state(&mark->state, &repeat->view) &&
	       repeat->view.now_ticks > mark->now_ticks &&
	       repeat->view.totals->dropped == mark->net.dropped && !repeat_is_old(program);
}

// Moves from where on operations are to be alike back to the sends, which may have ended, of the
// messages that were at work at the mark: those that are now were sent a period later.
static void repeat_reach_sends(const struct program *program, uint32_t *from)
{
	for (uint32_t i = 0; i < program->pool.fresh_message; i++) {
		const uint32_t send = program->pool.messages[i].send;
		const uint32_t rank = send == NOTHING ? 0 : rank_of(program, send);

		if (send != NOTHING && send - program->repeat->period[rank] < from[rank])
			from[rank] = send - program->repeat->period[rank];
	}
}

// How many periods are left out, now that the state may have come once more; 0: none.
static uint64_t repeat_count(struct program *program)
{
	const struct repeat *repeat = program->repeat;
	struct repeat_mark *mark = &program->repeat->mark;
	const int64_t ticks = repeat->view.now_ticks - mark->now_ticks;
	uint64_t times;

	if (!repeat_is_period(program))
		return 0;
	repeat_reach_sends(program, mark->state.low);
	times = repeat_most(program, mark->state.low, repeat->period);
	return (__int128)ticks * times + repeat->view.now_ticks < INT64_MAX / 8 ? times : 0;
}

enum tr_status repeat_look(struct program *program)
{
	struct repeat *repeat = program->repeat;
	const uint32_t end = program->goal->first[repeat->rank + 1];
	uint32_t *low = &repeat->low[repeat->rank];
	const struct repeat_sample *since;
	uint64_t hash, times;

	while (*low < end && program->ops.all[*low].state == OP_ENDED)
		++*low;
	if (*low < repeat->due || (repeat->view.alive && *repeat->view.alive > 0))
		return TR_OK;
	if (!repeat->view.write) {
		repeat_end(
			repeat,
			"this kind of network, its engine or its routes do not show their state");
		return TR_OK;
	}
	if (*low == end || ++repeat->tries > REPEAT_LOOKS ||
	    (repeat->tries > REPEAT_FIRST && repeat->written > REPEAT_WRITTEN)) {
		repeat_end(repeat, "no state came again");
		return TR_OK;
	}
	repeat->written += repeat->view.count;
	if (!repeat_write(program)) {
		if (!repeat->view.busy)
			repeat_next_due(repeat);
		return TR_OK;
	}
	if (repeat->stage == REPEAT_MEASURES) {
		repeat->stage = REPEAT_LOOKS_ON;
		times = repeat_count(program);
		if (times > 0)
			return repeat_skip(program, times);
		repeat->vain++;
	}
	hash = xxh3_64bits(repeat->view.words, repeat->view.count * sizeof(*repeat->view.words));
	since = repeat->vain < REPEAT_VAIN ? repeat_find(repeat, hash) : NULL;
	if (since && repeat_goes_on(program, since))
		return repeat_measure(program, since);
	repeat->vain += since != NULL;
	repeat_add(program, hash);
	repeat_next_due(repeat);
	return TR_OK;
}

const struct program_repeat *program_repeated(const struct program *program)
{
	return program->repeat ? &program->repeat->result : NULL;
}
