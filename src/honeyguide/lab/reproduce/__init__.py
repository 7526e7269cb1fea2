"""The papers' experiments on our corpora, and that on our own default. Register a new one in `REPRODUCTIONS`."""

from honeyguide.lab.reproduce.base import Finding, Reproduction, Verdict, Workshop
from honeyguide.lab.reproduce.cc_bfs import CC_BFS
from honeyguide.lab.reproduce.default import DEFAULT
from honeyguide.lab.reproduce.focused_1999 import FOCUSED_1999
from honeyguide.lab.reproduce.guide import GUIDE
from honeyguide.lab.reproduce.hcla import HCLA
from honeyguide.lab.reproduce.ontology import ONTOLOGY
from honeyguide.lab.reproduce.otie import OTIE
from honeyguide.lab.reproduce.sites import SITES

REPRODUCTIONS: tuple[Reproduction, ...] = (OTIE, HCLA, ONTOLOGY, CC_BFS, FOCUSED_1999, DEFAULT, GUIDE, SITES)

__all__ = ["REPRODUCTIONS", "Finding", "Reproduction", "Verdict", "Workshop"]
