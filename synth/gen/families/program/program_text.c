// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a parallel program: reading and writing (man/flit-model.5).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_collective.h"
#include "gen/families/program/program_model.h"
#include "gen/model_field.h"
#include "value/num.h"

#define SECONDS_MAX 1e9
#define PIECE_MAX 1e9 // bytes of a packet or of a protocol's part

#define AT(member) offsetof(struct program_model, member)
#define TIMES(member) MODEL_TIME, AT(member), false, 0, SECONDS_MAX, NULL
#define BYTES(member) MODEL_SIZE, AT(member), false, 0, PIECE_MAX, NULL
static const struct opt_choice joins_words[] = {{"apart", 0}, {"joined", 1}, {NULL, 0}};
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, PROGRAM_NODES_MAX, NULL},
	{"problem", MODEL_REAL, AT(problem), false, 1e-9, 1e18, NULL},
	{"iterations", MODEL_COUNT, AT(iterations), false, 1, 1e12, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, SECONDS_MAX, NULL},
	{"silence", TIMES(silence_s)},
	LAW_FIELDS("silence"),
	{"segment", MODEL_SIZE, AT(flow.segment_B), false, 1, PIECE_MAX, NULL},
	{"header", BYTES(flow.header_B)},
	{"pace", MODEL_TIME, AT(flow.pace_s), true, 1e-12, SECONDS_MAX, NULL},
	{"burst", MODEL_SIZE, AT(flow.burst_B), false, 0, PIECE_MAX, NULL},
	{"pairs", MODEL_SHARE, AT(flow.pairs), false, 0, 0.5, NULL},
	{"pair-gap", TIMES(flow.pair_gap_s)},
	{"stalls", MODEL_SHARE, AT(flow.stalls), false, 0, PROGRAM_STALLS_MAX, NULL},
	{"stall", TIMES(flow.stall_s)},
	{"stall-after", MODEL_SIZE, AT(flow.stall_after_B), false, 0, PIECE_MAX, NULL},
	{"acks", MODEL_REAL, AT(flow.acks), false, 0, 10, NULL},
	{"ack-delay", TIMES(flow.ack_s)},
	{"back-to-back", MODEL_WORD, AT(flow.joins), false, 0, 0, joins_words},
	{"envelope", BYTES(flow.envelope_B)},
	{"eager", MODEL_SIZE, AT(flow.eager_B), false, 0, 1e18, NULL},
	{"request", BYTES(flow.request_B)},
	{"grant", BYTES(flow.grant_B)},
	{"end", BYTES(flow.end_B)},
	{"turn", TIMES(flow.turn_s)},
	LAW_FIELDS("turn"),
	{"take", TIMES(flow.take_s)},
	{"lag", TIMES(flow.lag_s)},
	{"look", TIMES(flow.look_s)},
	LAW_FIELDS("look"),
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

static const struct opt_choice after_words[] = {{"all", PROGRAM_AFTER_ALL},
						{"begin", PROGRAM_AFTER_BEGIN},
						{"peer", PROGRAM_AFTER_PEER},
						{"send", PROGRAM_AFTER_SEND},
						{NULL, 0}};
static const struct opt_choice order_words[] = {{"in-turn", PROGRAM_IN_TURN},
						{"in-sequence", PROGRAM_IN_SEQUENCE},
						{"at-once", PROGRAM_AT_ONCE},
						{NULL, 0}};
static const struct opt_choice edge_words[] = {{"periodic", 0}, {"open", 1}, {NULL, 0}};
static const struct opt_choice along_words[] = {{"both", PROGRAM_ALONG_BOTH},
						{"rows", PROGRAM_ALONG_ROWS},
						{"columns", PROGRAM_ALONG_COLUMNS},
						{NULL, 0}};
static const char *const rounds_words[PROGRAM_ROUNDS_LAWS] = {
	[PROGRAM_ROUNDS] = "",
	[PROGRAM_ROUNDS_OTHERS] = "(p-1)",
	[PROGRAM_ROUNDS_PARTS_OTHERS] = "(p-1)/p",
	[PROGRAM_ROUNDS_PARTS] = "/p"};
static const struct opt_choice direction_words[] = {{"up", 0},
						    {"down", 1},
						    {"up-down", 2},
						    {"down-up", 3},
						    {NULL, 0}};
static const struct opt_choice bytes_of_words[] = {{"message", 0}, {"side", 1}, {NULL, 0}};

struct phase_keys {
	int after, order, edges, direction, along, bytes_of;
};

#define AT(member) offsetof(struct phase_keys, member)
static const struct model_field phase_fields[] = {
	{"pattern", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"collective", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"pair", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"grid", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"edges", MODEL_WORD, AT(edges), false, 0, 0, edge_words},
	{"along", MODEL_WORD, AT(along), false, 0, 0, along_words},
	{"direction", MODEL_WORD, AT(direction), false, 0, 0, direction_words},
	{"rounds", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"window", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bytes", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"bytes-of", MODEL_WORD, AT(bytes_of), false, 0, 0, bytes_of_words},
	{"after", MODEL_WORD, AT(after), false, 0, 0, after_words},
	{"order", MODEL_WORD, AT(order), false, 0, 0, order_words},
	{"compute", MODEL_REPEATED, 0, false, 0, 0, NULL},
	LAW_FIELDS("compute"),
	{"between", MODEL_REPEATED, 0, false, 0, 0, NULL},
	LAW_FIELDS("between"),
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "p^-1", "N^2", "p": adds its exponent to the power's. False: it is none.
static bool take_factor(const char *word, struct program_power *power)
{
	double *exponent = *word == 'p'	  ? &power->p_exponent
			   : *word == 'N' ? &power->n_exponent
					  : NULL;
	char *end;
	double value = 1;

	if (!exponent)
		return false;
	if (word[1] == '^') {
		value = strtod(word + 2, &end);
		if (end == word + 2 || *end || !(fabs(value) <= 16) ||
		    !strchr("-0123456789.", word[2]))
			return false;
	} else if (word[1]) {
		return false;
	}
	*exponent += value;
	return true;
}

// "8 B N^2 p^-1".
static enum tr_status get_power(const struct model *model, const struct model_entry *entry,
				enum model_type type, struct program_power *out,
				struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *factor;
	struct tr_error why = {""};

	*out = (struct program_power){.a = 0};
	if (!entry)
		return TR_OK;
	(void)snprintf(text, sizeof(text), "%s", entry->value);
	while ((factor = strrchr(text, ' ')) && take_factor(factor + 1, out))
		*factor = '\0';
	if (model_value(type, text, &out->a, &why) != TR_OK)
		return model_fail_for(model, entry, err, &why, entry->key);
	if (!(out->a >= 0 && out->a <= 1e18))
		return model_fail(model, entry, err, "%s: expected 0 or more", entry->key);
	return TR_OK;
}

static enum tr_status program_text_get_pattern(const struct model *model,
					       struct program_phase *phase, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, phase->name, "pattern");
	const struct model_entry *collective = model_find(model, phase->name, "collective");
	char known[200] = "";
	struct tr_error why;

	if (!entry == !collective)
		return model_fail(model, model_find_section(model, phase->name), err,
				  "[%s]: expected one of the keys pattern and collective",
				  phase->name);
	if (collective) {
		phase->pattern = &program_collective_pattern;
		if (program_collective_check(collective->value, &why) != TR_OK)
			return model_fail_for(model, collective, err, &why, "collective");
		phase->collective = strdup(collective->value);
		return phase->collective ? TR_OK : model_no_memory(model, err);
	}
	for (size_t i = 0; program_patterns[i]; i++) {
		if (strcmp(program_patterns[i]->name, entry->value) == 0) {
			phase->pattern = program_patterns[i];
			return TR_OK;
		}
		strncat(known, " ", sizeof(known) - strlen(known) - 1);
		strncat(known, program_patterns[i]->name, sizeof(known) - strlen(known) - 1);
	}
	return model_fail(model, entry, err, "unknown pattern \"%.40s\"; expected one of%s",
			  entry->value, known);
}

static enum tr_status program_text_get_pairs(const struct model *model, struct program_phase *phase,
					     struct tr_error *err)
{
	const struct model_entry *entry = NULL;
	const unsigned count = model_count(model, phase->name, "pair");

	if ((count > 0) != (strcmp(phase->pattern->name, "pairs") == 0))
		return model_fail(
			model, model_find_section(model, phase->name), err,
			"[%s]: the pattern pairs and lines \"pair FROM TO\" belong together",
			phase->name);
	phase->pairs = calloc(count + 1, sizeof(*phase->pairs));
	if (!phase->pairs)
		return model_no_memory(model, err);
	while ((entry = model_next(model, phase->name, "pair", entry))) {
		char text[MODEL_LINE_MAX + 1], *rest = text;
		struct tr_error why;
		uint64_t ends[2];

		(void)snprintf(text, sizeof(text), "%s", entry->value);
		for (unsigned i = 0; i < 2; i++) {
			const char *word = strsep(&rest, " ");

			if (!word || num_parse_count(word, 0, PROGRAM_NODES_MAX - 1, &ends[i],
						     &why) != TR_OK)
				return model_fail(model, entry, err,
						  "pair: expected two ranks, as \"pair 0 3\"");
		}
		if (rest || ends[0] == ends[1])
			return model_fail(model, entry, err,
					  "pair: expected two different ranks, as \"pair 0 3\"");
		phase->pairs[phase->pair_count++] = (struct program_pair){.src = (uint32_t)ends[0],
									  .dst = (uint32_t)ends[1]};
	}
	return TR_OK;
}

// A number by a law of the nodes; as it was if there is none.
static enum tr_status get_number_by(const struct model *model, const char *section, const char *key,
				    uint32_t *number, int *by, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, section, key);
	char text[MODEL_LINE_MAX + 1];
	uint64_t value;
	struct tr_error why;
	size_t digits;

	if (!entry)
		return TR_OK;
	(void)snprintf(text, sizeof(text), "%s",
		       strcmp(entry->value, "p-1") ? entry->value : "1(p-1)");
	digits = strspn(text, "0123456789");
	while (*by < PROGRAM_ROUNDS_LAWS && strcmp(text + digits, rounds_words[*by]) != 0)
		(*by)++;
	text[digits] = '\0';
	if (*by == PROGRAM_ROUNDS_LAWS ||
	    num_parse_count(text, 1, PROGRAM_MESSAGES_MAX, &value, &why) != TR_OK)
		return model_fail(model, entry, err,
				  "%s: expected 1 to %u, p-1, or as 2(p-1), 8/p or 8(p-1)/p", key,
				  PROGRAM_MESSAGES_MAX);
	*number = (uint32_t)value;
	return TR_OK;
}

// "grid 4x2".
static enum tr_status get_grid(const struct model *model, struct program_phase *phase,
			       struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, phase->name, "grid");
	char text[64], *columns = NULL;
	uint64_t sides[2];
	struct tr_error why;

	if (!entry)
		return TR_OK;
	(void)snprintf(text, sizeof(text), "%s", entry->value);
	columns = strchr(text, 'x');
	if (columns)
		*columns++ = '\0';
	if (!columns || num_parse_count(text, 1, PROGRAM_NODES_MAX, &sides[0], &why) != TR_OK ||
	    num_parse_count(columns, 1, PROGRAM_NODES_MAX, &sides[1], &why) != TR_OK)
		return model_fail(model, entry, err, "grid: expected rows and columns, as 4x2");
	phase->grid[0] = (uint32_t)sides[0];
	phase->grid[1] = (uint32_t)sides[1];
	return TR_OK;
}

static enum tr_status get_time(const struct model *model, const char *section, const char *key,
			       struct program_time *out, struct tr_error *err)
{
	out->law.name = LAW_CONSTANT;
	return get_power(model, model_find(model, section, key), MODEL_TIME, &out->mean_s, err) ==
			       TR_OK
		       ? law_get(model, section, key, LAW_TIMES, &out->law, err)
		       : TR_ERROR;
}

static enum tr_status get_phase(const struct model *model, const char *name,
				struct program_phase *phase, struct tr_error *err)
{
	struct phase_keys keys = {.order = -1};

	phase->name = strdup(name);
	if (!phase->name)
		return model_no_memory(model, err);
	phase->rounds = 1;
	if (model_get(model, name, phase_fields, &keys, err) != TR_OK ||
	    program_text_get_pattern(model, phase, err) != TR_OK ||
	    program_text_get_pairs(model, phase, err) != TR_OK ||
	    get_number_by(model, name, "rounds", &phase->rounds, &phase->rounds_by, err) != TR_OK ||
	    get_number_by(model, name, "window", &phase->window, &phase->window_by, err) != TR_OK ||
	    get_grid(model, phase, err) != TR_OK ||
	    get_power(model, model_find(model, name, "bytes"), MODEL_SIZE, &phase->bytes, err) !=
		    TR_OK ||
	    get_time(model, name, "compute", &phase->compute, err) != TR_OK ||
	    get_time(model, name, "between", &phase->between, err) != TR_OK)
		return TR_ERROR;
	phase->after = keys.after;
	phase->order = keys.order < 0 ? phase->pattern->order : keys.order;
	phase->open = keys.edges == 1;
	phase->along = keys.along;
	phase->down = keys.direction % 2 == 1;
	phase->turned = keys.direction > 1;
	phase->split = keys.bytes_of == 1;
	if ((phase->turned || phase->split) && phase->pattern != &program_patterns_sweep)
		return model_fail(model, model_find_section(model, name), err,
				  "[%s]: only a sweep has bytes of a side, and two directions",
				  name);
	if (phase->window > 0 && phase->order != PROGRAM_IN_SEQUENCE)
		return model_fail(model, model_find(model, name, "window"), err,
				  "window: only messages of \"order in-sequence\" have one");
	return TR_OK;
}

static enum tr_status get_phases(const struct model *model, struct program_model *out,
				 struct tr_error *err)
{
	if (model->sections == 0)
		return model_fail(model, NULL, err,
				  "expected a section for each phase of the program");
	if (model->sections > PROGRAM_PHASES_MAX)
		return model_fail(model, NULL, err, "more than %u phases", PROGRAM_PHASES_MAX);
	out->phases = calloc(model->sections, sizeof(*out->phases));
	if (!out->phases)
		return model_no_memory(model, err);
	for (size_t i = 0; i < model->count; i++)
		if (model->entries[i].kind == MODEL_SECTION &&
		    get_phase(model, model->entries[i].key, &out->phases[out->phase_count++],
			      err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Pairs of packets are no slower than others, and the program ends.
static enum tr_status program_text_check(const struct model *model,
					 const struct program_model *program, struct tr_error *err)
{
	if (program->flow.pair_gap_s >= program->flow.pace_s)
		return model_fail(model, model_find(model, "", "pair-gap"), err,
				  "pair-gap: expected less than pace");
	if (!model_find(model, "", "iterations") && !model_find(model, "", "duration"))
		return model_fail(model, NULL, err,
				  "expected one of the keys iterations and duration");
	return TR_OK;
}

enum tr_status program_model_get(const struct model *text, struct program_model *out,
				 struct tr_error *err)
{
	*out = (struct program_model){.problem = 1,
				      .silence.name = LAW_CONSTANT,
				      .flow = {.segment_B = 1460,
					       .header_B = 54,
					       .eager_B = INFINITY,
					       .turn.name = LAW_CONSTANT,
					       .look.name = LAW_CONSTANT}};
	if (model_get(text, "", fields, out, err) == TR_OK &&
	    law_get(text, "", "silence", LAW_TIMES, &out->silence, err) == TR_OK &&
	    law_get(text, "", "turn", LAW_TIMES, &out->flow.turn, err) == TR_OK &&
	    law_get(text, "", "look", LAW_TIMES, &out->flow.look, err) == TR_OK &&
	    get_phases(text, out, err) == TR_OK && program_text_check(text, out, err) == TR_OK) {
		out->flow.segment_B = floor(out->flow.segment_B + 0.5);
		return TR_OK;
	}
	program_model_clear(out);
	return TR_ERROR;
}

// ---- Writing. Quantities that are zero or as usual are left out.

// Adds these keys, separated by blanks, of the part before the phases; zeros: also those at 0.
static void put_keys(struct model *text, const struct program_model *model, bool zeros,
		     const char *keys)
{
	char number[MODEL_NUMBER_BYTES];

	for (size_t bytes; (bytes = strcspn(keys, " ")) > 0; keys += bytes + (keys[bytes] == ' ')) {
		const struct model_field *field = fields;
		double value;

		while (strncmp(field->key, keys, bytes) != 0 || field->key[bytes])
			field++;
		memcpy(&value, (const char *)model + field->offset, sizeof(value));
		if (zeros || value > 0)
			model_key(text, field->key, model_format(field->type, value, number), NULL);
	}
}

static void put_power(struct model *text, const char *key, enum model_type type,
		      const struct program_power *power)
{
	char number[MODEL_NUMBER_BYTES], value[2 * MODEL_NUMBER_BYTES];
	size_t end = (size_t)snprintf(value, sizeof(value), "%s",
				      model_format(type, power->a, number));

	if (power->n_exponent != 0)
		end += (size_t)snprintf(value + end, sizeof(value) - end, " N^%.6g",
					power->n_exponent);
	if (power->p_exponent != 0)
		(void)snprintf(value + end, sizeof(value) - end, " p^%.6g", power->p_exponent);
	model_key(text, key, value, NULL);
}

static void program_text_put_time(struct model *text, const char *key,
				  const struct program_time *time)
{
	if (!(time->mean_s.a > 0))
		return;
	put_power(text, key, MODEL_TIME, &time->mean_s);
	law_put(text, key, LAW_TIMES, &time->law, LAW_CONSTANT);
}

static void put_number_by(struct model *text, const char *key, uint32_t number, int by)
{
	char value[64];

	(void)snprintf(value, sizeof(value), "%u%s", number, rounds_words[by]);
	model_key(text, key, strcmp(value, "1(p-1)") == 0 ? "p-1" : value, NULL);
}

static void put_phase(struct model *text, const struct program_phase *phase, const char *note)
{
	char value[64];

	model_blank(text);
	model_section(text, phase->name, note);
	if (phase->collective)
		model_key(text, "collective", phase->collective,
			  schedule_kind(phase->collective)->summary);
	else
		model_key(text, "pattern", phase->pattern->name, phase->pattern->what);
	for (uint32_t i = 0; i < phase->pair_count; i++) {
		(void)snprintf(value, sizeof(value), "%u %u", phase->pairs[i].src,
			       phase->pairs[i].dst);
		model_key(text, "pair", value, NULL);
	}
	if (phase->grid[0] > 0) {
		(void)snprintf(value, sizeof(value), "%ux%u", phase->grid[0], phase->grid[1]);
		model_key(text, "grid", value, NULL);
	}
	if (phase->open)
		model_key(text, "edges", "open", NULL);
	if (phase->along != PROGRAM_ALONG_BOTH)
		model_key(text, "along", model_word_of(along_words, phase->along), NULL);
	if (phase->down || phase->turned)
		model_key(text, "direction", direction_words[phase->down + 2 * phase->turned].word,
			  NULL);
	if (phase->rounds != 1 || phase->rounds_by != PROGRAM_ROUNDS)
		put_number_by(text, "rounds", phase->rounds, phase->rounds_by);
	if (phase->window > 0)
		put_number_by(text, "window", phase->window, phase->window_by);
	put_power(text, "bytes", MODEL_SIZE, &phase->bytes);
	if (phase->split)
		model_key(text, "bytes-of", "side", NULL);
	model_key(text, "after", model_word_of(after_words, phase->after), NULL);
	if (phase->order != phase->pattern->order)
		model_key(text, "order", model_word_of(order_words, phase->order), NULL);
	program_text_put_time(text, "compute", &phase->compute);
	program_text_put_time(text, "between", &phase->between);
}

void program_model_put(struct model *text, const struct program_model *model,
		       const char *const *notes)
{
	char number[MODEL_NUMBER_BYTES];

	model_key(text, "family", "program", NULL);
	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)model->nodes);
	model_key(text, "nodes", number, "p");
	if (model->problem != 1)
		model_key(text, "problem", model_format(MODEL_REAL, model->problem, number), "N");
	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)model->iterations);
	if (model->iterations > 0)
		model_key(text, "iterations", number, NULL);
	put_keys(text, model, false, "duration");
	if (model->silence_s > 0) {
		model_key(text, "silence", model_format(MODEL_TIME, model->silence_s, number),
			  "between iterations");
		law_put(text, "silence", LAW_TIMES, &model->silence, LAW_CONSTANT);
	}
	put_keys(text, model, true, "segment header");
	model_key(text, "pace", model_format(MODEL_TIME, model->flow.pace_s, number),
		  "from one full packet to the next");
	put_keys(text, model, false,
		 "burst pairs pair-gap stalls stall stall-after acks ack-delay envelope");
	if (model->flow.joins)
		model_key(text, "back-to-back", "joined", "to one receiver, in its port");
	if (isfinite(model->flow.eager_B)) {
		model_key(text, "eager", model_format(MODEL_SIZE, model->flow.eager_B, number),
			  "larger messages by rendezvous");
		put_keys(text, model, true, "request grant");
		put_keys(text, model, false, "end turn");
		if (model->flow.turn_s > 0)
			law_put(text, "turn", LAW_TIMES, &model->flow.turn, LAW_CONSTANT);
	}
	put_keys(text, model, false, "take lag look");
	if (model->flow.look_s > 0)
		law_put(text, "look", LAW_TIMES, &model->flow.look, LAW_CONSTANT);
	for (uint32_t i = 0; i < model->phase_count; i++)
		put_phase(text, &model->phases[i], notes ? notes[i] : NULL);
}
