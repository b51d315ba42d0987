"""Durable turns of the smallest LangGraph graph: one node, one state update for each call.

    python langgraph_turns.py ADDRESS SECONDS INSTANCES

ADDRESS is a file for the SQLite saver or a postgres:// URL for the PostgreSQL saver. Checkpoints are
written before a call returns (`durability="sync"`), as in Etude. More threads may help or hurt, so several
thread counts are tried and the best one counts.
"""

import json
import sys
import threading
import time
from contextlib import contextmanager
from importlib.metadata import version
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

THREADS = [1, 4, 16]


class State(TypedDict):
    turns: int


def main():
    address, seconds, instances = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    with saver(address, max(THREADS)) as (checkpointer, package):
        checkpointer.setup()
        graph = StateGraph(State)
        graph.add_node("turn", lambda state: {"turns": state["turns"] + 1})
        graph.add_edge(START, "turn")
        graph.add_edge("turn", END)
        compiled = graph.compile(checkpointer=checkpointer)
        value = max(turns_per_s(compiled, seconds, instances, threads) for threads in THREADS)
    versions = f"{version('langgraph')}, saver {version(package)}"
    print(json.dumps({"value": value, "version": versions}))


@contextmanager
def saver(address, connections):
    if address.startswith("postgres"):
        from langgraph.checkpoint.postgres import PostgresSaver
        from psycopg.rows import dict_row
        from psycopg_pool import ConnectionPool

        options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        with ConnectionPool(address, min_size=connections, max_size=connections, kwargs=options) as pool:
            yield PostgresSaver(pool), "langgraph-checkpoint-postgres"
    else:
        from langgraph.checkpoint.sqlite import SqliteSaver

        with SqliteSaver.from_conn_string(address) as sqlite:
            sqlite.conn.execute("PRAGMA synchronous = FULL")
            yield sqlite, "langgraph-checkpoint-sqlite"


def turns_per_s(graph, seconds, instances, threads):
    """Measures turns per second. Each thread takes the turns of its share of the instances, one after the other."""
    counts = [0] * threads
    started = time.perf_counter()

    def work(share):
        mine = [f"instance-{at}" for at in range(share, instances, threads)]
        while time.perf_counter() - started < seconds:
            config = {"configurable": {"thread_id": mine[counts[share] % len(mine)]}}
            graph.invoke({"turns": counts[share]}, config, durability="sync")
            counts[share] += 1

    workers = [threading.Thread(target=work, args=(share,)) for share in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - started)


main()
