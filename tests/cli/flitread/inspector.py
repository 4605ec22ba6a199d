# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of operations in dumps of NCCL's Inspector by communicator, operation, bytes and rank:
how many, mean, least, greatest, and in how many the part was the shortest, as flitread --table
ranks has them."""
import collections
import json
import sys

words = {"AllReduce": "allreduce", "ReduceScatter": "reduce-scatter", "AllGather": "allgather"}
times, operations = collections.defaultdict(list), collections.defaultdict(dict)
for path in sys.argv[1:]:
    for line in open(path):
        entry = json.loads(line)
        if "coll_perf" not in entry:
            continue
        head, part = entry["header"], entry["coll_perf"]
        name = head["id"] + (" " + head["comm_name"] if "comm_name" in head else "")
        size = part["coll_msg_size_bytes"]
        if part["coll"] == "ReduceScatter":
            size *= head["n_ranks"]
        row = (name, words[part["coll"]], size, head["rank"])
        times[row].append(part["coll_exec_time_us"])
        operations[(name, part["coll"], part["coll_sn"])][row] = part["coll_exec_time_us"]
shortest = collections.Counter()
for parts in operations.values():
    least = [row for row in parts if parts[row] == min(parts.values())]
    if len(parts) > 1 and len(least) == 1:
        shortest[least[0]] += 1
for row in sorted(times):
    us = times[row]
    print(*row, len(us), "%.9g" % (sum(us) / len(us)), min(us), max(us), shortest[row], sep="\t")
