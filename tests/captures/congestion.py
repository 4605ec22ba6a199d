# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures of congestion, without libraries: marked packets of a queue pair with their
notification and a pause; pauses of every form; random ones, with what they ask for in a table."""
import random
import struct
import sys

TO_LINK = bytes.fromhex("0180c2000001")
SWITCH = bytes.fromhex("020000000001")


def frame(kind, body, source=SWITCH, destination=TO_LINK, tag=None):
    tags = b"" if tag is None else struct.pack(">HH", 0x8100, tag)
    return destination + source + tags + struct.pack(">H", kind) + body


def classes(quanta, vector=None):
    """A frame of priority flow control; quanta: by class."""
    enabled = sum(1 << i for i in quanta) if vector is None else vector
    return struct.pack(">HH8H", 0x0101, enabled, *(quanta.get(i, 0) for i in range(8)))


def padded(bytes_):
    return bytes_ + bytes(60 - len(bytes_))


def ipv4(ecn, body, source=1, destination=2, protocol=17):
    head = struct.pack(">BBHHHBBH", 0x45, 26 << 2 | ecn, 20 + len(body), 1, 0x4000, 64, protocol, 0)
    return frame(0x0800, head + bytes([10, 0, 0, source, 10, 0, 0, destination]) + body)


def ipv6(ecn, body, protocol=17):
    head = struct.pack(">IHBB", 6 << 28 | ecn << 20, len(body), protocol, 64)
    return frame(0x86dd, head + bytes(15) + b"\1" + bytes(15) + b"\2" + body)


def udp(body, port=4791):
    return struct.pack(">HHHH", 49152, port, 8 + len(body), 0) + body


def bth(operation, pair, number, congestion=0):
    return struct.pack(">BBHII", operation, 0x40, 0xffff, congestion << 24 | pair, number)


def write(name, frames, interfaces=None):
    """Frames as (ns, bytes) or (ns, bytes, captured bytes); a pcap."""
    with open(name, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
        for at, data, *cut in frames:
            caught = data[:cut[0]] if cut else data
            out.write(struct.pack("<IIII", at // 10**9, at % 10**9, len(caught), len(data)))
            out.write(caught)


def block(kind, body):
    return struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))


def write_links(name, rates, frames):
    """Frames as (ns, interface, bytes); a pcapng of interfaces with these rates, 0: none."""
    with open(name, "wb") as out:
        out.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)))
        for rate in rates:
            speed = struct.pack("<HHQ", 8, 8, rate) if rate else b""
            out.write(block(1, struct.pack("<HHI", 1, 0, 0) + speed +
                            struct.pack("<HHB3xI", 9, 1, 9, 0)))
        for at, interface, data in frames:
            head = struct.pack("<IIIII", interface, at >> 32, at & 0xffffffff, len(data),
                               len(data))
            out.write(block(6, head + data + bytes(-len(data) % 4)))


def roce():
    data = [ipv4(3 if i % 2 else 2, udp(bth(7, 0x11, 100 + i) + bytes(1028))) for i in range(4)]
    data.append(ipv4(0, udp(bth(0x81, 0x12, 0) + bytes(20)), 2, 1))
    data.append(padded(frame(0x8808, classes({3: 0xffff}))))
    return [(10**9 + 1000 * i, one) for i, one in enumerate(data)]


def forms():
    pause = struct.pack(">HH", 1, 100)
    whole = padded(frame(0x8808, classes({3: 0xffff})))
    yield padded(frame(0x8808, pause))
    yield padded(frame(0x8808, struct.pack(">HH", 1, 0)))
    yield whole
    yield frame(0x8808, classes({3: 0xffff}))                      # not padded
    yield padded(frame(0x8808, classes({0: 5, 7: 5}), tag=0xe000))
    yield padded(frame(0x8808, classes({1: 9, 2: 0, 4: 9, 6: 7})))  # three lengths
    yield padded(frame(0x8808, classes({}, 0)))                    # no class
    yield padded(frame(0x8808, classes({3: 1}, 0x0108)))           # a reserved bit
    yield padded(frame(0x8808, struct.pack(">HH", 2, 0)))          # a gate of EPON
    yield whole, 34
    yield whole, 33
    yield whole, 15
    yield frame(0x8808, pause[:3])                                 # the frame itself is short
    yield ipv4(1, udp(bytes(8), 9))
    yield ipv6(3, udp(bytes(8), 9))
    yield ipv4(3, ipv4(2, udp(bytes(8), 9))[14:], protocol=4)      # the outermost mark counts
    yield ipv4(0, ipv4(3, udp(bytes(8), 9))[14:], protocol=4)
    yield ipv4(0, bytes(8), protocol=252)
    yield frame(0x8915, struct.pack(">IHBB", 6 << 28, 16, 27, 64) + bytes(32) +
                bth(4, 5, 1, 0x80) + bytes(4))
    yield ipv4(0, udp(bth(4, 5, 1, 0x80) + bytes(4)))              # FECN, where IP's bits say it


def random_pauses(count):
    chance = random.Random(1)
    frames, table = [], []
    for number in range(1, count + 1):
        at = 10**9 + 1000 * number
        if chance.random() < .2:
            quanta = chance.choice([0, 1, 65535])
            data = frame(0x8808, struct.pack(">HH", 1, quanta))
            table.append((number, 0, quanta))
        else:
            asked = {i: chance.choice([0, 7, 65535]) for i in range(8) if chance.random() < .5}
            data = frame(0x8808, classes(asked))
            left = dict(asked)
            while left:
                length = left[min(left)]
                table.append((number, sum(1 << i for i in left if left[i] == length), length))
                left = {i: own for i, own in left.items() if own != length}
        frames.append((at, padded(data)))
    return frames, table


if __name__ == "__main__":
    write("roce.pcap", roce())
    write("forms.pcap", [(10**9 + 1000 * i, *(one if isinstance(one, tuple) else (one,)))
                         for i, one in enumerate(forms())])
    made, rows = random_pauses(int(sys.argv[1]))
    write("random.pcap", made)
    with open("random.tsv", "w", encoding="ascii") as text:
        for row in rows:
            print(*row, sep="\t", file=text)
    ask, end = padded(frame(0x8808, classes({3: 1000}))), padded(frame(0x8808, classes({3: 0})))
    write_links("links.pcapng", [10**10, 0],
                [(0, 0, ask), (0, 1, ask), (20000, 0, end), (60000, 1, end), (100000, 0, ask),
                 (140000, 0, ask), (1000000, 0, ipv4(0, udp(bytes(100), 9))), (1000000, 1, ask)])
