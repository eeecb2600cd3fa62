"""What is neither commands nor for browsers: Swift, files of settings, and the files of deploy/ for Prometheus and Grafana."""
import json
import re
import shutil
import subprocess
import tempfile
import pathlib

from documents import fences


def command(check, name, *words):
    outcome = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    check(name, outcome.returncode == 0, (outcome.stdout + outcome.stderr).strip()[-600:])
    return outcome.stdout


def swift(root, names, folder, check):
    """Each snippet by itself; those that need packages of other platforms are parsed."""
    for name in names:
        snippets = [each for each in fences(root / name, name) if each.word == "swift" and not each.reason]
        for number, snippet in enumerate(snippets):
            file = folder / f"{name.replace('/', '-')}-{number}.swift"
            file.write_text(("" if "import " in snippet.text else "import Foundation\n") + snippet.text)
            is_foreign = re.search(r"^import (UIKit|SwiftUI|Kingfisher|Nuke)", snippet.text, re.M)
            command(check, f"{snippet.place}: Swift", "swiftc", "-swift-version", "6", "-parse" if is_foreign else "-typecheck", file)


def settings(program, root, names, folder, check):
    """YAML by the program, files of systemd and nginx by these: of fences, and of the files that commands write."""
    for name in ("token", "keys"):
        (folder / name).write_text("0123456789abcdef0123456789abcdef\n")
        (folder / name).chmod(0o600)
    for fence in (each for name in names for each in fences(root / name, name)):
        text = fence.text
        if fence.word == "yaml":
            file = folder / "onesheet.yaml"
            file.write_text(text.replace("/etc/onesheet", str(folder)).replace("/var/lib/onesheet", str(folder / "data")))
            command(check, f"{fence.place}: onesheet config", program, "config", "--config", file)
        elif fence.word == "ini":
            (folder / "onesheet.service").write_text((root / "deploy/systemd/onesheet.service").read_text().replace("/usr/local/bin/onesheet", "/bin/true"))
            (folder / "onesheet.service.d").mkdir(exist_ok=True)
            (folder / "onesheet.service.d/snippet.conf").write_text(text)
            outcome = subprocess.run(["systemd-analyze", "verify", "--man=no", folder / "onesheet.service"], capture_output=True, text=True)
            # It also names what the machine's own units lack.
            complaints = [each for each in outcome.stderr.split("\n") if "onesheet.service" in each]
            check(f"{fence.place}: systemd-analyze", not complaints, complaints)
        servers = [text] if fence.word == "nginx" else [each for _, each in re.findall(r"/nginx/\S+ <<'?(\w+)'?\n(.*?)\n\1\n", text, re.S)]
        for server in servers:
            file = folder / "nginx.conf"
            file.write_text(f"pid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{server}\n}}\n")
            command(check, f"{fence.place}: nginx -t", "/usr/sbin/nginx", "-t", "-q", "-p", folder, "-c", file)


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
        settings(program, root, names, folder, check)
        prometheus(root, check)
        grafana(root, check)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
