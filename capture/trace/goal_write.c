// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/goal.h"

void goal_write_start(struct goal_writer *writer, FILE *out, uint32_t ranks)
{
	*writer = (struct goal_writer){.out = out};
	fprintf(out, "num_ranks %u\n", ranks);
}

void goal_write_rank(struct goal_writer *writer)
{
	fprintf(writer->out, "%s\nrank %u {\n", writer->rank > 0 ? "}\n" : "", writer->rank);
	writer->rank++;
	writer->ops = 0;
}

static void write_place(FILE *out, const char *word, uint32_t number)
{
	if (number == GOAL_ANY)
		fprintf(out, " %s -1", word);
	else
		fprintf(out, " %s %u", word, number);
}

uint32_t goal_write_op(struct goal_writer *writer, const struct goal_op *op)
{
	FILE *out = writer->out;

	fprintf(out, "l%u: ", writer->ops + 1);
	if (op->kind == GOAL_CALC) {
		fprintf(out, "calc %llu", (unsigned long long)op->size);
	} else {
		fprintf(out, "%s %llub", op->kind == GOAL_SEND ? "send" : "recv",
			(unsigned long long)op->size);
		write_place(out, op->kind == GOAL_SEND ? "to" : "from", op->peer);
		write_place(out, "tag", op->tag);
	}
	if (op->cpu > 0)
		fprintf(out, " cpu %u", op->cpu);
	if (op->nic > 0)
		fprintf(out, " nic %u", op->nic);
	putc('\n', out);
	return writer->ops++;
}

void goal_write_need(struct goal_writer *writer, uint32_t op, uint32_t after, bool started)
{
	fprintf(writer->out, "l%u %s l%u\n", op + 1, started ? "irequires" : "requires", after + 1);
}

void goal_write_end(struct goal_writer *writer)
{
	if (writer->rank > 0)
		fputs("}\n", writer->out);
}

// A need is written as soon as both of its operations are.
static bool known(const struct goal_need *need, uint32_t op)
{
	return need->op <= op && need->after <= op;
}

void goal_write(const struct goal_program *program, FILE *out)
{
	struct goal_writer writer;
	size_t next = 0; // need

	goal_write_start(&writer, out, program->ranks);
	for (uint32_t rank = 0; rank < program->ranks; rank++) {
		uint32_t first = program->first[rank];

		goal_write_rank(&writer);
		for (uint32_t op = first; op < program->first[rank + 1]; op++) {
			goal_write_op(&writer, &program->ops[op]);
			for (; next < program->need_count && known(&program->needs[next], op); next++) {
				const struct goal_need *need = &program->needs[next];

				goal_write_need(&writer, need->op - first, need->after - first,
						need->started);
			}
		}
	}
	goal_write_end(&writer);
}
