"""A test that tells random tokens from names that somebody chose.

Two guesses are compared. One is that words were written, in any letter case and with numbers among
them: then a letter takes as many bits as it is rare after the one before. The other is that every
character was drawn at random from its kinds of characters. What takes fewer bits is the better
guess; the difference is evidence in bits.
"""

import math
import re
from typing import Final

#: The frequency of the letters a to z after each letter, in the names that programs use: 9 less the
#: bits that the letter takes there. A string stands for 26 letters, in the order of the alphabet.
_AFTER: Final = (
    "15540240402646040656331230",  # a
    "63436211630732620553500040",  # b
    "61426106405510710436400020",  # c
    "62248320710412510453510120",  # d
    "52563430200546242665132410",  # e
    "51326620700512600544500030",  # f
    "51217245600435520652500010",  # g
    "71027000600331600535400030",  # h
    "43544440001557640456040204",  # i
    "60227200523020740061720020",  # j
    "52138230601514331263304030",  # k
    "61247110701601620144420060",  # l
    "74027000601341560042400020",  # m
    "51565471503213420166330010",  # n
    "33452330303557450654544200",  # o
    "60226103500611650645400040",  # p
    "30122100000411000453910000",  # q
    "61347230603343620455321030",  # r
    "40527215603322551157512030",  # s
    "60327205700321520654401041",  # t
    "45435340400657250656000100",  # u
    "70218010600121400021000000",  # v
    "71036206601315610651002000",  # w
    "42636302600431370247110520",  # x
    "43435330500455470366024233",  # y
    "60018200600212510030200033",  # z
)

#: The bits of a word's first letter, of a digit, of a capital inside a word, and of a letter beside
#: a digit; chosen so that few names of the Python library and few random tokens are taken for the
#: other (the tests hold both).
_FIRST: Final = 4.7
_DIGIT: Final = 5.0
_HUMP: Final = 5.0
_TURN: Final = 3.0

#: Abbreviations that tools are named by. Their letters are rare together, as in keys, but say
#: nothing here, so they are left out. Of 30,000 names of packages 219 then look random, not 528; of
#: random texts of 16 characters at most one in 200 no longer does.
_ABBREVIATIONS: Final = """
    addr api aws cfg cmd crud css csv ctl dns docx ftp gcp gpu graphql grpc gtk html http ipv
    json jpg jwt k8s ldap mcp mgmt mp3 mp4 mqtt msg mysql npm oauth pdf pgx pgp pkg png ppt
    proto qry rds rpc sdk sha smtp sql src srv ssh ssl svc svg sys tcp tls udp uri url uuid vlan
    vm vpc vpn vue wasm web wk x64 xls xml yaml yml
"""
_ABBREVIATION: Final = re.compile("|".join(_ABBREVIATIONS.split()), re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9])[0-9]+(?![A-Za-z0-9])")

#: Shorter texts are no secrets that anybody could not guess.
_SHORTEST: Final = 8
_FEWEST_LETTERS: Final = 4
#: At this length the better guess counts. A shorter text stays in doubt, as it guards less; in a
#: longer one, words have to be better by half a bit a character.
_SURE: Final = 16


def is_random(text: str) -> bool:
    """Return whether a text looks drawn at random, as keys of ASCII are, and not made of words.

    Digits that stand alone are not judged: dates and small numbers are neither words nor keys.

    >>> is_random("getUserById"), is_random("qzvkxwjtplmn")
    (False, True)
    """
    if not text.isascii():
        return False
    text = _NUMBER.sub("", _ABBREVIATION.sub("-", text))
    length = sum(map(str.isalnum, text))
    if length < _SHORTEST or sum(map(str.isalpha, text)) < _FEWEST_LETTERS:
        return False
    kinds = (str.isdigit, 10), (str.islower, 26), (str.isupper, 26)
    size = sum(count for is_kind, count in kinds if any(map(is_kind, text)))
    evidence = length * math.log2(size) - _bits_of_words(text)
    return evidence < (length - _SURE) / 2


def _bits_of_words(text: str) -> float:
    """Return the bits that a text takes if it is made of words; separators take none."""
    bits, last = 0.0, ""
    for char in text:
        if char.isdigit():
            bits += _DIGIT + (_TURN if last.isalpha() else 0)
        elif char.isalpha() and not last.isalpha():
            bits += _FIRST + (_TURN if last.isdigit() else 0)
        elif char.isupper() and last.islower():
            bits += _FIRST + _HUMP
        elif char.isalpha():
            bits += 9 - int(_AFTER[ord(last.lower()) - 97][ord(char.lower()) - 97])
        last = char
    return bits
