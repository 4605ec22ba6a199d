// SPDX-License-Identifier: GPL-3.0-or-later
// Merged captures: in time order, all frames of each up to its end or damage, each damage reported
// once.
#include "captures/cases.h"
#include "packet/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define INPUTS_MAX 3

static struct pk_capture *open_case(const char *name, uint64_t seed, struct cm_buffer *file,
				    struct cm_facts *facts)
{
	struct tr_source *source;
	struct pk_capture *capture;
	struct tr_error err;
	size_t i = 0;

	while (strcmp(cm_case_name(i), name) != 0)
		i++;
	cm_case_make(i, seed, file, facts);
	assert_int_equal(tr_source_open_memory(&source, file->data, file->size, name, &err), TR_OK);
	assert_int_equal(pk_capture_open(&capture, source, &err), TR_OK);
	return capture;
}

// Reads all of a merge, as one does that goes on after damage.
static void assert_merged(struct pk_merge *merge, uint64_t frames, unsigned damaged)
{
	struct pk_frame frame[PK_FRAMES_MAX];
	struct tr_error err;
	enum tr_status status;
	uint64_t found = 0, calls = 0;
	unsigned errors = 0;
	int64_t before_ns = 0;
	size_t count;

	while ((status = pk_merge_read(merge, frame, PK_FRAMES_MAX, &count, &err)) != TR_END) {
		assert_true(++calls < 10000);
		errors += status == TR_ERROR;
		for (size_t i = 0; status == TR_OK && i < count; i++) {
			assert_true(frame[i].time_ns >= before_ns);
			before_ns = frame[i].time_ns;
			found++;
		}
	}
	assert_int_equal(found, frames);
	assert_int_equal(errors, damaged);
	assert_int_equal(pk_merge_read(merge, frame, PK_FRAMES_MAX, &count, &err), TR_END);
}

static void merge_cases(const char *const *names, size_t count)
{
	struct cm_buffer files[INPUTS_MAX] = {{NULL, 0, 0}};
	struct pk_capture *captures[INPUTS_MAX] = {NULL};
	struct cm_facts facts;
	struct pk_merge *merge;
	uint64_t frames = 0;
	unsigned damaged = 0;

	for (size_t i = 0; i < count; i++) {
		captures[i] = open_case(names[i], i + 1, &files[i], &facts);
		frames += facts.frames;
		damaged += facts.damaged;
	}
	merge = pk_merge_new(captures, count);
	assert_non_null(merge);
	assert_merged(merge, frames, damaged);
	pk_merge_close(merge);
	for (size_t i = 0; i < count; i++)
		cm_clear(&files[i]);
}

static void test_whole(void **state)
{
	(void)state;
	merge_cases((const char *const[]){"pcap-us-le"}, 1);
	merge_cases((const char *const[]){"pcap-us-le", "pcapng-ns", "link-sll2"}, 3);
	merge_cases((const char *const[]){"pcap-none", "pcapng-be", "pcapng-none"}, 3);
}

static void test_damaged(void **state)
{
	(void)state;
	merge_cases((const char *const[]){"cut-frame"}, 1);
	merge_cases((const char *const[]){"bad-interface"}, 1);
	merge_cases((const char *const[]){"bad-captured", "pcap-ns-be"}, 2);
	merge_cases((const char *const[]){"cut-block", "pcap-us-be", "bad-block-end"}, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
