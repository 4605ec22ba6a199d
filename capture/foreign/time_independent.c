// SPDX-License-Identifier: GPL-3.0-or-later
// SimGrid's time-independent traces (Desprez, Markomanolis, Quinson, Suter, "Assessing the Performance of MPI Applications
// Through Time-Independent Trace Replay", PSTI 2011): actions of each rank, with computing in instructions. Words and their
// order: SimGrid 3.32, src/smpi/internals/smpi_replay.cpp; numbers of types: src/smpi/mpi/smpi_datatype.cpp.
//
// Such a trace has no times: the clock of each rank is that of its computing alone, at the speed given.
#include "foreign/time_independent.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/file_list.h"

#define PENDING_MAX 65536u // requests of a rank

// ---- actions

static enum tr_status advance(struct ti_reading *reading, size_t word, double ticks_each, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];
	double amount;

	if (ti_real(reading, word, &amount, err) != TR_OK)
		return TR_ERROR;
	if (amount * ticks_each + (double)clock->ticks >= TI_AMOUNT_MAX)
		return ti_fail(reading, err, "a time below 146 years", reading->words[word]);
	clock->ticks += llround(amount * ticks_each);
	return TR_OK;
}

static double ticks_per_flop(const struct ti_reading *reading)
{
	return (double)TI_TICKS_PER_S / num_value(reading->input->flops_per_s);
}

static enum tr_status compute(struct ti_reading *reading, struct tr_error *err)
{
	if (ti_need(reading, 1, err) != TR_OK)
		return TR_ERROR;
	if (reading->input->flops_per_s.den == 0)
		return tr_lines_fail(&reading->lines, err, "computing in instructions: --flops says how many a second");
	return advance(reading, 2, ticks_per_flop(reading), err);
}

static enum tr_status sleep_for(struct ti_reading *reading, struct tr_error *err)
{
	return ti_need(reading, 1, err) == TR_OK ? advance(reading, 2, (double)TI_TICKS_PER_S, err) : TR_ERROR;
}

static enum tr_status put(struct ti_reading *reading, struct event event, uint64_t request, struct tr_error *err)
{
	struct tr_error why;

	event.begin_ticks = event.end_ticks = reading->clocks[reading->rank].ticks;
	if (events_add(reading->events, reading->rank, &event, request, &why) == TR_OK)
		return TR_OK;
	return tr_fail_for(err, &why, "%s:%" PRIu64 ": %s", tr_source_name(reading->lines.source), reading->lines.number,
			   why.text);
}

static enum tr_status remember(struct ti_reading *reading, const struct ti_pending *made, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];

	if (clock->count == clock->capacity) {
		uint32_t capacity = clock->capacity * 2 + 16;
		struct ti_pending *more;

		if (clock->count >= PENDING_MAX)
			return tr_lines_fail(&reading->lines, err, "more than %u requests without a wait", PENDING_MAX);
		more = reallocarray(clock->pending, capacity, sizeof(*more));
		if (!more)
			return tr_no_memory(err, "requests");
		clock->pending = more;
		clock->capacity = capacity;
	}
	clock->pending[clock->count++] = *made;
	return TR_OK;
}

static enum tr_status transfer(struct ti_reading *reading, enum event_kind kind, struct tr_error *err)
{
	bool sends = kind == EVENT_SEND || kind == EVENT_ISEND;
	struct event event = {.kind = (uint8_t)kind};
	struct ti_pending made = {.request = ++reading->clocks[reading->rank].requests};

	if (ti_need(reading, 3, err) != TR_OK || ti_tag(reading, 3, &event.tag, err) != TR_OK ||
	    ti_bytes(reading, 4, 5, &event.bytes, err) != TR_OK)
		return TR_ERROR;
	if (!sends && strcmp(reading->words[2], "-1") == 0)
		event.peer = EVENT_ANY;
	else if (ti_rank(reading, 2, &event.peer, err) != TR_OK)
		return TR_ERROR;
	made.from = sends ? reading->rank : event.peer;
	made.to = sends ? event.peer : reading->rank;
	made.tag = event.tag;
	if (!sends && event.tag == -1)
		event.tag = EVENT_ANY_TAG;
	if ((kind == EVENT_ISEND || kind == EVENT_IRECV) && remember(reading, &made, err) != TR_OK)
		return TR_ERROR;
	return put(reading, event, made.request, err);
}

static enum tr_status put_wait(struct ti_reading *reading, uint64_t request, struct tr_error *err)
{
	return put(reading, (struct event){.kind = EVENT_WAIT, .peer = EVENT_ANY, .tag = EVENT_ANY_TAG, .bytes = UINT64_MAX},
		   request, err);
}

// A wait names its request by source, destination and tag; one that is not pending has been tested before.
static enum tr_status wait_one(struct ti_reading *reading, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];
	uint32_t from = EVENT_ANY, to;
	int32_t tag;

	if (ti_need(reading, 3, err) != TR_OK ||
	    (strcmp(reading->words[2], "-1") != 0 && ti_rank(reading, 2, &from, err) != TR_OK) ||
	    ti_rank(reading, 3, &to, err) != TR_OK || ti_tag(reading, 4, &tag, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < clock->count; i++) {
		const struct ti_pending own = clock->pending[i];

		if (own.from != from || own.to != to || own.tag != tag)
			continue;
		memmove(&clock->pending[i], &clock->pending[i + 1], (clock->count - i - 1) * sizeof(own));
		clock->count--;
		return put_wait(reading, own.request, err);
	}
	return TR_OK;
}

static enum tr_status wait_all(struct ti_reading *reading, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];

	for (uint32_t i = 0; i < clock->count; i++)
		if (put_wait(reading, clock->pending[i].request, err) != TR_OK)
			return TR_ERROR;
	clock->count = 0;
	return TR_OK;
}

static enum tr_status nothing(struct ti_reading *reading, struct tr_error *err)
{
	(void)err;
	reading->events->by_rank[reading->rank].other_calls++;
	return TR_OK;
}

// A word more says that sizes without a type count doubles.
static enum tr_status begin(struct ti_reading *reading, struct tr_error *err)
{
	reading->clocks[reading->rank].type = reading->count > 2 ? TI_DOUBLE : TI_BYTE;
	return nothing(reading, err);
}

static enum tr_status isend(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_ISEND, err);
}

static enum tr_status irecv(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_IRECV, err);
}

static enum tr_status send(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_SEND, err);
}

static enum tr_status recv(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_RECV, err);
}

// ---- collective operations, all of MPI_COMM_WORLD

// The place of a word: word + by_ranks times the number of ranks; 0: it is nowhere.
struct place {
	uint8_t word;
	uint8_t by_ranks;
};

// A collective operation, and where its words are.
struct collective_words {
	enum event_collective collective;
	struct place size;    // of what the rank gives or gets
	struct place counts;  // the first of as many as there are ranks
	struct place compute; // instructions
	struct place root;
	struct place type;
	struct place last; // that must be there
};

static size_t at(const struct ti_reading *reading, struct place place)
{
	return place.word ? place.word + (size_t)place.by_ranks * reading->events->ranks : SIZE_MAX;
}

static enum tr_status counts_of(struct ti_reading *reading, const struct collective_words *words, size_t type_word,
				struct event *event, struct tr_error *err)
{
	uint32_t n = reading->events->ranks;
	uint64_t *counts = reallocarray(NULL, n, sizeof(*counts));
	enum tr_status status = counts ? TR_OK : tr_no_memory(err, "%" PRIu32 " counts", n);

	for (uint32_t i = 0; status == TR_OK && i < n; i++) {
		status = ti_bytes(reading, at(reading, words->counts) + i, type_word, &counts[i], err);
		if (status == TR_OK && words->collective == COLLECTIVE_REDUCE_SCATTER)
			event->bytes += counts[i];
	}
	if (status == TR_OK && words->collective == COLLECTIVE_ALLTOALL)
		status = events_add_counts(reading->events, counts, n, &event->counts, err);
	free(counts);
	return status;
}

static enum tr_status collective(struct ti_reading *reading, const struct collective_words *words, struct tr_error *err)
{
	size_t type = at(reading, words->type);
	size_t root = at(reading, words->root);
	struct event event = {.kind = EVENT_COLLECTIVE,
			      .collective = (uint8_t)words->collective,
			      .peer = words->root.word ? 0 : EVENT_NOBODY};

	if (words->last.word && ti_need(reading, at(reading, words->last) - 1, err) != TR_OK)
		return TR_ERROR;
	if (words->size.word && ti_bytes(reading, at(reading, words->size), type, &event.bytes, err) != TR_OK)
		return TR_ERROR;
	if (words->counts.word && counts_of(reading, words, type, &event, err) != TR_OK)
		return TR_ERROR;
	if (root < reading->count && ti_rank(reading, root, &event.peer, err) != TR_OK)
		return TR_ERROR;
	if (put(reading, event, 0, err) != TR_OK)
		return TR_ERROR;
	if (words->compute.word && reading->input->flops_per_s.den > 0)
		return advance(reading, at(reading, words->compute), ticks_per_flop(reading), err);
	return TR_OK;
}

static const struct collective_words collectives[] = {
	{COLLECTIVE_BARRIER, {0}, {0}, {0}, {0}, {0}, {0}},
	{COLLECTIVE_BCAST, {2}, {0}, {0}, {3}, {4}, {2}},
	{COLLECTIVE_REDUCE, {2}, {0}, {3}, {4}, {5}, {3}},
	{COLLECTIVE_ALLREDUCE, {2}, {0}, {3}, {0}, {4}, {3}},
	{COLLECTIVE_SCAN, {2}, {0}, {3}, {0}, {4}, {3}},
	{COLLECTIVE_EXSCAN, {2}, {0}, {3}, {0}, {4}, {3}},
	{COLLECTIVE_ALLTOALL, {2}, {0}, {0}, {0}, {4}, {3}},
	{COLLECTIVE_ALLTOALL, {0}, {3}, {0}, {0}, {4, 2}, {3, 2}},
	{COLLECTIVE_GATHER, {2}, {0}, {0}, {4}, {5}, {3}},
	{COLLECTIVE_GATHER, {2}, {0}, {0}, {3, 1}, {4, 1}, {2, 1}},
	{COLLECTIVE_SCATTER, {3}, {0}, {0}, {4}, {6}, {3}},
	{COLLECTIVE_SCATTER, {2, 1}, {0}, {0}, {3, 1}, {5, 1}, {2, 1}},
	{COLLECTIVE_ALLGATHER, {2}, {0}, {0}, {0}, {4}, {3}},
	{COLLECTIVE_ALLGATHER, {2}, {0}, {0}, {0}, {3, 1}, {2, 1}},
	{COLLECTIVE_REDUCE_SCATTER, {0}, {2}, {2, 1}, {0}, {3, 1}, {2, 1}},
};

static const struct action {
	const char *word;
	enum tr_status (*run)(struct ti_reading *reading, struct tr_error *err); // NULL: a collective operation,
	unsigned collective;							 // this of the table
} actions[] = {
	{"compute", compute, 0},     {"send", send, 0},		{"recv", recv, 0},	    {"isend", isend, 0},
	{"irecv", irecv, 0},	     {"wait", wait_one, 0},	{"waitall", wait_all, 0},   {"init", begin, 0},
	{"finalize", nothing, 0},    {"comm_size", nothing, 0}, {"comm_split", nothing, 0}, {"comm_dup", nothing, 0},
	{"location", nothing, 0},    {"sleep", sleep_for, 0},	{"barrier", NULL, 0},	    {"bcast", NULL, 1},
	{"reduce", NULL, 2},	     {"allreduce", NULL, 3},	{"scan", NULL, 4},	    {"exscan", NULL, 5},
	{"alltoall", NULL, 6},	     {"alltoallv", NULL, 7},	{"gather", NULL, 8},	    {"gatherv", NULL, 9},
	{"scatter", NULL, 10},	     {"scatterv", NULL, 11},	{"allgather", NULL, 12},    {"allgatherv", NULL, 13},
	{"test", nothing, 0}, // whether it had ended is not said: the wait tells
	{"reducescatter", NULL, 14},
};

static const struct action *find(const char *word)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (strcasecmp(actions[i].word, word) == 0)
			return &actions[i];
	return NULL;
}

static enum tr_status read_line(struct ti_reading *reading, struct tr_error *err)
{
	const struct action *action;

	if (ti_rank(reading, 0, &reading->rank, err) != TR_OK)
		return TR_ERROR;
	if (reading->count < 2)
		return tr_lines_fail(&reading->lines, err, "expected an action after the rank, found the end of the line");
	action = find(reading->words[1]);
	if (!action)
		return ti_fail(reading, err, "an action such as send, compute or allreduce", reading->words[1]);
	return action->run ? action->run(reading, err) : collective(reading, &collectives[action->collective], err);
}

// ---- files

static bool begins_with_digit(const char *line)
{
	line += strspn(line, " \t");
	return *line >= '0' && *line <= '9' && line[strspn(line, "0123456789")] == ' ';
}

// A file of actions, or a list of such files, one a line.
static enum tr_status gather_file(const struct foreign_input *input, const char *path, struct file_list *list, uint64_t *ranks,
				  struct tr_error *err)
{
	struct tr_lines lines = {0};
	enum tr_status status = input->open(input->context, NULL, path, &lines.source, err);
	bool actions_here = false, first = true;
	char *line;

	if (status != TR_OK)
		return status;
	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK) {
		line += strspn(line, " \t");
		if (!*line || *line == '#')
			continue;
		actions_here = first ? begins_with_digit(line) : actions_here;
		first = false;
		if (actions_here) {
			uint64_t rank = strtoull(line, NULL, 10);

			*ranks = rank >= *ranks && rank < EVENTS_RANKS_MAX ? rank + 1 : *ranks;
		} else if (!file_list_add(list, line)) {
			status = tr_no_memory(err, "names of files");
			break;
		}
	}
	if (status == TR_END)
		status = !first && !actions_here     ? TR_OK
			 : file_list_add(list, path) ? TR_OK
						     : tr_no_memory(err, "names of files");
	tr_lines_clear(&lines);
	tr_source_close(lines.source);
	return status;
}

static enum tr_status read_file(struct ti_reading *reading, const char *path, struct tr_error *err)
{
	enum tr_status status;
	char *line;

	reading->lines = (struct tr_lines){0};
	status = reading->input->open(reading->input->context, reading->input->paths[0], path, &reading->lines.source, err);
	if (status != TR_OK)
		return status;
	while ((status = tr_lines_next(&reading->lines, &line, err)) == TR_OK)
		if (*line != '#' && ti_split(reading, line) && read_line(reading, err) != TR_OK) {
			status = TR_ERROR;
			break;
		}
	tr_lines_clear(&reading->lines);
	tr_source_close(reading->lines.source);
	return status == TR_END ? TR_OK : status;
}

static enum tr_status read_files(struct ti_reading *reading, const struct file_list *list, uint64_t ranks, struct tr_error *err)
{
	enum tr_status status = events_open(reading->events, (uint32_t)(ranks ? ranks : 1), TI_TICKS_PER_S, err);

	reading->clocks = calloc(ranks ? ranks : 1, sizeof(*reading->clocks));
	reading->words = calloc(TI_WORDS_MAX, sizeof(*reading->words));
	if (status == TR_OK && (!reading->clocks || !reading->words))
		status = tr_no_memory(err, "%" PRIu64 " ranks", ranks);
	reading->events->computed = true;
	for (uint64_t rank = 0; status == TR_OK && rank < ranks; rank++)
		reading->clocks[rank].type = TI_BYTE;
	for (size_t i = 0; status == TR_OK && i < list->count; i++)
		status = read_file(reading, list->paths[i], err);
	for (uint64_t rank = 0; reading->clocks && rank < ranks; rank++)
		free(reading->clocks[rank].pending);
	free(reading->clocks);
	free(reading->words);
	return status == TR_OK ? events_finish(reading->events, err) : status;
}

static enum tr_status read_trace(const struct foreign_input *input, struct events *events, struct tr_error *err)
{
	struct ti_reading reading = {.input = input, .events = events};
	struct file_list list = {0};
	enum tr_status status = TR_OK;
	uint64_t ranks = 0;

	memset(events, 0, sizeof(*events));
	for (size_t i = 0; status == TR_OK && i < input->count; i++)
		status = gather_file(input, input->paths[i], &list, &ranks, err);
	if (status == TR_OK && list.count > ranks)
		ranks = list.count;
	if (status == TR_OK && ranks > EVENTS_RANKS_MAX)
		status = tr_fail(err, "%" PRIu64 " files of ranks; expected at most %u", ranks, EVENTS_RANKS_MAX);
	if (status == TR_OK)
		status = read_files(&reading, &list, ranks, err);
	file_list_clear(&list);
	return status;
}

// "0 init", or a list of files called .txt.
static bool claims(struct tr_source *source)
{
	const uint8_t *data;
	size_t got = 0, end = 0, word;

	if (tr_source_peek(source, 512, &data, &got, NULL) == TR_ERROR || got == 0)
		return false;
	while (end < got && data[end] >= '0' && data[end] <= '9')
		end++;
	if (end > 0 && end + 1 < got && data[end] == ' ') {
		char text[24] = "";

		word = end + 1;
		for (end = word; end < got && end - word < sizeof(text) - 1 && data[end] > ' '; end++)
			text[end - word] = (char)data[end];
		return find(text);
	}
	for (end = 0; end < got && data[end] > ' ' && data[end] != ',' && data[end] < 0x7f;)
		end++;
	return end > 4 && memcmp(data + end - 4, ".txt", 4) == 0 && (end == got || data[end] == '\n');
}

const struct foreign_format foreign_ti = {
	"ti", "SimGrid's time-independent traces: the files of the ranks, one file of all, or a list of files", claims,
	read_trace};
