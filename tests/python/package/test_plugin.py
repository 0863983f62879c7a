"""The pytest plugin and the assertions, as a project's tests use them."""

import pathlib

import pytest

import pteproof
from pteproof import testing

pytest_plugins = ["pytester"]

ROOT = pathlib.Path(__file__).parents[3]
SAFE = ROOT / "corpus/public/add_model.pte"
UNSAFE = ROOT / "corpus/real/bugs/cond-siblings/cond-siblings.pte"
SHARED = ROOT / "corpus/real/models/put_get/put_get.pte"


@pytest.fixture(autouse=True)
def no_other_plugin(monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester, body, *options):
    pytester.makepyfile(body)
    return pytester.runpytest_subprocess("-p", "pteproof.pytest_plugin", *options)


def test_the_fixture_passes_safe_plans_and_fails_others_with_the_explanation(pytester):
    result = run(
        pytester,
        f"""
        def test_safe(pteproof_check):
            assert pteproof_check({str(SAFE)!r}).verdict == "safe"

        def test_unsafe(pteproof_check):
            pteproof_check({str(UNSAFE)!r})
        """,
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["E*AssertionError: *cond-siblings.pte: the plan is unsafe", "E*Instruction 12 *reads v2*"]
    )
    assert "demand_safe" not in result.stdout.str()  # the assertion's own frames are hidden


def test_the_policy_is_that_of_the_option(pytester):
    body = f"""
    def test_shared(pteproof_check):
        pteproof_check({str(SHARED)!r})
    """
    run(pytester, body).assert_outcomes(failed=1)
    run(pytester, body, "--pteproof-policy", "share-all").assert_outcomes(passed=1)
    run(pytester, body, "--pteproof-policy", "private").assert_outcomes(failed=1)


def test_a_page_shows_all_that_were_checked(pytester):
    body = f"""
    def test_both(pteproof_check):
        pteproof_check({str(SAFE)!r})
        pteproof_check({str(UNSAFE)!r}, manifest=False)
    """
    run(pytester, body, "--pteproof-html", "page.html").assert_outcomes(failed=1)
    page = (pytester.path / "page.html").read_text()
    assert page.count("<h2>") == 2
    assert "region-escape" in page


def test_assert_plan_safe_is_strict():
    assert testing.assert_plan_safe(SHARED, policy="share-all").file == str(SHARED)
    with pytest.raises(AssertionError, match="depends on the loader"):
        testing.assert_plan_safe(SHARED)
    with pytest.raises(AssertionError, match="unsafe under private"):
        testing.assert_plan_safe(SHARED, policy="private")


def test_assert_plan_safe_takes_the_report_of_the_export():
    class Exported:
        report = pteproof.check(SAFE)

    assert testing.assert_plan_safe(Exported()) is Exported.report


def test_assert_same_shows_what_differs():
    assert testing.assert_same(SAFE, SAFE).failed == []
    with pytest.raises(AssertionError, match="differs"):
        testing.assert_same(SAFE, UNSAFE)


def test_assert_memory_knows_the_banks():
    assert testing.assert_memory(SHARED, "forward", 1, at_most=48) == 48
    with pytest.raises(AssertionError, match="has 48 bytes, more than 47: 48 are live at most"):
        testing.assert_memory(SHARED, "forward", 1, at_most=47)
    with pytest.raises(AssertionError, match="has no bank 9; its banks: 1, 2"):
        testing.assert_memory(SHARED, "forward", 9, at_most=1)
