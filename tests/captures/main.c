// SPDX-License-Identifier: GPL-3.0-or-later
// make-captures list               names of the captures
// make-captures facts              name, frames, wire bytes, decoded, payload bytes, lost, first
//                                  and last ns, damaged
// make-captures make NAME [SEED]   the capture, on standard output
// make-captures bench KIND BYTES   a large one (small, mpi, full), on standard output
// make-captures idle COUNT         connections that are idle, among four that go on, on standard
//                                  output
#include "captures/cases.h"
#include "value/num.h"

#include <stdio.h>
#include <string.h>

static void write_out(void *context, const void *data, size_t size)
{
	(void)fwrite(data, 1, size, context);
}

static void print_facts(void)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct cm_facts f;

	for (size_t i = 0; i < cm_case_count(); i++) {
		cm_case_make(i, 1, &file, &f);
		(void)printf("%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%lld\t%lld\t%d\n", cm_case_name(i),
			     (unsigned long long)f.frames, (unsigned long long)f.wire_bytes,
			     (unsigned long long)f.decoded, (unsigned long long)f.payload_bytes,
			     (unsigned long long)f.lost, (long long)f.first_ns,
			     (long long)f.last_ns, f.damaged);
	}
	cm_clear(&file);
}

static bool make(const char *name, uint64_t seed)
{
	struct cm_buffer file = {NULL, 0, 0};
	struct cm_facts facts;
	bool found = false;

	for (size_t i = 0; i < cm_case_count() && !found; i++) {
		if (strcmp(cm_case_name(i), name) != 0)
			continue;
		found = true;
		cm_case_make(i, seed, &file, &facts);
		write_out(stdout, file.data, file.size);
	}
	cm_clear(&file);
	return found;
}

static bool run(int argc, char **argv)
{
	uint64_t number = 1;

	if (argc == 4 && num_parse_count(argv[3], 0, UINT64_MAX, &number, NULL) != TR_OK)
		return false;
	if (argc >= 3 && strcmp(argv[1], "make") == 0)
		return make(argv[2], number);
	if (argc == 3 && strcmp(argv[1], "idle") == 0 &&
	    num_parse_count(argv[2], 0, UINT32_MAX, &number, NULL) == TR_OK) {
		cm_idle_make((uint32_t)number, write_out, stdout);
		return true;
	}
	if (argc == 4 && strcmp(argv[1], "bench") == 0)
		return cm_bench_make(argv[2], number, write_out, stdout);
	if (argc != 2)
		return false;
	if (strcmp(argv[1], "facts") == 0)
		print_facts();
	else if (strcmp(argv[1], "list") == 0)
		for (size_t i = 0; i < cm_case_count(); i++)
			(void)puts(cm_case_name(i));
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	if (!run(argc, argv)) {
		(void)fputs("usage: make-captures list | facts | make NAME [SEED] | bench "
			    "small|mpi|full BYTES | idle COUNT\n",
			    stderr);
		return 2;
	}
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
