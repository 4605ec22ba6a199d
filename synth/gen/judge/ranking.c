// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/judge/ranking.h"

#include <math.h>
#include <string.h>

#define BIC_ALIKE 0.5 // a smaller difference is due to rounded parameters
#define ERRORS 2 // standard errors of a difference of scores within which fewer parameters decide
#define PARAMETRIC \
	0.1 // a family with more free parameters than this share of the packets is a copy of them

// Failed ones last, before them the doubtful ones.
static bool better_score(const struct judged *a, const struct judged *b)
{
	if (a->failed || b->failed)
		return b->failed && !a->failed;
	if (a->doubtful != b->doubtful)
		return b->doubtful;
	return a->result.score < b->result.score;
}

static bool likelier(const struct judged *a, const struct judged *b)
{
	return a->bic < b->bic - BIC_ALIKE ||
	       (fabs(a->bic - b->bic) <= BIC_ALIKE && a->place < b->place);
}

// Insertion sort, which is stable.
static void sort_by_score(struct judged *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct judged one = list[i];
		size_t at = i;

		for (; at > 0 && better_score(&one, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
}

static void move_up(struct judged *list, size_t from, size_t to)
{
	struct judged one = list[from];

	memmove(&list[to + 1], &list[to], (from - to) * sizeof(*list));
	list[to] = one;
}

// Moves copies of the trace behind the others; returns how many are not copies.
static size_t set_copies_aside(struct judged *list, size_t count, double packets)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].notes.freedom <= PARAMETRIC * packets)
			move_up(list, i, kept++);
	return kept;
}

// Whether the difference of two scores is within chance.
static bool is_near(const struct judged *a, const struct judged *b)
{
	return fabs(a->result.score - b->result.score) <=
	       ERRORS * hypot(a->result.error, b->result.error);
}

// Which of the equals, sorted by score, comes first: of those near the least score the likeliest;
// but if others, of unknown likelihood, have fewer free parameters, or none has a likelihood, the
// nearest of these.
static size_t find_first(const struct judged *list, size_t count)
{
	size_t likeliest = count;

	for (size_t i = 0; i < count; i++)
		if (is_near(&list[0], &list[i]) && isfinite(list[i].bic) &&
		    (likeliest == count || likelier(&list[i], &list[likeliest])))
			likeliest = i;
	for (size_t i = 0; i < count; i++)
		if (is_near(&list[0], &list[i]) && !isfinite(list[i].bic) &&
		    (likeliest == count || list[i].notes.freedom < list[likeliest].notes.freedom))
			return i;
	return likeliest;
}

static size_t order_equals(struct judged *list, size_t count, double packets)
{
	double high = count && !list[0].failed && !list[0].doubtful ? list[0].result.high : NAN;
	size_t equals = 0, parametric;

	while (equals < count && !list[equals].failed && !list[equals].doubtful &&
	       list[equals].result.low <= high)
		list[equals++].equal = true;
	parametric = set_copies_aside(list, equals, packets);
	if (parametric > 0)
		move_up(list, find_first(list, parametric), 0);
	return equals;
}

// The criterion by which it loses most against the first.
static unsigned largest_loss(const struct judge_panel *panel, const struct judged *first,
			     const struct judged *of)
{
	unsigned worst = 0;
	double most = -INFINITY;

	for (unsigned c = 0; c < panel->criteria; c++) {
		double loss = judge_panel_points(panel, c, of->result.energy[c].value) -
			      (first ? judge_panel_points(panel, c, first->result.energy[c].value)
				     : 0);

		worst = loss > most ? c : worst;
		most = fmax(most, loss);
	}
	return worst;
}

static void ranking_say_loss(const struct judge_panel *panel, const struct judged *first,
			     struct judged *of)
{
	unsigned c = largest_loss(panel, first, of);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[c]->tell(&of->result.energy[c], words);
	(void)snprintf(of->reason, sizeof(of->reason), "loses by %s: %s", judge_criteria[c]->title,
		       words);
}

static void say_equal(const struct judged *first, struct judged *of)
{
	double behind = of->bic - first->bic;
	char name[JUDGED_NAME_BYTES];

	(void)judged_name(first, name);
	if (isfinite(behind) && fabs(behind) > BIC_ALIKE)
		(void)snprintf(of->reason, sizeof(of->reason),
			       "as close as %s, but %.4g %s likely by BIC", name, fabs(behind),
			       behind > 0 ? "less" : "more");
	else if (isfinite(behind))
		(void)snprintf(of->reason, sizeof(of->reason),
			       "as close as %s and as likely; the simpler family comes first",
			       name);
	else
		(void)snprintf(of->reason, sizeof(of->reason),
			       "as close as %s, with %u free parameters against %u", name,
			       of->notes.freedom, first->notes.freedom);
}

static void say_first(const struct judge_panel *panel, struct judged *first, size_t equals)
{
	unsigned c = largest_loss(panel, NULL, first);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[c]->tell(&first->result.energy[c], words);
	(void)snprintf(first->reason, sizeof(first->reason), "%s; weakest criterion: %s (%s)",
		       equals > 1 ? "no family is significantly closer"
				  : "significantly closer than all others",
		       judge_criteria[c]->title, words);
}

void judge_rank(const struct judge_panel *panel, struct judged *list, size_t count)
{
	size_t equals;

	for (size_t i = 0; i < count; i++)
		list[i].place = i;
	sort_by_score(list, count);
	equals = order_equals(list, count, panel->scales.packets);
	for (size_t i = 1; i < count && !list[i].failed && !list[i].doubtful; i++) {
		if (i < equals)
			say_equal(&list[0], &list[i]);
		else
			ranking_say_loss(panel, &list[0], &list[i]);
	}
	if (equals > 0)
		say_first(panel, &list[0], equals);
}
