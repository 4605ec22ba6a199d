// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "draw/layout.h"

#define GAP 40.0

void draw_layout_circle(struct draw_picture *picture)
{
	const double turn = 2 * acos(-1);
	double around = 0;
	double radius;

	for (uint32_t i = 0; i < picture->card_count; i++)
		around += GAP + hypot(picture->cards[i].width, picture->cards[i].height);
	radius = picture->card_count > 1 ? around / turn : 0;
	for (uint32_t i = 0; i < picture->card_count; i++) {
		const double angle = turn * i / picture->card_count;

		picture->cards[i].x = radius * sin(angle);
		picture->cards[i].y = -radius * cos(angle);
	}
}
