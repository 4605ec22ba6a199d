// SPDX-License-Identifier: GPL-3.0-or-later
// Where the cards stand.
#ifndef REPLAY_DRAW_LAYOUT_H
#define REPLAY_DRAW_LAYOUT_H

#include "draw/picture.h"

// By the places that the topology gives its switches: ports up, down or beside by these, rows as high and columns as
// wide as the cards need. The topology has places. TR_ERROR where memory ends.
enum tr_status draw_layout_places(struct draw_picture *picture, struct tr_error *err);

// By Graphviz (neato, or sfdp for many cards), run as a child. TR_ERROR, and nothing moved, where it cannot be run
// or answers something else than positions.
enum tr_status draw_layout_graphviz(struct draw_picture *picture, struct tr_error *err);

// Around a circle, in the order of their numbers.
void draw_layout_circle(struct draw_picture *picture);

// The sides that wires take between cards that stand anywhere: the ones that face each other most.
void draw_layout_face(struct draw_picture *picture);

// The places of the ports along the edges, once cards and sides are settled: in the order of the other ends.
// TR_ERROR where memory ends.
enum tr_status draw_layout_ports(struct draw_picture *picture, struct tr_error *err);

#endif
