"""Talks to a Wyoming handler as Home Assistant does, and prints its answers as the protocol library reads them.

    client.py tcp://HOST:PORT TEXT…
"""

import asyncio
import json
import sys

from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.handle import Handled
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong


async def main(address, texts):
    async with AsyncClient.from_uri(address, connect_timeout=10, read_timeout=30) as client:
        await client.write_event(Describe().event())
        program = Info.from_event(await client.read_event()).handle[0]
        await client.write_event(Ping(text="are you there").event())
        pong = Pong.from_event(await client.read_event())
        handled = []
        for text in texts:
            await client.write_event(Transcript(text=text, language="en").event())
            event = await client.read_event()
            assert Handled.is_type(event.type), event
            handled.append(Handled.from_event(event).text)
    languages = program.models[0].languages
    print(json.dumps({"program": program.name, "languages": languages, "pong": pong.text, "handled": handled}))


asyncio.run(main(sys.argv[1], sys.argv[2:]))
