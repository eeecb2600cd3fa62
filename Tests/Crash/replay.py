"""What a folder may hold after a power loss, from the record that recorder.c has written.

The model is weaker than POSIX file systems are in practice:

- Data: each block of 512 bytes of a write that no `fsync` of its file has followed is kept or lost. Truncations that were not synchronised are kept up to some point in their order.
- Names: creations, renames, links and removals that no `fsync` of their folder has followed are kept up to some point in their order: one point for all folders, as a journal has, or
  one for each folder. A rename between folders never loses both names. A synchronised file whose name is lost is lost.
"""
import dataclasses
import struct

CREATE, WRITE, TRUNCATE, ALLOCATE, RENAME, LINK, UNLINK, MKDIR, RMDIR, SYNC = range(1, 11)
HEAD = struct.Struct("<IHHH6xQQQ")
BLOCK = 512


@dataclasses.dataclass(slots=True)
class Operation:
    kind: int
    inode: int
    offset: int
    length: int
    first: str
    second: str
    data: bytes
    # The length of the log with this operation.
    end: int

    @property
    def is_change(self):
        return self.kind != SYNC


def operations(log):
    """The complete operations of a log's bytes."""
    start, view = 0, memoryview(log)
    while start + HEAD.size <= len(log):
        size, kind, one, two, inode, offset, length = HEAD.unpack_from(log, start)
        if start + size > len(log): break
        first = start + HEAD.size
        second = first + one
        data = second + two
        yield Operation(kind, inode, offset, length, bytes(view[first:second]).decode(), bytes(view[second:data]).decode(), bytes(view[data:start + size]), start + size)
        start += size


class File:
    """The bytes that are surely on the disk, and the changes that may be."""

    def __init__(self):
        self.durable, self.current, self.pending = b"", bytearray(), []

    def apply(self, operation):
        self.pending.append(operation)
        change(self.current, operation, operation.data)

    def synchronise(self):
        if not self.pending: return
        self.durable, self.pending = bytes(self.current), []

    def after_loss(self, random, share):
        """The bytes after a power loss. `share` of the blocks are kept."""
        if not self.pending or share == 0: return self.durable
        if share == 1: return bytes(self.current)
        found = bytearray(self.durable)
        sizes = [each for each in self.pending if each.kind in (TRUNCATE, ALLOCATE)]
        kept = set(map(id, sizes[:random.randint(0, len(sizes))]))
        # A file may have its new length, and zeros for lost bytes.
        is_extended = random.random() < 0.5
        for each in self.pending:
            if each.kind != WRITE:
                if id(each) in kept: change(found, each, b"")
                continue
            position = each.offset
            if is_extended: extend(found, position + len(each.data))
            while position < each.offset + len(each.data):
                end = min((position // BLOCK + 1) * BLOCK, each.offset + len(each.data))
                if random.random() < share:
                    extend(found, position)
                    found[position:end] = each.data[position - each.offset:end - each.offset]
                position = end
        return bytes(found)


def extend(content, size):
    if len(content) < size: content.extend(bytes(size - len(content)))


def change(content, operation, data):
    if operation.kind == WRITE:
        extend(content, operation.offset)
        content[operation.offset:operation.offset + len(data)] = data
    elif operation.kind == TRUNCATE:
        del content[operation.offset:]
        extend(content, operation.offset)
    else:
        extend(content, operation.offset + operation.length)


class Folder:
    def __init__(self):
        self.durable, self.current = {}, {}


@dataclasses.dataclass(slots=True)
class NameChange:
    """A change of one folder's names."""

    folder: Folder
    number: int
    # Names and their files; None for a removal.
    names: list
    # Without it, this one is not made either: the new name of a rename.
    needs: "NameChange" = None
    is_durable: bool = False


class Disk:
    """The state of the folder after some operations of a log."""

    def __init__(self):
        self.root, self.inodes, self.pending, self.count = Folder(), {}, [], 0
        # The position in the log at which each path last got or lost its file.
        self.touched = {}

    def apply(self, operation):
        self.count += 1
        kind = operation.kind
        if kind in (WRITE, TRUNCATE, ALLOCATE): self.inodes[operation.inode].apply(operation)
        elif kind == SYNC: self.synchronise(self.inodes[operation.inode])
        elif kind == MKDIR and not operation.first: self.inodes[operation.inode] = self.root
        else: self.rename(operation)

    def rename(self, operation):
        kind, (folder, name) = operation.kind, self.find(operation.first)
        self.touched[operation.first] = operation.end
        if kind in (CREATE, MKDIR):
            made = self.inodes[operation.inode] = File() if kind == CREATE else Folder()
            self.change(folder, [(name, made)])
        elif kind in (UNLINK, RMDIR):
            self.change(folder, [(name, None)])
        else:
            target, other = self.find(operation.second)
            self.touched[operation.second] = operation.end
            file = folder.current[name]
            if kind == LINK: self.change(target, [(other, file)])
            elif target is folder: self.change(folder, [(name, None), (other, file)])
            else: self.change(folder, [(name, None)], needs=self.change(target, [(other, file)]))

    def change(self, folder, names, needs=None):
        for name, file in names: store(folder.current, name, file)
        made = NameChange(folder, self.count, names, needs)
        self.pending.append(made)
        return made

    def find(self, path):
        *parents, name = path.split("/")
        folder = self.root
        for each in parents: folder = folder.current[each]
        return folder, name

    def synchronise(self, item):
        if isinstance(item, File): return item.synchronise()
        item.durable = dict(item.current)
        for each in self.pending:
            if each.folder is item: each.is_durable = True
        self.pending = [each for each in self.pending if not each.is_durable]

    def after_loss(self, random):
        """Paths and bytes after a power loss; folders end with a slash."""
        mode = random.choice(["least", "most", "journal", "folders", "folders"])
        share = {"least": 0, "most": 1}.get(mode, random.choice([0, 0.1, 0.5, 0.9, 1]))
        names = {}
        for each in self.kept(mode, random):
            found = names.setdefault(id(each.folder), dict(each.folder.durable))
            for name, file in each.names: store(found, name, file)
        result, contents = {}, {}

        def walk(folder, prefix):
            for name, item in names.get(id(folder), folder.durable).items():
                path = prefix + name
                if isinstance(item, Folder):
                    result[path + "/"] = None
                    walk(item, path + "/")
                    continue
                # A file with two names has the same bytes under both.
                if id(item) not in contents: contents[id(item)] = item.after_loss(random, share)
                result[path] = contents[id(item)]
        walk(self.root, "")
        return mode, share, result

    def kept(self, mode, random):
        """The changes of names that are not lost."""
        if mode == "least": return []
        if mode == "most": return self.pending
        if mode == "journal": return self.pending[:cut(random, len(self.pending))]
        left = {}
        for each in self.pending: left[id(each.folder)] = left.get(id(each.folder), 0) + 1
        left = {folder: cut(random, count) for folder, count in left.items()}
        kept, made = [], set()
        for each in self.pending:
            if left[id(each.folder)] <= 0: continue
            if each.needs and not each.needs.is_durable and id(each.needs) not in made:
                # A later change of this folder would not be in its order.
                left[id(each.folder)] = 0
                continue
            left[id(each.folder)] -= 1
            made.add(id(each))
            kept.append(each)
        return kept

    def everything(self):
        """Paths and bytes as the running program sees them."""
        result = {}

        def walk(folder, prefix):
            for name, item in folder.current.items():
                if isinstance(item, Folder): walk(item, prefix + name + "/")
                else: result[prefix + name] = bytes(item.current)
        walk(self.root, "")
        return result


def cut(random, count):
    """A number of kept changes: any, or all but a few, as those of the last moments."""
    return random.randint(0, count) if random.random() < 0.5 else max(0, count - random.randint(0, 8))


def store(names, name, item):
    if item is None: names.pop(name, None)
    else: names[name] = item
