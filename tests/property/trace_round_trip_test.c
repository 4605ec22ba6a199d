// SPDX-License-Identifier: GPL-3.0-or-later
// Round trips of streams: random records of every kind, random names between them, compressed or
// not, flushed anywhere, through pipes that cut anywhere and calls interrupted by signals.
// FLIT_LONG=1 runs forty times the cases.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory_file.h"
#include "stream/writer.h"
#include "value/random.h"

#define RECORD_MAX 80
#define NODES 300u
#define FLOWS 500u
#define LINKS 100u

// One stream to be: the same seed gives the same plan on both sides of a pipe.
struct plan {
	struct tr_header header;
	struct tr_writer_options options;
	const struct tr_kind_info *kind;
	size_t records;
	struct tr_trailer trailer;
	struct tr_random random;
	int64_t time_ticks;
	uint32_t nodes, flows, links; // named so far
};

static uint32_t below(struct plan *plan, uint64_t n)
{
	return (uint32_t)tr_random_below(&plan->random, n);
}

static struct plan make_plan(uint64_t seed)
{
	struct plan plan = {.records = 0};

	tr_random_open(&plan.random, seed, "round trip");
	plan.header = (struct tr_header){
		.kind = 1 + (unsigned)(seed % 5),
		.ticks_per_s = 1 + tr_random_below(&plan.random, (uint64_t)1 << 62),
		.origin_s = (int64_t)tr_random_u64(&plan.random),
		.origin_ns = below(&plan, 1000000000),
		.unsorted = below(&plan, 4) == 0,
	};
	plan.options = (struct tr_writer_options){.compress = below(&plan, 2) != 0,
						  .flush_each = below(&plan, 10) == 0};
	plan.kind = tr_kind_find(plan.header.kind);
	plan.records = below(&plan, plan.options.flush_each ? 300 : 20000);
	plan.trailer = (struct tr_trailer){
		.records = plan.records,
		.lost = tr_random_u64(&plan.random),
		.lost_known = below(&plan, 2) != 0,
		.damaged = below(&plan, 2) != 0,
	};
	plan.time_ticks = (int64_t)tr_random_u64(&plan.random) / 4;
	return plan;
}

// The next name: a new one, or a known one again with another text. False for none now.
static bool next_name(struct plan *plan, struct tr_name *name, char text[40])
{
	*name = (struct tr_name){.kind = 1 + below(plan, 5), .text = text};
	(void)snprintf(text, 40, "name %u", below(plan, 1000));
	name->value = tr_random_u64(&plan->random);
	switch (name->kind) {
	case TR_NAME_NODE:
		name->id = below(plan, plan->nodes < NODES ? plan->nodes + 1 : NODES);
		name->role = (uint8_t)below(plan, 3);
		plan->nodes += name->id == plan->nodes;
		break;
	case TR_NAME_FLOW:
		if (!plan->nodes)
			return false;
		name->id = below(plan, plan->flows < FLOWS ? plan->flows + 1 : FLOWS);
		name->src = below(plan, plan->nodes);
		name->dst = below(plan, 9) ? below(plan, plan->nodes) : TR_NODE_OTHER;
		name->src_port = (uint16_t)below(plan, 65536);
		name->dst_port = (uint16_t)below(plan, 65536);
		name->protocol = (uint8_t)below(plan, 256);
		text[0] = '\0';
		plan->flows += name->id == plan->flows;
		break;
	case TR_NAME_LINK:
		name->id = below(plan, plan->links < LINKS ? plan->links + 1 : LINKS);
		plan->links += name->id == plan->links;
		break;
	case TR_NAME_COUNTER: (void)snprintf(text, 40, "counter %u", below(plan, 50)); break;
	case TR_NAME_NOTE: (void)snprintf(text, 40, "note %u\n", below(plan, 10)); break;
	}
	name->text_bytes = strlen(text);
	return true;
}

static uint32_t id_below(struct plan *plan, uint32_t count)
{
	return count == 0 || below(plan, 20) == 0 ? UINT32_MAX : below(plan, count);
}

static int64_t next_time(struct plan *plan)
{
	if (plan->header.unsorted)
		return (int64_t)tr_random_u64(&plan->random);
	plan->time_ticks += below(plan, 3) ? below(plan, 1 << 20) : 0;
	return plan->time_ticks;
}

static void next_record(struct plan *plan, uint8_t record[RECORD_MAX])
{
	for (unsigned f = 0; f < plan->kind->field_count; f++) {
		const struct tr_field *field = &plan->kind->fields[f];
		uint64_t value = tr_random_u64(&plan->random);

		if (field->meaning == TR_NODE_ID)
			value = id_below(plan, plan->nodes);
		else if (field->meaning == TR_FLOW_ID)
			value = id_below(plan, plan->flows);
		else if (field->meaning == TR_LINK_ID)
			value = below(plan, plan->links);
		else if (f == 0)
			value = (uint64_t)next_time(plan);
		memcpy(record + field->offset_bytes, &value, tr_field_size(field->type));
	}
}

// A link sample needs a link.
static void name_first_link(struct plan *plan, struct tr_name *name)
{
	*name = (struct tr_name){.kind = TR_NAME_LINK, .id = 0, .text = "l", .text_bytes = 1};
	plan->links = 1;
}

// Writes the plan to path; true where every call was content.
static bool write_plan(struct plan plan, const char *path)
{
	struct tr_writer *writer;
	uint8_t record[RECORD_MAX];
	struct tr_name name;
	char text[40];
	bool ok = tr_writer_open(&writer, path, &plan.header, "plan\n", &plan.options, NULL) ==
		  TR_OK;

	if (!ok)
		return false;
	name_first_link(&plan, &name);
	ok &= tr_put_name(writer, &name) == TR_OK;
	for (size_t i = 0; i < plan.records && ok; i++) {
		while (below(&plan, 20) == 0)
			if (next_name(&plan, &name, text))
				ok &= tr_put_name(writer, &name) == TR_OK;
		next_record(&plan, record);
		ok &= tr_put(writer, record) == TR_OK;
		if (below(&plan, 3000) == 0)
			ok &= tr_writer_flush(writer, INT64_MIN) == TR_OK;
	}
	ok &= tr_writer_records(writer) == plan.records;
	return tr_writer_close(writer, &plan.trailer, NULL) == TR_OK && ok;
}

// One stream's records, whichever way the reader hands them out.
struct walk {
	struct tr_reader *in;
	struct tr_random random;
	const uint8_t *at;
	size_t left;
};

static const void *walk_next(struct walk *walk)
{
	const union tr_record *record;
	const void *records;
	const uint8_t *given;

	if (walk->left == 0 && tr_random_below(&walk->random, 2)) {
		assert_int_equal(tr_next(walk->in, &record), TR_OK);
		return record;
	}
	if (walk->left == 0) {
		assert_int_equal(tr_next_block(walk->in, &records, &walk->left), TR_OK);
		assert_true(walk->left > 0);
		walk->at = records;
	}
	given = walk->at;
	walk->at += tr_reader_stride(walk->in);
	walk->left--;
	return given;
}

static void assert_same_names(const struct tr_names *got, const struct tr_names *want)
{
	assert_int_equal(got->node_count, want->node_count);
	for (uint32_t i = 0; i < got->node_count; i++) {
		assert_string_equal(tr_names_node(got, i), tr_names_node(want, i));
		assert_int_equal(tr_names_role(got, i), tr_names_role(want, i));
	}
	assert_int_equal(got->flow_count, want->flow_count);
	for (uint32_t i = 0; i < got->flow_count; i++) {
		assert_int_equal(tr_names_flow(got, i)->src, tr_names_flow(want, i)->src);
		assert_int_equal(tr_names_flow(got, i)->dst, tr_names_flow(want, i)->dst);
		assert_int_equal(tr_names_flow(got, i)->src_port, tr_names_flow(want, i)->src_port);
		assert_int_equal(tr_names_flow(got, i)->dst_port, tr_names_flow(want, i)->dst_port);
		assert_int_equal(tr_names_flow(got, i)->protocol, tr_names_flow(want, i)->protocol);
	}
	assert_int_equal(got->link_count, want->link_count);
	for (uint32_t i = 0; i < got->link_count; i++)
		assert_string_equal(tr_names_link(got, i), tr_names_link(want, i));
	assert_int_equal(got->counter_count, want->counter_count);
	for (uint32_t i = 0; i < got->counter_count; i++)
		assert_true(got->counters[i].value == tr_names_counter(want, got->counters[i].key));
}

static void assert_same_ends(struct tr_reader *in, const struct plan *plan)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct tr_trailer *trailer = tr_reader_trailer(in);

	assert_int_equal(header->kind, plan->header.kind);
	assert_true(header->ticks_per_s == plan->header.ticks_per_s);
	assert_true(header->origin_s == plan->header.origin_s);
	assert_int_equal(header->origin_ns, plan->header.origin_ns);
	assert_int_equal(header->unsorted, plan->header.unsorted);
	assert_true(trailer->records == plan->trailer.records);
	assert_true(trailer->lost == plan->trailer.lost);
	assert_int_equal(trailer->lost_known, plan->trailer.lost_known);
	assert_int_equal(trailer->damaged, plan->trailer.damaged);
	assert_true(tr_reader_records(in) == plan->records);
}

// Reads path and goes through the plan beside it.
static void read_plan(struct plan plan, const char *path, uint64_t seed)
{
	struct tr_names names = {.node_count = 0};
	struct walk walk = {.left = 0};
	const struct plan start = plan;
	const union tr_record *record;
	uint8_t want[RECORD_MAX];
	struct tr_source *source;
	struct tr_name name;
	char text[40];

	tr_random_open(&walk.random, seed, "walk");
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	assert_int_equal(tr_reader_open(&walk.in, source, NULL, NULL, NULL), TR_OK);
	tr_reader_pauses(walk.in)->keep = true;
	name_first_link(&plan, &name);
	assert_int_equal(tr_names_set(&names, &name, NULL), TR_OK);
	for (size_t i = 0; i < plan.records; i++) {
		while (below(&plan, 20) == 0)
			if (next_name(&plan, &name, text))
				assert_int_equal(tr_names_set(&names, &name, NULL), TR_OK);
		next_record(&plan, want);
		assert_memory_equal(walk_next(&walk), want, plan.kind->size_bytes);
		(void)below(&plan, 3000);
	}
	assert_int_equal(walk.left, 0);
	assert_int_equal(tr_next(walk.in, &record), TR_END);
	assert_same_names(tr_reader_names(walk.in), &names);
	assert_same_ends(walk.in, &start);
	tr_reader_close(walk.in);
	tr_names_clear(&names);
}

static void on_alarm(int number)
{
	(void)number;
}

// From here on calls of this process that block are interrupted every few hundred microseconds.
static void interrupt_often(bool on)
{
	const struct itimerval timer = {{0, on ? 300 : 0}, {0, on ? 300 : 0}};
	const struct sigaction action = {.sa_handler = on_alarm}; // no SA_RESTART

	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static void close_child(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

// Writer and reader at the two ends of a pipe.
static void check_pipe(uint64_t seed)
{
	char path[40];
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)close(ends[0]);
		interrupt_often(true);
		(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
		_exit(write_plan(make_plan(seed), path) ? 0 : 1);
	}
	(void)close(ends[1]);
	interrupt_often(true);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	read_plan(make_plan(seed), path, seed);
	interrupt_often(false);
	(void)close(ends[0]);
	close_child(child);
}

// A writer's bytes fed to a pipe in pieces of any size.
static void check_cuts(uint64_t seed)
{
	struct memory_file file = memory_file_open();
	struct tr_random random;
	struct bytes bytes;
	char path[40];
	int ends[2];
	pid_t child;

	assert_true(write_plan(make_plan(seed), file.path));
	bytes = memory_file_take(&file);
	tr_random_open(&random, seed, "cuts");
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		uint64_t most = (uint64_t)1 << tr_random_below(&random, 18);

		(void)close(ends[0]);
		for (size_t at = 0; at < bytes.count;) {
			size_t piece = 1 + tr_random_below(&random, most + bytes.count / 2000);
			ssize_t put = write(ends[1], bytes.at + at,
					    piece < bytes.count - at ? piece : bytes.count - at);

			if (put < 0)
				_exit(1);
			at += (size_t)put;
		}
		_exit(0);
	}
	(void)close(ends[1]);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	read_plan(make_plan(seed), path, seed);
	(void)close(ends[0]);
	close_child(child);
	free(bytes.at);
}

// The same plan gives the same bytes.
static void check_bytes(uint64_t seed)
{
	struct memory_file files[2] = {memory_file_open(), memory_file_open()};
	struct bytes bytes[2];

	for (size_t i = 0; i < 2; i++) {
		assert_true(write_plan(make_plan(seed), files[i].path));
		bytes[i] = memory_file_take(&files[i]);
	}
	assert_int_equal(bytes[0].count, bytes[1].count);
	assert_memory_equal(bytes[0].at, bytes[1].at, bytes[0].count);
	free(bytes[0].at);
	free(bytes[1].at);
}

static void run(void (*check)(uint64_t seed))
{
	uint64_t cases = getenv("FLIT_LONG") ? 1200 : 30;

	for (uint64_t seed = 0; seed < cases; seed++)
		check(seed);
}

static void test_pipe(void **state)
{
	(void)state;
	run(check_pipe);
}

static void test_cuts(void **state)
{
	(void)state;
	run(check_cuts);
}

static void test_bytes(void **state)
{
	(void)state;
	run(check_bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
