"""The console on the sample web: one command, and there is a crawl to try it on."""

import subprocess
import sys

import httpx


def test_the_demo_serves_a_crawl_that_waits(tmp_path):
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
        finally:
            process.terminate()
