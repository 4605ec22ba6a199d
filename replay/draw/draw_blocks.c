// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a drawing: what empty rows and columns of the grid of positions separate, such as
// the groups of a dragonfly or the planes of a torus.
#include "draw/picture.h"

#include <stdlib.h>

static int draw_blocks_compare(const void *one, const void *other)
{
	const int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;

	return (a > b) - (a < b);
}

static int32_t draw_blocks_line(const struct draw_picture *picture, uint32_t card, bool row)
{
	return row ? picture->places[card].row : picture->places[card].column;
}

// Puts into parts[i] how many empty rows, or columns, are before card i, those beside each other
// counted once; lines has room for all cards. Returns how many there are, and one.
static uint32_t draw_blocks_part(const struct draw_picture *picture, bool row, int32_t *lines,
				 uint32_t *parts)
{
	const uint32_t count = picture->card_count;
	uint32_t starts = 0;

	for (uint32_t i = 0; i < count; i++)
		lines[i] = draw_blocks_line(picture, i, row);
	qsort(lines, count, sizeof(*lines), draw_blocks_compare);
	for (uint32_t i = 0, before = 0; i < count; before = i++)
		if (i == 0 || lines[i] > lines[before] + 1)
			lines[starts++] = lines[i];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t low = 0, high = starts;

		while (high - low > 1) {
			const uint32_t middle = (low + high) / 2;

			if (lines[middle] <= draw_blocks_line(picture, i, row))
				low = middle;
			else
				high = middle;
		}
		parts[i] = low;
	}
	return starts;
}

struct draw_member {
	struct net_place place;
	uint32_t block;
};

static int draw_blocks_by_place(const void *one, const void *other)
{
	const struct draw_member *a = one, *b = other;

	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	if (a->place.row != b->place.row)
		return a->place.row < b->place.row ? -1 : 1;
	return (a->place.column > b->place.column) - (a->place.column < b->place.column);
}

// Whether each block that has cards has two side by side in a row; those of trees, whose columns
// are apart, have not.
static bool draw_blocks_are_rows(struct draw_member *members, uint32_t count)
{
	bool beside = false;

	qsort(members, count, sizeof(*members), draw_blocks_by_place);
	for (uint32_t i = 1; i <= count; i++) {
		const struct draw_member *before = &members[i - 1], *now = &members[i];

		if (i == count || now->block != before->block) {
			if (!beside)
				return false;
			beside = false;
		} else if (now->place.row == before->place.row &&
			   now->place.column == before->place.column + 1) {
			beside = true;
		}
	}
	return true;
}

enum tr_status draw_blocks_find(struct draw_picture *picture, struct tr_error *err)
{
	const size_t cards = (size_t)picture->card_count + 1;
	uint32_t *columns = calloc(cards, sizeof(*columns)), *rows = calloc(cards, sizeof(*rows));
	int32_t *lines = calloc(cards, sizeof(*lines));
	struct draw_member *members = calloc(cards, sizeof(*members));
	const bool ready = columns && rows && lines && members;

	if (ready) {
		const uint32_t across = draw_blocks_part(picture, false, lines, columns);
		const uint32_t down = draw_blocks_part(picture, true, lines, rows);

		for (uint32_t i = 0; i < picture->card_count; i++) {
			rows[i] = rows[i] * across + columns[i];
			members[i] = (struct draw_member){picture->places[i], rows[i]};
		}
		if ((uint64_t)across * down > 1 && (uint64_t)across * down < UINT32_MAX &&
		    draw_blocks_are_rows(members, picture->card_count)) {
			picture->blocks = rows;
			picture->block_count = across * down;
			rows = NULL;
		}
	}
	free(columns);
	free(rows);
	free(lines);
	free(members);
	return ready ? TR_OK : tr_no_memory(err, "a drawing");
}
