// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/judge/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Failed ones last.
static int by_score(const void *left, const void *right)
{
	const struct judged *a = left, *b = right;

	if (a->failed || b->failed)
		return a->failed - b->failed;
	return (a->score > b->score) - (a->score < b->score);
}

// Those with a likelihood first, by BIC; the others by freedom, then score.
static int by_economy(const void *left, const void *right)
{
	const struct judged *a = left, *b = right;
	bool of_a = isfinite(a->bic), of_b = isfinite(b->bic);

	if (of_a != of_b)
		return of_b - of_a;
	if (of_a && a->bic != b->bic)
		return a->bic > b->bic ? 1 : -1;
	if (!of_a && a->notes.freedom != b->notes.freedom)
		return a->notes.freedom > b->notes.freedom ? 1 : -1;
	return by_score(left, right);
}

// Merges the two lists of the equals, of which the first has likely entries, by their numbers of free parameters.
static void merge_equals(struct judged *list, size_t likely, size_t count)
{
	for (size_t i = 0; likely > i && likely < count; i++) {
		struct judged simpler = list[likely];

		if (simpler.notes.freedom >= list[i].notes.freedom)
			continue;
		memmove(&list[i + 1], &list[i], (likely - i) * sizeof *list);
		list[i] = simpler;
		likely++;
	}
}

static size_t order_equals(struct judged *list, size_t count)
{
	size_t equals = 0, likely = 0;
	double high = count && !list[0].failed ? list[0].high : NAN;

	while (equals < count && !list[equals].failed && list[equals].low <= high)
		list[equals++].equal = true;
	for (size_t i = 0; i < equals; i++)
		likely += isfinite(list[i].bic);
	qsort(list, equals, sizeof *list, by_economy);
	merge_equals(list, likely, equals);
	return equals;
}

// By which criterion it loses most against the first.
static unsigned largest_loss(const struct judge_panel *panel, const struct judged *first, const struct judged *of)
{
	unsigned worst = 0;
	double most = -INFINITY;

	for (unsigned c = 0; c < JUDGE_CRITERIA; c++) {
		double loss = judge_panel_points(panel, c, of->distance[c].value) -
			      (first ? judge_panel_points(panel, c, first->distance[c].value) : 0);

		worst = loss > most ? c : worst;
		most = fmax(most, loss);
	}
	return worst;
}

static void say_loss(const struct judge_panel *panel, const struct judged *first, struct judged *of)
{
	unsigned c = largest_loss(panel, first, of);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[c]->tell(&of->distance[c], words);
	(void)snprintf(of->reason, sizeof of->reason, "loses by %s: %s", judge_criteria[c]->title, words);
}

static void say_equal(const struct judged *first, struct judged *of)
{
	if (isfinite(of->bic) && isfinite(first->bic))
		(void)snprintf(of->reason, sizeof of->reason, "as near as %s, but by BIC %.4g less likely", first->family->name,
			       of->bic - first->bic);
	else
		(void)snprintf(of->reason, sizeof of->reason, "as near as %s, with %u free parameters to its %u",
			       first->family->name, of->notes.freedom, first->notes.freedom);
}

static void say_first(const struct judge_panel *panel, struct judged *first, size_t equals)
{
	unsigned c = largest_loss(panel, NULL, first);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[c]->tell(&first->distance[c], words);
	(void)snprintf(first->reason, sizeof first->reason, "%s; its weakest is the %s (%s)",
		       equals > 1 ? "none is nearer, and the simplest of those as near" : "the nearest by far enough",
		       judge_criteria[c]->title, words);
}

void judge_rank(const struct judge_panel *panel, struct judged *list, size_t count)
{
	size_t equals;

	qsort(list, count, sizeof *list, by_score);
	equals = order_equals(list, count);
	for (size_t i = 1; i < count && !list[i].failed; i++) {
		if (i < equals)
			say_equal(&list[0], &list[i]);
		else
			say_loss(panel, &list[0], &list[i]);
	}
	if (equals > 0)
		say_first(panel, &list[0], equals);
}
