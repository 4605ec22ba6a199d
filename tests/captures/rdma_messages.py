#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""rdma_messages.py SEED COUNT FOLDER [KEY=NUMBER ...]

Queue pairs of reliable and unreliable connections and of datagrams exchange COUNT random messages
(RoCE version 1, and 2 over IPv4 and IPv6) over a network that loses, repeats and reorders packets.
Requesters and responders are those of the InfiniBand Architecture Specification, volume 1, chapter
9: expected numbers, negative and implied negative acknowledgements, timeouts, going back N, reads
asked again from the response that is missing. Frames are made by scapy (Debian's python3-scapy).

  FOLDER/rdma.pcap  what a capture between the hosts sees, each frame up to 128 bytes
  FOLDER/truth.tsv  messages of which it has every packet: begin and end in ns after its first
                    frame, size, source, destination, queue pair, operation, immediate data;
                    "doubtful"
                    where the request of a read was captured only after a response

Keys, all 0 unless given: lost, repeated, overtaking, uncaptured, marked (chances of a packet; with
the last, others have ECN bits at random); late (share of the frames before the capture begins).
"""
import bisect
import heapq
import random
import sys

from scapy.contrib.roce import AETH, BTH, GRH
from scapy.fields import BitField, IntField, LongField, XIntField
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw
from scapy.utils import RawPcapWriter

draw = random.Random(int(sys.argv[1]))
keys = {"lost": 0, "repeated": 0, "overtaking": 0, "uncaptured": 0, "marked": 0, "late": 0}
keys.update((key, float(value)) for key, value in (pair.split("=") for pair in sys.argv[4:]))

RC, UC, UD = 0x00, 0x20, 0x60
NOTIFICATION = 0x81
NUMBERS = 1 << 24
WINDOW = 64
TIMEOUT_NS = 200000


class RETH(Packet):
    name = "RETH"
    fields_desc = [LongField("address", 0), IntField("key", 0), IntField("length", 0)]


class AtomicETH(Packet):
    name = "AtomicETH"
    fields_desc = [LongField("address", 0), IntField("key", 0), LongField("swap", 0),
                   LongField("compare", 0)]


class DETH(Packet):
    name = "DETH"
    fields_desc = [XIntField("qkey", 0), BitField("reserved", 0, 8), BitField("srcqp", 0, 24)]


class World:
    """Time, and what the capture saw."""

    def __init__(self):
        self.now, self.agenda, self.order, self.seen = 0, [], 0, []

    def at(self, delay, call, *arguments):
        self.order += 1
        heapq.heappush(self.agenda, (self.now + delay, self.order, call, arguments))

    def run(self):
        while self.agenda:
            self.now, _, call, arguments = heapq.heappop(self.agenda)
            call(*arguments)

    def send(self, packet, deliver):
        """Past the capture to the other host, each way half of the losses."""
        for _ in range(1 + (draw.random() < keys["repeated"])):
            if draw.random() >= keys["lost"] / 2:
                late = draw.random() < keys["overtaking"]
                self.at(1000 + (draw.randrange(20000) if late else 0), self.pass_by, packet,
                        deliver)

    def pass_by(self, packet, deliver):
        if draw.random() >= keys["uncaptured"]:
            self.seen.append((self.now, packet))
        if draw.random() >= keys["lost"] / 2:
            self.at(1000, deliver, packet)


world = World()


class Message:
    """first, numbers: without the modulus. seen: the times of its captured packets, each once; -1
    is the request of a read or atomic operation."""

    def __init__(self, queue, first):
        kinds = {RC: ("send", "write", "read", "atomic"), UC: ("send", "write"), UD: ("send",)}
        self.queue, self.first = queue, first
        self.kind = draw.choice(kinds[queue.service])
        self.immediate, self.invalidates = 0, False
        most = queue.mtu if queue.service == UD else queue.mtu * draw.choice((1, 2, 4, 20))
        any_size, another = draw.randint(0, most), draw.randint(0, most)
        self.size = draw.choice((0, 4, queue.mtu, most, any_size, another))
        if self.kind == "atomic":
            self.size = 8
        if self.kind in ("send", "write") and draw.random() < .3:
            self.immediate = draw.getrandbits(32)
        elif self.kind == "send" and queue.service == RC:
            self.invalidates = draw.random() < .1
        self.asks = self.kind in ("read", "atomic")
        self.numbers = max(1, -(-self.size // queue.mtu))
        self.end = first + self.numbers
        self.seen, self.doubtful = {}, False

    def bytes_at(self, at):
        return min(self.queue.mtu, self.size - at * self.queue.mtu)


class P:
    """A packet. number: without the modulus, of which at is its place in message, if it has one;
    count: of responses that it asks for."""

    def __init__(self, queue, back, operation, number, message=None, at=0, **more):
        self.queue, self.back, self.operation, self.number = queue, back, operation, number
        self.message, self.at = message, at
        self.count, self.msn, self.syndrome = 1, 0, 0
        self.__dict__.update(more)


class Queue:
    """One direction of a queue pair: its requester here, and its responder at the other host."""

    def __init__(self, link, service, mtu, ends, pairs):
        self.link, self.service, self.mtu, self.ends, self.pairs = link, service, mtu, ends, pairs
        self.source_port = draw.randint(49152, 65535)
        self.base = draw.choice((draw.randrange(NUMBERS), NUMBERS - draw.randrange(1, 3000)))
        self.messages, self.firsts, self.posted = [], [], 0
        self.next = self.acknowledged = self.reached = self.base
        self.went_back, self.pumping, self.timer, self.repeats = -1, False, 0, 0
        self.expected, self.refused, self.msn = self.base, False, 0
        self.answers, self.answering = [], False

    def make(self, count):
        first = self.base
        for _ in range(count):
            self.messages.append(Message(self, first))
            self.firsts.append(first)
            first = self.messages[-1].end
        self.post()

    def of(self, number):
        return self.messages[bisect.bisect_right(self.firsts, number) - 1]

    # ---- the requester

    def post(self):
        self.posted = min(self.posted + draw.randint(1, 6), len(self.messages))
        if self.posted < len(self.messages):
            world.at(draw.randrange(30000), self.post)
        self.wake()

    def wake(self):
        if not self.pumping:
            self.pumping = True
            world.at(draw.randint(10, 400), self.pump)

    def pump(self):
        self.pumping = False
        last = self.messages[self.posted - 1].end
        if self.next >= last or self.next - self.acknowledged >= WINDOW:
            return
        message = self.of(self.next)
        at = self.next - message.first
        packet = P(self, False, self.request(message, at), self.next, message, at)
        if message.asks:
            packet.count = message.end - self.next
        if draw.random() < .002 and self.link != "v1":
            world.send(P(self, False, NOTIFICATION, 0), lambda packet: None)
        world.send(packet, self.arrive if self.service == RC else lambda packet: None)
        self.next += packet.count
        self.reached = max(self.reached, self.next)
        if self.service != RC:
            self.acknowledged = self.next
        elif not self.timer:
            self.timer = world.now + TIMEOUT_NS
            world.at(TIMEOUT_NS, self.time_out)
        self.wake()

    def request(self, message, at):
        if message.asks:
            return 0x0c if message.kind == "read" else 0x13 + message.first % 2
        base = 6 if message.kind == "write" else 0
        if at + 1 < message.numbers:
            return base + (at > 0)
        if message.invalidates:
            return 0x17 if at == 0 else 0x16
        return base + (4 if at == 0 else 2) + (message.immediate > 0)

    def go_back(self, to):
        self.acknowledged = max(self.acknowledged, to)
        if self.acknowledged < self.reached and self.went_back != self.acknowledged:
            self.went_back = self.next = self.acknowledged
            self.wake()

    def time_out(self):
        if world.now < self.timer:
            world.at(self.timer - world.now, self.time_out)
            return
        self.timer = 0
        if self.acknowledged < self.reached:
            self.went_back = -1
            self.timer = world.now + TIMEOUT_NS
            world.at(TIMEOUT_NS, self.time_out)
            self.go_back(self.acknowledged)

    def missing_before(self, number):
        """The first response before a number that did not come; the number if there is none."""
        at = self.acknowledged
        while at < number:
            message = self.of(at)
            if message.asks:
                return at
            at = message.end
        return number

    def answer(self, packet):
        number = packet.number
        until = number + 1 if packet.operation == 0x11 and not packet.syndrome else number
        missing = self.missing_before(until)
        if until > self.reached:
            raise AssertionError("answers to what was not asked")
        if missing < until or packet.syndrome:
            self.go_back(missing)
        elif until >= self.acknowledged:
            self.acknowledged = until
            if packet.operation != 0x11:
                message = self.of(number)
                if not message.asks:
                    raise AssertionError("a response to no request")
                self.acknowledged = number + 1
            self.timer = world.now + TIMEOUT_NS if self.timer else 0
        self.next = max(self.next, self.acknowledged)
        self.wake()

    # ---- the responder

    def arrive(self, packet):
        message = packet.message
        if packet.number > self.expected:
            if not self.refused:
                self.refused = True
                self.reply(P(self, True, 0x11, self.expected, syndrome=0x60))
            return
        if packet.number == self.expected:
            self.expected += packet.count
            self.refused = False
            self.msn += self.expected == message.end
        elif message.asks:  # again: what it had of responses from there on is void
            self.answers = [a for a in self.answers if a.number < packet.number]
        if message.kind == "read":
            for at in range(packet.at, message.numbers):
                first, last = at == packet.at, at + 1 == message.numbers
                operation = 0x0d + (3 if first and last else 2 if last else 1 - first)
                self.reply(P(self, True, operation, message.first + at, message, at))
        elif message.kind == "atomic":
            self.reply(P(self, True, 0x12, packet.number, message))
        elif packet.at + 1 == message.numbers or draw.random() < .1:
            self.reply(P(self, True, 0x11, self.expected - 1))

    def reply(self, packet):
        self.answers.append(packet)
        if not self.answering:
            self.answering = True
            world.at(draw.randint(10, 300), self.give)

    def give(self):
        self.answering = False
        if self.answers:
            packet = self.answers.pop(0)
            packet.msn = self.msn
            world.send(packet, self.answer)
            if self.answers:
                self.answering = True
                world.at(draw.randint(10, 300), self.give)


# ---- frames

templates = {}


def headers(packet, opcode):
    """All behind the base header, as scapy makes it, and its size."""
    queue, message, operation = packet.queue, packet.message, packet.operation
    result = b""
    if queue.service == UD:
        result += bytes(DETH(qkey=0x11111111, srcqp=queue.pairs[0]))
    if operation in (0x06, 0x0a, 0x0b, 0x0c):
        left = message.size - (packet.at * queue.mtu if operation == 0x0c else 0)
        result += bytes(RETH(address=1 << 40, key=77, length=left))
    if operation in (0x13, 0x14):
        result += bytes(AtomicETH(address=1 << 40, key=77, swap=1))
    if operation in (0x0d, 0x0f, 0x10, 0x11, 0x12):
        result += bytes(AETH(syndrome=packet.syndrome, msn=packet.msn % NUMBERS))
    if operation == 0x12:
        result += bytes(8)
    if operation in (3, 5, 9, 0x0b):
        result += message.immediate.to_bytes(4, "big")
    if operation in (0x16, 0x17) or opcode == NOTIFICATION:
        result += bytes(4 if opcode != NOTIFICATION else 16)
    payload = 0
    if message and operation not in (0x0c, 0x11, 0x12, 0x13, 0x14):
        payload = message.bytes_at(packet.at)
    return result, payload


def frame(packet):
    queue = packet.queue
    opcode = packet.operation if packet.operation == NOTIFICATION else \
        queue.service | packet.operation
    behind, payload = headers(packet, opcode)
    mark = 3 if draw.random() < keys["marked"] else draw.randrange(3) if keys["marked"] else 0
    key = id(queue), packet.back, opcode, len(behind), payload, mark
    if key not in templates:
        (source, destination), pair = queue.ends, queue.pairs[1]
        if packet.back:
            source, destination, pair = destination, source, queue.pairs[0]
        made = BTH(opcode=opcode, padcount=-payload % 4, dqpn=pair, icrc=0) / \
            Raw(bytes(len(behind) + payload + -payload % 4))
        ether = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
        if queue.link == "v1":
            ether.type = 0x8915
            made = GRH(nexthdr=0x1b, paylen=len(made), sgid=source, dgid=destination) / made
        else:
            ip = IP(tos=mark) if queue.link == "v2" else IPv6(tc=mark)
            ip.src, ip.dst = source, destination
            made = ip / \
                UDP(sport=queue.source_port, dport=4791, chksum=0) / made
        made = bytes(ether / made)
        size = len(made) - len(behind) - payload - -payload % 4 - 4
        templates[key] = made[:128], size, len(made)
    start, size, length = templates[key]
    made = start[:size - 4] + b"\0" + (packet.number % NUMBERS).to_bytes(3, "big") + behind + \
        start[size + len(behind):]
    return made[:128], length


# ---- the capture, and what is in it

def text(address):
    if isinstance(address, int):
        return "fd00::%x" % (address & 0xffff)
    return address


def note(message, packet, time):
    if message.asks and not packet.back and packet.at:
        return  # a request for the rest
    place = packet.at if packet.back or not message.asks else -1
    if place not in message.seen:
        message.doubtful |= place == -1 and bool(message.seen)
        message.seen[place] = time


def rows(queues):
    for queue in queues:
        for message in queue.messages:
            if len(message.seen) < message.numbers + message.asks:
                continue
            ends, pair = [text(end) for end in queue.ends], queue.pairs[1]
            if message.kind == "read":
                ends, pair = ends[::-1], queue.pairs[0]
            times = message.seen.values()
            yield (min(times), max(times), message.size, *ends, pair, message.kind,
                   message.immediate, "doubtful" if message.doubtful else "")


def make_queues(count):
    made, left = [], count
    hosts = ["10.0.0.%d", "fd00::1:%d", 0xfd00 << 112]
    while left > 0:
        link, host = draw.choice(list(zip(("v2", "v2-6", "v1"), hosts)))
        ends = draw.sample(range(1, 7), 2)
        ends = [host + end if isinstance(host, int) else host % end for end in ends]
        pairs = [draw.randrange(2, NUMBERS) for _ in ends]
        service, mtu = draw.choice((RC, RC, RC, RC, UC, UD)), 256 << draw.randrange(5)
        for back in (False, True):
            order = slice(None, None, -1 if back else 1)
            queue = Queue(link, service, mtu, ends[order], pairs[order])
            number = min(left, draw.randint(1, 400))
            if number:
                world.at(draw.randrange(10 ** 7), queue.make, number)
                made.append(queue)
            left -= number
    return made


def main():
    queues = make_queues(int(sys.argv[2]))
    world.run()
    first = int(len(world.seen) * keys["late"])
    writer = RawPcapWriter(sys.argv[3] + "/rdma.pcap", linktype=1, nano=True)
    writer.write_header(None)
    begin = world.seen[first][0]
    time = -1
    for now, packet in world.seen[first:]:
        time = max(time + 1, now - begin)
        if packet.message and (packet.back or packet.operation != 0x11):
            note(packet.message, packet, time)
        made, length = frame(packet)
        writer.write_packet(made, sec=time // 10 ** 9, usec=time % 10 ** 9, caplen=len(made),
                            wirelen=length)
    writer.close()
    with open(sys.argv[3] + "/truth.tsv", "w", encoding="ascii") as truth:
        for row in rows(queues):
            truth.write("\t".join(map(str, row)) + "\n")


main()
