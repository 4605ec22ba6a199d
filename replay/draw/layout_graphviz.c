// SPDX-License-Identifier: GPL-3.0-or-later
// Graphviz is given the cards as boxes of their sizes and answers in its plain form, lines "node NAME X Y ..." in
// inches, y upwards.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"
#include "trace/spawn.h"

#define CARDS_FOR_NEATO 400u
#define PIXELS_AN_INCH 72.0
#define GAP_INCHES 0.4
#define LINE_ROOM 512

static void ask(const struct draw_picture *picture, FILE *out)
{
	(void)fputs("graph {\n\tgraph [overlap=false, start=1, sep=\"+18\"];\n"
		    "\tnode [shape=box, fixedsize=true, label=\"\"];\n",
		    out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		(void)fprintf(out, "\t%u [width=%.3f, height=%.3f];\n", i, picture->cards[i].width / PIXELS_AN_INCH,
			      picture->cards[i].height / PIXELS_AN_INCH);
	for (size_t i = 0; i < picture->wire_count; i++)
		(void)fprintf(out, "\t%u -- %u [len=%.3f];\n", picture->wires[i].ends[0].card, picture->wires[i].ends[1].card,
			      GAP_INCHES + (picture->cards[picture->wires[i].ends[0].card].width +
					    picture->cards[picture->wires[i].ends[1].card].width) /
						   4 / PIXELS_AN_INCH);
	(void)fputs("}\n", out);
}

// One line of the answer; others than those of nodes say nothing.
static bool take_line(char *line, struct draw_card *cards, uint32_t card_count, uint32_t *taken)
{
	const char *word = strsep(&line, " ");
	uint64_t card;
	double x;
	double y;

	if (strcmp(word, "node") != 0)
		return true;
	word = strsep(&line, " ");
	if (!word || num_parse_count(word, 0, card_count - 1, &card, NULL) != TR_OK)
		return false;
	word = strsep(&line, " ");
	if (!word || num_parse_real(word, &x, NULL) != TR_OK)
		return false;
	word = strsep(&line, " ");
	if (!word || num_parse_real(word, &y, NULL) != TR_OK)
		return false;
	cards[card].x = x * PIXELS_AN_INCH;
	cards[card].y = -y * PIXELS_AN_INCH;
	++*taken;
	return true;
}

static enum tr_status take_answer(struct draw_picture *picture, FILE *in, struct tr_error *err)
{
	struct draw_card *moved = calloc((size_t)picture->card_count + 1, sizeof(*moved));
	char line[LINE_ROOM];
	uint32_t taken = 0;
	bool good = moved && fseek(in, 0, SEEK_SET) == 0;

	if (good)
		memcpy(moved, picture->cards, picture->card_count * sizeof(*moved));
	while (good && fgets(line, sizeof(line), in))
		good = take_line(line, moved, picture->card_count, &taken);
	good = good && taken == picture->card_count;
	if (good)
		memcpy(picture->cards, moved, picture->card_count * sizeof(*moved));
	free(moved);
	return good ? TR_OK : tr_fail(err, "Graphviz's answer is not understood");
}

// Until a layout shows where wires come from, each edge gets room for half of the ports.
static void fit_cards(struct draw_picture *picture)
{
	for (uint32_t i = 0; i < picture->card_count; i++)
		draw_card_fit(&picture->cards[i], (picture->cards[i].wires + 1) / 2, (picture->cards[i].wires + 3) / 4);
}

enum tr_status draw_layout_graphviz(struct draw_picture *picture, struct tr_error *err)
{
	const char *const argv[] = {picture->card_count > CARDS_FOR_NEATO ? "sfdp" : "neato", "-Tplain", NULL};
	struct tr_scratch question = {.file = NULL}, answer = {.file = NULL};
	enum tr_status status;

	fit_cards(picture);
	status = tr_scratch_open(&question, "a drawing", err);
	if (status == TR_OK)
		status = tr_scratch_open(&answer, "a drawing", err);
	if (status == TR_OK)
		ask(picture, question.file);
	if (status == TR_OK)
		status = tr_scratch_flush(&question, "a drawing", err);
	if (status == TR_OK)
		status = tr_spawn(argv, question.path, answer.path, err);
	if (status == TR_OK)
		status = take_answer(picture, answer.file, err);
	tr_scratch_close(&question);
	tr_scratch_close(&answer);
	return status;
}
