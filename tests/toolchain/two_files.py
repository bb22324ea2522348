"""A case of two files, one C and one C++, and files to put in their place."""

from __future__ import annotations

CASE = """\
schema: macproof.case/1
name: two-files
title: Two files
sources: [unpack.c, go.cpp]
call: Go
scene:
  make: macproof_test_two_files:make
  generators: [any]
  objects: [1]
  count: 6
input:
  gIn: value
observe:
  gOut: out
reference: macproof_test_two_files:reference
"""
REFERENCE = """\
from dataclasses import dataclass
from types import SimpleNamespace

@dataclass(frozen=True)
class Scene:
    objects: int
    generator: str
    seed: int
    value: int

    def keep(self, indices):
        return self

def make(generator, objects, seed, *, width, height):
    return Scene(objects, generator, seed, seed % 100 + 1)

def reference(scene):
    return SimpleNamespace(out=2 * scene.value)
"""
TEXTS = {
    "unpack.c": "int unpack(n) int n; { return n * 2; }\n",
    "go.cpp": 'extern "C" int unpack(int);\nshort gIn, gOut;\nvoid Go() { gOut = unpack(gIn); }\n',
    "mine.c": "int unpack(n) int n; { return n << 1; }\n",
    "wrong.c": "int unpack(n) int n; { return n * 3; }\n",
}
