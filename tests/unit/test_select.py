"""Few tests, and few assertions in each."""

from __future__ import annotations

from dataclasses import replace

from tanteo.emit.cases import Case
from tanteo.emit.select import MOST_ROWS, select
from tanteo.emit.trimming import MOST_BY_GUESS, Kills
from tanteo.emit.worth import Homes
from tanteo.execute.observations import Observation
from tanteo.model import MISFIT_MARK, Literal, call, say, sequence
from tanteo.subject import Operation

KINDS = {2: "constructor", 3: "call", 7: "constant", 8: "attribute"}
OPERATIONS = [
    *(
        Operation(
            n, f"m.f{n}", KINDS.get(n, "function"), "m", "{symbol:f}({args})", defined="m.f" if n < 2 else ""
        )
        for n in range(9)
    ),
    Operation(9, "list", "display", "builtins", "[{args}]"),
]


def case(
    number: int, operation: int = 4, arms: tuple[int, ...] = (), outcome: str = "normal", states: int = 1
) -> Case:
    made = sequence([say(Literal(number, str(number))), call(operation, (-1,))])
    seen = [Observation("changed", 1, 9 + n, str(number * (n + 1))) for n in range(states)]
    return Case(made, tuple(seen), outcome=outcome, arms=frozenset(arms))


def chosen(*cases: Case, kills: dict[int, Kills] | None = None) -> list[bytes]:
    known = {cases[n].sequence.code: k for n, k in (kills or {}).items()}
    return [c.sequence.code.splitlines()[0] for c in select(list(cases), known, OPERATIONS)]


def test_a_test_that_adds_nothing_is_not_chosen() -> None:
    assert chosen(case(1, arms=(1, 2)), case(2, arms=(1,)), case(3, arms=(3,))) == [b"=1", b"=3"]


def test_each_outcome_of_an_operation_has_a_test() -> None:
    found = chosen(case(1), case(2, outcome="ValueError at f:1"), case(3, operation=5), case(4))
    assert found == [b"=1", b"=2", b"=3"]


def test_who_is_told_what_to_raise_says_it_once() -> None:
    def raising(number: int, kind: str, told: bool) -> Case:
        given = [say(Literal(ValueError, kind))] if told else []
        made = sequence([*given, say(Literal(number, str(number))), call(4, (-1,))])
        return Case(made, (), raises=kind, message="why", outcome=f"{kind} at f:1", asked=True)

    assert len(chosen(raising(1, "KeyError", True), raising(2, "OSError", True))) == 1
    assert len(chosen(raising(1, "KeyError", False), raising(2, "OSError", False))) == 2


def test_that_an_object_comes_back_is_said_once() -> None:
    def gives_back(number: int, arms: tuple[int, ...]) -> Case:
        return replace(case(number, arms=arms), observations=(Observation("same", 1, source="0"),))

    assert chosen(gives_back(1, (1, 2)), gives_back(2, (3, 4))) == [b"=1"]
    assert len(chosen(gives_back(1, (1, 2, 3)), gives_back(2, (4, 5, 6, 7)))) == 2


def test_what_makes_no_difference_before_the_call_needs_many_arms() -> None:
    assert chosen(case(1, arms=(1,)), replace(case(2, arms=(1, 2, 3)), padded=True)) == [b"=1"]


def test_what_does_not_warn_comes_first() -> None:
    assert chosen(replace(case(1, arms=(1,)), warns=("UserWarning",)), case(2, arms=(1,))) == [b"=2"]


def test_what_anybody_would_pass_comes_first() -> None:
    odd = replace(case(1, arms=(1, 2, 3)), stuffed=True)
    assert chosen(odd, case(2, arms=(1, 2, 3))) == [b"=2"]


def test_one_line_that_raises_is_shown_once() -> None:
    raising = [
        replace(case(n, operation=4 + n, outcome="KeyError at f:1"), raises="KeyError", asked=True)
        for n in (1, 2)
    ]
    assert chosen(*raising) == [b"=1"]
    others = [replace(c, outcome=f"{kind} at f:1") for c, kind in zip(raising, ("A", "B"), strict=True)]
    assert chosen(*others) == [b"=1"]
    assert chosen(*(replace(c, message="why") for c in others)) == [b"=1", b"=2"]
    assert chosen(others[0], replace(others[1], message="why")) == [b"=2"]


def test_what_breaks_by_accident_is_shown_only_on_the_way_to_an_arm() -> None:
    broken = replace(case(1, arms=tuple(range(8)), outcome="TypeError at f:1"), raises="TypeError")
    assert chosen(broken) == [b"=1"]
    assert chosen(replace(broken, arms=frozenset(range(7)))) == []
    assert chosen(replace(broken, arms=frozenset(), message="not so")) == [b"=1"]
    assert chosen(replace(broken, astray=True)) == []
    outside = replace(case(1, outcome="KeyError at :0"), raises="KeyError", asked=True)
    assert chosen(outside) == []
    inside = replace(outside, outcome="KeyError at f:1")
    assert chosen(inside) == [b"=1"]
    assert chosen(replace(inside, asked=False)) == []
    assert chosen(broken, case(2, arms=tuple(range(8)))) == [b"=2"]


def test_what_shows_little_must_lead_far() -> None:
    rough = replace(case(1), rough=True)
    assert chosen(replace(rough, arms=frozenset({1, 2}))) == []
    assert chosen(replace(rough, arms=frozenset({1, 2, 3}))) == [b"=1"]
    accident = replace(case(1), accident=True)
    assert chosen(replace(accident, arms=frozenset(range(7)))) == []
    assert chosen(replace(accident, arms=frozenset(range(8)))) == [b"=1"]
    assert chosen(replace(case(1), idle=1, arms=frozenset(range(3)))) == []
    assert chosen(replace(case(1), idle=1, arms=frozenset(range(4)))) == [b"=1"]
    assert chosen(replace(case(1), idle=2, arms=frozenset(range(7)))) == []
    assert chosen(replace(case(1), idle=2, arms=frozenset(range(8)))) == [b"=1"]
    assert chosen(replace(case(1), idle=1, echo=True, arms=frozenset(range(7)))) == []
    assert chosen(replace(case(1), idle=1, raises="KeyError", message="no", arms=frozenset(range(7)))) == []
    long = replace(case(1, arms=(1, 2)), observations=(Observation("length", 1, -1, "463"),))
    assert chosen(long) == []
    assert chosen(replace(long, observations=(Observation("length", 1, -1, "4"),))) == [b"=1"]


def test_that_a_function_can_be_called_is_no_test() -> None:
    arms = tuple(range(8))
    silent = replace(case(1, arms=arms), observations=(Observation("value", 1, -1, "None"),))
    assert select([silent], {}, OPERATIONS, frozenset({1, 3})) == []
    assert len(select([silent], {}, OPERATIONS, frozenset({9}))) == 1
    few = replace(silent, arms=frozenset({1}))
    assert select([few], {}, OPERATIONS) == []
    changing = case(2, operation=few.operation)
    assert len(select([few, changing], {}, OPERATIONS)) == 1, "it never returns anything"
    stays = replace(few, observations=(*few.observations, Observation("unchanged", 0, 9, "3")))
    found = select([stays, changing], {}, OPERATIONS)
    assert [o.kind for c in found for o in c.observations if c.operation == few.operation][:1] == ["changed"]
    assert ["unchanged"] in [[o.kind for o in c.observations] for c in found]
    returning = replace(case(3), observations=(Observation("value", 1, -1, "5"),))
    returning = replace(returning, sequence=case(3, operation=few.operation).sequence)
    assert len(select([few, returning], {}, OPERATIONS)) == 2
    assert len(select([case(1, arms=(1,))], {}, OPERATIONS, frozenset({1}))) == 1


def test_what_never_changes_is_not_said_to_stay() -> None:
    kept = Observation("unchanged", 0, 9, "3")
    one = replace(case(1, arms=(1,)), observations=(Observation("value", 1, -1, "5"), kept))
    other = replace(case(2, arms=(2,)), observations=(kept._replace(source="4"),))
    (found,) = select([one], {}, OPERATIONS)
    assert [o.kind for o in found.observations] == ["value"]
    (found,) = select([one, other], {}, OPERATIONS)
    assert [o.kind for o in found.observations] == ["value"]


def test_that_something_has_not_changed_is_no_test() -> None:
    kept = replace(case(1, arms=(1,)), observations=(Observation("unchanged", 0, 9, "3"),))
    assert chosen(kept) == []


def test_what_came_back_is_also_looked_at() -> None:
    same, changed = Observation("same", 1, source="0"), Observation("changed", 0, 9, "3")
    one = replace(case(1, arms=(1,)), observations=(same, changed))
    (found,) = select([one], {one.sequence.code: {}}, OPERATIONS)
    assert found.observations == (same, changed)


def test_one_function_under_two_names_is_tested_once() -> None:
    assert chosen(case(1, operation=5), case(2, operation=6)) == [b"=1", b"=2"]
    assert chosen(case(1, operation=0), case(2, operation=1)) == [b"=1"]


def test_what_others_say_anyway_is_not_worth_a_test() -> None:
    attribute = replace(case(1, operation=2), observations=(Observation("changed", 1, attribute="size"),))
    assert chosen(case(1, operation=2), case(2, operation=3)) == []
    assert chosen(attribute, case(2, operation=3, arms=(1,))) == [b"=1", b"=2"]


def test_that_a_new_object_has_what_it_was_given_is_no_test() -> None:
    made = sequence([say(Literal("a", "'a'")), say(Literal(1, "1")), call(9, (-2, -1)), call(2, (-1,))])
    for source, kept in (("['a', 1]", 0), ("[1, 'a']", 1)):
        seen = (Observation("changed", 3, attribute="items", source=source),)
        assert len(select([Case(made, seen, outcome="normal")], {}, OPERATIONS)) == kept


def test_that_nothing_is_in_a_new_object_is_no_test() -> None:
    empty = Observation("changed", 1, source="[]", attribute="items")
    made = replace(case(1, operation=2, arms=(1,)), observations=(empty,))
    assert select([made], {}, OPERATIONS, frozenset({1})) == []
    full = replace(made, observations=(empty._replace(source="[7]"),))
    assert len(select([full], {}, OPERATIONS, frozenset({1}))) == 1


def test_several_results_make_a_table_of_a_function_only() -> None:
    def result(number: int, operation: int) -> Case:
        seen = (Observation("value", 1, -1, str(number)),)
        return replace(case(number, operation, arms=(1, 2)[:number]), observations=seen)

    assert chosen(result(1, 4), result(2, 4)) == [b"=2", b"=1"]
    assert chosen(result(1, 8), result(2, 8)) == [b"=2"]
    same = replace(result(1, 4), arms=frozenset({1, 2}))
    assert chosen(same, result(2, 4)) == [b"=1"]
    assert chosen(replace(result(1, 7), arms=frozenset())) == []
    computed = sequence([say(Literal(1, "1")), call(5, (-1,)), call(4, (-1,))])
    assert chosen(replace(result(1, 4), sequence=computed), result(2, 4)) == [b"=2"]


def test_what_is_inherited_from_elsewhere_is_tested_there() -> None:
    operations = [replace(o, defined="dict.update" if o.index == 4 else o.defined) for o in OPERATIONS]
    assert select([case(1)], {}, operations) == []
    assert len(select([case(1)], {case(1).sequence.code: {7: [0]}}, operations)) == 1


def test_that_nothing_is_returned_says_more_than_that_something_is_as_it_was() -> None:
    seen = (Observation("unchanged", 0, 9, "3"), Observation("value", 1, -1, "None"))
    one = replace(case(1, arms=tuple(range(8))), observations=seen)
    (found,) = select([one], {one.sequence.code: {}}, OPERATIONS)
    assert [o.kind for o in found.observations] == ["value"]


def test_what_declares_something_else_comes_after_the_others() -> None:
    odd = replace(case(1, arms=(1, 2)), astray=True)
    assert chosen(odd, case(2, arms=(1, 2))) == [b"=2"]


def test_a_result_is_not_thrown_away() -> None:
    one = case(1, states=2)
    result = Observation("value", 1, source="7")
    one = replace(one, observations=(result, *one.observations))
    (found,) = select([one], {one.sequence.code: {5: [2]}}, OPERATIONS)
    assert found.observations == (result, one.observations[2])


def test_a_mutant_is_worth_a_test() -> None:
    cases = case(1), case(2), case(3)
    assert chosen(*cases, kills={0: {7: [0]}, 1: {7: [0]}, 2: {8: [0]}}) == [b"=1", b"=3"]


def test_the_one_that_does_most_comes_first() -> None:
    assert chosen(case(1, arms=(1,)), case(2, arms=(1, 2, 3))) == [b"=2"]


def test_a_value_that_does_not_fit_is_worth_a_few_arms_only() -> None:
    misfit = "TypeError at f:1" + MISFIT_MARK
    found = chosen(case(1), case(2, outcome=misfit, arms=(8,)), case(3, outcome=misfit, arms=(5, 6, 7)))
    assert found == [b"=1", b"=3"]


def test_assertions_stay_if_they_notice_something_new() -> None:
    one, other = case(1, states=4, arms=(1, 2, 3)), case(2, states=4, arms=(9,))
    kills: dict[bytes, Kills] = {
        one.sequence.code: {7: [1], 8: [1, 2], 9: [3]},
        other.sequence.code: {7: [1], 8: [2], 10: [2]},
    }
    first, second = select([one, other], kills, OPERATIONS)
    assert [o.operation for o in first.observations] == [10, 12]
    assert [o.operation for o in second.observations] == [11]


def test_without_mutants_the_questions_with_the_most_answers_stay() -> None:
    cases = [case(n, operation=n + 4, states=5) for n in range(3)]
    same = [Observation("changed", 1, 30, "None"), Observation("changed", 1, 31, "5")]
    cases = [Case(c.sequence, (*same, *c.observations), outcome=c.outcome) for c in cases]
    for found in select(cases, {}, OPERATIONS):
        assert len(found.observations) == MOST_BY_GUESS
        assert {o.operation for o in found.observations} <= set(range(9, 14))


def test_one_assertion_is_left_even_if_no_mutant_is_noticed() -> None:
    one = case(1, states=3)
    (found,) = select([one], {one.sequence.code: {}}, OPERATIONS)
    assert len(found.observations) == 1


def test_a_few_ways_through_a_function_are_enough() -> None:
    def result(number: int) -> Case:
        seen = (Observation("value", 1, -1, str(number)),)
        return replace(case(number, arms=tuple(range(1, 8))[number:]), observations=seen)

    assert len(chosen(*(result(n) for n in range(1, 8)))) == 1 + MOST_ROWS


def test_what_one_test_looks_at_is_no_test_of_its_own() -> None:
    looks = replace(case(1, arms=(1,)), observations=(Observation("changed", 0, 7, "[1]"),))
    longer = sequence([*looks.sequence.statements, call(7, (-1,))])
    asks = replace(looks, sequence=longer, observations=(Observation("value", 2, -1, "[1]"),))
    asks = replace(asks, arms=frozenset({2}))
    found = select([looks, asks], {}, OPERATIONS, frozenset({2}))
    assert [c.sequence.code for c in found] == [looks.sequence.code]
    found = select([looks, asks], {}, OPERATIONS)
    assert len(found) == 2, "it takes a branch that nobody else does"
    other = replace(looks, observations=(Observation("changed", 0, 6, "[1]"),))
    assert len(select([other, asks], {}, OPERATIONS)) == 2


def test_who_complains_in_the_same_words_needs_a_reason() -> None:
    first = replace(case(1, arms=(1, 2, 3)), raises="ValueError", message="too many", outcome="E at f:1")
    other = replace(first, sequence=case(2).sequence, arms=frozenset({4, 5}))
    assert chosen(first, other) == [b"=1"]
    assert chosen(first, replace(other, arms=frozenset({4, 5, 6}))) == [b"=1", b"=2"]
    assert chosen(first, replace(other, message="too few")) == [b"=1", b"=2"]
    warns = replace(case(1, arms=(1, 2, 3)), announces=("UserWarning", "old"))
    assert chosen(warns, replace(warns, sequence=other.sequence, arms=other.arms)) == [b"=1"]
    assert chosen(warns, case(2, arms=(4, 5))) == [b"=1", b"=2"]


def test_an_option_of_an_object_that_nobody_sees_needs_a_reason() -> None:
    vain = replace(case(1, arms=(1, 2)), vain=True)
    assert chosen(vain) == []
    assert chosen(replace(vain, arms=frozenset(range(8)))) == [b"=1"]


def test_what_comes_back_changed_says_more() -> None:
    mirror, other = case(1, arms=(1,), states=0), case(2, arms=(1,), states=0)
    mirror = replace(mirror, observations=(Observation("value", 1, -1, "1"),))
    other = replace(other, observations=(Observation("value", 1, -1, "3"),))
    assert chosen(mirror, other) == [b"=2"]


def test_another_way_through_what_a_function_calls_is_no_other_example() -> None:
    def result(number: int, *arms: int) -> Case:
        seen = (Observation("value", 1, -1, str(10 * number)),)
        return replace(case(number, arms=arms), observations=seen)

    cases = [result(1, 1, 2, 3), result(2, 1, 2), result(3, 1, 3)]
    assert len(select(cases, {}, OPERATIONS)) == 3
    far = Homes({1: "m", 2: "elsewhere", 3: "elsewhere"})
    assert len(select(cases, {}, OPERATIONS, homes=far)) == 1
    kills: dict[bytes, Kills] = {cases[1].sequence.code: {1: [0]}}
    assert len(select(cases, kills, OPERATIONS, homes=far)) == 2
    assert (
        len(select(cases, kills, OPERATIONS, homes=far._replace(mutants=dict.fromkeys((1, 2, 3), "e")))) == 1
    )


def test_what_others_have_made_needless_goes() -> None:
    kinds = [
        replace(case(n, operation=4 + n, arms=arms), outcome="") for n, arms in ((0, (1, 2)), (1, (1, 3)))
    ]
    assert len(chosen(*kinds)) == 2
    first = replace(case(1, arms=(1, 2, 3, 4)), unlikely=True)
    others = [case(2, arms=(1, 2), outcome="a"), case(3, arms=(3, 4), outcome="b")]
    assert chosen(first, *others) == [b"=2", b"=3"]


def test_who_is_given_nothing_shows_little() -> None:
    empty = replace(case(1, arms=(1,)), sequence=sequence([say(Literal("", "''")), call(4, (-1,))]))
    assert chosen(empty, case(2, arms=(1,))) == [b"=2"]


def test_a_new_object_of_which_only_an_empty_attribute_is_left_to_say_needs_an_arm() -> None:
    seen = (
        Observation("changed", 1, -1, "5", attribute="a"),
        Observation("changed", 1, -1, "''", attribute="b"),
    )
    one = replace(case(1, operation=2), observations=seen)
    other = replace(
        case(2, operation=2), observations=(seen[0]._replace(source="5"), seen[1]._replace(source="0"))
    )
    kills: dict[bytes, Kills] = {c.sequence.code: {n: [1]} for n, c in enumerate((one, other))}
    assert select([one, other], kills, OPERATIONS) == []
    found = select([replace(one, arms=frozenset({1})), other], kills, OPERATIONS)
    assert [c.sequence.code.splitlines()[0] for c in found] == [b"=1"]


def test_what_returns_nought_shows_what_it_has_changed() -> None:
    seen = (Observation("value", 1, -1, "0"), Observation("changed", 0, 30, "[1]"))
    found = select([replace(case(1), observations=seen)], {case(1).sequence.code: {1: [0]}}, OPERATIONS)
    assert [o.source for o in found[0].observations] == ["0", "[1]"]


def test_how_much_came_back_says_less_than_what_came_back() -> None:
    length, value = Observation("length", 1, -1, "2"), Observation("value", 1, -1, "[3, 4]")
    counted, shown = (replace(case(n), observations=(o,)) for n, o in enumerate((length, value)))
    assert chosen(counted, shown) == [b"=1"]


def test_lines_of_other_functions_make_no_row_of_a_table() -> None:
    homes = Homes({1: "m", 2: "elsewhere"})  # 3 is no arm at all
    seen = (Observation("value", 1, -1, "5"),)
    rows = [replace(case(n, operation=0, arms=(1, 2, 3)[:n]), observations=seen) for n in (1, 2, 3)]
    before = replace(case(9, operation=5, arms=(1, 2, 3)), observations=seen)
    found = select([before, *rows], {}, OPERATIONS, homes=homes)
    assert sum(c.operation == 0 for c in found) == 1


def test_a_mutant_counts_as_noticed_only_by_an_assertion_that_stays() -> None:
    quiet = Observation("unchanged", 0, 30, "5")  # has only ever one answer
    first = replace(case(1, arms=(1,)), observations=(Observation("value", 1, -1, "7"), quiet))
    other = replace(
        case(2, operation=5, arms=(2,)),
        observations=(Observation("value", 1, -1, "8"), Observation("changed", 0, 31, "9")),
    )
    kills = {first.sequence.code: {1: [1]}, other.sequence.code: {1: [1]}}
    found = select([first, other], kills, OPERATIONS)
    assert ["9" in {o.source for o in c.observations} for c in found if c.operation == 5] == [True]


def test_of_two_needless_tests_that_alone_reach_an_arm_one_stays() -> None:
    seen = (
        Observation("changed", 1, -1, "5", attribute="a"),
        Observation("changed", 1, -1, "''", attribute="b"),
    )
    both = [replace(case(n, operation=2, arms=(1,)), observations=seen) for n in (1, 2)]
    kills: dict[bytes, Kills] = {c.sequence.code: {n: [1]} for n, c in enumerate(both)}
    assert len(select(both, kills, OPERATIONS)) == 1


def test_a_literal_that_nobody_uses_is_not_written_and_costs_nothing() -> None:
    made = sequence([say(Literal(3, "3")), say(Literal(1, "1")), call(4, (-1,))])
    rough = replace(case(1, arms=(1, 2, 3)), sequence=made, rough=True)
    assert len(select([rough], {}, OPERATIONS)) == 1


def test_a_long_story_that_there_was_no_time_to_shorten_is_not_written() -> None:
    made = sequence([say(Literal(3, "3")), *(call(4, (-1,)) for _ in range(5))])
    long = replace(case(1, arms=(1, 2, 3, 4)), sequence=made)
    assert len(select([long], {}, OPERATIONS)) == 1
    assert select([replace(long, rough=True)], {}, OPERATIONS) == []
