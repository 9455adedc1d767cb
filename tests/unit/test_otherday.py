"""Another day, in an interpreter of its own."""

from __future__ import annotations

import textwrap

from tests.unit.conftest import Isolated

MOVE = """
import copy, datetime, time
from tanteo.execute.otherday import SHIFT, move_clock

real_time, real_ns, real_gmtime = time.time, time.time_ns, time.gmtime
real_datetime, real_date = datetime.datetime, datetime.date
real_day = datetime.datetime.now().date()
move_clock()
"""


def after(script: str) -> str:
    return MOVE + textwrap.dedent(script)


def test_everybody_who_asks_for_the_present_is_told_a_later_one(isolated: Isolated) -> None:
    found = isolated(
        after("""
        now = real_time()
        shifted = {
            "time": time.time() - now,
            "ns": (time.time_ns() - real_ns()) / 1e9,
            "now": real_datetime.timestamp(datetime.datetime.now()) - now,
            "aware": datetime.datetime.now(datetime.timezone.utc).timestamp() - now,
            "utcnow": datetime.datetime.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp() - now,
            "localtime": time.mktime(time.localtime()) - now,
        }
        found["shifts"] = {name: round(seconds - SHIFT) for name, seconds in shifted.items()}
        found["days"] = (datetime.date.today() - real_day).days
        found["day"] = time.strftime("%Y-%m-%d") != real_day.isoformat()
        written = [time.mktime(time.strptime(text)) for text in (time.ctime(), time.asctime())]
        found["written"] = [round(seconds - now - SHIFT) for seconds in written]
        found["gmtime"] = time.gmtime()[:3] != real_gmtime(real_time())[:3]
        """)
    )
    assert {name: off for name, off in found["shifts"].items() if abs(off) > 2} == {}
    assert found["days"] >= 3
    assert all(abs(off) <= 2 for off in found["written"])
    assert found["day"] and found["gmtime"]


def test_a_while_passes_between_two_looks_at_a_clock(isolated: Isolated) -> None:
    found = isolated(
        after("""
        clocks = time.monotonic, time.perf_counter, time.time
        found["seconds"] = [-(ask() - ask()) for ask in clocks]
        exact = time.monotonic_ns, time.perf_counter_ns, time.time_ns
        found["exact"] = [-(ask() - ask()) / 1e9 for ask in exact]
        found["whole"] = all(type(ask()) is int for ask in exact)
        """)
    )
    assert all(0.05 <= seconds < 1 for seconds in (*found["seconds"], *found["exact"]))
    assert found["whole"]


def test_all_clocks_agree_on_the_day(isolated: Isolated) -> None:
    found = isolated(
        after("""
        days = datetime.date.today(), datetime.datetime.today().date()
        found["days"] = [(day - datetime.datetime.now().date()).days for day in days]
        """)
    )
    assert found["days"] == [0, 0]


def test_moments_that_are_given_stay_as_they_are(isolated: Isolated) -> None:
    found = isolated(
        after("""
        found["time"] = [time.gmtime(0)[:6], time.strftime("%Y", time.gmtime(0)), time.ctime(0)[-4:]]
        found["date"] = [
            str(datetime.datetime.fromtimestamp(0, datetime.timezone.utc)),
            str(datetime.datetime.fromisoformat("2020-01-02")),
            str(datetime.datetime.strptime("2020", "%Y")),
            str(datetime.date.fromordinal(1)),
            str(datetime.datetime.combine(datetime.date(2020, 1, 2), datetime.time(3))),
            str(copy.deepcopy(datetime.datetime(2020, 1, 1))),
        ]
        """)
    )
    assert found["time"][:2] == [[1970, 1, 1, 0, 0, 0], "1970"]
    assert found["time"][2] in ("1970", "1969")
    assert found["date"] == [
        "1970-01-01 00:00:00+00:00",
        "2020-01-02 00:00:00",
        "2020-01-01 00:00:00",
        "0001-01-01",
        "2020-01-02 03:00:00",
        "2020-01-01 00:00:00",
    ]


def test_ordinary_constructors_make_ordinary_objects(isolated: Isolated) -> None:
    found = isolated(
        after("""
        moment, day = datetime.datetime(2020, 1, 1, hour=2), datetime.date(2020, 1, 1)
        found["types"] = [
            type(moment) is real_datetime,
            type(day) is real_date,
            type(datetime.datetime.now()) is real_datetime,
            type(datetime.date.today()) is real_date,
            type(moment + datetime.timedelta(1)) is real_datetime,
        ]
        found["repr"] = [repr(moment), repr(day), str(datetime.datetime), datetime.date.__name__]
        found["equal"] = moment == real_datetime(2020, 1, 1, 2) and hash(day) == hash(real_date(2020, 1, 1))
        """)
    )
    assert all(found["types"])
    assert found["repr"] == [
        "datetime.datetime(2020, 1, 1, 2, 0)",
        "datetime.date(2020, 1, 1)",
        "<class 'datetime.datetime'>",
        "date",
    ]
    assert found["equal"]


def test_objects_belong_to_the_classes_as_before(isolated: Isolated) -> None:
    found = isolated(
        after("""
        moment, day = datetime.datetime(2020, 1, 1), datetime.date(2020, 1, 1)
        found["yes"] = [
            isinstance(moment, datetime.datetime),
            isinstance(moment, datetime.date),
            isinstance(day, datetime.date),
            isinstance(real_datetime.now(), datetime.datetime),
            issubclass(datetime.datetime, datetime.date),
            issubclass(real_datetime, datetime.date),
        ]
        found["no"] = [
            isinstance(day, datetime.datetime),
            isinstance(1, datetime.date),
            issubclass(datetime.date, datetime.datetime),
        ]
        """)
    )
    assert all(found["yes"])
    assert not any(found["no"])


def test_dates_are_written_the_same_way(isolated: Isolated) -> None:
    found = isolated(
        "from tanteo.express import express\n"
        + after("""
        for value in (datetime.datetime(2020, 1, 2), datetime.date(2020, 1, 2), datetime.datetime):
            expression = express(value)
            found[str(value)] = expression and expression.source
        """)
    )
    assert found == {
        "2020-01-02 00:00:00": "datetime.datetime(2020, 1, 2, 0, 0)",
        "2020-01-02": "datetime.date(2020, 1, 2)",
        "<class 'datetime.datetime'>": "datetime",
    }


def test_classes_that_are_derived_from_a_day_are_the_same_as_ever(isolated: Isolated) -> None:
    found = isolated(
        after("""
        from tanteo.members import _members

        class Ours(datetime.date):
            def __new__(cls, year, month, day):
                return datetime.date.__new__(cls, year, month, day)

            def week(self):
                return self.isocalendar()[1]

        class Theirs(real_date):
            __new__, week = Ours.__new__, Ours.week

        plain = lambda kind: [n for n, *_ in _members(kind) if n[:2] != "__" or n == "__new__"]
        found["members"] = plain(Ours) == plain(Theirs)
        found["kind"] = type(Ours(2020, 2, 29)).__name__
        found["week"] = Ours(2020, 2, 29).week()
        found["moment"] = type(type("Moment", (datetime.datetime,), {})(2020, 2, 29)).__name__
        """)
    )
    assert found == {"members": True, "kind": "Ours", "week": 9, "moment": "Moment"}
