// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/goal.h"

#include <string.h>

#define LINE_MAX_BYTES 160

// A line being built; a program has many, so this avoids printf.
struct goal_write_line {
	char text[LINE_MAX_BYTES];
	size_t bytes;
};

static void goal_write_put_text(struct goal_write_line *line, const char *text)
{
	size_t bytes = strlen(text);

	memcpy(line->text + line->bytes, text, bytes);
	line->bytes += bytes;
}

static void goal_write_put_number(struct goal_write_line *line, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	memcpy(line->text + line->bytes, digits + at, sizeof(digits) - at);
	line->bytes += sizeof(digits) - at;
}

static void put_label(struct goal_write_line *line, uint32_t op)
{
	line->text[line->bytes++] = 'l';
	goal_write_put_number(line, (uint64_t)op + 1);
}

static void put_place(struct goal_write_line *line, const char *word, uint32_t number)
{
	goal_write_put_text(line, word);
	if (number == GOAL_ANY)
		goal_write_put_text(line, "-1");
	else
		goal_write_put_number(line, number);
}

static void end_line(struct goal_write_line *line, FILE *out)
{
	line->text[line->bytes++] = '\n';
	fwrite_unlocked(line->text, 1, line->bytes, out);
}

void goal_write_start(struct goal_writer *writer, FILE *out, uint32_t ranks)
{
	*writer = (struct goal_writer){.out = out};
	if (out)
		fprintf(out, "num_ranks %u\n", ranks);
}

void goal_write_rank(struct goal_writer *writer)
{
	if (writer->out)
		fprintf(writer->out, "%s\nrank %u {\n", writer->rank > 0 ? "}\n" : "",
			writer->rank);
	writer->rank++;
	writer->before += writer->ops;
	writer->ops = 0;
}

uint32_t goal_write_op(struct goal_writer *writer, const struct goal_op *op)
{
	struct goal_write_line line;

	if (!writer->out)
		return writer->ops++;
	line.bytes = 0;
	put_label(&line, writer->ops);
	if (op->kind == GOAL_CALC) {
		goal_write_put_text(&line, ": calc ");
		goal_write_put_number(&line, op->size);
	} else {
		goal_write_put_text(&line, op->kind == GOAL_SEND ? ": send " : ": recv ");
		goal_write_put_number(&line, op->size);
		put_place(&line, op->kind == GOAL_SEND ? "b to " : "b from ", op->peer);
		put_place(&line, " tag ", op->tag);
	}
	if (op->cpu > 0)
		put_place(&line, " cpu ", op->cpu);
	if (op->nic > 0)
		put_place(&line, " nic ", op->nic);
	end_line(&line, writer->out);
	return writer->ops++;
}

void goal_write_need(struct goal_writer *writer, uint32_t op, uint32_t after, bool started)
{
	struct goal_write_line line;

	if (!writer->out) {
		writer->needs++;
		return;
	}
	line.bytes = 0;
	put_label(&line, op);
	goal_write_put_text(&line, started ? " irequires " : " requires ");
	put_label(&line, after);
	end_line(&line, writer->out);
}

void goal_write_end(struct goal_writer *writer)
{
	if (writer->rank > 0 && writer->out)
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
			for (; next < program->need_count && known(&program->needs[next], op);
			     next++) {
				const struct goal_need *need = &program->needs[next];

				goal_write_need(&writer, need->op - first, need->after - first,
						need->started);
			}
		}
	}
	goal_write_end(&writer);
}
