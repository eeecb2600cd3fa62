"""Checks of other files: Swift, files of settings, and the files of deploy/ for Compose, Prometheus and Grafana."""
import json
import os
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
    """Type-checks each snippet by itself; snippets with packages of other platforms are only parsed."""
    for name in names:
        snippets = [each for each in fences(root / name, name) if each.word == "swift" and not each.reason]
        for number, snippet in enumerate(snippets):
            file = folder / f"{name.replace('/', '-')}-{number}.swift"
            file.write_text(("" if "import " in snippet.text else "import Foundation\n") + snippet.text)
            is_foreign = re.search(r"^import (UIKit|SwiftUI|Kingfisher|Nuke)", snippet.text, re.M)
            command(check, f"{snippet.place}: Swift", "swiftc", "-swift-version", "6", "-parse" if is_foreign else "-typecheck", file)


def settings(program, root, names, folder, check):
    """Checks YAML with the program, and files of systemd and nginx with their own tools, in fences and in files that commands write."""
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
            # It also reports problems of the machine's own units.
            complaints = [each for each in outcome.stderr.split("\n") if "onesheet.service" in each]
            check(f"{fence.place}: systemd-analyze", not complaints, complaints)
        servers = [text] if fence.word == "nginx" else [each for _, each in re.findall(r"/nginx/\S+ <<'?(\w+)'?\n(.*?)\n\1\n", text, re.S)]
        for server in servers:
            file = folder / "nginx.conf"
            file.write_text(f"pid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{server}\n}}\n")
            command(check, f"{fence.place}: nginx -t", "/usr/sbin/nginx", "-t", "-q", "-p", folder, "-c", file)


def compose(program, root, folder, check):
    """Checks the Compose files by their schema, the options of each OneSheet by `onesheet config`, and the balancer's file, made by its own command, by HAProxy."""
    passwords = {name: "0123456789abcdef" for name in ("S3_SECRET_KEY", "REDIS_PASSWORD", "POSTGRES_PASSWORD")}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ONESHEET_")}
    found = 0
    for name in ("compose.yaml", "compose.cluster.yaml"):
        words = ["docker-compose", "--file", root / "deploy" / name, "config"]
        outcome = subprocess.run(words, env=environment | passwords, capture_output=True, text=True)
        check(f"{name}: docker-compose config", outcome.returncode == 0, outcome.stderr[-600:])
        # The services with their settings, by the YAML of Debian's docker-compose.
        script = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin)['services'], sys.stdout)"
        services = json.loads(subprocess.run(["/usr/bin/python3", "-c", script], input=outcome.stdout, capture_output=True, text=True).stdout or "{}")
        for service, settings in services.items():
            confined = settings.get("cap_drop") == ["ALL"] and settings.get("read_only") and "no-new-privileges:true" in settings.get("security_opt", [])
            check(f"{name}: {service} is confined", confined)
            if settings["image"].startswith("localhost/onesheet:"):
                found += 1
                options = {key: str(value) for key, value in settings["environment"].items() if key.startswith("ONESHEET_") and value} | {"ONESHEET_DATA_DIR": str(folder)}
                outcome = subprocess.run([program, "config"], env=environment | settings["environment"] | options, capture_output=True, text=True)
                check(f"{name}: options of {service}", outcome.returncode == 0 and "no option" not in outcome.stderr, outcome.stderr[-600:])
            elif service == "balancer":
                made, source = folder / "balancer.cfg", root / "deploy/cluster/haproxy.cfg"
                script = settings["command"][0].replace("$$", "$").replace("/tmp/haproxy.cfg", str(made)).replace(" /haproxy.cfg", f" {source}")
                subprocess.run(["sh", "-ec", script.replace("exec haproxy", "exec true")], check=True)
                text = made.read_text()
                check("the balancer's nodes", text.count("node-1:8080") == text.count("node-2:8080") == 2 and "127.0.0.1:80" not in text and "bind :8080" in text, text[-600:])
                command(check, "the balancer's file", "/usr/sbin/haproxy", "-c", "-q", "-f", made)
    check("both Compose files have OneSheets", found == 3, found)


def prometheus(root, check):
    folder = root / "deploy/prometheus"
    command(check, "promtool check rules", "promtool", "check", "rules", folder / "alerts.yml")
    command(check, "promtool test rules", "promtool", "test", "rules", folder / "alerts.test.yml")
    command(check, "promtool check config", "promtool", "check", "config", "--syntax-only", folder / "prometheus.yml")
    jobs = set(re.findall(r'job="([^"]+)"', (folder / "alerts.yml").read_text()))
    configured = set(re.findall(r"job_name: (\S+)", (folder / "prometheus.yml").read_text()))
    check("the jobs of alerts are scraped", jobs and jobs <= configured, f"{jobs} {configured}")


def tables(root, names, check):
    """Each table must have a header and contiguous rows: a sentence between rows would end the table."""
    for name in names:
        wrong, rows, is_code = [], [], False
        for number, line in enumerate([*(root / name).read_text().split("\n"), ""], 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            if not is_code and line.lstrip().startswith("|"):
                rows.append(line.strip())
                continue
            if rows and (len(rows) < 2 or not re.fullmatch(r"\|[-:| ]+\|?", rows[1])):
                wrong.append((number - len(rows), "has no header"))
            if rows and line.strip() and not line.startswith("<!--"):
                wrong.append((number, "text right after a table"))
            rows = []
        check(f"{name}: tables", not wrong, wrong)


def metrics(root):
    """The names of metrics in docs/observability.md."""
    rows = [line.split("|")[1] for line in (root / "docs/observability.md").read_text().split("\n") if line.startswith("| `")]
    return set(re.findall(r"`([a-z_]+)`", " ".join(rows)))


def overlaps(panels):
    """Pairs of panels that cover one cell of Grafana's grid of 24 columns, and panels beyond it."""
    cells, found = {}, []
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] + place["w"] > 24:
            found.append((panel["title"],))
        for cell in ((x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])):
            if cell in cells:
                found.append((cells[cell], panel["title"]))
            cells[cell] = panel["title"]
    return sorted(set(found))


def grafana(root, folder, check):
    """Checks the dashboard's structure, the syntax of its queries and of those in documents with promtool, and the names of metrics."""
    dashboard = json.loads((root / "deploy/grafana/onesheet.json").read_text())
    panels = dashboard["panels"]
    check("the dashboard has panels", len(panels) > 5)
    missing = [name for name, kind in (("uid", str), ("title", str), ("schemaVersion", int), ("templating", dict), ("time", dict)) if not isinstance(dashboard.get(name), kind)]
    check("the dashboard's members", not missing and dashboard.get("id") is None, missing)
    ids = [panel["id"] for panel in panels]
    check("ids of panels are unique", len(ids) == len(set(ids)), ids)
    check("panels do not overlap", not overlaps(panels), overlaps(panels))
    variables = {each["name"] for each in dashboard["templating"]["list"]}
    names = {f"{each['name']}: {each['type']}" for each in dashboard["templating"]["list"]}
    check("the dashboard's variables", {"datasource: datasource", "instance: query"} <= names, names)
    expressions, wrong = [], []
    for panel in panels:
        targets = panel.get("targets", [])
        references = [target["refId"] for target in targets]
        if not targets or len(references) != len(set(references)):
            wrong.append((panel["title"], "no queries, or two with one refId"))
        for target in targets:
            place, expression = f"{panel['title']} {target['refId']}", target["expr"]
            if target["datasource"] != {"type": "prometheus", "uid": "${datasource}"}:
                wrong.append((place, "wrong datasource"))
            if unknown := set(re.findall(r"\$(\w+)", expression)) - variables - {"__rate_interval"}:
                wrong.append((place, unknown))
            # The aggregation must keep a label of the legend.
            kept = re.search(r"\bby \(([^)]*)\)", expression)
            shown = set(re.findall(r"{{\s*(\w+)\s*}}", target.get("legendFormat", "")))
            if kept and (lost := shown - set(re.split(r", *", kept[1]))) or not kept and re.match(r"(sum|max|min|count)\(", expression) and (lost := shown):
                wrong.append((place, f"labels of the legend are not in the result: {lost}"))
            expressions.append((place, expression.replace("$__rate_interval", "5m").replace("$instance", ".*")))
    check("queries of the dashboard", not wrong, wrong)
    for line in (root / "docs/operating.md").read_text().split("\n"):
        if match := re.fullmatch(r"\| [^|]+ \| `((?:rate|sum|histogram_quantile)\(.+)` \|", line):
            expressions.append(("docs/operating.md", match[1]))
    rules = [{"record": f"query:{number}", "expr": expression, "labels": {"place": place}} for number, (place, expression) in enumerate(expressions)]
    # JSON is YAML.
    (folder / "queries.yml").write_text(json.dumps({"groups": [{"name": "queries", "rules": rules}]}))
    command(check, "promtool accepts the dashboard's queries", "promtool", "check", "rules", folder / "queries.yml")
    text = json.dumps(dashboard) + (root / "deploy/prometheus/alerts.yml").read_text() + " ".join(expression for _, expression in expressions)
    used = {re.sub(r"_(bucket|sum|count)$", "", each) for each in re.findall(r"\bonesheet_[a-z_]+\b", text)}
    known = metrics(root)
    missing = sorted(each for each in used if each not in known)
    check("metrics of the dashboard and the alerts are documented", not missing, missing)


def run(program, origin, root, names, check):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-docs-"))
    try:
        swift(root, names, folder, check)
        settings(program, root, names, folder, check)
        compose(program, root, folder, check)
        prometheus(root, check)
        grafana(root, folder, check)
        tables(root, names, check)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
