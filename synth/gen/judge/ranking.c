// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/judge/ranking.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define BIC_ALIKE 0.5 // a lesser difference is one of rounded parameters

// Failed ones last.
static bool better_score(const struct judged *a, const struct judged *b)
{
	return a->failed || b->failed ? b->failed && !a->failed : a->score < b->score;
}

// Those with a likelihood, by BIC; what is alike goes by the order of the table.
static bool likelier(const struct judged *a, const struct judged *b)
{
	return a->bic < b->bic - BIC_ALIKE || (fabs(a->bic - b->bic) <= BIC_ALIKE && a->place < b->place);
}

static bool has_likelihood(const struct judged *a, const struct judged *b)
{
	return isfinite(a->bic) && !isfinite(b->bic);
}

static bool has_none(const struct judged *a, const struct judged *b)
{
	return !isfinite(a->bic) && isfinite(b->bic);
}

// By insertion, as what is better by a tolerance is no order that qsort could be given.
static void sort(struct judged *list, size_t count, bool (*better)(const struct judged *a, const struct judged *b))
{
	for (size_t i = 1; i < count; i++) {
		struct judged one = list[i];
		size_t at = i;

		for (; at > 0 && better(&one, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
}

static unsigned least_freedom(const struct judged *list, size_t count)
{
	unsigned least = UINT_MAX;

	for (size_t i = 0; i < count; i++)
		least = isfinite(list[i].bic) && list[i].notes.freedom < least ? list[i].notes.freedom : least;
	return least;
}

// list[0] is the nearest, the others are equal to it.
static void order_by_economy(struct judged *list, size_t count)
{
	bool likely = isfinite(list[0].bic) || least_freedom(list, count) < list[0].notes.freedom;
	size_t from = 0, end;

	sort(list, count, likely ? has_likelihood : has_none);
	while (from < count && !isfinite(list[from].bic))
		from++;
	for (end = from; end < count && isfinite(list[end].bic);)
		end++;
	sort(list + from, end - from, likelier);
}

static size_t order_equals(struct judged *list, size_t count)
{
	size_t equals = 0;
	double high = count && !list[0].failed ? list[0].high : NAN;

	while (equals < count && !list[equals].failed && list[equals].low <= high)
		list[equals++].equal = true;
	if (equals > 0)
		order_by_economy(list, equals);
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
	char name[JUDGED_NAME_BYTES];

	(void)judged_name(first, name);
	if (isfinite(of->bic) && isfinite(first->bic) && of->bic - first->bic > BIC_ALIKE)
		(void)snprintf(of->reason, sizeof of->reason, "as near as %s, but by BIC %.4g less likely", name,
			       of->bic - first->bic);
	else if (isfinite(of->bic) && isfinite(first->bic))
		(void)snprintf(of->reason, sizeof of->reason, "as near as %s, and as likely: the simpler name stands first", name);
	else
		(void)snprintf(of->reason, sizeof of->reason, "as near as %s, with %u free parameters to its %u", name,
			       of->notes.freedom, first->notes.freedom);
}

static void say_first(const struct judge_panel *panel, struct judged *first, size_t equals)
{
	unsigned c = largest_loss(panel, NULL, first);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[c]->tell(&first->distance[c], words);
	(void)snprintf(first->reason, sizeof first->reason, "%s; its weakest is the %s (%s)",
		       equals > 1 ? "none is nearer, and the simplest or likeliest of those as near" : "the nearest by far enough",
		       judge_criteria[c]->title, words);
}

void judge_rank(const struct judge_panel *panel, struct judged *list, size_t count)
{
	size_t equals;

	for (size_t i = 0; i < count; i++)
		list[i].place = i;
	sort(list, count, better_score);
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
