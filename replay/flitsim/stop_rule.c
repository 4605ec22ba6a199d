// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/workload.h"
#include "stream/record.h"
#include "value/num.h"
#include "value/processors.h"

#define BLANKS " \t"

static const char *const kind_names[] = {[RUN_MEAN_LATENCY] = "latency",
					 [RUN_MEAN_THROUGHPUT] = "throughput",
					 [RUN_MEAN_CARRIED] = "carried"};

const struct opt_choice stop_words[] = {
	{"time", 0, "time TIME: at this simulated time"},
	{"worms", 0, "worms N: when this many are delivered"},
	{"bytes", 0, "bytes SIZE: when this much data is delivered"},
	{"workload", 0, "workload rc:N or vr:N: when the data of an FFT is delivered"},
	{"latency", 0, "[CLASS] latency PERCENT: when its mean is known to PERCENT"},
	{"throughput", 0, "[CLASS] throughput PERCENT: when the mean throughput of worms is"},
	{"carried", 0, "[CLASS] carried PERCENT: when the bytes delivered per time are"},
	{NULL, 0},
};

static bool parse_class(struct run_mean *mean, const char *word)
{
	if (strcmp(word, "data") == 0)
		mean->class = TR_CLASS_DATA;
	else if (strcmp(word, "overhead") == 0)
		mean->class = TR_CLASS_OVERHEAD;
	else
		return strcmp(word, "all") == 0;
	return true;
}

static bool parse_kind(struct run_mean *mean, const char *word)
{
	for (size_t i = 0; i < sizeof(kind_names) / sizeof(*kind_names); i++)
		if (word && strcmp(word, kind_names[i]) == 0) {
			mean->kind = (enum run_mean_kind)i;
			return true;
		}
	return false;
}

enum tr_status run_mean_parse(struct run_mean *mean, const char *text, struct tr_error *err)
{
	char copy[80], words[80];
	char *rest = NULL;
	const char *word;
	struct num_ratio percent;

	*mean = (struct run_mean){.class = RUN_MEAN_ALL};
	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return tr_fail(err, "\"%.40s...\" is too long", text);
	word = strtok_r(copy, BLANKS, &rest);
	if (word && parse_class(mean, word))
		word = strtok_r(NULL, BLANKS, &rest);
	if (!parse_kind(mean, word))
		return tr_fail(err,
			       "\"%s\" is not like 'latency 1%%' or 'data throughput 0.5%%', and "
			       "begins with none of %s",
			       text, opt_words(stop_words, words, sizeof(words)));
	word = strtok_r(NULL, BLANKS, &rest);
	if (!word || strtok_r(NULL, BLANKS, &rest))
		return tr_fail(err, "\"%s\": expected one share after %s, such as 1%%", text,
			       kind_names[mean->kind]);
	if (num_parse(word, NUM_PLAIN, &percent, err) != TR_OK)
		return TR_ERROR;
	mean->percent = 100 * num_value(percent);
	if (!(mean->percent > 0 && mean->percent < 100))
		return tr_fail(err, "\"%s\": expected above 0 and below 100 %%", text);
	return TR_OK;
}

const char *run_mean_name(const struct run_mean *mean, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s%s",
		 mean->class == TR_CLASS_DATA	    ? "data "
		 : mean->class == TR_CLASS_OVERHEAD ? "overhead "
						    : "",
		 kind_names[mean->kind]);
	return out;
}

// The time before the first delivery belongs to no worm.
static void stop_rule_add_carried(struct run_mean *mean, const struct outcome *outcome)
{
	if (mean->begun) {
		steady_add(&mean->samples, outcome->time_ticks - mean->last_ticks);
		steady_add(&mean->sizes_mB, (int64_t)outcome->size_bytes * 1000);
	}
	mean->last_ticks = outcome->time_ticks;
	mean->begun = true;
}

bool run_mean_add(struct run_mean *mean, const struct outcome *outcome)
{
	if (outcome->status != TR_DELIVERED ||
	    (mean->class != RUN_MEAN_ALL && mean->class != outcome->class))
		return false;
	switch (mean->kind) {
	case RUN_MEAN_LATENCY:
		steady_add(&mean->samples, outcome->time_ticks - outcome->created_ticks);
		break;
	case RUN_MEAN_THROUGHPUT:
		if (outcome->time_ticks > outcome->started_ticks)
			steady_add(&mean->samples, outcome_worm_mBps(outcome, mean->ticks_per_s));
		break;
	case RUN_MEAN_CARRIED: stop_rule_add_carried(mean, outcome); break;
	}
	return true;
}

struct known_mean run_mean_get(const struct run_mean *mean, uint64_t skip, double level)
{
	if (mean->kind == RUN_MEAN_CARRIED)
		return steady_ratio(&mean->sizes_mB, &mean->samples, skip, level);
	return steady_mean(&mean->samples, skip, level);
}

#define CONDITION_BYTES 100u

void stop_rule_start(struct stop_rule *rule)
{
	*rule = (struct stop_rule){.worms_left = UINT64_MAX,
				   .bytes_left = UINT64_MAX,
				   .next_look = STOP_LEAST_SAMPLES,
				   .level = .95};
}

static enum tr_status read_worms(struct stop_rule *rule, const char *value, struct tr_error *err)
{
	if (rule->worms_left != UINT64_MAX)
		return tr_fail(err, "worms is given twice");
	return num_parse_count(value, 1, UINT64_MAX - 1, &rule->worms_left, err);
}

static enum tr_status stop_rule_read_bytes(struct stop_rule *rule, const char *value,
					   struct tr_error *err)
{
	struct num_ratio size_B;

	if (num_parse(value, NUM_SIZE, &size_B, err) != TR_OK)
		return TR_ERROR;
	if (size_B.den != 1 || size_B.num < 1)
		return tr_fail(err, "bytes: expected a whole number of bytes, 1 or more");
	rule->bytes_left = (uint64_t)size_B.num;
	return TR_OK;
}

static enum tr_status read_time(struct stop_rule *rule, const char *value, struct tr_error *err)
{
	if (rule->has_time)
		return tr_fail(err, "time is given twice");
	rule->has_time = true;
	if (num_parse(value, NUM_TIME, &rule->time_s, err) != TR_OK)
		return TR_ERROR;
	return rule->time_s.num < 0 ? tr_fail(err, "time: expected a time of at least 0") : TR_OK;
}

static enum tr_status read_condition(struct stop_rule *rule, const char *text, uint32_t hosts,
				     struct tr_error *err)
{
	const size_t length = strcspn(text, " ");
	const char *value = text + length + strspn(text + length, " ");
	const bool bytes = length == 5 && strncmp(text, "bytes", 5) == 0;
	const bool workload = length == 8 && strncmp(text, "workload", 8) == 0;

	if (length == 5 && strncmp(text, "worms", 5) == 0)
		return read_worms(rule, value, err);
	if (length == 4 && strncmp(text, "time", 4) == 0)
		return read_time(rule, value, err);
	if ((bytes || workload) && rule->bytes_left != UINT64_MAX)
		return tr_fail(err, "bytes or workload is given twice");
	if (bytes)
		return stop_rule_read_bytes(rule, value, err);
	if (workload)
		return workload_bytes(value, hosts, &rule->bytes_left, err);
	if (rule->mean.percent != 0)
		return tr_fail(err, "\"%s\": a mean is already given", text);
	return run_mean_parse(&rule->mean, text, err);
}

// Copies the condition at *text to out ("" at the end); the "and" or "or" after it goes to *joint.
static enum tr_status next_condition(const char **text, char *out, char *joint,
				     struct tr_error *err)
{
	const char *at = *text + strspn(*text, " ");
	size_t used = 0;

	for (*joint = *out = '\0'; *at != '\0' && *joint == '\0';) {
		const size_t length = strcspn(at, " ");

		if ((length == 2 && strncmp(at, "or", 2) == 0) ||
		    (length == 3 && strncmp(at, "and", 3) == 0))
			snprintf(joint, 4, "%.*s", (int)length, at);
		else
			used += (size_t)snprintf(out + used, CONDITION_BYTES - used, "%s%.*s",
						 used > 0 ? " " : "", (int)length, at);
		if (used >= CONDITION_BYTES)
			return tr_fail(err, "\"%.40s...\" is too long", *text);
		at += length;
		at += strspn(at, " ");
	}
	*text = at;
	for (char *sign = out; (sign = strchr(sign, '=')) != NULL;)
		*sign = ' ';
	return *out != '\0' && (*joint == '\0' || *at != '\0')
		       ? TR_OK
		       : tr_fail(err, "expected a condition, such as 'worms 1000'");
}

enum tr_status stop_rule_read(struct stop_rule *rule, const char *text, uint32_t hosts,
			      struct tr_error *err)
{
	char condition[CONDITION_BYTES];
	char joint[4] = "or", joints[4] = "";

	while (*joint != '\0') {
		if (next_condition(&text, condition, joint, err) != TR_OK ||
		    read_condition(rule, condition, hosts, err) != TR_OK)
			return TR_ERROR;
		if (*joint != '\0' && *joints != '\0' && strcmp(joint, joints) != 0)
			return tr_fail(err, "either \"and\" or \"or\" joins all conditions");
		if (*joint != '\0')
			memcpy(joints, joint, sizeof(joints));
	}
	rule->all = strcmp(joints, "and") == 0;
	return rule->all && rule->has_time
		       ? tr_fail(err, "time ends a run whatever else holds: join it by \"or\"")
		       : TR_OK;
}

static bool stop_rule_known(const struct stop_rule *rule)
{
	const struct steady *samples = &rule->mean.samples;
	bool settled = true;
	uint64_t skip = rule->settles ? steady_begin(samples, &settled) : 0;
	const struct known_mean now = run_mean_get(&rule->mean, skip, rule->level);
	double half = (now.interval.hi - now.interval.lo) / 2;

	return settled && half * 100 <= rule->mean.percent * fabs(now.mean); // false for NaN
}

static void look_at_mean(struct stop_rule *rule, const struct outcome *outcome)
{
	uint64_t n;

	if (rule->mean.percent == 0 || !run_mean_add(&rule->mean, outcome))
		return;
	n = rule->mean.samples.n;
	if (n < rule->next_look)
		return;
	rule->next_look = n + n / 10;
	rule->mean_known = stop_rule_known(rule);
}

// Evaluates each bound that is set, in the order of their causes.
static void stop_rule_look(const struct stop_rule *rule, bool *set, bool *holds)
{
	set[STOP_WORMS] = rule->worms_left != UINT64_MAX;
	holds[STOP_WORMS] = rule->worms_left == 0;
	set[STOP_BYTES] = rule->bytes_left != UINT64_MAX;
	holds[STOP_BYTES] = rule->bytes_left == 0;
	set[STOP_MEAN] = rule->mean.percent != 0;
	holds[STOP_MEAN] = rule->mean_known;
}

// Whether what is counted may end the run.
static bool stop_rule_counts(const struct stop_rule *rule)
{
	bool set[STOP_CAUSES] = {false}, holds[STOP_CAUSES] = {false}, any = false;

	stop_rule_look(rule, set, holds);
	for (unsigned i = STOP_WORMS; i < STOP_CAUSES; i++)
		any = any || set[i];
	return any;
}

enum tr_status sim_threads(const struct sim_options *options, const struct stop_rule *rule,
			   uint32_t *threads, struct tr_error *err)
{
	const char *text = getenv("FLIT_THREADS");
	uint64_t count = options->run.threads;

	if (count == 0 && text && num_parse_count(text, 1, THREADS_MOST, &count, err) != TR_OK)
		return tr_fail_in(err, "FLIT_THREADS");
	if (count == 0)
		count = processors_allowed();
	*threads = stop_rule_counts(rule) ? 0 : (uint32_t)count;
	return TR_OK;
}

// The bound that ends the run now: the first that holds; or, if all must hold, the one that did not
// before.
static enum stop_cause stop_rule_find_cause(const struct stop_rule *rule, const bool *held)
{
	bool set[STOP_CAUSES] = {false}, holds[STOP_CAUSES] = {false};
	enum stop_cause cause = STOP_NONE;

	stop_rule_look(rule, set, holds);
	for (unsigned i = STOP_WORMS; i < STOP_CAUSES; i++) {
		if (set[i] && !holds[i] && rule->all)
			return STOP_NONE;
		if (set[i] && holds[i] && (rule->all ? !held[i] : cause == STOP_NONE))
			cause = i;
	}
	return cause;
}

static void stop_rule_take(uint64_t *left, uint64_t amount)
{
	if (*left != UINT64_MAX)
		*left = *left > amount ? *left - amount : 0;
}

enum tr_status stop_rule_add(struct stop_rule *rule, const struct outcome *outcome, bool measured)
{
	bool set[STOP_CAUSES], held[STOP_CAUSES] = {false};

	if (rule->cause != STOP_NONE)
		return TR_END;
	stop_rule_look(rule, set, held);
	if (outcome->status != TR_DELIVERED)
		return TR_OK;
	stop_rule_take(&rule->worms_left, 1);
	if (outcome->class != TR_CLASS_OVERHEAD)
		stop_rule_take(&rule->bytes_left, outcome->size_bytes);
	if (measured)
		look_at_mean(rule, outcome);
	rule->cause = stop_rule_find_cause(rule, held);
	return rule->cause != STOP_NONE ? TR_END : TR_OK;
}
