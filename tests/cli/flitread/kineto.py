# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of PyTorch's profiler in the layout that Kineto writes, and an oracle that reads them.

    kineto.py trace WORLD RANK [KEY=VALUE...] <LINES   a rank's trace; base=NS, pg=JSON, info=no
    kineto.py table FILE...                what kernels took by rank, as flitread --table ranks
    kineto.py large WORLD RANK EVENTS      many kernels, and an all-reduce in a hundred

A line is "compute TS DUR", "kernel ID TS DUR NAME", "launch ID TS DUR NAME" or "host ID TS DUR KIND
[KEY=VALUE...]" with times in us and keys n (elements), out, dtype, pg, desc, ranks, size, start,
stride, split, seq, place; a kernel may have kind and them, and like a launch corr; device, thread.
"""
import collections
import gzip
import json
import sys

NUMBERS = {"size": "Group size", "start": "Global rank start", "stride": "Global rank stride",
           "seq": "Seq", "place": "Rank"}
HEAD = """
  {
    "schemaVersion": 1,
    "deviceProperties": [
    {"id": 0, "name": "NVIDIA A100", "maxThreadsPerBlock": 1024}
    ],
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": %s,
  "traceEvents": ["""
EVENT = """
  {
    "ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s,
    "ts": %s, "dur": %s,
    "args": {
      %s
    }
  },"""
TAIL = """
  {
    "name": "Record Window End", "ph": "i", "s": "g",
    "pid": "", "tid": "", "ts": 99.125
  }
  ],
  "%s": {"backend": "nccl", "rank": %s, "world_size": %s, "pg_count": 1,
    "pg_config": %s, "nccl_version": "2.21.5"},
  "traceName": "/tmp/trace.json"
}"""
NAMED = """
  {
    "name": "process_name", "ph": "M", "ts": 0.000, "pid": 0, "tid": 0,
    "args": {
      "name": "python"
    }
  },"""


def operation(kind, keys):
    args = {"Collective name": kind, "dtype": keys.get("dtype", "Float"),
            "In msg nelems": int(keys.get("n", 0)),
            "Out msg nelems": int(keys.get("out", keys.get("n", 0))),
            "In split size": "[%s]" % keys.get("split", ""), "Out split size": "[]",
            "Process Group Name": keys.get("pg", "0"),
            "Process Group Ranks": "[%s]" % keys.get("ranks", "").replace(",", ", ")}
    args.update({NUMBERS[key]: int(keys[key]) for key in NUMBERS if key in keys})
    if "desc" in keys:
        args["Process Group Description"] = keys["desc"]
    return args


def event(category, name, thread, ts, dur, args):
    return EVENT % (category, name, 0, thread, ts, dur, json.dumps(args)[1:-1])


def trace(world, rank, keys):
    out = sys.stdout
    out.write(HEAD % keys.get("base", 1732900000000000000) + NAMED)
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        given = dict(word.split("=", 1) for word in words[4:] if "=" in word)
        if words[0] == "compute":
            out.write(event("kernel", "void gemm<float, 4>(int*)", 7, words[1], words[2],
                            {"External id": 0, "stream": 7}))
            continue
        args = {"External id": int(words[1]), "device": int(given.get("device", 0)),
                "grid": [8, 1, 1]}
        args.update({"correlation": int(given["corr"])} if "corr" in given else {})
        thread = int(given.get("thread", 100))
        if words[0] == "launch":
            out.write(event("cuda_runtime", words[4], thread, words[2], words[3], args))
        elif words[0] == "kernel":
            if "kind" in given:
                args.update(operation(given["kind"], given))
            out.write(event("kernel", words[4] + "(ncclDevComm*, unsigned long)", 40, words[2],
                            words[3], args))
        else:
            args.update(operation(words[4], given))
            out.write(event("cpu_op", "record_param_comms", thread, words[2], words[3], args))
    info = "info" if keys.get("info") == "no" else "distributedInfo"
    out.write(TAIL % (info, rank, world, keys.get("pg", "[]")))


def large(world, rank, events):
    out = sys.stdout
    out.write(HEAD % 0)
    ranks = ",".join(str(r) for r in range(world))
    for i in range(events):
        args = {"External id": i, "queued": 0, "device": 0, "context": 1, "stream": 7,
                "correlation": i, "registers per thread": 96, "shared memory": 87568,
                "blocks per SM": 0.074074, "warps per SM": 1.259259, "grid": [8, 1, 1],
                "block": [544, 1, 1]}
        if i % 100 == 99:
            args.update(operation("allreduce", {"n": 1 << 20, "ranks": ranks, "seq": i // 100}))
            out.write(event("cpu_op", "record_param_comms", 100, "%d.5" % (10 * i), "3.25", args))
            out.write(event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 40,
                            "%d.001" % (10 * i + 4), "7.%03d" % (i % 1000), args))
        else:
            out.write(event("kernel", "void at::native::vectorized_elementwise_kernel<4, float>",
                            7, "%d.%03d" % (10 * i, i % 1000), "8.125", args))
    out.write(TAIL % ("distributedInfo", rank, world, "[]"))


def table(paths):
    kinds = {"_allgather_base": "allgather", "_reduce_scatter_base": "reduce-scatter",
             "all_to_allv": "alltoall"}
    sizes = {"Float": 4, "BFloat16": 2, "Long": 8}
    rows = collections.defaultdict(list)
    for path in paths:
        data = json.load(gzip.open(path) if path.endswith(".gz") else open(path))
        calls = {e["args"]["External id"]: e["args"] for e in data["traceEvents"]
                 if e["name"] == "record_param_comms"}
        for e in data["traceEvents"]:
            call = calls.get(e.get("args", {}).get("External id"))
            if e.get("cat") != "kernel" or not call:
                continue
            kind = call["Collective name"]
            if kind in ("send", "recv"):
                continue
            size = call["In msg nelems"] * sizes[call["dtype"]]
            row = (call["Process Group Name"], kinds.get(kind, kind), size,
                   e["name"].split("(")[0], data["distributedInfo"]["rank"])
            rows[row].append(round(e["dur"] * 1000))
    for row in sorted(rows):
        ns = rows[row]
        times = [sum(ns) / len(ns), min(ns), max(ns)]
        print(*row, len(ns), *("%.9g" % (time / 1000) for time in times), sep="\t")


if sys.argv[1] == "trace":
    trace(sys.argv[2], sys.argv[3], dict(word.split("=", 1) for word in sys.argv[4:]))
elif sys.argv[1] == "large":
    large(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    table(sys.argv[2:])
