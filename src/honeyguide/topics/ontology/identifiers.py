"""Published subject identifiers: the addresses by which topic maps and RDF name notions they share."""

from __future__ import annotations

import re

TMDM = "http://psi.topicmaps.org/iso13250/model/"
TOPIC_NAME = TMDM + "topic-name"
TYPE_INSTANCE, TYPE, INSTANCE = TMDM + "type-instance", TMDM + "type", TMDM + "instance"
SUPERTYPE_SUBTYPE, SUPERTYPE, SUBTYPE = TMDM + "supertype-subtype", TMDM + "supertype", TMDM + "subtype"

XTM1_CORE = "http://www.topicmaps.org/xtm/1.0/core.xtm#"
XTM1_ASSOCIATION, XTM1_OCCURRENCE = XTM1_CORE + "association", XTM1_CORE + "occurrence"
XTM1_ROLE = "http://psi.semagia.com/xtm/1.0/role"
"""Type of a role whose type the map leaves open; XTM 1.0 names none."""

TODAYS_NAME = {
    XTM1_CORE + "class-instance": TYPE_INSTANCE,
    XTM1_CORE + "class": TYPE,
    XTM1_CORE + "instance": INSTANCE,
}
"""XTM 1.0's own names for notions that ISO 13250-2 names anew."""

HIERARCHY = (SUPERTYPE_SUBTYPE, XTM1_CORE + "superclass-subclass", XTM1_CORE + "supertype-subtype")
"""Association types that join a class to a class above it."""
UPPER_ROLES = (SUPERTYPE, XTM1_CORE + "superclass", XTM1_CORE + "supertype")
LOWER_ROLES = (SUBTYPE, XTM1_CORE + "subclass", XTM1_CORE + "subtype")

XSD = "http://www.w3.org/2001/XMLSchema#"
STRING, ANY_URI, DECIMAL = XSD + "string", XSD + "anyURI", XSD + "decimal"

LANGUAGE = "http://www.topicmaps.org/xtm/1.0/language.xtm#"
_LANGUAGE = re.compile(
    r"^https?://(?:www\.topicmaps\.org/xtm/(?:1\.0/)?language\.xtm#|psi\.oasis-open\.org/iso/639/#|"
    r"id\.loc\.gov/vocabulary/iso639-[12]/|lexvo\.org/id/iso639-[13]/)([A-Za-z]{2,3})(?:-[A-Za-z0-9-]{1,30})?$"
)
_THREE_LETTERS = (
    "ara:ar bul:bg cat:ca ces:cs cze:cs dan:da deu:de ger:de ell:el gre:el eng:en spa:es est:et eus:eu baq:eu "
    "fin:fi fra:fr fre:fr gle:ga heb:he hin:hi hrv:hr hun:hu hye:hy arm:hy ind:id isl:is ice:is ita:it jpn:ja "
    "kor:ko lit:lt lav:lv nld:nl dut:nl nor:no nob:no nno:no pol:pl por:pt ron:ro rum:ro rus:ru slk:sk slo:sk "
    "slv:sl sqi:sq alb:sq srp:sr swe:sv tam:ta tur:tr ukr:uk vie:vi yid:yi zho:zh chi:zh nb:no nn:no"
)
_TWO_LETTERS = {code[:-3]: code[-2:] for code in _THREE_LETTERS.split()}


def language_topic(tag: str) -> str:
    """Identifier of a language given by its tag.

    >>> language_topic("en-GB")
    'http://www.topicmaps.org/xtm/1.0/language.xtm#en-gb'
    """
    return LANGUAGE + tag.lower()


def language_of_identifier(identifier: str) -> str:
    """Two letters of the language that an identifier stands for; empty when it stands for something else.

    >>> language_of_identifier("http://psi.oasis-open.org/iso/639/#eng")
    'en'
    """
    found = _LANGUAGE.match(identifier)
    code = found[1].lower() if found else ""
    return _TWO_LETTERS.get(code, code)
