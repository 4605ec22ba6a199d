// SPDX-License-Identifier: GPL-3.0-or-later
// flitbench: latency between two processes, one way and ping-pong, by the schedule of scibench and
// mpibench.
#include <stdlib.h>

#include "bench.h"
#include "launch.h"
#include "tool/tool.h"

#define NS_PER_S 1000000000

struct flitbench_options {
	int test; // enum bench_test_code
	struct launch launch;
	struct num_ratio max_size_B, resolution_B, point_time_s, timeout_s;
	uint64_t repeats;
	double accuracy_percent;
	const char *path, *read;
	bool original, samples, loggp;
	struct table_style style;
};

// A time of at least 1 us and at most a day, in nanoseconds; a size in whole bytes.
static enum tr_status flitbench_time_ns(const char *name, struct num_ratio seconds, int64_t *ns,
					struct tr_error *err)
{
	const double value = num_value(seconds);

	if (!(value >= 1e-6 && value <= 86400))
		return tr_fail(err, "%s: expected 1us to 1d", name);
	*ns = (int64_t)(value * NS_PER_S);
	return TR_OK;
}

static enum tr_status whole_bytes(const char *name, struct num_ratio size, uint64_t min,
				  uint64_t *bytes, struct tr_error *err)
{
	if (size.den != 1 || size.num < (int64_t)min || size.num > (int64_t)CHANNEL_BYTES_MAX)
		return tr_fail(err, "%s: expected %llu to %zu whole bytes", name,
			       (unsigned long long)min, CHANNEL_BYTES_MAX);
	*bytes = (uint64_t)size.num;
	return TR_OK;
}

static enum tr_status make_setup(const struct flitbench_options *options, struct bench_setup *setup,
				 int64_t *timeout_ns, struct tr_error *err)
{
	*setup = (struct bench_setup){.test = &bench_tests[options->test],
				      .repeats = options->repeats};
	if (flitbench_time_ns("--point-time", options->point_time_s, &setup->point_ns, err) !=
		    TR_OK ||
	    flitbench_time_ns("--timeout", options->timeout_s, timeout_ns, err) != TR_OK ||
	    whole_bytes("--largest", options->max_size_B, 1, &setup->max_bytes, err) != TR_OK ||
	    whole_bytes("--step", options->resolution_B, 0, &setup->step_bytes, err) != TR_OK)
		return TR_ERROR;
	if (bench_sizes(setup, 0, NULL) > BENCH_SIZES_MAX ||
	    bench_sizes(setup, 0, NULL) * setup->repeats > BENCH_SAMPLES_MAX)
		return tr_fail(err, "--largest, --step: more than %u sizes or %u samples",
			       BENCH_SIZES_MAX, BENCH_SAMPLES_MAX);
	return TR_OK;
}

static bool read_report(struct tool *tool, const struct flitbench_options *options,
			struct bench_results *results)
{
	struct tr_source *source = tool_open_source(tool, options->read);
	struct tr_error err;
	enum tr_status status;

	if (!source)
		return false;
	status = bench_report_read(source, results, &err);
	tr_source_close(source);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (tool_option_given(tool, "pattern"))
		results->test = bench_tests[options->test].name;
	return status == TR_OK;
}

static bool flitbench_measure(struct tool *tool, const struct flitbench_options *options,
			      struct bench_results *results)
{
	struct bench_setup setup;
	int64_t timeout_ns = 0;
	struct tr_error err;

	if (make_setup(options, &setup, &timeout_ns, &err) == TR_OK)
		return launch_run(tool, &options->launch, &setup, timeout_ns, results);
	tool_error(tool, "%s", err.text);
	return false;
}

static void flitbench_print(struct tool *tool, const struct flitbench_options *options,
			    const struct bench_results *results, double accuracy)
{
	struct table *tables[2];
	size_t count = 0;
	struct tr_error err;

	if (options->original) {
		bench_report_write(results, accuracy, tool_stdout(tool));
		return;
	}
	tables[count++] = bench_latency_table(results, accuracy);
	if (options->samples)
		tables[count++] = bench_samples_table(results);
	if (tables_finish(tables, count, options->style, "flitbench", tool_stdout(tool), &err) !=
	    TR_OK)
		tool_error(tool, "%s", err.text);
}

static enum tool_status flitbench_run(struct tool *tool, const struct flitbench_options *options)
{
	struct loggp loggp = {0};
	struct bench_results results = {.loggp = options->loggp ? &loggp : NULL};
	struct bench_path path = {0};
	struct tr_error err;
	const double accuracy = options->accuracy_percent / 100;
	enum tool_status answer;
	bool done = false;

	if (tool_operand_count(tool) > 0)
		tool_error(tool, "%s: expected no operand; --read reads a report",
			   tool_operand(tool, 0));
	else if (!(accuracy >= 0))
		tool_error(tool, "--spread: expected 0 or more");
	else if (options->path && bench_path_parse(options->path, &path, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		done = options->read ? read_report(tool, options, &results)
				     : flitbench_measure(tool, options, &results);
	answer = done ? TOOL_OK : TOOL_FAILED;
	results.path = path;
	if (done && loggp.sizes > 0) {
		struct table *table = bench_loggp_table(&loggp, results.over);

		if (tables_finish(&table, 1, options->style, "flitbench", tool_stdout(tool),
				  &err) != TR_OK)
			tool_error(tool, "%s", err.text);
	}
	free(loggp.list);
	if (done && results.sizes > 0) {
		flitbench_print(tool, options, &results, accuracy);
		answer = bench_all_accurate(&results, accuracy) ? TOOL_OK : TOOL_NO;
	}
	bench_results_clear(&results);
	return answer;
}

static const struct opt_choice tests[] = {
	{"one-way", BENCH_ONE_WAY, "a stream of messages in one direction"},
	{"ping-pong", BENCH_PING_PONG,
	 "a message there and one back; half the time is the latency"},
	{NULL, 0},
};

static const struct opt_choice transports[] = {
	{"shm", LAUNCH_SHM, "memory that two processes share"},
	{"tcp", LAUNCH_TCP, "TCP, over loopback or to another host"},
	{"mpi", LAUNCH_MPI, "MPI: start flitbench with mpirun -n 2"},
	{NULL, 0},
};

int main(int argc, char **argv)
{
	struct flitbench_options options = {.test = BENCH_PING_PONG,
					    .max_size_B = {512, 1},
					    .resolution_B = {64, 1},
					    .repeats = 10,
					    .point_time_s = {1, 50},
					    .timeout_s = {30, 1},
					    .accuracy_percent = 5};
	const struct opt opts[] = {
		OPT_GROUP("Test"),
		OPT_CHOICE('t', "pattern", &options.test, tests, "messages to time"),
		OPT_CHOICE(0, "over", &options.launch.over, transports,
			   "what carries the messages"),
		OPT_STRING(0, "listen", "[HOST:]PORT", &options.launch.listen,
			   "answer a flitbench on another host over TCP"),
		OPT_STRING(0, "connect", "HOST:PORT", &options.launch.connect,
			   "time messages with the flitbench listening there"),
		OPT_SIZE(0, "largest", &options.max_size_B, "largest message"),
		OPT_SIZE(0, "step", &options.resolution_B, "step between sizes; 0: powers of two"),
		OPT_REPEATS(&options.repeats, BENCH_REPEATS_MAX),
		OPT_TIME(0, "point-time", &options.point_time_s,
			 "minimum time for each size in a repeat"),
		OPT_REAL(0, "spread", &options.accuracy_percent,
			 "largest difference between repeats, in percent of the minimum"),
		OPT_STRING(0, "pin", "CPU[,CPU]", &options.launch.pin,
			   "processors of the timing side and of the other"),
		OPT_TIMEOUT(&options.timeout_s),
		OPT_GROUP("Output"),
		OPT_FILE('r', "read", &options.read, OPT_READ_HELP),
		OPT_STRING(0, "path", "NETWORK,HOPS[,SWITCHES]", &options.path,
			   "print the path of the ping-pong, for flitcalc's components"),
		OPT_SILENT_FLAG(0, "original", &options.original,
				"print the four reports of scibench"),
		OPT_FLAG(0, "loggp", &options.loggp,
			 "measure overheads and gaps, for flitsim --loggops"),
		OPT_SILENT_FLAG(0, "samples", &options.samples, "print each repeat"),
		TABLE_OPTIONS(&options.style),
		OPT_NOT_WITH("over,listen,connect,largest,step,repeats,point-time,pin,timeout",
			     "read"),
		OPT_NOT_WITH("listen,connect", "over=mpi"),
		OPT_NOT_WITH("listen", "connect"),
		OPT_NOT_WITH("pattern,largest,step,repeats,point-time,spread,path,original,samples,"
			     "json,format",
			     "listen"),
		OPT_NOT_WITH("path,samples,json,format", "original"),
		OPT_NOT_WITH("pattern,spread,path,original,samples,read,listen", "loggp"),
		OPT_ONLY_WITH("path", "pattern=ping-pong"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitbench", "[option ...]",
				       "Measures the latency between two processes.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);

	return tool_finish(tool, flitbench_run(tool, &options));
}
