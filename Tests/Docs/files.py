"""What is neither commands nor for browsers: Swift, YAML, and the files of deploy/ for Prometheus and Grafana."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import pathlib

from documents import fences


def command(check, name, *words):
    outcome = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    check(name, outcome.returncode == 0, (outcome.stdout + outcome.stderr).strip()[-600:])
    return outcome.stdout


def swift(root, names, folder, check):
    """Snippets of a document are one program: those that need packages of other platforms are parsed."""
    for name in names:
        snippets = [each for each in fences(root / name, name) if each.word == "swift" and not each.reason]
        for number, snippet in enumerate(snippets):
            file = folder / f"{name.replace('/', '-')}-{number}.swift"
            file.write_text(("" if "import " in snippet.text else "import Foundation\n") + snippet.text)
            is_foreign = re.search(r"^import (UIKit|SwiftUI|Kingfisher|Nuke)", snippet.text, re.M)
            command(check, f"{snippet.place}: Swift", "swiftc", "-swift-version", "6", "-parse" if is_foreign else "-typecheck", file)


def prometheus(root, check):
    folder = root / "deploy/prometheus"
    command(check, "promtool check rules", "promtool", "check", "rules", folder / "alerts.yml")
    command(check, "promtool test rules", "promtool", "test", "rules", folder / "alerts.test.yml")
    command(check, "promtool check config", "promtool", "check", "config", "--syntax-only", folder / "prometheus.yml")
    jobs = set(re.findall(r'job="([^"]+)"', (folder / "alerts.yml").read_text()))
    configured = set(re.findall(r"job_name: (\S+)", (folder / "prometheus.yml").read_text()))
    check("the jobs of alerts are scraped", jobs and jobs <= configured, f"{jobs} {configured}")


def grafana(root, check):
    """Every metric of the dashboard and of the alerts is documented."""
    known = set()
    for line in (root / "docs/observability.md").read_text().split("\n"):
        if line.startswith("| `"):
            found = re.findall(r"`(_?[a-z_]+)`", line.split("|")[1])
            first = next((each for each in found if each.startswith("onesheet_")), None)
            known |= {each if not each.startswith("_") else first + each for each in found}
            # `onesheet_connections`, `_limit`: the end belongs to the first name without or instead of its own end.
            known |= {first.rsplit("_", 1)[0] + each for each in found if first and each.startswith("_")}
    dashboard = json.loads((root / "deploy/grafana/onesheet.json").read_text())
    check("the dashboard has panels", len(dashboard["panels"]) > 5)
    text = json.dumps(dashboard) + (root / "deploy/prometheus/alerts.yml").read_text()
    used = {re.sub(r"_(bucket|sum|count)$", "", each) for each in re.findall(r"\bonesheet_[a-z_]+\b", text)}
    missing = sorted(each for each in used if each not in known)
    check("metrics of the dashboard and the alerts are documented", not missing, missing)


def run(program, origin, root, names, check):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-docs-"))
    try:
        swift(root, names, folder, check)
        if shutil.which("promtool"):
            prometheus(root, check)
        else:
            print("promtool is not installed: its files are not checked", file=sys.stderr)
        grafana(root, check)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
