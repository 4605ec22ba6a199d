// SPDX-License-Identifier: GPL-3.0-or-later
// A live pipe makes progress: what a program between two pipes receives comes out within about a
// second, and so does the time of an input that sends only its time. An alarm ends a test that
// hangs.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "hand_made.h"
#include "tool/tool.h"

#define PATIENCE_S 20
#define IDLE_UNTIL 5000

// The program between the pipes: copies in to out.
static int filter(const char *in_path, const char *out_path)
{
	char *argv[] = {"filter", (char *)(uintptr_t)in_path, NULL};
	const struct opt opts[] = {OPT_END};
	const struct tool_spec spec = {"filter", "file", "Copies.", opts};
	struct tool *tool = tool_start(2, argv, &spec);
	const union tr_record *record;
	struct tr_writer *out;
	struct tr_reader *in;

	while (tool_next_input(tool, &in) == TR_OK) {
		out = tool_output(tool, out_path, tr_reader_header(in), NULL);
		tool_follow(tool, in);
		while (tr_next(in, &record) == TR_OK) {
			(void)tr_put_node(out, 0, "a", TR_ROLE_UNKNOWN);
			(void)tr_put(out, record);
		}
	}
	return tool_finish(tool, TOOL_OK);
}

struct line {
	int into; // write end of the filter's input
	int out;  // read end of its output
	pid_t child;
	struct tr_reader *reader;
	struct hand_made made;
	bool ended;
};

static void start(struct line *line)
{
	int in[2], out[2];
	char in_path[40], out_path[40];

	(void)alarm(PATIENCE_S);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	(void)snprintf(in_path, sizeof(in_path), "/dev/fd/%d", in[0]);
	(void)snprintf(out_path, sizeof(out_path), "/dev/fd/%d", out[1]);
	line->child = fork();
	assert_true(line->child >= 0);
	if (line->child == 0) {
		(void)alarm(PATIENCE_S);
		(void)close(in[1]);
		(void)close(out[0]);
		_exit(filter(in_path, out_path));
	}
	(void)close(in[0]);
	(void)close(out[1]);
	line->into = in[1];
	line->out = out[0];
}

static void send_made(struct line *line)
{
	assert_int_equal(write(line->into, line->made.at, line->made.count), line->made.count);
	line->made.count = 0;
}

static void send_start(struct line *line)
{
	hand_header(&line->made, &(struct hand_header){
					 .major = 1,
					 .kind = TR_PACKET,
					 .record_bytes = 40,
					 .ticks_per_s = 1000,
					 .provenance = "live\n",
				 });
	send_made(line);
	hand_chunk(&line->made, 'N', 1, INT64_MIN);
	hand_entry(&line->made, &(struct hand_entry){.kind = 1, .text = "a"});
	hand_chunk_end(&line->made);
	hand_chunk(&line->made, 'R', 1, 7);
	hand_packet(&line->made, 7, 0, UINT32_MAX, 0, 0, 100, 154, 0, 1);
	hand_chunk_end(&line->made);
	send_made(line);
}

static void send_idle(struct line *line)
{
	hand_chunk(&line->made, 'R', 0, IDLE_UNTIL);
	hand_chunk_end(&line->made);
	send_made(line);
}

// Only when the time has come through is the end sent.
static void end_when_seen(void *context, const struct tr_reader *in)
{
	struct line *line = context;

	(void)in;
	if (!line->reader || line->ended || tr_reader_time(line->reader) < IDLE_UNTIL)
		return;
	line->ended = true;
	hand_trailer(&line->made, IDLE_UNTIL, 1, 0, 0);
	send_made(line);
	assert_int_equal(close(line->into), 0);
}

static void test_live(void **state)
{
	static struct line line;
	const struct tr_reader_hooks hooks = {.block = end_when_seen, .context = &line};
	const union tr_record *record;
	struct tr_source *source;
	char path[40];
	int status;

	(void)state;
	start(&line);
	send_start(&line);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", line.out);
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	assert_int_equal(tr_reader_open(&line.reader, source, NULL, &hooks, NULL), TR_OK);
	assert_int_equal(tr_next(line.reader, &record), TR_OK); // while the input is still open
	assert_int_equal(record->time_ticks, 7);
	send_idle(&line);
	assert_int_equal(tr_next(line.reader, &record), TR_END);
	assert_true(line.ended);
	assert_string_equal(tr_reader_error(line.reader), "");
	tr_reader_close(line.reader);
	assert_int_equal(waitpid(line.child, &status, 0), line.child);
	assert_int_equal(status, 0);
	(void)alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_live)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
