import Flights
import Logging
import PosterOrigins
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Events to be published, in their order. Purges are also stored in files, one each, so that they survive a restart.
/// Safe from any thread.
final class EventQueue: Sendable {
    struct Entry: Sendable {
        let number: UInt64
        let record: EventRecord
        var isStored: Bool
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// Numbers of events from an earlier process, descending; less than `first`, with gaps of any size.
        var left: [UInt64] = []
        var first: UInt64 = 0
        var end: UInt64 = 0
        var dropped = 0
        var change = Gate()

        /// Replaces the gate.
        /// - Returns: The previous gate, to be opened.
        mutating func renewGate() -> Gate {
            defer { self.change = Gate() }
            return self.change
        }
    }

    static let defaultLimit = 100_000
    private static let fileLimit = 16 << 10
    private static let suffix = ".event"
    /// Above all numbers in use; files with others are not read.
    private static let numberLimit = UInt64(1) << 62

    private let folder: String
    private let limit: Int
    private let damage: DamagedRecords
    private let state = Mutex(State())

    /// Prepares the folder, which no other process may use, and loads the events of an earlier process. Skips files
    /// without a valid event: a file truncated by a crash was not promised to any client.
    init(folder: String, limit: Int = EventQueue.defaultLimit, logger: Logger) throws {
        self.folder = folder
        self.limit = limit
        self.damage = DamagedRecords(of: "events", logger: logger)
        try DataDirectory.create(folder)
        AtomicFile.removePartialFiles(in: folder)
        let names = try FolderNames.read(folder).filter { $0.hasSuffix(Self.suffix) }
        let numbers = names.compactMap { self.number($0) }.sorted()
        self.damage.record("name", count: names.count - numbers.count, because: "a file name is not that of an event")
        let entries = numbers.compactMap { self.entry($0) }
        self.state.withLock { state in
            state.entries = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
            state.left = entries.map(\.number).reversed()
            state.end = (numbers.last ?? 0) + 1
            state.first = state.end
        }
    }

    /// - Returns: `nil` for a name that this program does not use.
    private func number(_ name: String) -> UInt64? {
        guard let number = UInt64(name.dropLast(Self.suffix.count)), number < Self.numberLimit,
            self.path(number) == "\(self.folder)/\(name)"
        else { return nil }
        return number
    }

    /// - Returns: `nil` for a file without a valid event, which is deleted, and for a file that cannot be read.
    private func entry(_ number: UInt64) -> Entry? {
        do {
            let bytes = try LoadedBytes.reading(self.path(number), limit: Self.fileLimit)
            if let record = EventRecord(json: bytes.withUnsafeBytes({ Array($0) })) {
                return Entry(number: number, record: record, isStored: true)
            }
            self.damage.record("content", because: "a file contains no valid event")
            try AtomicFile.remove(self.path(number))
        } catch {
            self.damage.record("file", because: "\(error)")
        }
        return nil
    }

    /// The number of queued events, and of events dropped for lack of room.
    var usage: (count: Int, dropped: Int) { self.state.withLock { ($0.entries.count, $0.dropped) } }

    /// Adds an event in memory; drops it if the queue is full.
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

    /// Adds an event durably; blocks on a disk.
    /// - Returns: Its number; `nil` if the queue is full.
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
            // An event with a later number may have been sent meanwhile.
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

    /// The oldest event, and a gate that opens at the next change; `nil` if the queue is empty.
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

    /// Whether an event is still queued, and a gate that opens at the next change.
    func contains(_ number: UInt64) -> (isWaiting: Bool, change: Gate) {
        self.state.withLock { ($0.entries[number] != nil, $0.change) }
    }

    func waitUntilEmpty() async throws {
        while true {
            let (isEmpty, change) = self.state.withLock { ($0.entries.isEmpty, $0.change) }
            if isEmpty { return }
            try await change.wait()
        }
    }

    /// Removes a published event; blocks on a disk.
    func remove(_ entry: Entry) throws {
        if entry.isStored { try AtomicFile.remove(self.path(entry.number)) }
        let change = self.state.withLock { state in
            state.entries[entry.number] = nil
            return state.renewGate()
        }
        change.open()
    }

    /// Writes files for events without one; blocks on a disk.
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
