# SPDX-License-Identifier: GPL-3.0-or-later
# captures.py FOLDER COUNT BYTES FILE...: writes COUNT captures of about BYTES each into FOLDER,
# 0000.pcap and on. Each holds one of the files (pcap of this machine's byte order, plain), in turn,
# again and again, its times shifted so that each repetition, and each capture, begins in the second
# after the one before ends.
import struct
import sys

folder, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def read(name):
    with open(name, "rb") as f:
        data = f.read()
    magic = struct.unpack_from("<I", data)[0]
    if magic not in (0xA1B23C4D, 0xA1B2C3D4):
        sys.exit(f"captures.py: {name}: not a plain pcap file of this byte order")
    records, at = [], 24
    while at < len(data):
        second, kept = struct.unpack_from("<I4xI", data, at)
        records.append((at - 24, second))
        at += 16 + kept
    return data[:24], data[24:], records


bases = [read(name) for name in sys.argv[4:]]
clock = bases[0][2][0][1]
for k in range(count):
    head, body, records = bases[k % len(bases)]
    first = records[0][1]
    with open(f"{folder}/{k:04}.pcap", "wb") as out:
        out.write(head)
        for _ in range(max(1, round((size - len(head)) / len(body)))):
            shifted = bytearray(body)
            for at, second in records:
                struct.pack_into("<I", shifted, at, second - first + clock)
            out.write(shifted)
            clock += records[-1][1] - first + 2
