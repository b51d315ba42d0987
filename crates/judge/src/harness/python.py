# Calls one of the learner's functions, once for each line of arguments. Lines come on descriptor 3, answers go to descriptor 4.
# Nothing here is secret and nothing here decides: only the judge outside knows the right answers.
import posix
import sys

sys.set_int_max_str_digits(0)
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
sys.stderr.reconfigure(encoding="utf-8", errors="replace")
FILE = "solution.py"
DEEPEST = 100
ESCAPES = {code: "\\u%04x" % code for code in range(32)}
ESCAPES.update({34: '\\"', 92: "\\\\", 10: "\\n", 13: "\\r", 9: "\\t"})


class Unfit(Exception):
    """A value that no test can compare."""


def main():
    # Everything up to here is the same for every program, so an interpreter may be started ahead and wait here for one.
    line = next(LINES, None)
    if line is None:
        return
    about = decode(line)
    function, mode, source = about["function"], about["mode"], exactly(about["bytes"])
    try:
        code = compile(source.decode("utf-8"), FILE, "exec", dont_inherit=True)
    except MemoryError:
        return answer({"failed": failure("memory", "the program is too large to be compiled")})
    except (SyntaxError, ValueError, RecursionError) as error:
        return answer({"failed": failure("compile", describe(error), getattr(error, "lineno", None))})
    module = type(sys)("solution")
    module.__file__ = FILE
    sys.modules["solution"] = module
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        return answer({"failed": caught(error)})
    called = find(module, function)
    if called is None:
        message = "there is no function `%s`" % function
        return answer({"failed": failure("compile", message)})
    answer({"ready": None})
    for line in LINES:
        arguments = decode(line)
        if mode == "trace":
            answer({"trace": trace(called, arguments)})
        else:
            call(called, arguments)


def find(module, function):
    called = module.__dict__.get(function)
    if callable(called):
        return called
    solution = module.__dict__.get("Solution")
    if isinstance(solution, type) and callable(getattr(solution, function, None)):
        return getattr(solution(), function)
    return None


def call(called, arguments):
    try:
        value = called(*arguments)
    except BaseException as error:
        flush()
        return answer({"error": caught(error)})
    try:
        text = encode(value, 0)
    except Unfit as unfit:
        flush()
        return answer({"unfit": str(unfit)})
    except BaseException as error:
        flush()
        return answer({"error": caught(error)})
    flush()
    send('{"value": %s}\n' % text)


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def lines():
    seen = 0
    while True:
        end = BUFFER.find(b"\n", seen)
        if end >= 0:
            seen = 0
            yield cut(end + 1)[:-1].decode("utf-8")
        else:
            seen = len(BUFFER)
            if not fill():
                return


def exactly(count):
    while len(BUFFER) < count and fill():
        pass
    return cut(count)


def fill():
    chunk = posix.read(3, 1 << 16)
    BUFFER.extend(chunk)
    return bool(chunk)


def cut(size):
    taken = bytes(BUFFER[:size])
    del BUFFER[:size]
    return taken


def decode(line):
    if len(line) < 4096:
        return eval(line, {"__builtins__": {}, "true": True, "false": False, "null": None})
    import json

    return json.loads(line)


def answer(value):
    send(encode(value, 0) + "\n")


def send(text):
    data = text.encode("utf-8", "replace")
    while data:
        data = data[posix.write(4, data) :]


def encode(value, depth):
    kind = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if issubclass(kind, int):
        return int.__repr__(value)
    if issubclass(kind, float):
        return number(value)
    if issubclass(kind, str):
        return quoted(value)
    if depth >= DEEPEST:
        raise Unfit("a value that is nested too deeply")
    if issubclass(kind, list):
        return "[" + ",".join([encode(item, depth + 1) for item in list.__iter__(value)]) + "]"
    if issubclass(kind, tuple):
        return "[" + ",".join([encode(item, depth + 1) for item in tuple.__iter__(value)]) + "]"
    if issubclass(kind, dict):
        pairs = [key(name) + ":" + encode(item, depth + 1) for name, item in dict.items(value)]
        return "{" + ",".join(pairs) + "}"
    raise Unfit("a value of type %s" % kind.__name__)


def number(value):
    text = float.__repr__(value)
    return '{"$float":"%s"}' % text if text in ("nan", "inf", "-inf") else text


def key(name):
    if issubclass(type(name), str):
        return quoted(name)
    if issubclass(type(name), int) and type(name) is not bool:
        return '"%s"' % int.__repr__(name)
    raise Unfit("a dictionary with a key of type %s" % type(name).__name__)


def quoted(text):
    return '"%s"' % str.translate(text, ESCAPES)


def caught(error):
    if isinstance(error, MemoryError):
        return failure("memory", "MemoryError")
    return failure("runtime", describe(error), last_line(error.__traceback__))


def failure(kind, message, line=None):
    return {"kind": kind, "message": message, "line": line}


def describe(error):
    if isinstance(error, SyntaxError):
        return "SyntaxError: %s" % error.msg
    try:
        text = str(error)
    except BaseException:
        text = "?"
    name = type(error).__name__
    return ("%s: %s" % (name, text) if text else name)[:2000]


def last_line(step):
    line = None
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


# Tracing, line by line.

STEPS, NAMES, LETTERS, TOTAL = 1000, 24, 120, 1 << 20


class Enough(BaseException):
    """The trace is long enough."""


def trace(called, arguments):
    steps, spent = [], [0]

    def watch(frame, event, argument):
        if frame.f_code.co_filename != FILE:
            return None
        if event in ("line", "return"):
            note(frame, event, argument)
        return watch

    def note(frame, event, argument):
        step = {"line": frame.f_lineno, "function": frame.f_code.co_name, "variables": variables(frame)}
        step["stack"] = stack(frame)
        step["event"] = event
        if event == "return":
            step["returned"] = shown(argument, 0)
        spent[0] += sum(len(name) + len(text) + 8 for name, text in step["variables"].items()) + 64
        steps.append(step)
        if len(steps) >= STEPS or spent[0] > TOTAL:
            raise Enough()

    told = {"steps": steps, "cut": False}
    sys.settrace(watch)
    try:
        value = called(*arguments)
        sys.settrace(None)
        told["result"] = shown(value, 0)
    except Enough:
        told["cut"] = True
    except BaseException as error:
        sys.settrace(None)
        told["error"] = caught(error)
    finally:
        sys.settrace(None)
    flush()
    return told


def variables(frame):
    seen = frame.f_locals
    if frame.f_code.co_name == "<module>":
        return {}
    names = [name for name in seen if not name.startswith("__")][:NAMES]
    return {name: shown(seen[name], 0) for name in names}


def stack(frame):
    calls = []
    while frame is not None and len(calls) < 32:
        if frame.f_code.co_filename == FILE:
            calls.append({"function": frame.f_code.co_name, "line": frame.f_lineno})
        frame = frame.f_back
    return calls


def shown(value, depth):
    text = sketch(value, depth)
    return text if len(text) <= LETTERS else text[: LETTERS - 1] + "…"


def sketch(value, depth):
    kind = type(value)
    if value is None or kind in (bool, float, complex):
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < 400 else "an integer of %d bits" % value.bit_length()
    if kind in (str, bytes):
        return repr(value[:LETTERS])
    if depth >= 4:
        return "…"
    if kind in (list, tuple, set, frozenset) or kind.__name__ == "deque":
        return listed(value, depth, kind)
    if issubclass(kind, dict):
        pairs = [sketch(name, depth + 1) + ": " + sketch(item, depth + 1) for name, item in first(dict.items(value))]
        return "{" + ", ".join(pairs) + ("…" if len(value) > 20 else "") + "}"
    return thing(value, depth, kind)


def listed(value, depth, kind):
    items = ", ".join([sketch(item, depth + 1) for item in first(value)]) + (", …" if len(value) > 20 else "")
    opening, closing = {list: "[]", tuple: "()", set: "{}"}.get(kind, (kind.__name__ + "([", "])"))
    return opening + items + closing


def first(items):
    return [item for item, _ in zip(items, range(20))]


def thing(value, depth, kind):
    inside = getattr(value, "__dict__", None)
    if callable(value) or type(inside) is not dict:
        return "<%s>" % kind.__name__
    fields = [name + "=" + sketch(item, depth + 1) for name, item in first(inside.items())]
    return "%s(%s)" % (kind.__name__, ", ".join(fields))


BUFFER = bytearray()
LINES = lines()
main()
