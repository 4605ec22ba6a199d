// SPDX-License-Identifier: GPL-3.0-or-later
// One thread for all processors of a rank: a computation is a time until which its processor takes
// no other operation. While every processor computes, MPI is not called, as by a program that
// computes.
#include "flitrun.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NONE UINT32_MAX
#define CPUS 256u
#define POLLS 1000u    // without success before the processor is offered to others
#define NAP_NS 20000   // between looks when sleeping
#define SPIN_NS 200000 // before the start, of ranks that do not sleep

// A queue of operations, linked by next.
struct execute_queue {
	uint32_t head, tail;
};

struct cpu {
	struct execute_queue ready; // sends and computations
	uint32_t calc;		    // under way; NONE: none
	int64_t until_ns;
	bool used;
};

struct executor {
	const struct portion *portion;
	const struct run_rules *rules;
	MPI_Comm comm;
	int64_t start_ns, late_ns;
	// Of each operation: needs that have not happened, those that need it (needs in the order
	// of after), its record.
	uint32_t *missing, *first_need, *next, *record_of;
	struct goal_need *needs;
	struct run_record *records;
	uint32_t begun, ended;
	struct execute_queue receives;
	struct cpu cpus[CPUS];
	unsigned cpu_count, cpu_end, computing; // used, the highest plus 1, of them computing
	// Of each pending send or receive.
	MPI_Request *requests;
	uint32_t *request_ops;
	uint8_t **request_buffers;
	int *done;
	MPI_Status *statuses;
	int pending;
	uint8_t *send_buffer;
	uint8_t **free_buffers; // of receives, for the next ones
	uint32_t free_count;
};

// ---- memory

// Needs by what they wait for, in the order of the text.
static void sort_needs(struct executor *executor)
{
	const struct portion *portion = executor->portion;
	uint32_t *first = executor->first_need;

	for (uint32_t i = 0; i < portion->need_count; i++)
		first[portion->needs[i].after + 2]++;
	for (uint32_t i = 2; i < portion->op_count + 2; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < portion->need_count; i++)
		executor->needs[first[portion->needs[i].after + 1]++] = portion->needs[i];
}

static bool execute_make_room(struct executor *executor)
{
	const size_t ops = (size_t)executor->portion->op_count + 2;

	executor->missing = calloc(ops, sizeof(*executor->missing));
	executor->first_need = calloc(ops, sizeof(*executor->first_need));
	executor->next = calloc(ops, sizeof(*executor->next));
	executor->record_of = calloc(ops, sizeof(*executor->record_of));
	executor->needs = calloc((size_t)executor->portion->need_count + 1,
				 sizeof(*executor->needs));
	executor->records = calloc(ops, sizeof(*executor->records));
	executor->requests = calloc(ops, sizeof(*executor->requests));
	executor->request_ops = calloc(ops, sizeof(*executor->request_ops));
	executor->request_buffers = calloc(ops, sizeof(*executor->request_buffers));
	executor->done = calloc(ops, sizeof(*executor->done));
	executor->statuses = calloc(ops, sizeof(*executor->statuses));
	executor->free_buffers = calloc(ops, sizeof(*executor->free_buffers));
	executor->send_buffer = calloc(executor->portion->most_sent + 1, 1);
	return executor->missing && executor->first_need && executor->next && executor->record_of &&
	       executor->needs && executor->records && executor->requests &&
	       executor->request_ops && executor->request_buffers && executor->done &&
	       executor->statuses && executor->free_buffers && executor->send_buffer;
}

struct executor *executor_open(const struct portion *portion, const struct run_rules *rules)
{
	struct executor *executor = calloc(1, sizeof(*executor));

	if (!executor)
		return NULL;
	executor->portion = portion;
	executor->rules = rules;
	if (!execute_make_room(executor)) {
		executor_close(executor);
		return NULL;
	}
	sort_needs(executor);
	for (uint32_t i = 0; i < portion->op_count; i++) {
		struct cpu *cpu = &executor->cpus[portion->ops[i].cpu];

		if (portion->ops[i].kind == GOAL_RECV)
			continue;
		executor->cpu_count += !cpu->used;
		cpu->used = true;
		if (portion->ops[i].cpu >= executor->cpu_end)
			executor->cpu_end = portion->ops[i].cpu + 1u;
	}
	return executor;
}

void executor_close(struct executor *executor)
{
	if (!executor)
		return;
	for (uint32_t i = 0; i < executor->free_count; i++)
		free(executor->free_buffers[i]);
	free(executor->missing);
	free(executor->first_need);
	free(executor->next);
	free(executor->record_of);
	free(executor->needs);
	free(executor->records);
	free(executor->requests);
	free(executor->request_ops);
	free(executor->request_buffers);
	free(executor->done);
	free(executor->statuses);
	free(executor->free_buffers);
	free(executor->send_buffer);
	free(executor);
}

// ---- what is ready

static void queue_add(struct executor *executor, struct execute_queue *queue, uint32_t op)
{
	executor->next[op] = NONE;
	if (queue->head == NONE)
		queue->head = op;
	else
		executor->next[queue->tail] = op;
	queue->tail = op;
}

static uint32_t queue_take(struct executor *executor, struct execute_queue *queue)
{
	const uint32_t op = queue->head;

	if (op != NONE)
		queue->head = executor->next[op];
	return op;
}

static void add_ready(struct executor *executor, uint32_t op)
{
	const struct goal_op *what = &executor->portion->ops[op];

	queue_add(executor,
		  what->kind == GOAL_RECV ? &executor->receives : &executor->cpus[what->cpu].ready,
		  op);
}

// op has begun or, if not started, ended: what needed only this is ready.
static void execute_release(struct executor *executor, uint32_t op, bool started)
{
	for (uint32_t i = executor->first_need[op]; i < executor->first_need[op + 1]; i++)
		if (executor->needs[i].started == started &&
		    --executor->missing[executor->needs[i].op] == 0)
			add_ready(executor, executor->needs[i].op);
}

static void execute_begin_again(struct executor *executor)
{
	const struct portion *portion = executor->portion;

	executor->begun = executor->ended = 0;
	executor->computing = 0;
	executor->receives.head = NONE;
	for (unsigned i = 0; i < CPUS; i++) {
		executor->cpus[i].ready.head = NONE;
		executor->cpus[i].calc = NONE;
	}
	memset(executor->missing, 0, portion->op_count * sizeof(*executor->missing));
	memset(executor->record_of, 0xff, portion->op_count * sizeof(*executor->record_of));
	for (uint32_t i = 0; i < portion->need_count; i++)
		executor->missing[portion->needs[i].op]++;
	for (uint32_t i = 0; i < portion->op_count; i++)
		if (executor->missing[i] == 0)
			add_ready(executor, i);
}

// ---- operations

static void end_op(struct executor *executor, uint32_t op, int64_t now_ns)
{
	executor->records[executor->record_of[op]].end_ns = now_ns - executor->start_ns;
	executor->ended++;
	execute_release(executor, op, false);
}

static void begin_record(struct executor *executor, uint32_t op, int64_t now_ns)
{
	const struct goal_op *what = &executor->portion->ops[op];

	executor->record_of[op] = executor->begun;
	executor->records[executor->begun++] = (struct run_record){.begin_ns = now_ns -
									       executor->start_ns,
								   .end_ns = INT64_MAX,
								   .bytes = what->size,
								   .op = op,
								   .peer = what->peer,
								   .tag = what->tag,
								   .kind = what->kind};
}

static uint8_t *take_buffer(struct executor *executor)
{
	if (executor->free_count > 0)
		return executor->free_buffers[--executor->free_count];
	return malloc(executor->portion->most_received + 1);
}

static void execute_begin_send(struct executor *executor, uint32_t op)
{
	const struct goal_op *what = &executor->portion->ops[op];
	const int at = executor->pending++;

	executor->request_ops[at] = op;
	executor->request_buffers[at] = NULL;
	begin_record(executor, op, clock_now_ns());
	(void)MPI_Isend(executor->send_buffer, (int)what->size, MPI_BYTE, (int)what->peer,
			(int)what->tag, executor->comm, &executor->requests[at]);
	execute_release(executor, op, true);
}

static bool begin_receive(struct executor *executor, uint32_t op)
{
	const struct goal_op *what = &executor->portion->ops[op];
	const int at = executor->pending;

	executor->request_buffers[at] = take_buffer(executor);
	if (!executor->request_buffers[at])
		return false;
	executor->pending++;
	executor->request_ops[at] = op;
	begin_record(executor, op, clock_now_ns());
	(void)MPI_Irecv(executor->request_buffers[at], (int)executor->portion->most_received,
			MPI_BYTE, what->peer == GOAL_ANY ? MPI_ANY_SOURCE : (int)what->peer,
			what->tag == GOAL_ANY ? MPI_ANY_TAG : (int)what->tag, executor->comm,
			&executor->requests[at]);
	execute_release(executor, op, true);
	return true;
}

static void begin_calc(struct executor *executor, struct cpu *cpu, uint32_t op)
{
	const int64_t now_ns = clock_now_ns();

	begin_record(executor, op, now_ns);
	cpu->calc = op;
	cpu->until_ns = now_ns + (int64_t)executor->portion->ops[op].size;
	executor->computing++;
	execute_release(executor, op, true);
}

// Receives first: they take no time of a processor. False if memory ran out; *any: something began.
static bool begin_ready(struct executor *executor, bool *any)
{
	for (bool more = true; more;) {
		uint32_t op;

		more = false;
		while ((op = queue_take(executor, &executor->receives)) != NONE) {
			more = true;
			if (!begin_receive(executor, op))
				return false;
		}
		for (unsigned i = 0; i < executor->cpu_end; i++) {
			struct cpu *cpu = &executor->cpus[i];

			if (!cpu->used || cpu->calc != NONE ||
			    (op = queue_take(executor, &cpu->ready)) == NONE)
				continue;
			more = true;
			if (executor->portion->ops[op].kind == GOAL_SEND)
				execute_begin_send(executor, op);
			else
				begin_calc(executor, cpu, op);
		}
		*any = *any || more;
	}
	return true;
}

// ---- what has ended

static void execute_take_status(struct executor *executor, uint32_t op, const MPI_Status *status)
{
	struct run_record *record = &executor->records[executor->record_of[op]];
	int bytes;

	if (record->kind != GOAL_RECV)
		return;
	(void)MPI_Get_count(status, MPI_BYTE, &bytes);
	record->bytes = (uint64_t)bytes;
	record->peer = (uint32_t)status->MPI_SOURCE;
	record->tag = (uint32_t)status->MPI_TAG;
}

// The requests that are not complete, moved together.
static void close_ranks(struct executor *executor)
{
	int kept = 0;

	for (int i = 0; i < executor->pending; i++) {
		if (executor->requests[i] == MPI_REQUEST_NULL) {
			if (executor->request_buffers[i])
				executor->free_buffers[executor->free_count++] =
					executor->request_buffers[i];
			continue;
		}
		executor->requests[kept] = executor->requests[i];
		executor->request_ops[kept] = executor->request_ops[i];
		executor->request_buffers[kept++] = executor->request_buffers[i];
	}
	executor->pending = kept;
}

// Whether a message was complete.
static bool execute_end_messages(struct executor *executor)
{
	int count = 0;
	int64_t now_ns;

	if (executor->pending == 0)
		return false;
	(void)MPI_Testsome(executor->pending, executor->requests, &count, executor->done,
			   executor->statuses);
	if (count <= 0)
		return false;
	now_ns = clock_now_ns();
	for (int i = 0; i < count; i++) {
		execute_take_status(executor, executor->request_ops[executor->done[i]],
				    &executor->statuses[i]);
		end_op(executor, executor->request_ops[executor->done[i]], now_ns);
	}
	close_ranks(executor);
	return true;
}

// Ends computations whose time has come; *next_ns is when the next one ends. Whether any ended.
static bool end_calcs(struct executor *executor, int64_t *next_ns)
{
	const int64_t now_ns = clock_now_ns();
	bool any = false;

	*next_ns = INT64_MAX;
	for (unsigned i = 0; executor->computing > 0 && i < executor->cpu_end; i++) {
		struct cpu *cpu = &executor->cpus[i];
		const uint32_t op = cpu->calc;

		if (op == NONE)
			continue;
		if (cpu->until_ns > now_ns) {
			*next_ns = cpu->until_ns < *next_ns ? cpu->until_ns : *next_ns;
			continue;
		}
		cpu->calc = NONE;
		executor->computing--;
		end_op(executor, op, now_ns);
		any = true;
	}
	return any;
}

// ---- waiting

static void nap(int64_t until_ns)
{
	const int64_t then_ns = clock_now_ns() + NAP_NS;

	clock_sleep_until(then_ns < until_ns ? then_ns : until_ns);
}

// Between two looks of which the last found nothing.
static void execute_idle(const struct executor *executor, unsigned looks, int64_t until_ns)
{
	if (executor->rules->sleeps)
		nap(until_ns);
	else if (looks > POLLS)
		(void)sched_yield();
}

void executor_wait(const struct executor *executor, MPI_Request *request)
{
	int done = 0;

	for (unsigned looks = 0;
	     MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done; looks++)
		execute_idle(executor, looks, INT64_MAX);
}

static void await_start(struct executor *executor)
{
	clock_sleep_until(executor->start_ns - (executor->rules->sleeps ? 0 : SPIN_NS));
	do
		executor->late_ns = clock_now_ns() - executor->start_ns;
	while (executor->late_ns < 0);
}

bool executor_run(struct executor *executor, MPI_Comm comm, int64_t start_ns, struct tr_error *err)
{
	int64_t last_ns = start_ns, next_ns;
	unsigned looks = 0;

	executor->comm = comm;
	executor->start_ns = start_ns;
	execute_begin_again(executor);
	await_start(executor);
	while (executor->ended < executor->portion->op_count) {
		bool any = false, well = begin_ready(executor, &any);
		const bool all_compute = executor->computing > 0 &&
					 executor->computing == executor->cpu_count;

		if (!well)
			return tr_no_memory(err, "a message of rank %u", executor->portion->rank) ==
			       TR_OK; // false
		if (!all_compute)
			any = execute_end_messages(executor) || any;
		any = end_calcs(executor, &next_ns) || any;
		if (any) {
			looks = 0;
			last_ns = clock_now_ns();
		} else if (executor->computing == 0 &&
			   (executor->pending == 0 ||
			    clock_now_ns() - last_ns > executor->rules->timeout_ns)) {
			return false;
		} else if (all_compute && executor->rules->sleeps) {
			clock_sleep_until(next_ns);
		} else if (!all_compute) {
			execute_idle(executor, ++looks, next_ns);
		}
	}
	return true;
}

const struct run_record *executor_records(const struct executor *executor, uint32_t *count)
{
	*count = executor->begun;
	return executor->records;
}

int64_t executor_late_ns(const struct executor *executor)
{
	return executor->late_ns;
}

bool executor_waits(const struct executor *executor, uint32_t op, bool begun)
{
	const uint32_t record = executor->record_of[op];

	return begun ? record != NONE && executor->records[record].end_ns == INT64_MAX
		     : record == NONE;
}
