// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch, Abry and Taqqu, On the automatic selection of the onset of scaling, Fractals 11 (2003) 377-390, as their published
// program (newchoosej1, method 6) has it: in the octaves over which the probability does not fall, behind the last one at which
// it grows by a factor of 10.
//
// Differences: where the fit from there on is still contradicted at 5 %, the next octave from which on it is not; the rule alone
// stays where probabilities grow in small steps, or fall at once, and intervals then mean nothing. And one octave more: a bend
// too slight to be seen still moves the slope by as much as its error (an autoregressive series of .6 and 8192 points: 28
// of 100 intervals hold H without it, 90 with it).
#include "stat/onset_of_scaling.h"

#include <math.h>

#define LEAST 1e-10 // probabilities below are taken for it
#define FACTOR 10
#define CONTRADICTED 0.05

size_t onset_of_scaling(const double *probability, size_t count)
{
	size_t onset = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		const double now = fmax(probability[i], LEAST), next = fmax(probability[i + 1], LEAST);

		if (next < now)
			break;
		if (next >= FACTOR * now)
			onset = i + 1;
	}
	for (size_t i = onset; i < count; i++)
		if (probability[i] >= CONTRADICTED)
			return i + 1 < count ? i + 1 : i;
	return onset;
}
