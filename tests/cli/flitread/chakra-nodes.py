# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the messages of a Chakra execution trace by the schema of mlcommons/chakra, one a line: the
# fields of the metadata or a node by their names there, attributes as NAME=FORM:VALUE.
import sys

METADATA = {1: "version"}
NODE = {1: "id", 2: "name", 3: "type", 4: "ctrl_deps", 5: "data_deps", 7: "duration_micros"}
FORMS = {7: "int32", 9: "int64", 27: "bool", 31: "bytes"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), "a number or bytes"
        value, at = varint(data, at)
        if key & 7 == 2:
            at, value = at + value, data[at : at + value]
            assert at <= len(data)
        yield key >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield str(value)


def attribute(data):
    (name_field, name), (form, value) = fields(data)
    assert name_field == 1
    text = value.decode() if form == 31 else str(value)
    return name.decode() + "=" + FORMS[form] + ":" + text.splitlines()[0]


trace, at, names = open(sys.argv[1], "rb").read(), 0, METADATA
while at < len(trace):
    size, at = varint(trace, at)
    line = []
    for field, value in fields(trace[at : at + size]):
        if field == (2 if names is METADATA else 10):
            line.append(attribute(value))
        elif field in (4, 5) and names is NODE:
            line.append(names[field] + "=" + ",".join(numbers(value)))
        else:
            text = value.decode() if isinstance(value, bytes) else str(value)
            line.append(names[field] + "=" + text)
    print(*line)
    at, names = at + size, NODE
