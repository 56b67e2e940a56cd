# fermata-gdb.py: what gdb should know about programs of Fermata. `fermata gdb PROGRAM` loads it,
# and so does `source`.
#
#     print EXPR                 as ever; in an async function names mean the user's variables,
#                                wherever they are kept
#     set var X = EXPR           likewise
#     bt                         async functions under their own names
#     fermata locals             the variables of the selected frame
#     fermata activity-locals [WHICH]  the fm_locals of the activity that runs, or of WHICH
#     fermata activities         the tree of activities of every domain, as fm_dump() prints it
#     break f, tbreak f          also where f is an async function, main too
#     fermata next               the next line of this function, also behind a pause
#     fermata backtrace [WHICH]  who awaits whom: the frames of the activity that runs, of number
#                                WHICH, or of `all`, with locals
#
# Everything is read from memory, never by a call: it works on core files and wherever the program
# was stopped. The type of a function's frame says where variables are kept (struct f__fm_names, see
# compiler/frame/debug.c); all else is in the debug information of libfermata. Needs gdb 10 or later
# with Python 3.
import re

import gdb
import gdb.printing
from gdb.FrameDecorator import FrameDecorator


# ---- variables of async functions ----
GENERATED = re.compile(
    r'^(?P<name>.+)__fm_(?P<version>call|resume|landed|body|part\d+|atomic|begin|start|full|spill'
    r'|stop|short)$'
)
PART = re.compile(r'^part\d+$')  # of a large function: a piece of its body
RUNS = ('call', 'resume', 'landed', 'body', 'atomic')  # versions that the user's statements are in
VARIABLE = re.compile(
    r'^fm__(?P<role>[vp])_(?:(?P<frame>r)|v(?P<shape>[0-9Nd]+)|s(?P<slot>\d+)|n)'
    r'_(?P<number>x?\d+)_(?P<first>\d+)_(?P<last>\d+)'
    r'_(?P<states>[0-9tx]*)_(?P<name>.*)$'
)


class Variable:
    """One line of struct f__fm_names."""

    def __init__(self, match, field):
        part = match.groupdict()
        self.name, self.is_parameter = part['name'], part['role'] == 'p'
        self.own_name = (
            self.name if part['number'][0] == 'x' else '%s__%s' % (self.name, part['number'])
        )
        self.first, self.last = int(part['first']), int(part['last'])
        self.shape = part['shape']
        kind = field.target()  # of an array of variable length: a pointer to its elements
        self.element = (
            kind.target() if self.shape and kind.target().code != gdb.TYPE_CODE_VOID else None
        )
        self.resident = bool(part['frame'] or part['shape'])
        self.slot = part['slot'] and int(part['slot'])
        self.states = [
            tuple(int(n) for n in piece.split('t')) for piece in part['states'].split('x') if piece
        ]

    def saved_at(self, state):
        return any(piece[0] <= state <= piece[-1] for piece in self.states)

    def holds_at(self, line):
        return self.first <= line <= self.last


def has_field(struct, name):
    return any(field.name == name for field in struct.fields())


def variables_of(struct):
    """All variables of the function whose frame has that type; outer blocks come first."""
    if not has_field(struct, 'fm__names'):
        return []
    names = struct['fm__names'].type.strip_typedefs().target()
    matches = ((VARIABLE.match(field.name), field.type) for field in names.fields())
    return sorted((Variable(m, kind) for m, kind in matches if m), key=lambda v: v.first)


def lookup_struct(name, block):
    try:
        return (
            gdb.lookup_type(name, block).strip_typedefs()
            if block
            else gdb.lookup_type(name).strip_typedefs()
        )
    except gdb.error:
        return None


def lengths(frame, variable):
    """Of an array of variable length, from the outside in."""
    result, variable_ones = [], 0
    for part in variable.shape.split('d')[:-1]:
        if part == 'N':
            result.append(int(frame['%s__n%d' % (variable.own_name, variable_ones)]))
            variable_ones += 1
        else:
            result.append(int(part))
    return result


def resident_value(frame, variable):
    """`frame` is the structure. None: it has no value that could be shown."""
    field = frame[variable.own_name]
    if not variable.shape:
        return field
    kind = variable.element
    sizes = lengths(frame, variable)
    if kind is None or int(field) == 0 or min(sizes) == 0:
        return None
    for size in reversed(sizes):
        kind = kind.array(size - 1)
    return field.cast(kind.pointer()).dereference()


def resident_text(path, frame, variable):
    """The same as an expression, which can be assigned to."""
    if variable.element is None:
        return '(%s%s)' % (path, variable.own_name)
    sizes = ''.join('[%d]' % n for n in lengths(frame, variable))
    return '(*(%s (*)%s)%s%s)' % (variable.element, sizes, path, variable.own_name)


# ---- frames of gdb ----
def version_of(frame):
    """(function, version) of a frame that runs an async function's statements, or two Nones."""
    match = GENERATED.match(frame.name() or '')
    version = PART.sub('body', match.group('version')) if match else None
    if version not in RUNS or is_entry(frame):
        return None, None
    return match.group('name'), version


def is_entry(frame):
    """Generated code around the user's: it stands in no file of his."""
    match = GENERATED.match(frame.name() or '')
    symtab = frame.find_sal().symtab
    if not match:
        return False
    return symtab is None or symtab.filename.endswith('<fermata>') or calls_a_part(frame, match)


def calls_a_part(frame, match):
    """A part of a large function in which another part of it runs: the statement is in that one."""
    inner = GENERATED.match(frame.newer().name() or '') if frame.newer() is not None else None
    return (
        inner is not None
        and inner.group('name') == match.group('name')
        and all(PART.match(m.group('version')) for m in (inner, match))
    )


def block_of(frame):
    try:
        return frame.block()
    except RuntimeError:
        return None


def symbols(block):
    """Those of a block and of the blocks around it in the function, innermost first, each once."""
    seen = set()
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in seen:
                seen.add(symbol.name)
                yield symbol
        if block.function is not None:
            return
        block = block.superblock


def readable(value):
    return value is not None and not value.is_optimized_out


def read(frame, symbol):
    try:
        return symbol.value(frame) if symbol.needs_frame else symbol.value()
    except (gdb.error, RuntimeError):
        return None


class Here:
    """The variables that the user sees where a frame of gdb stands."""

    def __init__(self, frame):
        self.frame = frame
        self.function, self.version = version_of(frame)
        self.block = block_of(frame)
        self.line = frame.find_sal().line
        self.symbols = {symbol.name: symbol for symbol in symbols(self.block)}
        self.path, self.own, self.struct = None, None, None
        if self.function and self.version != 'atomic':
            self.find_frame()

    def find_frame(self):
        """self.own: the frame as a structure, or None; self.path: how an expression names it."""
        self.struct = lookup_struct(self.function + '__fm_frame', self.block)
        own = read(self.frame, self.symbols['fm__f']) if 'fm__f' in self.symbols else None
        at = own
        if self.struct is not None and (
            self.version in ('resume', 'landed') or (self.version == 'body' and not readable(own))
        ):
            resumed = resumed_frame(
                self.frame
            )  # known before fm__f, and where that was optimised away
            at = resumed.cast(self.struct.pointer()) if resumed is not None else own
        if not readable(at) or int(at) == 0:
            return
        same = readable(own) and int(own) == int(at)
        self.path = 'fm__f->' if same else '((%s__fm_frame *)%d)->' % (self.function, int(at))
        self.own = at.dereference()

    def levels(self):
        """Of an activate's body also those around it: (path, structure), from the inside out."""
        path, frame = self.path, self.own
        while frame is not None:
            yield path, frame
            if not has_field(frame.type.strip_typedefs(), 'fm__up'):
                return
            path, up = path + 'fm__up->', frame['fm__up']
            frame = up.dereference() if int(up) else None

    def in_version(self, variable):
        """The symbol that a variable which is not in the frame has in this version."""
        names = (
            (variable.own_name, variable.name) if self.version == 'call' else (variable.own_name,)
        )
        return next((self.symbols[name] for name in names if name in self.symbols), None)

    def framed(self):
        """{name: (text, function that reads it)} of variables that gdb would take for others."""
        result = {}
        if not self.function or self.version == 'atomic':
            return result
        for depth, (path, frame) in reversed(list(enumerate(self.levels()))):
            for v in variables_of(frame.type.strip_typedefs()):
                if not v.holds_at(self.line):
                    continue
                if v.resident:
                    result[v.name] = (
                        lambda p=path, f=frame, v=v: resident_text(p, f, v),
                        lambda f=frame, v=v: resident_value(f, v),
                    )
                elif depth == 0:
                    self.add_plain(result, v)
        if self.own is None and self.struct is not None:
            for v in variables_of(self.struct):
                if v.holds_at(self.line) and not v.resident:
                    self.add_plain(result, v)
        return result

    def add_plain(self, result, variable):
        symbol = self.in_version(variable)
        if symbol is not None:
            result[variable.name] = (lambda s=symbol: s.name, lambda s=symbol: read(self.frame, s))

    def locals(self):
        """[(name, value)]; the value is None if there is none that could be read."""
        if self.function and self.version != 'atomic':
            return [(name, guarded(value)) for name, (_, value) in self.framed().items()]
        return [
            (name, read(self.frame, symbol))
            for name, symbol in self.symbols.items()
            if not name.startswith('fm__')
        ]


def guarded(value):
    try:
        return value()
    except gdb.error:
        return None


def shown(value):
    if value is None:
        return '<not available>'
    try:
        return value.format_string()
    except gdb.error as error:
        return '<%s>' % error


# ---- expressions ----
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\$\w*|[A-Za-z_]\w*|\d[\w.]*|::|->|\s+|.', re.S
)


def rewrite(expression):
    """The expression with names of variables that are kept elsewhere replaced."""
    try:
        framed = Here(gdb.selected_frame()).framed()
    except gdb.error:
        return expression
    result, before = [], ''
    for token in TOKEN.findall(expression):
        if token in framed and before not in ('.', '->', '::', 'struct', 'union', 'enum', '@entry'):
            result.append(framed[token][0]())
        else:
            result.append(token)
        if not token.isspace():
            before = token
    return ''.join(result)


def rewrite_argument(argument):
    """Of print: options and the format stay as they are."""
    head = ''
    if argument.startswith('-') and ' -- ' in argument:
        head, argument = argument.split(' -- ', 1)
        head += ' -- '
    match = re.match(r'/\w*\s*', argument)
    if match:
        head, argument = head + match.group(0), argument[match.end() :]
    return head + rewrite(argument)


def plainly(action, *arguments):
    """An error of gdb's is not one of this script's."""
    try:
        return action(*arguments)
    except gdb.error as error:
        raise gdb.GdbError(str(error))


class Print(gdb.Command):
    """Print the value of an expression, as gdb's own print does.
In an async function the names of its variables are known wherever they are kept."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        plainly(
            gdb.execute, 'call ' + rewrite_argument(argument), from_tty
        )  # which is print, under a name that stays


class SetVariable(gdb.Command):
    """Evaluate an expression and assign the result to a variable."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        plainly(lambda: gdb.parse_and_eval(rewrite(argument)).fetch_lazy())


class PointerPrinter:
    """A pointer that the compiler has declared for what lives in the frame: shown as its target."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return self.value.format_string()


def pointer_printer(value):
    match = (
        re.match(r'^(.+)__fm_at_(.+)$', value.type.name or '')
        if value.type.code == gdb.TYPE_CODE_TYPEDEF
        else None
    )
    if not match or value.is_optimized_out:
        return None
    try:
        frame = gdb.selected_frame()
        struct = lookup_struct(match.group(1) + '__fm_frame', block_of(frame))
        variable = (
            next((v for v in variables_of(struct) if v.own_name == match.group(2)), None)
            if struct is not None
            else None
        )
        if variable is None:
            return None
        for _, here in Here(frame).levels():
            if here.type.strip_typedefs() != struct:
                continue
            target = resident_value(here, variable)
            if target is not None and int(target.address) == int(value):
                return PointerPrinter(target)
    except (gdb.error, RuntimeError):
        pass
    return None


# ---- the runtime's memory ----
class Trouble(gdb.GdbError):
    pass


def constant(name):
    """An enumeration constant of the runtime."""
    if name not in constant.known:
        try:
            constant.known[name] = int(gdb.parse_and_eval(name))
        except gdb.error:
            raise Trouble('libfermata has no debug information: build it with -g')
    return constant.known[name]


constant.known = {}
FLAGS = 21  # FM__FLAGS of runtime/core/node.h, a macro


def domain_symbols():
    found = gdb.lookup_static_symbols('here') if hasattr(gdb, 'lookup_static_symbols') else []
    return [s for s in found if str(s.type) == 'fm__runtime *']


def domain_by_frames():
    """Where thread-local storage cannot be read: someone on the stack has it."""
    frame = gdb.newest_frame()
    while frame is not None:
        for name, symbol in ((s.name, s) for s in symbols(block_of(frame))):
            value = read(frame, symbol) if name in ('fm__c', 'd') else None
            if not readable(value) or not int(value):
                continue
            if str(value.type) == 'fm__runtime *':
                return value
            if str(value.type.unqualified()) == 'fm_domain *':
                kind = gdb.lookup_type('fm__runtime')
                return (value.cast(gdb.lookup_type('char').pointer()) - offset_of(kind, 'c')).cast(
                    kind.pointer()
                )
        frame = frame.older()
    return None


def offset_of(struct, name):
    return next(f.bitpos // 8 for f in struct.strip_typedefs().fields() if f.name == name)


def domain_here():
    """The selected thread's; None: it has none."""
    for symbol in domain_symbols():
        try:
            value = symbol.value()
            return value if int(value) else None
        except (gdb.error, TypeError, RuntimeError):
            pass
    return domain_by_frames()


def domains():
    """[(thread, domain)]"""
    selected, result = gdb.selected_thread(), []
    if selected is None:
        raise Trouble('there is no process and no core file')
    frame = gdb.selected_frame()
    try:
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            thread.switch()
            domain = domain_here()
            if domain is not None:
                result.append((thread, domain.dereference()))
    finally:
        selected.switch()
        frame.select()
    return result


def pausing(domain):
    """The current activity has paused, or unwinds; the scheduler has yet to see it."""
    guard = domain['c']['guard']
    stop = 2 ** (8 * guard.type.sizeof) - 17  # FM_STOP: only the slice is over
    return int(guard) > stop


class Domain:
    """The tree of one domain. What it says is what runtime/report/report.c says."""

    def __init__(self, thread, value):
        self.thread, self.value = thread, value
        self.host = value['host'].address
        self.current = value['current']

    def is_flag(self, node, name):
        return bool(int(node['word']) & constant(name))

    def nodes(self):
        """(depth, node), parents first. No node is visited twice: a list may be half changed."""
        seen, stack = set(), [(0, node) for node in reversed(self.children(self.host))]
        while stack:
            depth, node = stack.pop()
            if int(node) in seen:
                continue
            seen.add(int(node))
            yield depth, node
            stack += [(depth + 1, child) for child in reversed(self.children(node))]

    def children(self, node):
        first = node.dereference()['child']
        result, seen, at = [], set(), first
        while int(at) and int(at) not in seen:
            seen.add(int(at))
            result.append(at)
            at = at.dereference()['next']
        return result

    def sets(self):
        at = self.value['set']
        while int(at):
            yield at.dereference()
            at = at.dereference()['below']

    def owns_set(self, node):
        return any(int(s['owner']) == int(node) for s in self.sets())

    def top(self):
        return self.value['set'].dereference()

    def is_current(self, node):
        return int(self.current) == int(node)

    def extra(self, node):
        """What it has beside its node; None: nothing."""
        n = node.dereference()
        if not self.is_flag(n, 'FM__EXTRAS'):
            return None
        at = self.value['extras'][int(node) // n.type.sizeof % int(self.value['extra_room'])]
        while int(at) and int(at.dereference()['node']) != int(node):
            at = at.dereference()['next']
        return at.dereference() if int(at) else None

    def name(self, node):
        n = node.dereference()
        extra = self.extra(node)
        if extra is not None and int(extra['name']):
            return extra['name'].string()
        if self.is_flag(n, 'FM__REGION'):
            return (
                'shield'
                if self.is_flag(n, 'FM__SHIELD')
                else 'race'
                if self.is_flag(n, 'FM__RACE')
                else 'scope'
            )
        frames = saved_frames(n['leaf'])
        return frames[-1]['code']['name'].string() if frames else 'plain code'

    def who(self, node):
        if int(node) == int(self.host):
            return 'plain code'
        return '#%d %s' % (int(node.dereference()['word']) >> FLAGS, self.name(node))

    def waits(self, node):
        n = node.dereference()
        kind = int(n['waits']) & constant('FM__WKIND')
        return kind, int(n['waits']) & ~constant('FM__WKIND')

    def is_waiting(self, node):
        kind, _ = self.waits(node)
        return kind and kind not in (
            constant('FM__WRESULT'),
            constant('FM__WTAKE'),
            constant('FM__WSPAWN'),
        )

    def wait_kind(self, what):
        """As fm__wait_kind_of in runtime/wait/park.c: a kind's address, or a waiter's word."""
        to_kind = gdb.lookup_type('fm__wait_kind').pointer()
        waiter = gdb.Value(what).cast(gdb.lookup_type('fm__waiter').pointer()).dereference()
        word = int(waiter['word'])
        if not word & 1:
            return gdb.Value(word).cast(to_kind).dereference()
        number = word >> 1 & 7
        if number != constant('FM__OTHER'):
            return gdb.parse_and_eval('fm__near_kinds')[number].dereference()
        far = gdb.lookup_type('fm__far_waiter')
        start = what - sum(f.bitpos // 8 for f in far.fields() if f.name == 'w')
        kind = int(gdb.Value(start).cast(far.pointer()).dereference()['kind'])
        return gdb.Value(kind & ~constant('FM__MADE')).cast(to_kind).dereference()

    def target(self, node):
        kind, what = self.waits(node)
        if kind == constant('FM__WGROUP'):
            return 'the activities that share its variables'
        if kind == constant('FM__WOBJECT'):
            return self.wait_kind(what)['what'].string()
        other = gdb.Value(what).cast(node.type)
        if self.is_flag(other, 'FM__HUB'):
            return 'several tasks'
        if self.is_flag(other, 'FM__SCOPE') and int(other.dereference()['owner']) == int(node):
            race = self.is_flag(other, 'FM__RACE')
            return 'the arms of its race' if race else 'the activities of its scope'
        return self.who(other)

    def state(self, node):
        n = node.dereference()
        if self.is_flag(n, 'FM__REGION'):
            text = 'of ' + self.who(n['owner'])
        elif self.is_flag(n, 'FM__ENDED'):
            text = 'has ended, and its task is held'
        elif self.is_flag(n, 'FM__BODY'):
            text = 'has ended, but its children have not'
        elif self.is_waiting(node):
            where = 'in an atomic' if self.owns_set(node) else place(of_program(n['leaf']), True)
            text = 'waits %s for %s' % (where, self.target(node))
        elif (
            self.owns_set(node)
            and int(self.top()['owner']) == int(node)
            and int(self.top()['live'])
        ):
            text = 'waits at the end of an atomic for the activities in it'
        elif self.is_current(node):
            text = 'running' + self.runs_at()
        elif self.owns_set(node):
            text = 'in an atomic'
        else:
            text = 'ready ' + place(of_program(n['leaf']), True)
        return text + self.remarks(node, n)

    def remarks(self, node, n):
        text = ''
        if self.is_flag(n, 'FM__CANCELLED'):
            text += ', cancelled'
        if self.is_flag(n, 'FM__HELD'):
            text += ', paused'
        inside = int(self.value['set']) != int(self.value['base'].address)
        outside = int(n['set']) != int(self.top()['level']) and not self.owns_set(node)
        if (
            inside
            and outside
            and not self.is_flag(n, 'FM__REGION')
            and not self.is_flag(n, 'FM__ENDED')
        ):
            text += ', held back by an atomic'
        return text

    def runs_at(self):
        """at FILE:LINE, where its thread is in an async function."""
        for frame in self.stack():
            if version_of(frame)[0]:
                return ' at ' + where(frame)
        return ''

    def stack(self):
        """The frames of gdb that belong to the current activity, the newest first."""
        selected, chosen = gdb.selected_thread(), gdb.selected_frame()
        try:
            self.thread.switch()
            frame, result = gdb.newest_frame(), []
            while frame is not None:
                match = GENERATED.match(frame.name() or '')
                if not is_entry(frame):
                    result.append(frame)
                if match and match.group('version') in ('resume', 'landed', 'begin'):
                    return result
                frame = frame.older()
            return []  # nobody was resumed: not in an activity
        finally:
            selected.switch()
            chosen.select()


# ---- locals of activities ----
def local_records():
    """What the runtime knows of each fm_local that was set, the oldest first."""
    found = gdb.lookup_static_symbol('local_records')
    at = found.value()['first'] if found is not None else None
    while at is not None and int(at):
        yield at
        at = at.dereference()['next']


def local_type(record):
    """Its T: of the variable with that name that has this record; None: not found."""
    name = record.dereference()['name'].string()
    found = [gdb.lookup_global_symbol(name)]
    if hasattr(gdb, 'lookup_static_symbols'):
        found += gdb.lookup_static_symbols(name)
    for symbol in found:
        kind = symbol.type.strip_typedefs() if symbol is not None else None
        if kind is None or kind.code != gdb.TYPE_CODE_ARRAY:
            continue
        if kind.sizeof == 2 * record.type.sizeof and int(symbol.value()[1]) == int(record):
            return kind.target().target().target().target()
    return None


def plain_type(record):
    """The same from what the runtime knows of it."""
    kind, size = chr(int(record['kind'])), int(record['end']) - int(record['at'])
    names = {
        'i': {1: 'signed char', 2: 'short', 4: 'int', 8: 'long'},
        'u': {1: 'unsigned char', 2: 'unsigned short', 4: 'unsigned', 8: 'unsigned long'},
        'f': {4: 'float', 8: 'double', 16: 'long double'},
    }
    if kind in 'sp':
        return gdb.lookup_type('char' if kind == 's' else 'void').pointer()
    name = names.get(kind, {}).get(size)
    return gdb.lookup_type(name) if name else gdb.lookup_type('unsigned char').array(size - 1)


def activity_locals(domain, node):
    """[(name, value)] of its fm_locals that are not as at first."""
    extra = domain.extra(node)
    if extra is None or not int(extra['locals']):
        return []
    block, result = extra['locals'].dereference(), []
    for at in local_records():
        record = at.dereference()
        if int(record['end']) > int(block['room']):
            break
        kind = local_type(at) or plain_type(record)
        value = (block['values'] + int(record['at'])).cast(kind.pointer()).dereference()
        first = (int(at) + at.type.target().sizeof + 63) & ~63
        memory = gdb.selected_inferior()
        size = int(record['end']) - int(record['at'])
        if bytes(memory.read_memory(value.address, size)) != bytes(memory.read_memory(first, size)):
            result.append((record['name'].string(), value))
    return result


# ---- frames in memory ----
def saved_frames(leaf):
    """Pointers' targets from the innermost frame to the first one."""
    result, seen = [], set()
    while int(leaf) and int(leaf) not in seen:
        seen.add(int(leaf))
        frame = leaf.dereference()
        if frame['code']['name'].string() != 'fm__held':  # only a value: guard.c
            result.append(frame)
        if int(frame['state']) >= 0xFFFE:  # FM__READ_STATE, FM__FAILED_STATE: `parent` is an error
            break
        leaf = frame['parent']
    return result


def line_of(frame):
    code, state = frame['code'].dereference(), int(frame['state'])
    return int(code['lines'][state]) if int(code['lines']) and state < int(code['nstates']) else 0


OF_LIBRARY = 4  # abi.h: FM_OF_LIBRARY


def of_program(leaf):
    """The innermost frame that is the program's own, if there is one."""
    frame = leaf
    while int(frame):
        if not int(frame['code']['lands']) & OF_LIBRARY:
            return frame
        frame = frame['parent']
    return leaf


def place(leaf, known):
    frame = leaf.dereference()
    name, line = frame['code']['file'], line_of(frame) if known else 0
    text = 'at ' + (name.string() if int(name) else '?')
    return '%s:%d' % (text, line) if line else text


def where(frame):
    sal = frame.find_sal()
    return '%s:%d' % (sal.symtab.filename, sal.line) if sal.symtab else '0x%x' % frame.pc()


def resumed_frame(frame):
    """The frame in memory that this frame of gdb was resumed with; None: it cannot be told."""
    for entry in (frame, frame.older()):  # of a body: who has called it
        for symbol in symbols(block_of(entry)) if entry is not None else ():
            value = read(entry, symbol) if symbol.name == 'fm__h' else None
            if readable(value):
                return value
    domain = domain_here()
    if domain is None or not int(domain['current']):
        return None
    leaf = domain['current']['leaf']
    function = gdb.block_for_pc(int(leaf['code']['resume'])) if int(leaf) else None
    match = (
        GENERATED.match(function.function.name)
        if function is not None and function.function is not None
        else None
    )
    return leaf if match and match.group('name') == version_of(frame)[0] else None


def function_block(address):
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block


def saved_locals(frame):
    """[(name, value)] of a frame in memory, as far as it needs them when it goes on."""
    block = function_block(int(frame['code']['resume']))
    match = GENERATED.match(block.function.name) if block is not None else None
    if not match:
        return []
    if match.group('version') == 'begin':
        return saved_arguments(frame, match.group('name'), block)
    struct = lookup_struct(match.group('name') + '__fm_frame', block)
    if struct is None:
        return []
    whole, state, line = (
        frame.address.cast(struct.pointer()).dereference(),
        int(frame['state']),
        line_of(frame),
    )
    result = {}
    for v in variables_of(struct):
        if v.resident and v.holds_at(line) and (state != 0 or v.first == line):
            result[v.name] = guarded(lambda v=v: resident_value(whole, v))
        elif v.slot is not None and v.saved_at(state):
            result[v.name] = whole['fm__s%d' % v.slot]
    return list(result.items())


def parameters(function, block):
    """The names of a function's parameters, in order."""
    struct = lookup_struct(function + '__fm_frame', block)
    return [v.name for v in variables_of(struct) if v.is_parameter] if struct is not None else []


def saved_arguments(frame, function, block):
    """Of a large function that has not begun: its frame has nothing else."""
    struct = lookup_struct(function + '__fm_args', block)
    if struct is None:
        return []
    whole, names = frame.address.cast(struct.pointer()).dereference(), parameters(function, block)
    fields = [field.name for field in struct.fields() if field.name.startswith('fm__a')]
    return (
        [(name, whole[field]) for name, field in zip(names, fields)]
        if len(names) == len(fields)
        else []
    )  # else some have no names


# ---- commands ----
class Fermata(gdb.Command):
    """Commands for programs of Fermata."""

    def __init__(self):
        super().__init__('fermata', gdb.COMMAND_STACK, gdb.COMPLETE_COMMAND, True)


class Locals(gdb.Command):
    """Show the variables of the selected frame, also those in an async function's frame."""

    def __init__(self):
        super().__init__('fermata locals', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        found = Here(plainly(gdb.selected_frame)).locals()
        for name, value in found:
            print('%s = %s' % (name, shown(value)))
        if not found:
            print('No locals.')


class Activities(gdb.Command):
    """Show the tree of activities: number, name, what each does or waits for, and where."""

    def __init__(self):
        super().__init__('fermata activities', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        found = domains()
        if not found:
            print('No thread has activities.')
        for thread, value in found:
            if len(found) > 1:
                print('Thread %d:' % thread.num)
            self.show(Domain(thread, value))

    def show(self, domain):
        any_one = False
        for depth, node in domain.nodes():
            any_one = True
            try:
                print('%s%s: %s' % ('  ' * depth, domain.who(node), domain.state(node)))
            except gdb.MemoryError as error:
                print('%s0x%x: %s' % ('  ' * depth, int(node), error))
        if not any_one:
            print('No activities.')


class Backtrace(gdb.Command):
    """Show the frames of an activity: who awaits whom, and their variables.
    Usage: fermata backtrace [NUMBER | all]
Without an argument: of the activity that the selected thread runs."""

    def __init__(self):
        super().__init__('fermata backtrace', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        chosen, before = self.chosen(argument.strip().lstrip('#')), None
        several = len({domain.thread.num for domain, _ in chosen}) > 1
        for domain, node in chosen:
            if several and domain.thread.num != before:
                print('Thread %d:' % domain.thread.num)
            before = domain.thread.num
            print('%s: %s' % (domain.who(node), domain.state(node)))
            self.show(domain, node)

    def chosen(self, which):
        if not which:
            return [self.running()]
        if which != 'all' and not which.isdigit():
            raise gdb.GdbError(
                'which activity? its number, as `fermata activities` shows it, or: all'
            )
        result = []
        for thread, value in domains():
            domain = Domain(thread, value)
            result += [
                (domain, node)
                for _, node in domain.nodes()
                if not domain.is_flag(node, 'FM__REGION')
                and which in ('all', str(int(node.dereference()['word']) >> FLAGS))
            ]
        if not result and which != 'all':
            raise gdb.GdbError('there is no activity #' + which)
        return result

    def running(self):
        thread = gdb.selected_thread()
        if thread is None:
            raise Trouble('there is no process and no core file')
        value = domain_here()
        domain = Domain(thread, value.dereference()) if value is not None else None
        if domain is None or not int(domain.current) or int(domain.current) == int(domain.host):
            raise gdb.GdbError('no activity runs in this thread; `fermata activities` shows all')
        return domain, domain.current

    def show(self, domain, node):
        n = node.dereference()
        if domain.is_flag(n, 'FM__ENDED') or domain.is_flag(n, 'FM__BODY'):
            return
        physical = domain.stack() if domain.is_current(node) else []
        for frame in physical:
            name = version_of(frame)[0] or frame.name() or '?'
            self.one('at %s in %s' % (where(frame), user_name(name)), Here(frame).locals())
        frames = saved_frames(self.leaf(domain, n))
        for i, frame in enumerate(frames[1:] if physical else frames):
            known = i > 0 or bool(physical) or not domain.owns_set(node)
            self.one(
                '%s in %s' % (place(frame.address, known), frame['code']['name'].string()),
                saved_locals(frame) if known else [],
            )

    def leaf(self, domain, n):
        """Of one that has just paused the runtime may not have noted it yet."""
        c = domain.value['c']
        if (
            int(domain.current) == int(n.address)
            and pausing(domain.value)
            and not domain.stack()
            and int(c['top'])
        ):
            return c['leaf'] if int(c['leaf']) else c['top']
        return n['leaf']

    def one(self, heading, found):
        print('    ' + heading)
        for name, value in found:
            print('        %s = %s' % (name, shown(value)))


class ActivityLocals(gdb.Command):
    """Show the locals (fm_local) of an activity that are not as at first.
    Usage: fermata activity-locals [NUMBER | all]
Without an argument: of the activity that the selected thread runs."""

    def __init__(self, backtrace):
        super().__init__('fermata activity-locals', gdb.COMMAND_DATA)
        self.backtrace = backtrace

    def invoke(self, argument, from_tty):
        which = argument.strip().lstrip('#')
        for domain, node in self.backtrace.chosen(which):
            found = activity_locals(domain, node)
            if found or which != 'all':
                print(domain.who(node) + (':' if found else ': no locals'))
            for name, value in found:
                print('    %s = %s' % (name, shown(value)))


# ---- steps ----
class Place:
    """Where the selected thread's activity stands: who, in which function, how deep."""

    def __init__(self):
        domain = domain_here()
        self.who = int(domain['current']) if domain is not None and not pausing(domain) else 0
        self.number = int(domain['current']['word']) >> FLAGS if self.who else 0
        self.callers = []  # (function, a block of its unit): generated names, the innermost first
        frame = gdb.newest_frame()
        while frame is not None and self.who:
            match = GENERATED.match(frame.name() or '')
            if version_of(frame)[0]:
                self.callers.append((match.group('name'), block_of(frame)))
            if match and match.group('version') in ('resume', 'landed', 'begin'):
                self.callers += [
                    saved_function(f) for f in saved_frames(domain['current']['leaf'])[1:]
                ]
                return
            frame = frame.older()
        self.who = 0  # not in an activity

    def is_in(self, other):
        """The same activity stands in the same call, or in the one that awaits it."""
        mine, its = [name for name, _ in self.callers], [name for name, _ in other.callers]
        return (
            self.who != 0
            and (self.who, self.number) == (other.who, other.number)
            and mine in (its, its[1:])
        )


def saved_function(frame):
    block = function_block(int(frame['code']['resume']))
    match = GENERATED.match(block.function.name) if block is not None else None
    return (match.group('name'), block) if match else ('?', None)


def version_symbols(function, near):
    """(symbol, whether it is a part of a large function) for all versions of a function."""
    for version in ('call', 'resume', 'landed', 'body'):
        symbol = gdb.lookup_symbol('%s__fm_%s' % (function, version), near)[0]
        if symbol is not None:
            yield symbol, False
    number, symbol = 0, gdb.lookup_symbol('%s__fm_part0' % function, near)[0]
    while symbol is not None:
        yield symbol, True
        number += 1
        symbol = gdb.lookup_symbol('%s__fm_part%d' % (function, number), near)[0]


def line_starts(function, near):
    """(address, line) where lines of the user's begin, in all versions of a function."""
    for symbol, is_part in version_symbols(function, near) if near is not None else ():
        block, before = function_block(int(symbol.value().address)), None
        entries = [
            e for e in symbol.symtab.linetable() if block.start <= e.pc < block.end and e.line
        ]
        last = max((e.line for e in entries), default=0)  # the brace: the way out at a pause
        for entry in entries:
            if entry.line not in ((before,) if is_part else (symbol.line, last, before)):
                yield entry.pc, entry.line
            before = entry.line


class StepEnd(gdb.Breakpoint):
    def __init__(self, address, origin):
        super().__init__('*%d' % address, internal=True)
        self.silent, self.origin = True, origin

    def stop(self):
        return Place().is_in(self.origin)


class Next(gdb.Command):
    """Go on to the next line of this async function, over calls and pauses, whatever others do.
When it ends, the next stop is in the function that awaits it. Where nothing can pause this is
gdb's next."""

    def __init__(self):
        super().__init__('fermata next', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        frame = plainly(gdb.newest_frame)
        function, version = version_of(frame)
        origin = Place() if function and version != 'atomic' else None
        if origin is None or not origin.who:
            plainly(gdb.execute, 'next', from_tty)
            return
        line, ends = frame.find_sal().line, []
        try:
            for name, block in origin.callers[:2]:
                ends += [
                    StepEnd(at, origin)
                    for at, its_line in line_starts(name, block)
                    if name != function or its_line != line
                ]
            plainly(gdb.execute, 'continue', from_tty)
        finally:
            for end in ends:
                end.delete()
        if gdb.selected_thread() is not None:
            gdb.execute('frame')


# ---- breakpoints on async functions ----
WHERE = re.compile(r'^(?P<where>.*?)(?:(?:^|\s+)(?P<rest>(?:if\b|thread\s).*))?$', re.S)
FUNCTION = re.compile(r'^(?:(?P<file>[^\s:]+):)?(?P<name>[A-Za-z_]\w*)$')


def function_symbols(name):
    found = [gdb.lookup_global_symbol(name)]
    if hasattr(gdb, 'lookup_static_symbols'):
        found += gdb.lookup_static_symbols(name)
    return [s for s in found if s is not None and s.type.code == gdb.TYPE_CODE_FUNC]


def entries(where):
    """FILE:VERSION for each version of that async function that can begin; [] for others."""
    match = FUNCTION.match(where)
    result = []
    for version in ('call', 'resume', 'body', 'atomic') if match else ():
        name = '%s__fm_%s' % (match.group('name'), version)
        for symbol in function_symbols(name):
            own = symbol.symtab.filename
            if is_file(own, match.group('file')) and not own.endswith('<fermata>'):
                result.append('%s:%s' % (own, name))
    return result


def is_file(name, wanted):
    return wanted is None or ('/' + name).endswith('/' + wanted)


class Entry(gdb.Breakpoint):
    """Where an async function begins: a version that goes on after a pause does not count."""

    def stop(self):
        frame = self.frame()
        if frame is not None and int(frame['state']):
            return False
        wanted = getattr(self, 'wanted', '')
        try:
            return not wanted or bool(gdb.parse_and_eval(self.with_arguments(wanted, frame)))
        except gdb.error as error:
            print('%s: %s' % (wanted, error))
            return True

    def frame(self):
        """The frame in memory that it goes on in; None: it was called."""
        match = GENERATED.match(gdb.newest_frame().name() or '')
        name = {'resume': 'fm__h', 'body': 'fm__f'}.get(match.group('version') if match else '')
        at = self.argument(name) if name else 0
        return gdb.parse_and_eval('*(fm_frame *)%d' % at) if at else None

    def argument(self, name):
        """Where gdb stops too early, the parameter is not stored yet: its register has it."""
        architecture = gdb.newest_frame().architecture().name()
        second = {'i386:x86-64': '$rsi', 'aarch64': '$x1'}.get(architecture)
        return int(gdb.parse_and_eval(second if second and name == 'fm__h' else name))

    def with_arguments(self, expression, frame):
        """Where it begins in a frame, its parameters are there."""
        known = dict(saved_locals(frame)) if frame is not None else {}
        for name, value in known.items():
            gdb.set_convenience_variable('fm_' + name, value)
        tokens = TOKEN.findall(expression)
        return ''.join('$fm_' + token if token in known else token for token in tokens)


class Break(gdb.Command):
    """Set a breakpoint, as gdb's own command does: [LOCATION] [thread NUMBER] [if CONDITION].
The name of an async function stands for its beginning, in each of its versions."""

    def __init__(self, name, temporary):
        super().__init__(name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)
        self.temporary = temporary

    def invoke(self, argument, from_tty):
        match = WHERE.match(argument.strip())
        where = match.group('where').strip()
        if not where:
            where = '*%d' % plainly(gdb.selected_frame).pc()
        found = plainly(entries, where)
        for place in found or [where]:
            plainly(self.set_one, Entry if found else gdb.Breakpoint, place, match.group('rest'))

    def set_one(self, kind, place, rest):
        point, rest = kind(place, temporary=self.temporary), rest or ''
        thread = re.match(r'thread\s+(\S+)\s*', rest)
        if thread:
            point.thread = int(thread.group(1))
            rest = rest[thread.end() :]
        condition = re.sub(r'^if\s*', '', rest)
        if condition and kind is Entry:
            point.wanted = condition
        elif condition:
            point.condition = condition


# ---- backtraces of gdb ----
def user_name(name):
    match = GENERATED.match(name or '')
    return match.group('name') if match else name


class Named:
    """A variable as gdb's frame filters want it."""

    def __init__(self, name, its_value):
        self.name, self.its_value = name, its_value

    def symbol(self):
        return self.name

    def value(self):
        return self.its_value


class AsyncFrame(FrameDecorator):
    """A frame of gdb in which an async function runs."""

    def __init__(self, base):
        super().__init__(base)
        self.base = base

    def function(self):
        return user_name(self.inferior_frame().name())

    def split(self):
        frame = self.inferior_frame()
        found, names = Here(frame).locals(), parameters(user_name(frame.name()), block_of(frame))
        known = [(name, value) for name, value in found if value is not None]
        return [Named(n, v) for n, v in known if n in names], [
            Named(n, v) for n, v in known if n not in names
        ]

    def frame_args(self):
        return self.split()[0]

    def frame_locals(self):
        return self.split()[1]


class AsyncFrames:
    """The frame filter: async functions under their own names, without generated code."""

    def __init__(self):
        self.name, self.priority, self.enabled = 'fermata', 100, True

    def filter(self, frames):
        for frame in frames:
            inner = frame.inferior_frame()
            if version_of(inner)[0]:
                yield AsyncFrame(frame)
            elif not is_entry(inner):
                yield frame


def load():
    Fermata()
    Locals()
    Activities()
    ActivityLocals(Backtrace())
    Next()
    Break('break', False)
    Break('tbreak', True)
    Print('print')
    Print('fermata print')
    SetVariable('set variable')
    gdb.frame_filters['fermata'] = AsyncFrames()
    gdb.pretty_printers.append(pointer_printer)


load()
