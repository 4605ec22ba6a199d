# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces, programs and reports of flitline in Python and in notebooks.

It needs NumPy, and pandas for frames. The programs are those of the installation that it belongs
to, or else those on PATH.

Run programs.  A pipeline is written as in a shell, but no shell runs it; its result is what its
last program prints.

    >>> import flitline
    >>> flitline.run("flitcap -q -r my.pcap -w my.flt")
    ''
    >>> answer = flitline.run("flitcut --class data my.flt | flitstat --json -")
    >>> answer["trace"]["packets"], answer.status
    (5793, 0)
    >>> [row["role"] for row in answer["overhead"]]
    ['controller', 'worker', 'all']

JSON (the option --json of the programs that print tables) becomes a dictionary of tables: a table
is a list of rows, each a dictionary, so pandas.DataFrame(answer["overhead"]) shows one. A stream
becomes a Trace, a page of flitreport a Report, and any other text a string. All have .status, which
is 0, or 1 where the answer is no, and .messages, the warnings, which are shown, too (-q suppresses
them). Status 2 is a failure: it raises flitline.Error with the program's own words.

    >>> flitline.run("flitcmp my.flt other.flt")
    Traceback (most recent call last):
    flitline.Error: flitcmp: other.flt: No such file or directory

Words that a shell would expand ($HOME, *.flt, ~) are refused or taken as they are; give values with
an f-string and shlex.quote(), or give each program as a list: flitline.run(["flitcap", "-r", path],
["flitstat", "--json", "-"]).

Open traces.  open() takes a stream (.flt), compressed or not, or an array that flitcut -T npy
wrote.

    >>> trace = flitline.open("my.flt")
    >>> trace
    <flitline.Trace my.flt: 10054 packet records, 4 nodes, 1000000000 ticks a second>
    >>> trace.fields
    ('time', 'id', 'flow', 'src', 'dst', 'payload', 'wire', 'flags', 'class', 'opcode')
    >>> int(trace["wire"].sum())             # a column is an array
    47791284
    >>> trace["time"][:2]                    # times are whole ticks since the origin
    array([178266800, 178280741])
    >>> trace.seconds("time")[:2]            # the same in seconds
    array([0.1782668 , 0.17828074])
    >>> str(trace.utc("time")[0])
    '2026-11-21T00:39:21.178266800'
    >>> trace.nodes                          # names by id
    ['10.77.0.4', '10.77.0.1', '10.77.0.2', '10.77.0.3']
    >>> trace.names("src")[:2]               # the names of a column of ids or codes
    array(['10.77.0.4', '10.77.0.1'], dtype=object)

Gaps are differences of ticks, which are exact: numpy.diff(trace["time"]) / trace.ticks_per_s.
Conditions select records as in any array:

    >>> large = trace["payload"] > 8000
    >>> int(large.sum()), sorted(set(trace.names("src")[large]))
    (5760, ['10.77.0.1', '10.77.0.2', '10.77.0.3', '10.77.0.4'])

trace.records is one array of records (numpy structured type, see flit-trace(5)); trace.blocks()
gives the same in parts, which are views of the mapped file, for traces larger than memory.
trace.frame() is a pandas DataFrame with times in seconds and names for ids:

    >>> frame = trace.frame()
    >>> list(frame.columns)[:6]
    ['time_s', 'id', 'flow', 'src', 'dst', 'payload_B']
    >>> int(frame.groupby("src", observed=True)["wire_B"].sum()["10.77.0.1"])
    19912527

A stream is checked to its end, with its checksums, before it is opened. One that is damaged or cut
raises Error, which names the file and the byte; what precedes the damage is read after flitcat
--keep-going -w part.flt, and then a warning says so.

Show reports.  In a notebook the page appears in the cell, with its figures; .save("report.html")
keeps it.

    >>> flitline.report("my.flt")   # also with options: report("a.flt", "b.flt", "--compare")
    <flitline.Report: Traffic report: my.flt>
"""
import collections, decimal, html, io, json, math, mmap, os, re, shlex, shutil, signal, stat
import struct, subprocess, sys, tempfile, warnings

try:
    import numpy
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}: flitline.py needs NumPy (Debian's package python3-numpy)",
                              name=error.name) from None

__all__ = ["Answer", "Error", "Report", "Text", "Trace", "open", "report", "run"]

_HEADER = struct.Struct("<8sHHHHQqIIIIQQ")
_CHUNK = struct.Struct("<BBHIIIqQ")
_STREAM, _ZSTD, _NPY = b"\x89FLT\r\n\x1a\n", b"\x28\xb5\x2f\xfd", b"\x93NUMPY"
_NOBODY = 0xFFFFFFFF

# The kinds in the order of their numbers, with their fields, as flit-trace(5) has them: name:type,
# and :meaning where the number is not its own. A field without a name is reserved.
_PACKET = ("time:i8:time id:u8 flow:u4:flow src:u4:node dst:u4:node payload:u4:B wire:u4:B "
           "flags:u2:flags class:u1:class opcode:u1 ")
_KINDS = {
    "packet": _PACKET,
    "delivery": _PACKET + "created:i8:reached started:i8:reached injected:i8:reached "
                          "head:i8:reached status:u1:status reason:u1:reason hops:u2 :u4",
    "message": "time:i8:time end:i8:time id:u8 size:u8:B src:u4:node dst:u4:node tag:i4 "
               "communicator:u4 operation:u2:operation flags:u2:message_flags :u4 "
               "src_rank:u4:rank dst_rank:u4:rank",
    "series": "time:i8:time width:i8:span count:u8 bytes:u8 node:u4:node class:u1:class "
              ":u1 :u1 :u1",
    "link": "time:i8:time width:i8:span busy:i8:span blocked_stop:i8:span blocked_port:i8:span "
            "blocked_memory:i8:span characters:u8 occupancy_area:u8 link:u4:link "
            "occupancy_peak:u4",
}
_WORDS = {
    "class": "none data overhead",
    "status": "delivered dropped in_flight",
    "reason": "none queue timeout error dead unmapped route deadlock lost buffer no-route",
    "operation": "other send recv isend irecv wait barrier bcast reduce allreduce gather "
                 "allgather scatter alltoall ignore_me birth "
                 "death reduce-scatter scan exscan",
}
_BITS = {"flags": "fragment snapped late setup close resent duplicate after-loss "
                  "marked markable",
         "message_flags": "eager rendezvous rule partly"}


class Error(Exception):
    """What a program said when it failed, or what is wrong with a file: the message names the file,
    and the byte where there is one."""


class Answer(dict):
    """The JSON of a program: tables, lists of dictionaries, by their names; some have one row and
    are a dictionary. status is 0, or 1 where the answer is no (a test that rejects, traces that
    differ); messages is what was said on standard error."""
    status, messages = 0, ""


class Text(str):
    """What a program printed, where it is neither JSON nor a stream, with its status and messages
    (see Answer)."""
    status, messages = 0, ""


class Report(Text):
    """A page of flitreport, as HTML. A notebook shows it; height is that of its frame in pixels, to
    be set before."""

    height = 800

    def __repr__(self):
        title = re.search("<title>(.*?)</title>", self)
        return f"<flitline.Report: {html.unescape(title.group(1)) if title else 'without a title'}>"

    def _repr_html_(self):
        return (f'<iframe style="width:100%;height:{int(self.height)}px;border:0" '
                'sandbox="allow-scripts allow-popups" '
                f'srcdoc="{html.escape(str(self))}"></iframe>')

    def save(self, path):
        """Writes the page to a file."""
        with io.open(path, "w", encoding="utf-8") as file:
            file.write(self)


def _environment():
    """That of the caller, with the programs of this module's own installation first on PATH."""
    folder = os.path.dirname(os.path.realpath(__file__))
    programs = os.path.normpath(os.path.join(folder, "..", "..", "..", "bin"))
    paths = os.environ.get("PATH", os.defpath)
    installed = os.path.basename(folder) == "dist-packages"
    if installed and os.access(os.path.join(programs, "flitinfo"), os.X_OK):
        paths = programs + os.pathsep + paths
    return {**os.environ, "PATH": paths}


def _refuse(character):
    """Raises ValueError, which says what to type instead."""
    way = {">": "a file is an option of the program: -w or -o FILE",
           "<": "a file is an operand of the program",
           "$": "give the value itself, as an f-string does"}
    way = way.get(character, "quote it if it is meant as it is")
    raise ValueError(f"{character!r} means something to a shell, and no shell runs this: {way}")


def _split(pipeline):
    """The programs of a pipeline, each a list of words; a quoted bar is no pipe."""
    parts, quote, escaped = [""], "", False
    for character in pipeline:
        if escaped:
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif quote:
            if character in "$`" and quote == '"':
                _refuse(character)
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "|":
            parts.append("")
            continue
        elif character in "<>;&()$`*?":
            _refuse(character)
        parts[-1] += character
    return [shlex.split(part) for part in parts]


def _execute(commands, out):
    """Runs the programs, the last one's output to the file out, from which it is then read. Returns
    the worst status and what they said; raises Error if one failed. A program that writes to a
    closed pipe ends with 2 in silence: enough was read."""
    environment, running, said, source = _environment(), [], [], subprocess.DEVNULL
    try:
        for place, words in enumerate(commands):
            program = shutil.which(words[0], path=environment["PATH"])
            if not program:
                raise Error(f"{words[0]}: no such program beside this module or on PATH")
            said.append(tempfile.TemporaryFile())
            last = place + 1 == len(commands)
            running.append(subprocess.Popen([program] + words[1:], stdin=source, stderr=said[-1],
                                            stdout=out if last else subprocess.PIPE,
                                            env=environment))
            if source is not subprocess.DEVNULL:
                source.close()
            source = running[-1].stdout
        codes = [process.wait() for process in running]
    except BaseException:
        for process in running:
            process.kill()
            process.wait()
        raise
    out.seek(0)
    texts, failures = [], []
    for place, (words, code) in enumerate(zip(commands, codes)):
        with said[place] as file:
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        in_silence = code == -signal.SIGPIPE or (code == 2 and not texts[-1])
        closed = place + 1 < len(commands) and in_silence
        if code not in (0, 1) and not closed:
            end = f"with status {code}" if code > 0 else f"by signal {-code}"
            failures.append(texts[-1].rstrip() or f"{words[0]}: ended {end}")
    if failures:
        raise Error("\n".join(failures))
    return (1 if 1 in codes else 0), "".join(texts)


def _result(file):
    """What the file of a program's output holds, by its first bytes."""
    head = file.read(16)
    if head[:8] == _STREAM or head[:6] == _NPY:
        return open(file.name)
    text = (head + file.read()).decode("utf-8", "surrogateescape")
    if head[:1] == b"{":
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if isinstance(answer, dict) and "program" in answer:
            return Answer(answer)
    return Report(text) if text.startswith("<!DOCTYPE html>") else Text(text)


def _word_of(words, place):
    """A word of a program as a text or bytes; TypeError, which names it, for what is neither these
    nor a path."""
    try:
        return os.fspath(words[place])
    except TypeError:
        where = f"argument {place} of {words[0]}" if place else "a program's name"
        raise TypeError(f"{where} is {words[place]!r}, of type {type(words[place]).__name__}: "
                        f"expected a text or a path; "
                        f"write str({words[place]!r}) or \"{words[place]}\"") from None


def run(*pipeline):
    """Runs a pipeline, given as one text ("flitcap -r x.pcap | flitstat --json -") or as a list of
    words for each program.

    Returns what the last program printed: an Answer (JSON), a Trace (a stream), a Report (a page)
    or a Text, each with status (0, or 1 for the answer no: the worst of all programs) and messages.
    Raises Error where a program ends otherwise, with what it said, and ValueError for words that
    only a shell understands. Warnings go to sys.stderr, too. Nothing is read from standard input.
    Programs of others may take part (sort, awk): their status 1 counts as an answer, too. """
    is_text = len(pipeline) == 1 and isinstance(pipeline[0], str)
    commands = _split(pipeline[0]) if is_text else pipeline
    commands = [[_word_of(words, place) for place in range(len(words))]
                for words in commands if not isinstance(words, str)]
    if not commands or not all(commands):
        raise ValueError("expected a text of programs with bars between them, "
                         "or a list of words for each program")
    with tempfile.NamedTemporaryFile(prefix="flitline-") as file:
        status, messages = _execute(commands, file)
        result = _result(file)
    sys.stderr.write(messages)
    result.status, result.messages = status, messages
    if isinstance(result, Trace):
        result.path = commands[-1][0]
    return result


def report(*words, height=800):
    """The page of flitreport on these files; options are words, too: report("my.flt", "my.model",
    "--title", "Run 7")."""
    page = run(["flitreport", "-q", "--format", "html", *words])
    page.height = height
    return page


def _layout(kind, stride=None):
    """The numpy type of a kind's records, and the meaning of its fields by name."""
    fields, at = [], 0
    for word in _KINDS[kind].split():
        name, form, meaning = (word + ":").split(":")[:3]
        fields += [(name, "<" + form, at, meaning)] if name else []
        at += int(form[1])
    names, formats, offsets, meanings = map(list, zip(*fields))
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": stride or at}
    return numpy.dtype(layout), dict(zip(names, meanings))


def _labels(names):
    """Names of ids that are told apart: one that another id has too, or that means something else,
    is @ and the id."""
    counts = collections.Counter(names)
    taken = ("other", "-", "?")
    return [f"@{i}" if counts[name] > 1 or name in taken or name.startswith("@") else name
            for i, name in enumerate(names)]


def _word(meaning, code):
    """A code's word, or those of its bits."""
    if meaning in _WORDS:
        words = _WORDS[meaning].split()
        return words[code] if code < len(words) else str(code)
    words = _BITS[meaning].split()
    rest = code >> len(words) << len(words)
    named = [word for bit, word in enumerate(words) if code >> bit & 1]
    return "+".join(named + [str(rest)] * (rest > 0)) or "-"


class Trace:
    """Records of one kind as columns, with their names. Made by flitline.open() and flitline.run().

    path         the file, or the program that wrote the stream
    kind         packet, delivery, message, series or link
    fields       the names of the columns; trace[name] is one, as the numbers of the stream
                 (flit-trace(5)): times are whole ticks since the origin, -1 where they were not
                 reached, and nodes, flows and links are ids
    ticks_per_s  ticks per second
    origin       seconds from 1970 to tick 0, a Decimal; 0 where the stream is tied to no clock,
                 None more than 292 years away
    ordered      whether no record steps back in time
    lost         packets that the capture lost, None where it is not known
    damaged      whether the stream is what --keep-going kept of a damaged one
    nodes, links names by id, the last ones where a name changed; roles are those of the nodes
    flows        dictionaries by id: flow, src, dst, protocol, src_port, dst_port
    counters     a dictionary of what was counted while the stream was made
    made         the history, lines of text with the digests of the inputs
    tables       all of these as flitinfo --json --names has them; status and messages as of an
                 Answer
    """
    status, messages = 0, ""

    def __init__(self, path, tables, blocks):
        stream = tables["stream"]
        self.path, self.tables, self.kind = path, tables, stream["kind"]
        self.fields = blocks[0].dtype.names
        self.ticks_per_s, self.origin = stream["ticks_per_s"], stream["origin_s"]
        self.ordered, self.lost = stream["sorted"] == "yes", stream["lost"]
        self.damaged = stream["end"] != "clean"
        self.nodes = [row["address"] for row in tables["nodes"]]
        self.roles = [row["role"] for row in tables["nodes"]]
        self.flows = tables.get("flows", [])
        self.links = [row["name"] for row in tables.get("links", [])]
        self.counters = {row["counter"]: row["value"] for row in tables["counters"]}
        self.made = [row["line"] for row in tables["made"]]
        self._meanings = _layout(self.kind)[1]
        self._blocks, self._records = blocks, blocks[0] if len(blocks) == 1 else None
        self._count = sum(map(len, blocks))
        if self._count != stream["records"]:
            raise Error(f"{path}: {self._count} records where {stream['records']} were checked: "
                        f"the file changed meanwhile")
        if self.damaged:
            warnings.warn(f"{path}: made from a damaged input, of which it has the part before "
                          f"the damage", stacklevel=3)

    def __len__(self):
        return self._count

    def __repr__(self):
        damaged = ", of a damaged input" if self.damaged else ""
        return (f"<flitline.Trace {self.path}: {self._count} {self.kind} records, "
                f"{len(self.nodes)} nodes, {self.ticks_per_s} ticks a second{damaged}>")

    def blocks(self):
        """The records in parts, in order: arrays that are views of the file, which is mapped into
        memory and read when used."""
        return iter(self._blocks)

    @property
    def records(self):
        """All records as one array: a view of an array that flitcut -T npy wrote, or of a stream of
        one block, else a copy, which is kept."""
        if self._records is None:  # bytes are copied faster than fields
            whole = numpy.concatenate([block.view("u1") for block in self._blocks])
            self._records = whole.view(self._blocks[0].dtype)
        return self._records

    def _meaning(self, field, *wanted):
        """The meaning of a field, one of those wanted if there are any."""
        fields = [name for name in self.fields if not wanted or self._meanings[name] in wanted]
        if field not in fields:
            of_kind = " of this kind" if wanted else ""
            raise KeyError(f"{self.kind} records have no {field!r}{of_kind}, but "
                           f"{' '.join(fields) or 'none'}")
        return self._meanings[field]

    def __getitem__(self, field):
        """The column of a field, as an array."""
        self._meaning(field)
        if self._records is not None:
            return self._records[field]
        return numpy.concatenate([block[field] for block in self._blocks])

    def seconds(self, field="time"):
        """Times or spans in seconds, a column of doubles: NaN where a time was not reached. A
        double holds 53 bits: to subtract times exactly, subtract ticks."""
        meaning, ticks = self._meaning(field, "time", "reached", "span"), self[field]
        seconds = ticks / self.ticks_per_s
        if meaning == "reached":
            seconds[ticks == -1] = numpy.nan
        return seconds

    def utc(self, field="time"):
        """Times of day, datetime64[ns], rounded down: NaT where a time was not reached."""
        meaning, ticks = self._meaning(field, "time", "reached"), self[field]
        both = math.gcd(self.ticks_per_s, 10**9)
        up, down = 10**9 // both, self.ticks_per_s // both
        whole, rest = ticks // self.ticks_per_s, ticks % self.ticks_per_s
        rest = rest if (self.ticks_per_s - 1) * up < 2**63 else rest.astype(object)
        limit = 2**63 // 10**9 - 2
        ends = (whole.min(), whole.max()) if len(ticks) and self.origin is not None else ()
        if self.origin is None or any(abs(int(self.origin) + int(end)) > limit for end in ends):
            raise ValueError("datetime64[ns] only reaches 292 years from 1970")
        seconds, part = divmod(self.origin, 1)
        when = (whole + int(seconds)) * 10**9 + (rest * up // down).astype("i8") + int(part * 10**9)
        if meaning == "reached":
            when[ticks == -1] = numpy.iinfo("i8").min
        return when.view("M8[ns]")

    def _categories(self, field):
        """The texts of a column of ids or codes, and each record's place among them."""
        meaning, codes = self._meaning(field, "node", "flow", "link", *_WORDS, *_BITS), self[field]
        if meaning in ("node", "flow", "link"):
            texts = {"node": self.nodes, "link": self.links, "flow": [
                f"{f['src']}>{f['dst']}/{f['protocol']}/{f['src_port']}-{f['dst_port']}"
                for f in self.flows]}[meaning]
            texts = _labels(texts) + ["other" if meaning == "node" else "-"]
            places = numpy.where(codes == _NOBODY, len(texts) - 1, codes)
            if len(places) and places.max() >= len(texts):
                raise Error(f"{self.path}: {field} {places.max()} has no name")
            return texts, places.astype("i4")
        present = numpy.flatnonzero(numpy.bincount(codes, minlength=1))
        places = numpy.zeros(len(codes) and int(present[-1]) + 1, "i4")
        places[present] = numpy.arange(len(present))
        return [_word(meaning, int(code)) for code in present], places[codes]

    def names(self, field):
        """What a column of ids or codes stands for: an array of addresses (src, dst, node), flows,
        links or words (class, flags, status, reason, operation), as flitcut --format csv writes
        them."""
        texts, places = self._categories(field)
        return numpy.array(texts, dtype=object)[places]

    def _column(self, field):
        """What the frame calls the column of a field: with its unit."""
        meaning = self._meanings[field]
        seconds = meaning in ("time", "reached", "span")
        return field + ("_s" if seconds else "_B" if meaning == "B" else "")

    def frame(self, fields=None):
        """A pandas DataFrame of the fields, by default all, or of one: times and spans in seconds
        (time_s), sizes in bytes (payload_B), names as categories, missing ranks as NA. The columns
        are called as flitcut --format csv calls them, and may be asked for by these names, too."""
        try:
            import pandas
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(f"{error}: a frame needs pandas (Debian's "
                                      f"package python3-pandas)",
                                      name=error.name) from None
        columns, called = {}, {self._column(field): field for field in self.fields}
        for field in [fields] if isinstance(fields, str) else fields or self.fields:
            field = called.get(field, field)
            meaning = self._meaning(field)
            if meaning in ("time", "reached", "span"):
                columns[self._column(field)] = self.seconds(field)
            elif meaning == "rank":
                columns[field] = pandas.array(self[field], "UInt32")
                columns[field][self[field] == _NOBODY] = pandas.NA
            elif meaning in ("", "B"):
                columns[self._column(field)] = self[field]
            else:
                texts, places = self._categories(field)
                columns[field] = pandas.Categorical.from_codes(places, texts)
        return pandas.DataFrame(columns)


def _of_npy(path, shown):
    """The array and the tables that flitcut -T npy wrote."""
    try:
        records = numpy.load(path, mmap_mode="r")
        with io.open(path, "rb") as file:
            file.seek(records.offset + records.nbytes)
            tables = json.loads(numpy.load(file).item(), parse_float=decimal.Decimal)
        kind = tables["stream"]["kind"]
        known = _layout(kind)[0]
    except (ValueError, EOFError, KeyError, AttributeError, TypeError) as error:
        raise Error(f"{shown}: not a whole array of flitcut -T npy: {error}") from error
    for name in records.dtype.names or [""]:
        if name not in known.names or records.dtype[name] != known[name]:
            raise Error(f"{shown}: {kind} records have no field {name!r} of this type")
    return Trace(shown, tables, [records.view(numpy.ndarray)])


def _through_flitcut(path):
    """What only a program can read, such as a compressed stream: as an array in a file that goes
    away with it."""
    with tempfile.TemporaryDirectory(prefix="flitline-") as folder:
        array = os.path.join(folder, "x.npy")
        messages = run(["flitcut", "-w", array, path]).messages
        trace = _of_npy(array, path)
        trace.messages = messages
        return trace


def _views(data, dtype):
    """The blocks of a checked stream as arrays, at least one; None if one is compressed."""
    views, at = [], _HEADER.size + (_HEADER.unpack_from(data)[9] + 7) // 8 * 8
    while at < len(data):
        kind, compression, _, stored, _, count, _, _ = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if kind == ord("R") and count:
            if compression:
                return None
            views.append(numpy.frombuffer(data, dtype, count, at))
        at += (stored + 7) // 8 * 8
    return views or [numpy.empty(0, dtype)]


def open(path):
    """Opens a trace: a stream, plain or compressed, or an array of flitcut -T npy. Returns a Trace.

    A plain stream is checked by flitinfo, whose warnings of odd times are shown, and mapped into
    memory; a compressed one, or a pipe, becomes an array of flitcut in a temporary file (in TMPDIR)
    that goes away with the Trace. Raises Error for what is damaged, cut or no trace, OSError for
    what cannot be opened. """
    path = os.fspath(path) if not os.fspath(path).startswith("-") else os.path.join(".", path)
    if not stat.S_ISREG(os.stat(path).st_mode):
        return _through_flitcut(path)
    with io.open(path, "rb") as file:
        head = file.read(8)
        if head[:6] == _NPY:
            return _of_npy(path, path)
        if head[:4] == _ZSTD:
            return _through_flitcut(path)
        before = os.fstat(file.fileno())
        with tempfile.NamedTemporaryFile(prefix="flitline-") as out:
            _, messages = _execute([["flitinfo", "--json", "--names", path]], out)
            tables = json.load(out, parse_float=decimal.Decimal)
        after = os.stat(path)
        same = ("st_dev", "st_ino", "st_size", "st_mtime_ns")
        if any(getattr(before, name) != getattr(after, name) for name in same):
            raise Error(f"{path}: changed while it was checked")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    header = _HEADER.unpack_from(data)
    views = _views(data, _layout(list(_KINDS)[header[3] - 1], header[4])[0])
    if views is None:
        return _through_flitcut(path)
    trace = Trace(path, tables, views)
    trace.messages = messages
    sys.stderr.write(messages)
    return trace
