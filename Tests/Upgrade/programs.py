"""Programs of earlier commits."""
import pathlib
import subprocess

from engines import ROOT, Failure

FOLDER = ROOT / ".build/upgrade"
# Half a day before JPEG XL and quality by likeness, right before them, and before variants in one file in memory.
COMMITS = ["9c8d5852", "711da830", "32b8a070"]


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)


def build(commit):
    """The release program of a commit, built in a worktree of its own unless it is there; some minutes and 2 GB."""
    whole = git("rev-parse", "--verify", "--quiet", commit + "^{commit}").stdout.strip()
    if not whole: raise Failure(f"there is no commit {commit}; --old takes programs, --commits other commits")
    tree = FOLDER / whole[:12]
    program = tree / ".build/release/onesheet"
    if program.exists(): return program
    if not tree.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        made = git("worktree", "add", "--detach", str(tree), whole)
        if made.returncode: raise Failure(made.stderr)
    print(f"building {commit} in {tree}", flush=True)
    done = subprocess.run(["swift", "build", "-c", "release", "--product", "onesheet"], cwd=tree)
    if done.returncode: raise Failure(f"the program of {commit} cannot be built")
    return program


def name(program):
    """A program's folder, for people: that of its commit or its own."""
    path = pathlib.Path(program).resolve()
    return path.parents[2].name if path.parent.name == "release" else path.parent.name
