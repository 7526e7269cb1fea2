"""The console on the sample web: one command, and there is a crawl to try it on."""

import subprocess
import sys

import httpx

from tests.serve.console.conftest import LONG, expect


def take_the_tour(browser, url, token):
    """From the door to the first step, which is there to be seen by who comes for the first time."""
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{url}console/")
    tab.get_by_label("Token").fill(token)
    tab.keyboard.press("Enter")
    tab.get_by_role("link", name="Run the crawl, and watch").click()
    tab.get_by_role("button", name="Run sample").click()
    tab.get_by_role("button", name="Run 20 more pages").wait_for(timeout=LONG)
    tab.get_by_role("link", name="Crawls", exact=True).click()
    expect(tab.get_by_role("link", name="Exclude a host")).to_have_attribute("aria-current", "step")
    context.close()


def test_the_demo_serves_a_crawl_that_waits_and_a_tour(browser, tmp_path):
    command = [sys.executable, "-c", "from honeyguide.cli.main import app; app()", "demo", "--console"]
    options = ["--pages", "20", "--folder", str(tmp_path / "demo")]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        said: list[str] = []
        for line in process.stdout or ():
            said.append(line)
            if line.startswith("serving "):
                break
        try:
            url = said[-1].removeprefix("serving ").strip()
            token = next(line for line in said if line.startswith("token: ")).removeprefix("token: ").strip()
            assert "honeyguide" in httpx.get(f"{url}console/").text
            answer = httpx.get(
                f"{url}api/v1/crawls", headers={"Authorization": f"Bearer {token}"}, timeout=30
            )
            assert [(one["name"], one["state"]) for one in answer.json()["items"]] == [("sample", "new")]
            take_the_tour(browser, url, token)
        finally:
            process.terminate()
