"""What is in deploy/: valid by the validators of those who will read it, and agreeing with the program."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from honeyguide.cli.main import app
from honeyguide.store.sending import CLOSE_SECONDS

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
yaml = pytest.importorskip("yaml")


def manifests():
    return [*yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))]


def services():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]


def containers():
    for manifest in manifests():
        if manifest["kind"] == "StatefulSet":
            yield from manifest["spec"]["template"]["spec"]["containers"]


def unit(section):
    text = (DEPLOY / "honeyguide-worker@.service").read_text(encoding="utf-8")
    return dict(re.findall(r"^(\w+)=(.*)$", text.split(f"[{section}]")[1].split("\n[")[0], re.MULTILINE))


def test_the_manifest_of_kubernetes_is_valid():
    validator = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for manifest in manifests():
        assert validator.validate(manifest, "1.30", strict=True) == "1.30"


def test_the_compose_file_is_valid():
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, DEPLOY / "compose.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_of_systemd_is_valid(tmp_path):
    if not (verify := shutil.which("systemd-analyze")):
        pytest.skip("systemd is not installed")
    text = (DEPLOY / "honeyguide-worker@.service").read_text(encoding="utf-8")
    copy = tmp_path / "honeyguide-worker@.service"
    copy.write_text(text.replace("/opt/honeyguide/bin/honeyguide", sys.executable), encoding="utf-8")
    done = subprocess.run(
        [verify, "verify", "--man=no", copy], capture_output=True, text=True, check=False, timeout=60
    )
    assert str(copy.name) not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr


def test_the_image_has_what_there_is():
    said = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (wanted,) = re.findall(r"'\.\[([\w,]+)\]'", said)
    assert set(wanted.split(",")) <= set(extras)
    for copied in re.findall(r"^COPY (?!--)(.*) \S+$", said, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
        assert all(f"!{name}\n" in ignored for name in copied.split())


def commands():
    """What is run by these files, as lists of words after `honeyguide`."""
    yield from (one["args"] for one in containers() if one["image"] == "honeyguide")
    yield from (service["command"] for service in services().values() if service["image"] == "honeyguide")
    yield unit("Service")["ExecStart"].split()[1:]


@pytest.mark.parametrize("command", [*commands()], ids=" ".join)
def test_what_is_run_can_be_run(command):
    help_page = CliRunner().invoke(app, [command[0], "--help"]).output
    options = [word for word in command if word.startswith("--")]
    assert options
    for option in options:
        assert f"{option} " in help_page


def test_workers_are_given_the_time_to_end():
    graces = [
        one["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
        for one in manifests()
        if one["metadata"]["name"] == "worker" and one["kind"] == "StatefulSet"
    ]
    graces.append(int(services()["worker"]["stop_grace_period"].removesuffix("s")))
    graces.append(int(unit("Service")["TimeoutStopSec"]))
    assert len(graces) == 3
    assert min(graces) > CLOSE_SECONDS + 10
