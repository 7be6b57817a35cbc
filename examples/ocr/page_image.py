"""What read-page and read-invoice share: the page in the input, and the endings of a program."""

import base64
import binascii
import json
import struct
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

# A page of 8,000 by 8,000 points. A small file can say that it is far larger, and would fill the
# memory of this machine before an engine has seen it.
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
    try:
        width, height = size(page)
    except (struct.error, IndexError, KeyError):
        stop(UNREADABLE, "the image does not say how large it is")
    if width * height > PIXELS_MAX:
        stop(USAGE, f"the image has {width} by {height} points; {PIXELS_MAX:,} are allowed")
    return page


def size(page):
    """Width and height as the image says; any exception of reading if it says none."""
    if page.startswith(b"\x89PNG"):
        head, width, height = struct.unpack_from(">4sII", page, 12)
        return {b"IHDR": (width, height)}[head]
    if page.startswith(b"\xff\xd8"):
        return jpeg_size(page)
    return tiff_size(page, "<" if page.startswith(b"II") else ">")


def jpeg_size(page):
    at = 2
    while True:
        (marker,) = struct.unpack_from(">H", page, at)
        if marker == 0xFFFF:  # filled up
            at += 1
            continue
        (length,) = struct.unpack_from(">H", page, at + 2)
        if 0xFFC0 <= marker <= 0xFFCF and marker not in (0xFFC4, 0xFFC8, 0xFFCC):
            height, width = struct.unpack_from(">HH", page, at + 5)
            return width, height
        at += 2 + length


def tiff_size(page, order):
    (at,) = struct.unpack_from(order + "I", page, 4)
    (count,) = struct.unpack_from(order + "H", page, at)
    found = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, form = struct.unpack_from(order + "HH", page, entry)
        if tag in (256, 257):
            (found[tag],) = struct.unpack_from(order + ("H" if form == 3 else "I"), page, entry + 8)
    return found[256], found[257]


def run(command, page, package):
    """What a program prints that is given the page. Whatever else happens ends this one too."""
    with tempfile.TemporaryFile() as file:  # and no pipe: some look ahead in a page and go back
        file.write(page)
        file.seek(0)
        try:
            done = subprocess.run(command, stdin=file, capture_output=True, check=False)
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
    return run(["ppmtopgm"], run([program], page, "netpbm"), "netpbm")
