import Flights
import Logging
import PosterOrigins
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Events that wait to be published, in their order: purges in files as well, one each, so that a restart goes on with them. Safe
/// from any thread.
final class EventQueue: Sendable {
    struct Entry: Sendable {
        let number: UInt64
        let record: EventRecord
        /// Whether it has a file.
        var isStored: Bool
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// Numbers that an earlier process has left, descending; they are before `first`, with gaps of any size.
        var left: [UInt64] = []
        var first: UInt64 = 0
        var end: UInt64 = 0
        var dropped = 0
        var change = Gate()

        /// - Returns: The gate to open.
        mutating func renewGate() -> Gate {
            defer { self.change = Gate() }
            return self.change
        }
    }

    /// The most that waits: 100,000 events.
    static let defaultLimit = 100_000
    /// The longest file that is read, in bytes.
    private static let fileLimit = 16 << 10
    private static let suffix = ".event"
    /// Above all numbers that are ever given; files with others are not read.
    private static let numberLimit = UInt64(1) << 62

    private let folder: String
    private let limit: Int
    private let damage: DamagedRecords
    private let state = Mutex(State())

    /// Prepares the folder, and takes up what an earlier process has left there. Files that are no events are left out;
    /// one that was cut by a crash was not promised to any client.
    init(folder: String, limit: Int = EventQueue.defaultLimit, logger: Logger) throws {
        self.folder = folder
        self.limit = limit
        self.damage = DamagedRecords(of: "events", logger: logger)
        try DataDirectory.create(folder)
        let names = try FolderNames.read(folder).filter { $0.hasSuffix(Self.suffix) }
        let numbers = names.compactMap { self.number($0) }.sorted()
        self.damage.record("name", count: names.count - numbers.count, because: "a file has the name of no event")
        let entries = numbers.compactMap { self.entry($0) }
        self.state.withLock { state in
            state.entries = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
            state.left = entries.map(\.number).reversed()
            state.end = (numbers.last ?? 0) + 1
            state.first = state.end
        }
    }

    /// - Returns: nil for a name that this program does not give.
    private func number(_ name: String) -> UInt64? {
        guard let number = UInt64(name.dropLast(Self.suffix.count)), number < Self.numberLimit,
            self.path(number) == "\(self.folder)/\(name)"
        else { return nil }
        return number
    }

    /// - Returns: nil for a file that is no event, which is deleted, and for one that cannot be read.
    private func entry(_ number: UInt64) -> Entry? {
        do {
            let bytes = try LoadedBytes.reading(self.path(number), limit: Self.fileLimit)
            if let record = EventRecord(json: bytes.withUnsafeBytes({ Array($0) })) {
                return Entry(number: number, record: record, isStored: true)
            }
            self.damage.record("content", because: "a file holds no event")
            try AtomicFile.remove(self.path(number))
        } catch {
            self.damage.record("file", because: "\(error)")
        }
        return nil
    }

    /// How many wait, and how many were given up for lack of room.
    var usage: (count: Int, dropped: Int) { self.state.withLock { ($0.entries.count, $0.dropped) } }

    /// Adds an event to memory; without room it is given up.
    func add(_ record: EventRecord) {
        let change = self.state.withLock { state -> Gate? in
            guard state.entries.count < self.limit else {
                state.dropped += 1
                return nil
            }
            self.append(record, isStored: false, to: &state)
            return state.renewGate()
        }
        change?.open()
    }

    /// Adds an event durably; blocks for a disk.
    /// - Returns: Its number; nil when too many wait.
    func store(_ record: EventRecord) throws -> UInt64? {
        let number = self.state.withLock { state -> UInt64? in
            guard state.entries.count < self.limit else { return nil }
            state.end += 1
            return state.end - 1
        }
        guard let number else { return nil }
        try AtomicFile.write(record.json, to: self.path(number), isDurable: true)
        let change = self.state.withLock { state in
            state.entries[number] = Entry(number: number, record: record, isStored: true)
            // One with a later number may have been sent meanwhile.
            state.first = min(state.first, number)
            return state.renewGate()
        }
        change.open()
        return number
    }

    private func append(_ record: EventRecord, isStored: Bool, to state: inout State) {
        state.entries[state.end] = Entry(number: state.end, record: record, isStored: isStored)
        state.end += 1
    }

    /// The oldest one; nil, and a gate that opens when one is added, when there is none.
    func next() -> (entry: Entry?, change: Gate) {
        self.state.withLock { state in
            while let number = state.left.last {
                if let entry = state.entries[number] { return (entry, state.change) }
                state.left.removeLast()
            }
            while state.first < state.end, state.entries[state.first] == nil { state.first += 1 }
            return (state.entries[state.first], state.change)
        }
    }

    /// Whether one still waits, and a gate that opens when something changes.
    func contains(_ number: UInt64) -> (isWaiting: Bool, change: Gate) {
        self.state.withLock { ($0.entries[number] != nil, $0.change) }
    }

    /// Returns when nothing waits.
    /// - Throws: `CancellationError`.
    func waitUntilEmpty() async throws {
        while true {
            let (isEmpty, change) = self.state.withLock { ($0.entries.isEmpty, $0.change) }
            if isEmpty { return }
            try await change.wait()
        }
    }

    /// Ends one that was published; blocks for a disk.
    func remove(_ entry: Entry) throws {
        if entry.isStored { try AtomicFile.remove(self.path(entry.number)) }
        let change = self.state.withLock { state in
            state.entries[entry.number] = nil
            return state.renewGate()
        }
        change.open()
    }

    /// Gives files to those that have none; blocks for a disk.
    func storeAll() throws {
        let unstored = self.state.withLock { state in
            state.entries.values.filter { !$0.isStored }.sorted { $0.number < $1.number }
        }
        for entry in unstored {
            try AtomicFile.write(entry.record.json, to: self.path(entry.number))
            self.state.withLock { $0.entries[entry.number]?.isStored = true }
        }
    }

    private func path(_ number: UInt64) -> String {
        let digits = String(number)
        return "\(self.folder)/\(String(repeating: "0", count: max(0, 20 - digits.count)))\(digits)\(Self.suffix)"
    }
}
