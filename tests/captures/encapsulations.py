#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""encapsulations.py SEED COUNT FOLDER

Makes random packets in random encapsulations with scapy (Debian's python3-scapy):

  FOLDER/whole.pcap      Ethernet
  FOLDER/cut.pcap        the same frames, each captured up to a random byte
  FOLDER/infiniband.pcap packets of InfiniBand's links
  FOLDER/whole.tsv, infiniband.tsv
      what each is: frame, src, dst, protocol, src_port, dst_port, payload, opcode, sequence, then
      the addresses of its first IP header (--outer), then whether tshark finds the inner packet by
      itself (it guesses pseudowires by manufacturers, and leaves VXLAN's Linux port)
"""
import ipaddress
import random
import sys

from scapy.config import conf
from scapy.contrib.erspan import ERSPAN_II
from scapy.contrib.etherip import EtherIP
from scapy.contrib.geneve import GENEVE, GeneveOptions
from scapy.contrib.mpls import MPLS, EoMCW
from scapy.contrib.roce import AETH, BTH, GRH
from scapy.fields import BitField, ShortField, XIntField
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop
from scapy.layers.l2 import GRE, Dot1AD, Dot1Q, Ether
from scapy.layers.sctp import SCTP, SCTPChunkData
from scapy.layers.vxlan import VXLAN
from scapy.packet import Packet, Raw, bind_layers
from scapy.utils import RawPcapWriter

conf.logLevel = 40
draw = random.Random(int(sys.argv[1]))

# Extended headers that scapy does not have, and which operations have them: InfiniBand Architecture
# Specification, volume 1, release 1.4, tables 38 and 39.
BYTES = {"RETH": 16, "AETH": 4, "AtomicETH": 28, "AtomicAckETH": 8, "ImmDt": 4, "IETH": 4}
OPERATIONS = {
    0x00: "", 0x01: "", 0x02: "", 0x03: "ImmDt", 0x04: "", 0x05: "ImmDt",
    0x06: "RETH", 0x07: "", 0x08: "", 0x09: "ImmDt", 0x0a: "RETH", 0x0b: "RETH ImmDt",
    0x0c: "RETH", 0x0d: "AETH", 0x0e: "", 0x0f: "AETH", 0x10: "AETH", 0x11: "AETH",
    0x12: "AETH AtomicAckETH", 0x13: "AtomicETH", 0x14: "AtomicETH", 0x16: "IETH", 0x17: "IETH",
}
WITHOUT_PAYLOAD = (0x0c, 0x11, 0x12, 0x13, 0x14)
OF_UNRELIABLE = range(0x00, 0x0c)


class DETH(Packet):
    name = "DETH"
    fields_desc = [XIntField("qkey", 0), BitField("reserved", 0, 8), BitField("srcqp", 0, 24)]


class LRH(Packet):
    name = "LRH"
    fields_desc = [BitField("vl", 0, 4), BitField("lver", 0, 4), BitField("sl", 0, 4),
                   BitField("reserved", 0, 2), BitField("lnh", 2, 2), ShortField("dlid", 0),
                   BitField("reserved2", 0, 5), BitField("pktlen", 0, 11), ShortField("slid", 0)]


bind_layers(IPv6, EtherIP, nh=97)
bind_layers(UDP, BTH, dport=4791)


def some_bytes(most):
    return Raw(draw.randbytes(draw.randint(0, most)))


def ether():
    return Ether(src="02:%02x:%02x:00:00:01" % (draw.randrange(256), draw.randrange(256)),
                 dst="02:%02x:%02x:00:00:02" % (draw.randrange(256), draw.randrange(256)))


def port():
    return draw.randint(20000, 29999)


class Made:
    """A frame under construction: its layers, the ends of each IP header, what tshark makes of
    it."""

    def __init__(self):
        self.frame = ether()
        self.ends = []
        self.shown = True

    def add(self, layer):
        self.frame /= layer

    def ip(self, **fields):
        if draw.random() < .7:
            ends = ["10.%d.%d.%d" % tuple(draw.randint(1, 254) for _ in range(3)) for _ in "sd"]
            if draw.random() < .1:
                fields["options"] = [IPOption_NOP()] * draw.randint(1, 8)
            self.add(IP(src=ends[0], dst=ends[1], **fields))
        else:
            ends = [str(ipaddress.IPv6Address(0xfd << 120 | draw.getrandbits(64))) for _ in "sd"]
            if "proto" in fields:
                fields["nh"] = fields.pop("proto")
            self.add(IPv6(src=ends[0], dst=ends[1], **fields))
        self.ends.append(ends)
        return "." in ends[0]


def labels(made):
    count = draw.randint(1, 4)
    for i in range(count):
        made.add(MPLS(label=draw.randint(16, 2 ** 20 - 1), s=int(i == count - 1), ttl=9))


# Encapsulations by what may follow them: anything with an Ethernet type, or an IP header.
def vlan(made):
    made.add(Dot1Q(vlan=draw.randint(1, 4094)))
    return "type"


def qinq(made):
    made.add(Dot1AD(vlan=draw.randint(1, 4094)) / Dot1Q(vlan=draw.randint(1, 4094)))
    return "type"


def mpls_ip(made):
    labels(made)
    return "ip"


def pseudowire(made):
    labels(made)
    if draw.random() < .5:
        made.add(EoMCW(seq=draw.randrange(65536)))
    made.shown = False
    made.add(ether())
    return "type"


def ip_in_ip(made):
    made.ip()
    return "ip"


def gre(made):
    made.ip(proto=47)
    header = {"chksum_present": draw.getrandbits(1), "key_present": draw.getrandbits(1),
              "seqnum_present": draw.getrandbits(1)}
    if header["key_present"]:
        header["key"] = draw.getrandbits(32)
    if header["seqnum_present"]:
        header["sequence_number"] = draw.getrandbits(32)
    if draw.random() < .5:
        made.add(GRE(**header))
        return "ip"
    made.add(GRE(proto=0x6558, **header))
    made.add(ether())
    return "type"


def erspan(made):
    made.ip(proto=47)
    made.add(GRE(proto=0x88be, seqnum_present=1, sequence_number=draw.getrandbits(32)))
    made.add(ERSPAN_II(ver=1, session_id=draw.randrange(1024)))
    made.add(ether())
    return "type"


def etherip(made):
    made.ip(proto=97)
    made.add(EtherIP())
    made.add(ether())
    return "type"


def vxlan(made):
    made.ip(proto=17)
    linux = draw.random() < .1
    made.shown &= not linux
    made.add(UDP(sport=port(), dport=8472 if linux else 4789))
    made.add(VXLAN(flags=0x8, vni=draw.getrandbits(24)))
    made.add(ether())
    return "type"


def geneve(made):
    made.ip(proto=17)
    made.add(UDP(sport=port(), dport=6081))
    options = [GeneveOptions(classid=0x0102, type=1, data=draw.randbytes(4 * draw.randint(0, 2)))
               for _ in range(draw.randint(0, 3))]
    if draw.random() < .5:
        made.add(GENEVE(proto=0x6558, vni=draw.getrandbits(24), options=options))
        made.add(ether())
        return "type"
    made.add(GENEVE(vni=draw.getrandbits(24), options=options))
    return "ip"


def mpls_over(made):
    if draw.random() < .5:
        made.ip(proto=137)
    else:
        made.ip(proto=17)
        made.add(UDP(sport=port(), dport=6635))
    return mpls_ip(made)


AFTER_TYPE = [vlan, qinq, mpls_ip, pseudowire]
AFTER_IP = [ip_in_ip, gre, erspan, etherip, vxlan, geneve, mpls_over]


def transport(bth_only=False):
    """A base transport header and all behind it but the check: layers, src_port, dst_port, payload,
    opcode, sequence."""
    service = draw.choice((0, 0, 0, 1, 3))
    if service == 3:
        operation = draw.choice((0x04, 0x05))
    else:
        operation = draw.choice(list(OPERATIONS if service == 0 else OF_UNRELIABLE))
    opcode = service << 5 | operation
    pair, sequence = draw.getrandbits(24) | 2, draw.getrandbits(24)
    source, pad = 0, 0
    if operation in WITHOUT_PAYLOAD:
        content = b""
    else:
        content = draw.randbytes(draw.randint(0, 200))
        pad = -len(content) % 4
    packet = BTH(opcode=opcode, padcount=pad, dqpn=pair, psn=sequence,
                 icrc=None if bth_only else draw.getrandbits(32))
    if service == 3:
        source = draw.getrandbits(24)
        packet /= DETH(qkey=7, srcqp=source)
    for header in OPERATIONS[operation].split():
        packet /= AETH(msn=5) if header == "AETH" else Raw(draw.randbytes(BYTES[header]))
    packet /= Raw(content + bytes(pad))
    return packet, source, pair, len(content), opcode, sequence


def finish(made, follows):
    """Adds the innermost packet; answers its row but for the ends."""
    kind = draw.choice(("tcp", "tcp", "udp", "sctp", "icmp", "roce", "roce"))
    if kind == "roce" and follows == "type" and draw.random() < .4:
        packet, source, pair, payload, opcode, sequence = transport()
        ends = [draw.getrandbits(120) | 0xfe << 120 for _ in "sd"]
        made.add(GRH(nexthdr=0x1b, paylen=len(packet), sgid=ends[0], dgid=ends[1]) / packet)
        made.ends.append([str(ipaddress.IPv6Address(end)) for end in ends])
        return ["ib", source, pair, payload, opcode, sequence]
    if kind == "roce":
        four = made.ip(proto=17)
        packet, source, pair, payload, opcode, sequence = transport(bth_only=four)
        made.add(UDP(sport=draw.randint(49152, 65535), dport=4791, chksum=0) / packet)
        return ["ib", source, pair, payload, opcode, sequence]
    four = made.ip()
    if not four and draw.random() < .3:
        made.add(draw.choice((IPv6ExtHdrHopByHop, IPv6ExtHdrDestOpt))())
    ports, content = (port(), port()), some_bytes(300)
    if kind == "tcp":
        made.add(TCP(sport=ports[0], dport=ports[1], flags="A",
                     options=[("NOP", None)] * draw.choice((0, 0, 4, 12))) / content)
        return ["tcp", *ports, len(content), "-", "-"]
    if kind == "udp":
        made.add(UDP(sport=ports[0], dport=ports[1]) / content)
        return ["udp", *ports, len(content), "-", "-"]
    if kind == "sctp":
        chunk = SCTPChunkData(data=content.load, stream_id=1)
        made.add(SCTP(sport=ports[0], dport=ports[1]) / chunk)
        return ["sctp", *ports, len(bytes(chunk)), "-", "-"]
    if four:
        made.add(ICMP() / content)
        return ["icmp", 0, 0, 8 + len(content), "-", "-"]
    made.add(UDP(sport=ports[0], dport=ports[1]) / content)
    return ["udp", *ports, len(content), "-", "-"]


def one():
    made, follows = Made(), "type"
    for _ in range(draw.choice((0, 1, 1, 1, 2, 2, 3, 4))):
        wrap = draw.choice(AFTER_IP + AFTER_TYPE if follows == "type" else AFTER_IP)
        follows = wrap(made)
    row = finish(made, follows)
    return bytes(made.frame), made.ends[-1] + row + made.ends[0] + [int(made.shown)]


def of_infiniband():
    packet, source, pair, payload, opcode, sequence = transport()
    ends, local = [draw.randint(1, 0xbfff) for _ in "sd"], ["lid:%d", "lid:%d"]
    names = [form % end for form, end in zip(local, ends)]
    route = LRH(lnh=2, slid=ends[0], dlid=ends[1])
    if draw.random() < .5:
        far = [draw.getrandbits(120) | 0xfe << 120 for _ in "sd"]
        names = [str(ipaddress.IPv6Address(end)) for end in far]
        route = LRH(lnh=3, slid=ends[0], dlid=ends[1]) / GRH(
            nexthdr=0x1b, paylen=len(packet), sgid=far[0], dgid=far[1])
    route.pktlen = (len(route) + len(packet)) // 4
    row = names + ["ib", source, pair, payload, opcode, sequence] + names + [1]
    return bytes(route / packet) + draw.randbytes(2), row


def write(folder, name, link, rows, count, make):
    whole = RawPcapWriter("%s/%s.pcap" % (folder, name), linktype=link)
    cut = RawPcapWriter(folder + "/cut.pcap", linktype=link) if link == 1 else None
    for writer in filter(None, (whole, cut)):
        writer.write_header(None)
    for number in range(1, count + 1):
        frame, row = make()
        whole.write_packet(frame, sec=number, usec=0)
        if cut:
            caught = draw.randint(1, len(frame))
            cut.write_packet(frame[:caught], sec=number, usec=0, caplen=caught, wirelen=len(frame))
        rows.write("\t".join(map(str, [number] + row)) + "\n")
    for writer in filter(None, (whole, cut)):
        writer.close()


def main():
    count, folder = int(sys.argv[2]), sys.argv[3]
    with open(folder + "/whole.tsv", "w", encoding="ascii") as rows:
        write(folder, "whole", 1, rows, count, one)
    with open(folder + "/infiniband.tsv", "w", encoding="ascii") as rows:
        write(folder, "infiniband", 247, rows, count // 10, of_infiniband)


main()
