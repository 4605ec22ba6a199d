# SPDX-License-Identifier: GPL-3.0-or-later
# A Chakra execution trace of lines "ID TYPE [WORD=VALUE ...]": duration, needs and caller (1,2,...)
# are fields, others attributes, numbers or texts.
import sys


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def node(words):
    out = number(1, int(words[0])) + number(3, int(words[1]))
    for word in words[2:]:
        key, value = word.split("=", 1)
        if key == "needs":
            out += data(5, b"".join(varint(int(one)) for one in value.split(",")))
        elif key == "caller":
            out += data(4, b"".join(varint(int(one)) for one in value.split(",")))
        elif key == "duration":
            out += number(7, int(value))
        elif key == "dims":
            dims = data(28, data(1, bytes(int(c) for c in value)))
            out += data(10, data(1, b"involved_dim") + dims)
        else:
            said = number(9, int(value)) if value.isdigit() else data(29, value.encode())
            out += data(10, data(1, key.encode()) + said)
    return out


for message in [data(1, b"0.0.4")] + [node(line.split()) for line in sys.stdin]:
    sys.stdout.buffer.write(varint(len(message)) + message)
