// SPDX-License-Identifier: GPL-3.0-or-later
// The linear program of balanced paths: minimise the load z of the fullest channel, where each pair
// shares its traffic out among its paths.
#include "net/routings/smart.h"
#include "value/grow.h"

#ifdef FLIT_GLPK

#include <glpk.h>
#include <stdlib.h>
#include <string.h>

// The paths of all pairs, one after another.
struct listing {
	const struct net_smart *smart;
	uint32_t *channels; // of the paths
	size_t used;
	size_t room;
	size_t *first;	// of a path, in channels; and behind the last
	uint32_t *pair; // of a path
	size_t count;
	uint32_t *way; // to where the listing is
	size_t limit;  // paths that this pair may have; listing of all stops there
};

static enum tr_status smart_lp_make_room(struct listing *listing, uint32_t length,
					 struct tr_error *err)
{
	return GROW_TO(listing->channels, listing->room, listing->used + length)
		       ? TR_OK
		       : tr_no_memory(err, "the linear program of paths");
}

// Lists the paths of a pair that go on from the way so far.
static enum tr_status smart_lp_list(struct listing *listing, uint32_t source, uint32_t end,
				    uint32_t done, struct tr_error *err)
{
	const struct net_smart *smart = listing->smart;
	const struct net_channels *channels = smart->channels;
	const uint32_t length = net_smart_length(smart, source, end);
	const uint32_t held = done == 0 ? NET_NOBODY : listing->way[done - 1];
	const uint32_t at = done == 0 ? smart->end[source] : channels->all[held].to;
	enum tr_status status = TR_OK;

	if (done == length) {
		if (smart_lp_make_room(listing, length, err) != TR_OK)
			return TR_ERROR;
		memcpy(listing->channels + listing->used, listing->way,
		       length * sizeof(*listing->way));
		listing->used += length;
		listing->pair[listing->count] = source * smart->ends + end;
		listing->first[++listing->count] = listing->used;
		return TR_OK;
	}
	for (uint32_t c = channels->first[at];
	     status == TR_OK && listing->count < listing->limit && c < channels->first[at + 1]; c++)
		if (net_smart_goes_on(smart, end, held, c)) {
			listing->way[done] = c;
			status = smart_lp_list(listing, source, end, done + 1, err);
		}
	return status;
}

static enum tr_status smart_lp_list_all(struct listing *listing, struct tr_error *err)
{
	const struct net_smart *smart = listing->smart;
	const size_t pairs = (size_t)smart->ends * smart->ends;

	listing->first = calloc(pairs * NET_SMART_LP_PATHS + 1, sizeof(*listing->first));
	listing->pair = calloc(pairs * NET_SMART_LP_PATHS + 1, sizeof(*listing->pair));
	listing->way = calloc((size_t)smart->channels->count + 1, sizeof(*listing->way));
	if (!listing->first || !listing->pair || !listing->way)
		return tr_no_memory(err, "the linear program of paths");
	for (uint32_t pair = 0; pair < pairs; pair++) {
		listing->limit = listing->count + NET_SMART_LP_PATHS;
		if (pair / smart->ends != pair % smart->ends &&
		    smart_lp_list(listing, pair / smart->ends, pair % smart->ends, 0, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// The coefficients as GLPK takes them, from 1 on.
struct smart_lp_matrix {
	int *rows;
	int *columns;
	double *values;
	int count;
};

static void smart_lp_add(struct smart_lp_matrix *matrix, size_t row, size_t column, double value)
{
	matrix->count++;
	matrix->rows[matrix->count] = (int)row;
	matrix->columns[matrix->count] = (int)column;
	matrix->values[matrix->count] = value;
}

// Rows are pairs, then channels; columns z, then paths. Both from 1 on.
static void smart_lp_fill(const struct listing *listing, struct smart_lp_matrix *matrix,
			  size_t pairs)
{
	const struct net_smart *smart = listing->smart;
	const uint32_t *hosts_at = smart->channels->hosts_at;

	for (uint32_t c = 0; c < smart->channels->count; c++)
		smart_lp_add(matrix, pairs + 1 + c, 1, -1);
	for (size_t path = 0; path < listing->count; path++) {
		const uint32_t pair = listing->pair[path];
		const double weight = (double)hosts_at[smart->end[pair / smart->ends]] *
				      (double)hosts_at[smart->end[pair % smart->ends]];

		smart_lp_add(matrix, (size_t)pair + 1, path + 2, 1);
		for (size_t i = listing->first[path]; i < listing->first[path + 1]; i++)
			smart_lp_add(matrix, pairs + 1 + listing->channels[i], path + 2, weight);
	}
}

static void smart_lp_build(glp_prob *problem, const struct listing *listing,
			   const struct smart_lp_matrix *matrix, int pairs)
{
	const struct net_smart *smart = listing->smart;

	glp_set_obj_dir(problem, GLP_MIN);
	glp_add_rows(problem, pairs + (int)smart->channels->count);
	glp_add_cols(problem, (int)listing->count + 1);
	for (int row = 1; row <= pairs; row++) {
		const bool own = (uint32_t)(row - 1) / smart->ends ==
				 (uint32_t)(row - 1) % smart->ends;

		glp_set_row_bnds(problem, row, GLP_FX, own ? 0 : 1, own ? 0 : 1);
	}
	for (int c = 1; c <= (int)smart->channels->count; c++)
		glp_set_row_bnds(problem, pairs + c, GLP_UP, 0, 0);
	for (int column = 1; column <= (int)listing->count + 1; column++)
		glp_set_col_bnds(problem, column, GLP_LO, 0, 0);
	glp_set_obj_coef(problem, 1, 1);
	glp_load_matrix(problem, matrix->count, matrix->rows, matrix->columns, matrix->values);
}

// Each pair takes its largest share, the first of equals.
static void smart_lp_take(struct net_smart *smart, glp_prob *problem, const struct listing *listing)
{
	for (size_t path = 0; path < listing->count;) {
		const uint32_t pair = listing->pair[path];
		size_t best = path;

		for (; path < listing->count && listing->pair[path] == pair; path++)
			if (glp_get_col_prim(problem, (int)path + 2) >
			    glp_get_col_prim(problem, (int)best + 2) + 1e-9)
				best = path;
		net_smart_take(smart, pair / smart->ends, pair % smart->ends, false,
			       listing->channels + listing->first[best]);
	}
}

static enum tr_status smart_lp_solve(struct net_smart *smart, const struct listing *listing,
				     const struct smart_lp_matrix *matrix, struct tr_error *err)
{
	glp_prob *problem = glp_create_prob();
	glp_smcp how;
	enum tr_status status = TR_OK;

	smart_lp_build(problem, listing, matrix, (int)(smart->ends * smart->ends));
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	if (glp_simplex(problem, &how) != 0 || glp_get_status(problem) != GLP_OPT)
		status = tr_fail(err, "the linear program of paths has no solution");
	else
		smart_lp_take(smart, problem, listing);
	glp_delete_prob(problem);
	return status;
}

enum tr_status net_smart_solve(struct net_smart *smart, struct tr_error *err)
{
	struct listing listing = {.smart = smart};
	struct smart_lp_matrix matrix = {0};
	enum tr_status status;
	size_t room;

	if (smart->ends > NET_SMART_LP_ENDS)
		return tr_fail(err, "balance=lp takes up to %u switches with hosts, not %u",
			       NET_SMART_LP_ENDS, smart->ends);
	status = smart_lp_list_all(&listing, err);
	room = listing.used + listing.count + smart->channels->count + 1;
	matrix.rows = calloc(room, sizeof(*matrix.rows));
	matrix.columns = calloc(room, sizeof(*matrix.columns));
	matrix.values = calloc(room, sizeof(*matrix.values));
	if (status == TR_OK && (!matrix.rows || !matrix.columns || !matrix.values))
		status = tr_no_memory(err, "the linear program of paths");
	if (status == TR_OK && listing.count > 0) {
		smart_lp_fill(&listing, &matrix, (size_t)smart->ends * smart->ends);
		status = smart_lp_solve(smart, &listing, &matrix, err);
	}
	free(matrix.rows);
	free(matrix.columns);
	free(matrix.values);
	free(listing.channels);
	free(listing.first);
	free(listing.pair);
	free(listing.way);
	return status;
}

#else

enum tr_status net_smart_solve(struct net_smart *smart, struct tr_error *err)
{
	(void)smart;
	return tr_fail(err, "balance=lp: built without GLPK");
}

#endif
