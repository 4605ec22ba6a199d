// SPDX-License-Identifier: GPL-3.0-or-later
// The GOAL reader on any text: it must reject with a reason, or write a text that reads the same.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/goal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status read_bytes(struct goal_program *program, const void *data, size_t size_bytes,
				 struct tr_error *err)
{
	struct tr_source *source;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	enum tr_status status = goal_read(program, source, NULL, err);

	tr_source_close(source);
	return status;
}

static char *write_bytes(const struct goal_program *program, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);

	promise(out);
	goal_write(program, out);
	promise(fclose(out) == 0);
	return text;
}

// All that operations and needs point at is there.
static void points_inside(const struct goal_program *program)
{
	promise(program->ranks > 0 && program->first[0] == 0);
	promise(program->first[program->ranks] == program->op_count);
	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *op = &program->ops[i];

		promise(op->cpu < program->cpus && op->nic < program->nics && op->line > 0);
		promise(op->peer < program->ranks ||
			(op->kind == GOAL_RECV && op->peer == GOAL_ANY));
	}
	for (uint32_t i = 0; i < program->need_count; i++)
		promise(goal_rank_of(program, program->needs[i].op) ==
			goal_rank_of(program, program->needs[i].after));
}

static void come_back(const struct goal_program *program)
{
	size_t size_bytes, again_bytes;
	char *text = write_bytes(program, &size_bytes);
	struct goal_program again;
	struct tr_error err;

	promise(read_bytes(&again, text, size_bytes, &err) == TR_OK);
	char *text_again = write_bytes(&again, &again_bytes);

	promise(size_bytes == again_bytes && memcmp(text, text_again, size_bytes) == 0);
	promise(again.op_count == program->op_count && again.need_count == program->need_count);
	free(text);
	free(text_again);
	goal_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct goal_program program;
	struct tr_error err = {""};

	if (read_bytes(&program, data, size_bytes, &err) != TR_OK) {
		promise(*err.text && !program.ops);
		return 0;
	}
	if (program.ranks <= 4096) {
		points_inside(&program);
		come_back(&program);
	}
	goal_clear(&program);
	return 0;
}
