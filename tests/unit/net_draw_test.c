// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/picture.h"

#define NEAR 1e-6

static bool overlap(const struct draw_card *one, const struct draw_card *other)
{
	return fabs(one->x - other->x) < (one->width + other->width) / 2 &&
	       fabs(one->y - other->y) < (one->height + other->height) / 2;
}

// Cards do not overlap; each end is on its card's edge, apart from the others where ports are
// shown; all hosts are present, by port.
static void assert_sound(const struct draw_picture *picture)
{
	uint32_t hosts = 0;

	for (uint32_t i = 0; i < picture->card_count; i++) {
		const struct draw_card *card = &picture->cards[i];

		for (uint32_t j = 0; j < i; j++)
			assert_false(overlap(card, &picture->cards[j]));
		for (uint32_t h = 1; h < card->host_count; h++)
			assert_true(picture->hosts[card->first_host + h - 1].port <
				    picture->hosts[card->first_host + h].port);
		hosts += card->node < picture->topology->hosts ? 1 : card->host_count;
	}
	assert_int_equal(hosts, picture->topology->hosts);
	for (size_t i = 0; i < 2 * picture->wire_count; i++) {
		const struct draw_end *end = &picture->wires[i / 2].ends[i % 2];
		const struct draw_card *card = &picture->cards[end->card];
		const double across = fabs(end->x - card->x) - card->width / 2;
		const double down = fabs(end->y - card->y) - card->height / 2;

		assert_true(across < NEAR && down < NEAR);
		assert_true(across > -NEAR || down > -NEAR);
		for (size_t j = 0; j < i && picture->detail == DRAW_CHIPS; j++) {
			const struct draw_end *other = &picture->wires[j / 2].ends[j % 2];

			if (other->card == end->card)
				assert_true(hypot(end->x - other->x, end->y - other->y) > 6);
		}
	}
}

static void lay_out(const char *text, enum draw_detail detail)
{
	struct net_topology topology;
	struct draw_picture picture;
	struct tr_error err;

	assert_int_equal(net_topology_make(&topology, text, &err), TR_OK);
	assert_int_equal(draw_picture_open(&picture, &topology, &err), TR_OK);
	assert_int_equal(draw_layout(&picture, &err), TR_OK);
	assert_int_equal(picture.detail, detail);
	assert_sound(&picture);
	draw_picture_close(&picture);
	net_topology_clear(&topology);
}

static void regular_networks_are_laid_out_by_their_places(void **state)
{
	static const char *const names[] = {"direct",
					    "switch:8",
					    "switch:300",
					    "line:5",
					    "ring:9",
					    "mesh:4x5",
					    "mesh:3x3x3",
					    "torus:4x4",
					    "torus:3x2x4,hosts=3",
					    "torus:3x3x3x3",
					    "hypercube:5",
					    "full:9",
					    "torus:2x2,twice=yes",
					    "fattree:16",
					    "fattree:50,arity=5",
					    "clos:4,6,7",
					    "triangle16",
					    "triangle18",
					    "george96",
					    "yates16a",
					    "yates16b",
					    "yates16",
					    "yates32x6",
					    "yates32",
					    "dragonfly:2",
					    "dragonfly+:2",
					    "hyperx:4x4,hosts=4",
					    "flattened-butterfly:3,4",
					    "slimfly:3",
					    "xgft:2x3x2,1x2x3,cables=1x2x1",
					    "leaf-spine:8,4",
					    "rails:3,2,2,2",
					    "leaf-spine:4,2,hosts=3,planes=2"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		lay_out(names[i], DRAW_CHIPS);
}

static void others_are_laid_out_on_a_ring(void **state)
{
	static const char *const names[] = {
		"line:25",  "ring:30",		"random-irregular:7", "random-regular:20,5",
		"bbd:16,4", "jellyfish:20,8,5", "ringlets:4,4"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		lay_out(names[i], DRAW_CHIPS);
}

static void large_networks_show_less(void **state)
{
	(void)state;
	lay_out("yates128", DRAW_COUNTS);
	lay_out("fattree:64", DRAW_COUNTS);
	lay_out("torus:16x16", DRAW_CHIPS);
	lay_out("fattree:256", DRAW_NUMBERS);
	lay_out("torus:32x32", DRAW_NUMBERS);
	lay_out("random-irregular:256", DRAW_NUMBERS);
	lay_out("fattree:1024", DRAW_BOXES);
	lay_out("dragonfly:4", DRAW_COUNTS);
	lay_out("dragonfly+:4", DRAW_COUNTS);
	lay_out("hyperx:16x8,hosts=8", DRAW_COUNTS);
	lay_out("slimfly:9", DRAW_COUNTS);
	lay_out("xgft:8x8x16,1x8x8", DRAW_NUMBERS);
	lay_out("jellyfish:100,20,10", DRAW_NUMBERS);
}

// Two switches are in one block exactly if they are in one group.
static void groups_are_drawn_as_blocks(void **state)
{
	static const struct {
		const char *name;
		uint32_t group, size; // the group of switch i is i / group % size; 0: no blocks
	} rows[] = {{"dragonfly:2", 4, 9},     {"dragonfly+:2,3,4,1", 7, 5},
		    {"slimfly:4", 4, 4},       {"torus:4x3x5", 12, 5},
		    {"fattree:4,3", 0, 1},     {"xgft:2x3x2,1x2x3", 0, 1},
		    {"leaf-spine:2,3", 0, 1},  {"hyperx:4x4", 0, 1},
		    {"jellyfish:9,4,2", 0, 1}, {"yates32", 0, 1}};

	(void)state;
	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		struct net_topology topology;
		struct draw_picture picture;

		assert_int_equal(net_topology_make(&topology, rows[n].name, NULL), TR_OK);
		assert_int_equal(draw_picture_open(&picture, &topology, NULL), TR_OK);
		assert_int_equal(draw_layout(&picture, &(struct tr_error){""}), TR_OK);
		assert_int_equal(picture.blocks != NULL, rows[n].group > 0);
		for (uint32_t i = 0; picture.blocks && i < topology.switches; i++)
			for (uint32_t j = 0; j < i; j++)
				assert_int_equal(picture.blocks[i] == picture.blocks[j],
						 i / rows[n].group % rows[n].size ==
							 j / rows[n].group % rows[n].size);
		draw_picture_close(&picture);
		net_topology_clear(&topology);
	}
}

// A tree without its positions gets them back, up to the distances between columns.
static void trees_are_laid_out_in_layers(void **state)
{
	static const char *const names[] = {"fattree:64", "fattree:27,arity=3"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct net_topology topology;
		struct draw_picture picture;
		struct net_place *places;
		struct tr_error err;

		assert_int_equal(net_topology_make(&topology, names[i], &err), TR_OK);
		places = topology.places;
		topology.places = NULL;
		assert_int_equal(draw_picture_open(&picture, &topology, &err), TR_OK);
		assert_int_equal(draw_layout(&picture, &err), TR_OK);
		assert_non_null(picture.places);
		for (uint32_t s = 0; s < topology.switches; s++)
			assert_int_equal(picture.places[s].row, places[s].row);
		assert_sound(&picture);
		draw_picture_close(&picture);
		topology.places = places;
		net_topology_clear(&topology);
	}
}

// What would end a text or a tag is written as XML wants it, and bytes that are no UTF-8 are
// replaced.
static void names_are_escaped(void **state)
{
	struct net_topology topology;
	struct draw_picture picture;
	struct tr_error err;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	assert_non_null(out);
	assert_int_equal(net_topology_make(&topology, "switch:2", &err), TR_OK);
	topology.names = calloc(3, sizeof(*topology.names));
	assert_non_null(topology.names);
	topology.names[0] = strdup("<a&b>");
	topology.names[2] = strdup("k\xc3\xa4se\xc3");
	assert_int_equal(draw_picture_open(&picture, &topology, &err), TR_OK);
	assert_int_equal(draw_layout(&picture, &err), TR_OK);
	draw_svg(&picture, NULL, "</title>", "a\nb\x01", out);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "&lt;a&amp;b&gt;</text>"));
	assert_non_null(strstr(text, ">k\xc3\xa4se\xef\xbf\xbd</text>"));
	assert_non_null(strstr(text, "<title>&lt;/title&gt;</title>"));
	assert_non_null(strstr(text, "<desc>a\nb </desc>"));
	free(text);
	draw_picture_close(&picture);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_networks_are_laid_out_by_their_places),
		cmocka_unit_test(others_are_laid_out_on_a_ring),
		cmocka_unit_test(large_networks_show_less),
		cmocka_unit_test(groups_are_drawn_as_blocks),
		cmocka_unit_test(trees_are_laid_out_in_layers),
		cmocka_unit_test(names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
