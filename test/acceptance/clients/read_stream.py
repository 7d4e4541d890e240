"""Reads a stream with one of Python's HTTP clients, as its manual says, and prints a line of JSON for each answer and event.

Usage: read_stream.py requests|httpx|aiohttp URL TOKEN

Lines are those that the library makes; what stands in them is read as the HTML standard says. A connection that is lost is
opened again after half a second, with the id of the last event.
"""

import asyncio
import json
import sys
import time

SILENCE_SECONDS = 45


def tell(**what):
    print(json.dumps(what), flush=True)


class Events:
    def __init__(self, token):
        self.token = token
        self.last_id = ""

    def headers(self):
        headers = {"Authorization": "Bearer " + self.token, "Accept": "text/event-stream"}
        if self.last_id:
            headers["Last-Event-ID"] = self.last_id
        return headers

    def opened(self, status):
        self.event_id, self.event_type, self.data = self.last_id, "", []
        tell(status=status)
        return status == 200

    def line(self, line):
        if line == "":
            if self.data:
                self.last_id = self.event_id
                tell(type=self.event_type or "message", data="\n".join(self.data), id=self.event_id)
            self.event_type, self.data = "", []
            return
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self.data.append(value)
        elif field == "event":
            self.event_type = value
        elif field == "id":
            self.event_id = value


def read_requests(url, events):
    import requests

    with requests.get(url, headers=events.headers(), stream=True, timeout=SILENCE_SECONDS) as response:
        if events.opened(response.status_code):
            for line in response.iter_lines(decode_unicode=True):
                events.line(line)


def read_httpx(url, events):
    import httpx

    with httpx.stream("GET", url, headers=events.headers(), timeout=SILENCE_SECONDS) as response:
        if events.opened(response.status_code):
            for line in response.iter_lines():
                events.line(line.rstrip("\n"))


async def read_aiohttp(url, events):
    import aiohttp

    silence = aiohttp.ClientTimeout(total=None, sock_read=SILENCE_SECONDS)
    async with aiohttp.ClientSession(timeout=silence) as session:
        async with session.get(url, headers=events.headers()) as response:
            if events.opened(response.status):
                async for line in response.content:
                    events.line(line.decode().rstrip("\n"))


READERS = {
    "requests": read_requests,
    "httpx": read_httpx,
    "aiohttp": lambda url, events: asyncio.run(read_aiohttp(url, events)),
}


def main():
    library, url, token = sys.argv[1:]
    events = Events(token)
    while True:
        try:
            READERS[library](url, events)
        except Exception as error:  # Each library has errors of its own for a connection that is lost.
            print(repr(error), file=sys.stderr, flush=True)
        time.sleep(0.5)


main()
