// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a network drawing: a card for each switch, with its hosts, and wires between cards.
// Lengths are in pixels, x to the right and y down.
#ifndef REPLAY_DRAW_PICTURE_H
#define REPLAY_DRAW_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "net/topology/topology.h"

#define DRAW_NAME_ROOM (NET_NAME_MAX + 16)

// Sizes shared by layout and drawing.
#define DRAW_SLOT 14.0	 // between ports along a card's edge
#define DRAW_EDGE 13.0	 // width of a card's edge, which holds the ports
#define DRAW_CHIP 15.0	 // a host's height
#define DRAW_TITLE 15.0	 // height of a card's name
#define DRAW_LETTER 6.0	 // width of a letter of a host's name
#define DRAW_CAPITAL 6.6 // and of a card's

// How much of the cards is shown: hosts and ports, only the number of hosts, the switch's number,
// or nothing.
enum draw_detail { DRAW_CHIPS, DRAW_COUNTS, DRAW_NUMBERS, DRAW_BOXES };

enum draw_side { DRAW_TOP, DRAW_RIGHT, DRAW_BOTTOM, DRAW_LEFT, DRAW_SIDES };

// A switch, or a host that is cabled to another host.
struct draw_card {
	uint32_t node;
	uint32_t first_host; // index in the picture's hosts
	uint32_t host_count;
	uint32_t columns; // of chips
	uint32_t wires;	  // that end here
	double chip_width;
	double x; // middle
	double y;
	double width;
	double height;
};

struct draw_host {
	uint32_t node;
	uint32_t port;	// of its switch
	uint32_t sends; // link from the host; the one to it is its pair
};

struct draw_end {
	uint32_t card;
	uint32_t port;
	enum draw_side side;
	double x;
	double y;
};

// A cable other than between a host and its switch.
struct draw_wire {
	size_t cable;
	struct draw_end ends[2];
	bool bowed; // around obstacles between its ends
	double bow; // how far, 1 where hosts and ports are shown
};

struct draw_picture {
	const struct net_topology *topology; // lent
	struct draw_card *cards;
	uint32_t card_count;
	struct draw_host *hosts; // card by card, by port
	struct draw_wire *wires;
	size_t wire_count;
	struct net_place *places; // of cards, or NULL
	uint32_t *blocks;	  // of cards: which block, below block_count; NULL: there are none
	uint32_t block_count;
	enum draw_detail detail;
};

struct draw_box {
	double left, top, right, bottom;
};

// Allocates cards with their hosts, and wires, all at 0. TR_ERROR where memory runs out. Close it
// in any case.
enum tr_status draw_picture_open(struct draw_picture *picture, const struct net_topology *topology,
				 struct tr_error *err);

// Sizes the cards for a detail.
void draw_picture_size(struct draw_picture *picture, enum draw_detail detail);

// What a settled picture covers; widens a box.
struct draw_box draw_box_of(const struct draw_picture *picture);
void draw_box_include(struct draw_box *box, double left, double top, double right, double bottom);
void draw_box_include_card(struct draw_box *box, const struct draw_card *card);

// A node's number, or else its name, in out.
const char *draw_number(const struct net_topology *topology, uint32_t node,
			char out[DRAW_NAME_ROOM]);

// Frees what it holds; it is empty then.
void draw_picture_close(struct draw_picture *picture);

// --- layout.c

// Places cards and ports, with as much detail as fits a large screen. Switches with positions are
// drawn there, in rows as high and columns as wide as the cards need. Others are drawn in layers if
// each of their cables joins two levels, counted from the switches with hosts; else on a ring, in
// the order of their numbers. TR_ERROR where memory runs out.
enum tr_status draw_layout(struct draw_picture *picture, struct tr_error *err);

// --- draw_blocks.c

// Finds the blocks of a picture that has places; each has at least two cards side by side. TR_ERROR
// where memory runs out.
enum tr_status draw_blocks_find(struct draw_picture *picture, struct tr_error *err);

// Whether a wire joins two blocks.
static inline bool draw_is_between(const struct draw_picture *picture, const struct draw_wire *wire)
{
	return picture->blocks &&
	       picture->blocks[wire->ends[0].card] != picture->blocks[wire->ends[1].card];
}

// --- tree_levels.c

// Gives the cards positions by levels. Returns false where there are none, or memory runs out,
// which err tells.
bool draw_layers_find(struct draw_picture *picture, struct tr_error *err);

// --- network_svg.c

// A network as a drawing: SVG for light and dark pages.

// How far a bowed wire deviates from the line between its ends.
double draw_bow(const struct draw_wire *wire);

// Writes the picture, whose layout is settled, with title and comments (lines) as text. shares is
// NULL, or for each link (2c and 2c + 1 for cable c) the fraction of time that it was busy, which
// sets its colour: the half of a wire near an end shows what that end sends; the left end of a
// host's chip what the host sends, the right end what it receives. For write failures check
// ferror(out).
void draw_svg(const struct draw_picture *picture, const double *shares, const char *title,
	      const char *comments, FILE *out);

// --- dot.c

// A network as Graphviz text.

// Writes it after comments (lines; NULL for none): boxes for switches, ellipses for hosts, edges
// labelled with their ports, and the switches' positions if given. For write failures check
// ferror(out).
void draw_dot(const struct net_topology *topology, const char *title, const char *comments,
	      FILE *out);

#endif
