"""Texts of kinds that estimators may fail on, alone and in JSON; written for these tests."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Final

_RUSSIAN: Final = """\
Склад открылся в восемь утра, но первые грузовики стояли у ворот уже с шести. Водители пили чай из
термосов и спорили, чей прицеп разгрузят раньше. Диспетчер Марина обошла площадку, записала номера
машин в журнал и попросила всех приготовить накладные. К обеду выяснилось, что две партии кабеля
отправили не туда: вместо Казани они приехали в Рязань, и теперь их нужно везти обратно через всю
область. Начальник смены вздохнул, позвонил заказчику и честно сказал, что поставка задержится на
три дня. Заказчик помолчал и спросил, нельзя ли хотя бы половину привезти поездом. Через час нашли
попутный вагон, и вечером кабель снова отправился в дорогу.
"""

_ARABIC: Final = """\
يفتح المخبز أبوابه قبل شروق الشمس بساعة كاملة. يصل العمال واحدا بعد الآخر ويشعلون الفرن الكبير ثم
يبدؤون بعجن الدقيق. في الساعة السادسة يقف الزبائن في صف طويل أمام الباب، فالجميع يريد الخبز الساخن
قبل الذهاب إلى العمل. سألت صاحب المخبز عن سر النجاح فقال إن الأمر بسيط: دقيق جيد وماء نظيف وصبر
طويل. وفي المساء يوزع ما بقي من الخبز على الجيران، لأن الخبز القديم لا يباع عنده أبدا. قبل عامين
زاره مهندس شاب واقترح عليه أن يسجل الطلبات على الحاسوب، ومنذ ذلك اليوم لم يضع طلب واحد.
"""

_HINDI: Final = """\
सुबह की पहली बस गाँव से छह बजे निकलती है। उसमें दूध बेचने वाले, स्कूल जाने वाले बच्चे और शहर में काम
करने वाले मज़दूर बैठते हैं। रास्ते में तीन छोटे स्टेशन आते हैं, जहाँ चाय और गरम पकौड़े मिलते हैं। बारिश के
दिनों में सड़क टूट जाती है और बस को लंबा चक्कर लगाना पड़ता है। पिछले साल पंचायत ने नया पुल बनवाया, तब से
सफ़र आधे घंटे कम हो गया। चालक रामेश्वर बीस साल से यही बस चला रहे हैं और हर यात्री का नाम जानते हैं।
उनका कहना है कि सड़क चाहे जैसी हो, समय पर पहुँचना ही सबसे बड़ी सेवा है।
"""

_CHINESE: Final = """\
清晨六点，码头上的灯还没有熄灭，第一批渔船已经靠岸。工人们把装满鱼的箱子搬到秤上，记录员在本子上写下重量和船名。
老板娘一边算账一边招呼客人，谁要多少斤，什么时候来取，她都记得清清楚楚。去年冬天，镇上安装了新的冷库，鱼可以多保存
三天，价格也稳定了许多。不过老渔民们仍然相信，最好的味道只属于当天早上的那一锅汤。下午风大，船都回到港湾里，孩子们
在堤岸上放风筝，远处的灯塔慢慢亮起来。明天如果天气好，他们还会在三点钟出发。
"""

_JAPANESE: Final = """\
駅前の小さな図書館は、午後になると学生でいっぱいになります。窓ぎわの席は朝のうちに埋まってしまうので、遅く来た人は
階段の横にある長い机を使います。司書の田中さんは、返却された本を一冊ずつ確かめながら、元の棚へ戻していきます。去年から
貸し出しの記録はすべて電子化され、読みたい本がどこにあるのか、画面ですぐに分かるようになりました。それでも、背表紙を
眺めながら歩いて、思いがけない一冊に出会う楽しみは変わりません。閉館の音楽が流れると、みんな静かに荷物をまとめます。
"""

_THAI: Final = """\
ตลาดเช้าริมแม่น้ำเริ่มคึกคักตั้งแต่ตีสี่ พ่อค้าแม่ค้าพายเรือมาจากหมู่บ้านใกล้เคียงพร้อมผักสด ผลไม้ และปลาที่จับได้เมื่อคืน
ลูกค้าประจำรู้ดีว่าต้องมาก่อนพระอาทิตย์ขึ้นจึงจะได้ของดีที่สุด ป้าสมศรีขายขนมครกอยู่ตรงหัวสะพานมาสามสิบปีแล้ว
เธอบอกว่าสูตรของแม่ไม่เคยเปลี่ยน มีแต่ราคาเท่านั้นที่เปลี่ยนไปตามเวลา เมื่อฝนตกหนักน้ำจะขึ้นสูงจนต้องย้ายแผงไปบนถนน
แต่ไม่มีใครบ่น เพราะทุกคนถือว่าน้ำคือส่วนหนึ่งของชีวิตที่นี่ ปีหน้าเทศบาลจะสร้างหลังคาใหม่ให้ตลาดทั้งสองฝั่ง
"""

_GERMAN: Final = """\
Die Werkstatt liegt hinter dem alten Güterbahnhof, gleich neben der stillgelegten Zuckerfabrik. Wer
ein Fahrrad reparieren lassen möchte, füllt am Eingang einen Zettel aus und hängt ihn an den Lenker.
Frau Schönfeld prüft zuerst die Bremsen, danach die Schaltung und zum Schluss die Beleuchtung. An
manchen Tagen stehen über vierzig Räder im Hof, und trotzdem findet sie jedes auf Anhieb wieder. Im
Herbst gibt sie Kurse für Jugendliche, die lernen wollen, wie man Schläuche flickt und Speichen
nachzieht. Ersatzteile bestellt sie gemeinsam mit zwei Nachbarbetrieben, weil größere Mengen
deutlich günstiger sind. Abends fegt sie den Boden, löscht das Licht und fährt selbst mit dem
klapprigsten Rad der ganzen Straße nach Hause.
"""

_PROSE: Final = """\
The ferry leaves the island twice a day, once before breakfast and once when the shops close. Most
of the passengers know each other, so the crossing is less a journey than a long conversation that
nobody quite finishes. Last spring the old boat was replaced by a quieter one, and for a few weeks
people complained that they could hear what the next table was saying. The captain keeps a small
notebook with the tides, the weather, and the names of those who forgot to pay. She never asks for
the money; she only reads the list aloud at the winter party, and by the following morning every
line has been crossed out. When the fog is thick she slows down, sounds the horn, and tells the
children that the lighthouse is answering.
"""

_CODE: Final = '''\
from dataclasses import dataclass, field


@dataclass
class Shelf:
    """A shelf that takes boxes until its load is reached."""

    name: str
    limit: float
    boxes: list[float] = field(default_factory=list)

    @property
    def load(self) -> float:
        return sum(self.boxes)

    def add(self, weight: float) -> bool:
        if weight <= 0:
            raise ValueError(f"weight must be positive, not {weight!r}")
        if self.load + weight > self.limit:
            return False
        self.boxes.append(weight)
        return True


def distribute(weights: list[float], shelves: list[Shelf]) -> dict[str, list[float]]:
    left = []
    for weight in sorted(weights, reverse=True):
        target = min((s for s in shelves if s.load + weight <= s.limit), key=lambda s: s.load,
                     default=None)
        if target is None or not target.add(weight):
            left.append(weight)
    if left:
        print(f"{len(left)} boxes stay on the floor: {sum(left):.1f} kg")
    return {shelf.name: shelf.boxes for shelf in shelves}
'''

_HTML: Final = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Opening hours</title>
    <link rel="stylesheet" href="/static/site.css">
  </head>
  <body class="page page--narrow">
    <nav aria-label="Main"><a href="/">Home</a> <a href="/tickets" class="active">Tickets</a></nav>
    <h1 id="hours">Opening hours</h1>
    <p>The museum is open <strong>every day but Monday</strong>. The last entry is at five.</p>
    <table class="hours">
      <thead><tr><th>Day</th><th>From</th><th>To</th></tr></thead>
      <tbody>
        <tr><td>Tuesday</td><td>10:00</td><td>18:00</td></tr>
        <tr><td>Friday</td><td>10:00</td><td>21:00</td></tr>
        <tr><td>Sunday</td><td>11:00</td><td>17:00</td></tr>
      </tbody>
    </table>
    <form action="/search" method="get"><input type="search" name="q" placeholder="Search"></form>
    <footer><small>&copy; 2026 Harbour Museum. <a href="mailto:desk@harbour.example">Write to us</a>
    </small></footer>
  </body>
</html>
"""


def _digest(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def in_json(text: str) -> str:
    """Return records with a line of the text each, in compact JSON."""
    return _compact(
        {"id": n, "line": line, "length": len(line), "checked": n % 2 == 0}
        for n, line in enumerate(text.splitlines(), 1)
    )


def _compact(records: Iterable[dict[str, object]], ascii_only: bool = False) -> str:
    return json.dumps(list(records), ensure_ascii=ascii_only, separators=(",", ":"))


def _escaped() -> str:
    rows = ({"id": n, "text": line} for n, line in enumerate(_RUSSIAN.splitlines()))
    return _compact(rows, ascii_only=True)


_POLISH: Final = (
    "Łukasz Żółkiewski Kraków",
    "Małgorzata Wójcik Łódź",
    "Józef Dąbrowski Wrocław",
    "Grażyna Nowak Poznań",
    "Paweł Szymański Gdańsk",
    "Marek Lewandowski Warszawa",
    "Bożena Woźniak Rzeszów",
    "Katarzyna Król Toruń",
)


_DUTCH: Final = (
    "Factuur van de klant controleren",
    "Levering naar het filiaal verplaatsen",
    "Vergadering met de medewerkers voorbereiten",
    "Bestelling annuleren en de klant terugbellen",
    "Vakantieaanvraag goedkeuren",
    "Voorraad van het magazijn tellen",
)


def _tasks() -> Iterator[dict[str, object]]:
    for n, title in enumerate(_DUTCH * 5, 1):
        yield {"id": n, "title": title, "status": ("open", "gereed")[n % 2], "hours": n % 7}


def _people(wide: bool) -> Iterator[dict[str, object]]:
    """Yield people with Polish names; wide records hold other fields besides."""
    for n in range(1, 41):
        first, last, city = _POLISH[n % len(_POLISH)].split()
        record: dict[str, object] = {"id": n, "name": f"{first} {last}", "city": city}
        if wide:
            record |= {"email": f"user{n}@shop.example", "active": n % 3 > 0, "orders": n * 7 % 31}
            record |= {"created": f"2026-01-{n % 28 + 1:02}", "balance": n * 317 % 10_000 / 100}
        yield record


def _with_keys(key: Callable[[bytes], str], fields: int) -> Iterator[dict[str, object]]:
    for n in range(1, 31):
        record: dict[str, object] = {f"key{i}": key(_digest(100 * i + n)) for i in range(fields)}
        yield record | {"title": "Second quarter report", "city": "Boston", "views": 17 * n}


def _uuid(digest: bytes) -> str:
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _cursor(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest[:18]).decode()


#: By kind, some hundred to a few thousand characters each.
KINDS: Final = {
    "Russian": _RUSSIAN,
    "Arabic": _ARABIC,
    "Hindi": _HINDI,
    "Chinese": _CHINESE,
    "Japanese": _JAPANESE,
    "Thai": _THAI,
    "German": _GERMAN,
    "base64": base64.b64encode(b"".join(map(_digest, range(40)))).decode(),
    "hashes": "\n".join(_digest(number).hex() for number in range(25)),
    "escapes": _escaped(),
    "prose": _PROSE,
    "code": _CODE,
    "HTML": _HTML,
}

#: Payloads in compact JSON whose records hold some of what is strange.
PAYLOADS: Final = {
    "Polish names": _compact(_people(wide=False)),
    "Polish names, wide records": _compact(_people(wide=True)),
    "Dutch, short fields": _compact(_tasks()),
    "a UUID in every record": _compact(_with_keys(_uuid, 1)),
    "four UUIDs in every record": _compact(_with_keys(_uuid, 4)),
    "a base64 key in every record": _compact(_with_keys(_cursor, 1)),
}
