"""Which names people may have, and which look alike."""
from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kozyr.app import abuse
from kozyr.app.lookalikes import skeleton
from kozyr.app.names import LENGTH_MAX, BadName, distinct, fault_of, is_no_name, parse_name

PEOPLE = """
Ayla, Ayla K., Emin, Gülşən, İlham, Cəfər, Ağabəyli, Şəhriyar, Nazim, Nazik, Xatirə, Qəhrəman, Sikandar, Ömer, Çağla, Işıl, Ümit, Göksu,
Piçakçı,
Žydrūnas, Ąžuolas, Kęstutis, Kurvaitis, Šikšnius, Giedrė, O'Neil, D’Angelo, Anna-Maria, Jean.Luc, Cazzola, Cazzullo, Troia, Figaro, Negroni,
Montenegro, Bastian, Moscato, Александр, Анна-Мария, Серёжа, Хуан, Худайберген, Назим, Лебедев, Ебралидзе, Сукачёв, Жидков, Оскорбленный,
Скипидар, Употреблять, Гитлин, Nigel, Niger, Нигер, Scunthorpe, Penistone, Cockburn, Hancock, Dick, Essex, Sussex, Therapist, Grape,
Shitake,
Matsushita, Cassandra, Arsenal, Slutsky, Analena, Cumberland, Assunta, Basset, Kikelomo, Wankel, Huy Nguyen, Ангелина, Μαρία, Αλέξανδρος,
გიორგი, Արամ, Abbot, Talbot, Robot 7, Operatic, Admiral, Adminton, 田中, ゆき, 김민준, דוד, محمد, 007, R2-D2, Игрок 1
"""
INNOCENT = [name.strip() for name in PEOPLE.replace("\n", " ").split(",")]


@pytest.mark.parametrize("name", INNOCENT)
def test_people_may_have_their_names(name: str) -> None:
    """Nobody's own name is taken for abuse or for the server's (the Scunthorpe problem)."""
    assert name == parse_name(f"  {name} ")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", "empty"), (" \t\n\u00a0\u3000", "empty"), ("x" * 25, "long"), ("...", "letters"), ("- -", "letters"),
        ("\u0301\u0301", "letters"),
        ("a\u0301\u0302", "letters"), ("A\u0335\u0336\u0337", "letters"), ("\u0301a", "letters"), ("a\u200bb", "letters"),
        ("a\u202eb", "letters"),
        ("a\ufeffb", "letters"), ("a\x00b", "letters"), ("\ud800", "letters"), ("\u3164", "letters"), ("\u2800", "letters"),
        ("a\u00adb", "letters"),
        ("👍", "letters"), ("𝒜yla", "letters"), ("Ａyla", "letters"), ("a<b>", "letters"), ("a@b", "letters"), ("ⅷ", "letters"),
        ("\u0661", "letters"),
        ("ﬁn", "letters"), ("\uffff", "letters"), ("\U000e0061", "letters"),
        ("Aylа", "mixed"), ("Bладимир", "mixed"), ("Νikos", "mixed"), ("Ayla аа1а a", "ok"), ("Анна Smith", "ok"),
        ("bot", "reserved"), ("Bot 2", "reserved"), ("B0T", "reserved"), ("бот", "reserved"), ("Ботас", "ok"), ("admin", "reserved"),
        ("Аdmin", "mixed"), ("The Admin", "reserved"), ("админ Оля", "reserved"), ("Yönetici", "reserved"), ("İdarəçi", "reserved"),
        ("Operatör", "reserved"), ("Козырь", "reserved"), ("kozyr 1", "reserved"), ("sunucu", "reserved"), ("Administratorius", "reserved"),
        ("fuck", "abuse"), ("F.U.C.K", "abuse"), ("fuuuck", "abuse"), ("f u c k", "abuse"), ("sh1t", "abuse"), ("хуй", "abuse"),
        ("Х у й", "abuse"),
        ("Пи3да", "abuse"), ("ПИЗДАТЫЙ", "abuse"), ("orospu", "abuse"), ("0r0spu", "abuse"), ("Sürtük", "abuse"), ("qəhbə", "abuse"),
        ("Vaffanculo!", "letters"), ("vaffanculo", "abuse"), ("Str0nz0", "abuse"), ("kurva", "abuse"), ("Šūdas", "abuse"),
        ("sudas", "abuse"),
    ],
)  # fmt: skip
def test_what_is_no_name_says_why(text: str, about: str) -> None:
    """Empty, too long, letters that are none, alphabets mixed in a word, abuse, the server's own names."""
    assert (None if about == "ok" else about) == fault_of(" ".join(text.split()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ayla", "ayla"), ("Ayla", "AyIa"), ("Ayla", "Ay1a"), ("Ayla K", "AylaK"), ("Ayla", "A.y-l'a"), ("Сергей", "СЕРГЕИ"),
        ("сосо", "coco"),
        ("Mom", "rnorn"), ("Ömer", "omer"), ("İlham", "ilham"), ("Işıl", "Isil"), ("ИРА", "ира"), ("Семён", "Семен"), ("ΟΔΟΣ", "οδος"),
        ("Bob", "6o6"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    """Nobody is taken for somebody else."""
    assert skeleton(one) == skeleton(other)


def test_other_names_are_others() -> None:
    """Of a hundred people none is taken for another."""
    names = {skeleton(name): name for name in INNOCENT}
    assert [] == [name for name in INNOCENT if names[skeleton(name)] != name]


def test_two_at_a_table_never_look_alike() -> None:
    """The second one gets a number, and the third another; the name stays short enough."""
    assert ("AyIa 2", "ayla 3") == (distinct("AyIa", ["Ayla"]), distinct("ayla", ["Ayla", "AyIa 2"]))
    long = distinct("A" * 24, ["A" * 24, "A" * 22 + " 2"])
    assert ("A" * 22 + " 3", LENGTH_MAX) == (long, len(long))


def test_the_nameless_have_no_account() -> None:
    """Guest, in six languages, with a number or without."""
    assert all(map(is_no_name, ("Guest", "guest 7", "Гость", "Qonaq", "Misafir", "Svečias", "Ospite")))
    assert not is_no_name("Guesthouse")


@given(st.text(max_size=30))
@example("İ" * 12)
@example("ŉ" * 24)
def test_a_name_stays_a_name(text: str) -> None:
    """Whatever somebody writes is a name or is not; a name is not changed by reading it again, and looks like itself."""
    try:
        name = parse_name(text)
    except BadName as error:
        assert error.about in ("empty", "long", "letters", "mixed", "abuse", "reserved")
        return
    assert name == parse_name(name)
    assert skeleton(name) and skeleton(name) == skeleton(name.replace(" ", "."))
    assert skeleton(distinct(name, [name])) != skeleton(name)


def test_every_word_of_the_list_is_found() -> None:
    """No line of the list is one that never matches."""
    known = abuse.words()
    for word in [*known.whole, *known.starts, *known.parts]:
        assert abuse.is_in([word], [word]), word
