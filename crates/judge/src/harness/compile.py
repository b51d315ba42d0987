# Reads a program and writes it as the interpreter keeps compiled ones, which it also accepts in place of a program.
import marshal
import sys
from importlib.util import MAGIC_NUMBER

code = compile(sys.stdin.buffer.read(), "harness.py", "exec", dont_inherit=True)
sys.stdout.buffer.write(MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
