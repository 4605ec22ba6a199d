// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of program generators from any text: rejected with a reason; a completely written
// program can be read, no rank sends to itself, and sends and receives agree in number and bytes.
#include <stdlib.h>
#include <string.h>

#include "gen/programs/algorithms.h"

#define TEXT_MAX_BYTES ((size_t)1 << 17)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

struct page {
	char *text;
	size_t bytes;
};

static void promise(bool kept)
{
	if (!kept)
		abort();
}

// Takes nothing once the page is full.
static ssize_t fill(void *context, const char *text, size_t bytes)
{
	struct page *page = context;

	if (bytes > TEXT_MAX_BYTES - page->bytes)
		return 0;
	memcpy(page->text + page->bytes, text, bytes);
	page->bytes += bytes;
	return (ssize_t)bytes;
}

static void meets(const struct goal_program *program)
{
	uint64_t ends[2] = {0, 0}, bytes[2] = {0, 0};

	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *op = &program->ops[i];

		if (op->kind == GOAL_CALC)
			continue;
		promise(op->peer != goal_rank_of(program, i));
		ends[op->kind == GOAL_SEND]++;
		bytes[op->kind == GOAL_SEND] += op->size;
	}
	promise(ends[0] == ends[1] && bytes[0] == bytes[1]);
}

static void reads(const struct page *page)
{
	struct goal_program program;
	struct tr_source *source;
	struct tr_error err;

	promise(tr_source_open_memory(&source, page->text, page->bytes, "fuzz", &err) == TR_OK);
	promise(goal_read(&program, source, NULL, &err) == TR_OK);
	tr_source_close(source);
	meets(&program);
	goal_clear(&program);
}

// The operations of so many ranks are counted for half a minute under sanitizers, not for 3 s.
static bool has_thousands(const char *text)
{
	const char *ranks = strstr(text, "ranks=");

	return ranks && strtoul(ranks + strlen("ranks="), NULL, 10) > 2000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	const cookie_io_functions_t functions = {.write = fill};
	struct page page = {.text = malloc(TEXT_MAX_BYTES)};
	char *asked = strndup((const char *)data, size_bytes);
	struct tr_error err = {""};
	FILE *out = fopencookie(&page, "w", functions);

	promise(page.text && asked && out);
	enum tr_status status = has_thousands(asked) ? tr_fail(&err, "too many ranks to count here")
						     : program_write(asked, out, NULL, &err);
	bool whole = !ferror(out);

	whole = fclose(out) == 0 && whole;
	if (status != TR_OK)
		promise(err.text[0] != '\0');
	else if (whole)
		reads(&page);
	free(asked);
	free(page.text);
	return 0;
}
