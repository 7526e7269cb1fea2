"""The language of a page: the one it declares, else the one its words look like, else none.

Called by `parse_page`.
"""

from __future__ import annotations

import re

import pycld2

# ISO 639-1 with the codes of ISO 639-2 that mean the same.
_TWO_LETTERS = """
aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul bi:bis
bm:bam bn:ben bo:bod,tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces,cze cu:chu cv:chv cy:cym,wel
da:dan de:deu,ger dv:div dz:dzo ee:ewe el:ell,gre en:eng eo:epo es:spa et:est eu:eus,baq fa:fas,per ff:ful fi:fin
fj:fij fo:fao fr:fra,fre fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv
ht:hat hu:hun hy:hye,arm hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl,ice it:ita iu:iku ja:jpn
jv:jav ka:kat,geo kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor
ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri,mao mk:mkd,mac ml:mal
mn:mon mr:mar ms:msa,may mt:mlt my:mya,bur na:nau nd:nde ne:nep ng:ndo nl:nld,dut no:nor,nb,nob,nn,nno nr:nbl
nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run
ro:ron,rum,mo,mol ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk,slo sl:slv sm:smo sn:sna so:som
sq:sqi,alb sr:srp ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl,fil tn:tsn
to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho
yi:yid,ji yo:yor za:zha zh:zho,chi,cmn zu:zul he:iw id:in jv:jw
"""
_CODES = {
    alias: code
    for code, _, aliases in (entry.partition(":") for entry in _TWO_LETTERS.split())
    for alias in (code, *aliases.split(","))
}
_PRIMARY_SUBTAG = re.compile(r"\s*([A-Za-z]{2,3})(?![A-Za-z])")

_SAMPLE_CHARS = 1000
_MIN_CHARS = 60


def language_of(text: str, declared: str = "") -> str:
    """Return two letters for the declared language, else for the detected one, or nothing when unsure.

    >>> language_of("", "de-AT"), language_of("", "eng"), language_of("short", "klingon")
    ('de', 'en', '')
    """
    found = _PRIMARY_SUBTAG.match(declared)
    return (_CODES.get(found[1].lower(), "") if found else "") or _detected(text[:_SAMPLE_CHARS])


def _detected(sample: str) -> str:
    if len(sample) < _MIN_CHARS:
        return ""
    try:
        is_reliable, _, ranked = pycld2.detect(sample.encode("utf-8", "replace"), isPlainText=True)
    except pycld2.error:  # characters it does not take for text
        return ""
    return _CODES.get(ranked[0][1].partition("-")[0], "") if is_reliable else ""
