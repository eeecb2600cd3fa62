import Flights
import FoundationEssentials
import Glibc
import Logging
import PosterPipeline
import PosterTesting
import Synchronization

@testable import PosterOrigins

/// A folder with a store, which can be closed, changed from outside, and opened again.
final class DiskFixture: Sendable {
    static let location = OriginalLocation.web(url: "http://a.test/heat.jpg")
    static let freshness = Freshness(validatedAt: 1_700_000_000, lifetime: 60)

    let folder = TemporaryFolder()
    let path: String
    let threads = BoundedThreadPool(count: 2, queueLimit: 100)
    let log = LogRecorder()
    private let seconds = Mutex<Int64>(1_700_000_000)
    private let creation = Mutex<SynchronisationHold?>(nil)
    private let fault = Mutex<(code: Int32, action: String?)?>(nil)
    private let hold = Mutex<SynchronisationHold?>(nil)

    /// - Parameter path: The data directory; by default in a temporary folder.
    init(path: String? = nil) {
        self.path = path ?? self.folder.path + "/data"
    }

    /// An open store, and its data directory with the lock.
    struct Opened: Sendable {
        let data: DataDirectory
        let store: DiskOriginalStore
    }

    var originals: String { self.path + "/originals" }

    /// Sets the clock forward or back.
    func advance(by seconds: Int64) {
        self.seconds.withLock { $0 += seconds }
    }

    /// Makes calls to the disk fail with an error code; with `nil` they work again.
    ///
    /// - Parameter action: The call that fails; all by default.
    func refuse(with code: Int32?, to action: String? = nil) {
        self.fault.withLock { fault in fault = code.map { ($0, action) } }
    }

    /// Blocks all files that are to be made durable, until the hold is released.
    func holdSynchronisation() -> SynchronisationHold {
        let hold = SynchronisationHold()
        self.hold.withLock { $0 = hold }
        return hold
    }

    /// Blocks all files that are to be created, until the hold is released.
    func holdCreation() -> SynchronisationHold {
        let hold = SynchronisationHold()
        self.creation.withLock { $0 = hold }
        return hold
    }

    /// Names of files that are arriving, or not durable yet.
    var incoming: [String] { self.folder.files.filter { $0.contains("/incoming/") } }

    /// Absolute paths of stored originals.
    var files: [String] {
        self.folder.files.filter { $0.hasSuffix(".original") }.map { "\(self.folder.path)/\($0)" }
    }

    func open(
        _ configuration: DiskOriginalStore.Configuration = .init(),
        untilNextRound: @escaping @Sendable () async throws -> Void = { try await Gate().wait() }
    ) throws -> Opened {
        let data = try DataDirectory(path: self.path)
        let store = try DiskOriginalStore(
            in: data, configuration: configuration, verifier: OriginalVerifier(), threads: self.threads,
            logger: self.log.logger(), secondsSince1970: { self.seconds.withLock { $0 } },
            untilNextRound: untilNextRound, calls: self.calls)
        return Opened(data: data, store: store)
    }

    func withStore<Value>(
        _ configuration: DiskOriginalStore.Configuration = .init(), _ body: (DiskOriginalStore) async throws -> Value
    ) async throws -> Value {
        let opened = try self.open(configuration)
        do {
            let value = try await body(opened.store)
            await opened.store.close()
            return value
        } catch {
            await opened.store.close()
            throw error
        }
    }

    /// The system's calls, with the current faults and holds.
    var calls: FileSystemCalls {
        let system = FileSystemCalls.system
        return FileSystemCalls(
            create: { (path) throws(FileError) in
                self.creation.withLock { $0 }?.pass()
                try self.check("create", path)
                return try system.create(path)
            },
            write: { (bytes, descriptor, path) throws(FileError) in
                if self.code(for: "write") != nil {
                    // A disk that fills up takes a part.
                    let half = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
                    try system.write(half, descriptor, path)
                }
                try self.check("write", path)
                try system.write(bytes, descriptor, path)
            },
            synchronise: { (descriptor, path) throws(FileError) in
                if path.contains("/incoming/") { self.hold.withLock { $0 }?.pass() }
                try self.check("synchronise", path)
                try system.synchronise(descriptor, path)
            })
    }

    private func check(_ action: String, _ path: String) throws(FileError) {
        if let code = self.code(for: action) { throw FileError(action, path, code: code) }
    }

    private func code(for action: String) -> Int32? {
        self.fault.withLock { $0.flatMap { $0.action ?? action == action ? $0.code : nil } }
    }

    /// Changes a file in place, as the store never does.
    func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        change(&bytes)
        try Data(bytes).write(to: URL(filePath: path))
    }

    static func id(_ key: String) throws -> PosterID { try PosterID(source: "mine", key: key) }

    static func path(of key: String) throws -> String {
        let name = Digest(of: try self.id(key).description).description
        return "\(name.prefix(2))/\(name).original"
    }
}

/// Blocks threads that create files or make them durable.
final class SynchronisationHold: Sendable {
    /// The number of threads that have arrived.
    let arrivals = Counter()
    private let latch = Latch()

    func pass() {
        self.arrivals.increment()
        self.latch.wait()
        self.latch.open()
    }

    /// Unblocks all threads, including later ones.
    func release() { self.latch.open() }
}

extension DiskOriginalStore {
    /// Stores a picture, durably.
    @discardableResult
    func put(_ bytes: [UInt8], as key: String = "heat") async throws -> StoredOriginal {
        let stored = try await self.commit(bytes, as: key)
        try await self.settle()
        return stored
    }

    /// Commits a picture, which may become durable later.
    func commit(_ bytes: [UInt8], as key: String = "heat") async throws -> StoredOriginal {
        let draft = try await self.makeDraft(for: try DiskFixture.id(key), from: DiskFixture.location)
        _ = bytes.withUnsafeBytes { draft.append($0) }
        return try await draft.commit(
            validators: Validators(etag: "\"v1\"", lastModified: "Sat, 04 Mar 1922 20:00:00 GMT"),
            freshness: DiskFixture.freshness, declaredLength: nil)
    }

    func get(_ key: String = "heat") async throws -> StoredOriginal? {
        try await self.original(try DiskFixture.id(key), from: DiskFixture.location)
    }
}

extension StoredOriginal {
    var array: [UInt8] { get throws { try self.original.bytes.withUnsafeBytes { Array($0) } } }
}
