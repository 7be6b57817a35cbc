"""What read-page and read-invoice share: the page in the input, and the endings of a program."""

import base64
import binascii
import json
import subprocess
import sys
import tempfile

# Tesseract takes anything else on its standard input for a list of files to open: whoever sends a
# job could have it read this machine's own images.
IMAGES = {
    b"\x89PNG\r\n\x1a\n": "pngtopnm",
    b"\xff\xd8\xff": "jpegtopnm",
    b"II*\0": "tifftopnm",
    b"MM\0*": "tifftopnm",
}

# A page of 8,000 by 8,000 points. A small file can say that it is far larger.
PIXELS_MAX = 64_000_000

USAGE, UNAVAILABLE, UNREADABLE, ENDED = 64, 69, 70, 75


def stop(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


def from_input():
    """The image in {"image_base64": "…"} on standard input."""
    try:
        value = json.load(sys.stdin)
    except ValueError as error:
        stop(USAGE, f"the input is not JSON: {error}")
    encoded = value.get("image_base64") if isinstance(value, dict) else None
    if not isinstance(encoded, str):
        stop(USAGE, 'the input needs "image_base64", a string')
    try:
        page = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        stop(USAGE, f"image_base64 is not base 64: {error}")
    if not page.startswith(tuple(IMAGES)):
        stop(USAGE, "image_base64 is not a PNG, JPEG or TIFF image")
    return page


def run(command, page, package):
    """What a program prints that is given the page. Whatever else happens ends this one too."""
    try:
        done = subprocess.run(command, input=page, capture_output=True, check=False)
    except FileNotFoundError:
        stop(UNAVAILABLE, f"{command[0]} is not installed (Debian: apt install {package})")
    if done.returncode < 0:
        stop(ENDED, f"{command[0]} was ended by signal {-done.returncode}")
    if done.returncode > 0:
        complaint = done.stderr.decode("utf-8", "replace").strip()
        stop(UNREADABLE, f"{command[0]}: {complaint}")
    return done.stdout


def as_grey(page):
    """The page as a portable grey map, which every engine reads."""
    program = next(each for magic, each in IMAGES.items() if page.startswith(magic))
    with tempfile.TemporaryFile() as file:
        file.write(page)
        file.seek(0)
        try:
            reader = subprocess.Popen(
                [program], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except FileNotFoundError:
            stop(UNAVAILABLE, f"{program} is not installed (Debian: apt install netpbm)")
        with reader:
            # Three bytes for each point in colour, and a line that says how many there are.
            pixels = reader.stdout.read(3 * PIXELS_MAX + 100)
            if reader.stdout.read(1):
                reader.kill()
                stop(USAGE, f"the page has more than {PIXELS_MAX:,} points")
            complaint = reader.stderr.read().decode("utf-8", "replace").strip()
    if reader.returncode < 0:
        stop(ENDED, f"{program} was ended by signal {-reader.returncode}")
    if reader.returncode > 0 or not pixels:
        stop(UNREADABLE, f"{program}: {complaint}")
    return run(["ppmtopgm"], pixels, "netpbm") if pixels.startswith(b"P6") else pixels
