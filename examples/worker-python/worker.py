#!/usr/bin/env python3
"""A pull worker: fetches jobs from Onejob and draws bar charts with ImageMagick.

Standard library only. The input is {"values": [3, 1, 4], "color": "#3366cc"}, the result a PNG of
320 x 200 in base 64. See README.md beside this file.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

WIDTH, HEIGHT = 320, 200
COLOR = re.compile(r"#[0-9a-fA-F]{6}")


class LeaseLost(Exception):
    """This worker no longer speaks for the attempt."""


class Onejob:
    """The four calls of a worker. Each may be sent again as it is, so each is, until it is answered."""

    def __init__(self, url, key):
        self.url, self.key = url.rstrip("/"), key

    def post(self, path, body):
        data = json.dumps(body).encode()
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        pause = 0.1
        while True:
            request = urllib.request.Request(self.url + path, data, headers)
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as e:
                with e:
                    text = e.read().decode(errors="replace")
                if e.code == 409:
                    raise LeaseLost(text) from None
                if e.code < 500:
                    raise RuntimeError(f"{path}: {e.code} {text}") from None
                trouble = f"{e.code} {text}"
            except OSError as e:  # no answer: whether it was heard is not known
                trouble = str(e)
            print(f"{path}: {trouble}; again", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, 5)


class Hold:
    """Keeps the lease of one attempt from a thread of its own, and hears when to stop."""

    def __init__(self, api, attempt):
        self.api, self.attempt = api, attempt
        self.stop = threading.Event()
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)

    def say(self, word, **members):
        body = {"lease_token": self.attempt["lease_token"], **members}
        return self.api.post(f"/v1/attempts/{self.attempt['id']}/{word}", body)

    def beat(self):
        pause = self.attempt["lease_seconds"] / 3
        while not self.done.wait(pause):
            try:
                lease = self.say("heartbeat")
            except Exception as e:  # whatever it is: without a lease nobody may go on
                print(f"{self.attempt['id']}: the lease is lost: {e}", file=sys.stderr)
                self.stop.set()
                return
            if lease["stop"]:
                self.stop.set()
            pause = max(0.1, min(pause, lease["lease_seconds"] / 3))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


def drawing(job):
    """ImageMagick's arguments; nothing of the input gets there but numbers and a checked color."""
    values, color = job.get("values"), job.get("color", "#3366cc")
    if not isinstance(values, list) or not 1 <= len(values) <= 50:
        raise ValueError("values: 1 to 50 numbers")
    if not all(type(v) in (int, float) and 0 <= v <= 1e6 for v in values):
        raise ValueError("values: numbers from 0 to 1000000")
    if not isinstance(color, str) or not COLOR.fullmatch(color):
        raise ValueError("color: such as #3366cc")
    step, top = WIDTH / len(values), max(values) or 1
    arguments = ["-size", f"{WIDTH}x{HEIGHT}", "xc:white", "-fill", color]
    for i, value in enumerate(values):
        left, right = i * step + 1, (i + 1) * step - 2
        upper = HEIGHT - 1 - value / top * (HEIGHT - 10)
        box = f"rectangle {left:.1f},{upper:.1f} {max(left, right):.1f},{HEIGHT - 1}"
        arguments += ["-draw", box]
    return arguments + ["png:-"]


def work(job, convert, stop):
    """The last word about the attempt."""
    try:
        command = [convert, *drawing(job)]
    except (ValueError, AttributeError) as e:
        return {"outcome": "refused", "code": "input-unusable", "message": str(e)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        while True:
            try:
                image, errors = program.communicate(timeout=0.05)
                break
            except subprocess.TimeoutExpired:
                if stop.is_set():
                    program.kill()
                    program.communicate()
                    return {"outcome": "cancelled"}
    if program.returncode != 0:
        message = errors.decode(errors="replace")[-500:] or f"exit code {program.returncode}"
        return {"outcome": "failed", "code": "convert-failed", "message": message}
    picture = {
        "media_type": "image/png",
        "sha256": hashlib.sha256(image).hexdigest(),
        "base64": base64.b64encode(image).decode(),
    }
    return {"outcome": "succeeded", "result": picture}


def attend(api, attempt, convert):
    """One attempt from its beginning to the last word."""
    with Hold(api, attempt) as hold:
        try:
            lease = hold.say("accepted")  # before anything is done
            stopped = lease["stop"] or hold.stop.is_set()
            word = {"outcome": "cancelled"} if stopped else work(attempt["input"], convert, hold.stop)
            settled = hold.say("settle", **word)
            print(f"{attempt['id']} {settled['state']}", flush=True)
        except LeaseLost as e:
            print(f"{attempt['id']}: {e}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--kind", action="append", required=True)
    parser.add_argument("--name", default=f"{socket.gethostname()}-{os.getpid()}")
    parser.add_argument("--convert", default="convert", help="ImageMagick's program")
    options = parser.parse_args()
    api = Onejob(options.url, os.environ["ONEJOB_KEY"])
    leaving = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: leaving.set())
    request = str(uuid.uuid4())
    while not leaving.is_set():
        claim = {"kinds": options.kind, "request_id": request, "worker": options.name, "wait": 10}
        attempts = api.post("/v1/attempts/claim", claim)["attempts"]
        for attempt in attempts:
            attend(api, attempt, options.convert)
        if attempts:  # a claim that got nothing goes on under its id: no try of it can be lost
            request = str(uuid.uuid4())


if __name__ == "__main__":
    main()
