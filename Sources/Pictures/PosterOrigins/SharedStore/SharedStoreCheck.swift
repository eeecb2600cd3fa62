import HTTPFetch
import ObjectStorage
import PosterPipeline
import Synchronization

/// A check of all objects of a shared store: keys, fields, lengths, digests, pictures.
///
/// It proceeds page by page: memory is bounded by one page and a few originals.
public struct SharedStoreCheck: Sendable {
    /// The findings of a check, in objects, and the effects of a repair.
    public struct Report: Hashable, Sendable {
        package var checked = 0
        /// Objects without a fault.
        package var sound = 0
        /// Objects that do not match their fields, or have none, or are no pictures; deleted by a repair.
        package var damaged = 0
        /// Objects that exceed a limit or could not be read; left alone.
        package var unusable = 0
        /// Objects below the prefix with other keys; left alone.
        package var foreign = 0
        /// Total size of the sound objects.
        package var bytes: Int64 = 0
        /// Descriptions of the first ``StoreCheck/reasonLimit`` damaged or unusable objects.
        package var reasons: [String] = []

        package var isFlawless: Bool { self.damaged == 0 && self.unusable == 0 }
    }

    fileprivate enum Finding: Sendable {
        case sound(bytes: Int)
        case damaged(String)
        case unusable(String)
        /// Deleted since it was listed.
        case gone
    }

    private static let readsAtOnce = 4
    /// Maximum number of pages: 10⁹ objects.
    private static let pageLimit = 1_000_000

    let store: SharedOriginalStore
    let isRepairing: Bool

    /// - Parameter tell: Called after each object; the total is unknown until the end.
    func run(_ tell: @Sendable (StoreCheck.Progress) -> Void) async throws -> Report {
        var report = Report()
        var continuation: String?
        for _ in 0..<Self.pageLimit {
            let page = try await self.store.client.list(after: continuation)
            let keys = page.entries.map(\.key)
            report.foreign += keys.count { OriginalObject.id(ofKey: $0) == nil }
            try await self.check(keys.filter { OriginalObject.id(ofKey: $0) != nil }, &report, tell)
            guard let next = page.continuation else { return report }
            guard next != continuation else { throw StoreFailure.unintelligible("the list of objects does not end") }
            continuation = next
        }
        throw StoreFailure.unintelligible("the list of objects does not end")
    }

    private func check(_ keys: [String], _ report: inout Report, _ tell: @Sendable (StoreCheck.Progress) -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: (String, Finding).self) { group in
            var rest = keys[...]
            func start() {
                guard let key = rest.popFirst() else { return }
                group.addTask { (key, try await self.check(key)) }
            }
            for _ in 0..<Self.readsAtOnce { start() }
            while let (key, finding) = try await group.next() {
                report.add(finding, key: key)
                tell(StoreCheck.Progress(checked: report.checked, total: report.checked))
                start()
            }
        }
    }

    private func check(_ key: String) async throws -> Finding {
        let sink = ObjectBody()
        do {
            guard try await self.store.client.get(key, into: sink, isUrgent: false) != nil else { return .gone }
        } catch let failure as StoreFailure {
            // If the store does not respond, the check ends.
            guard case .unintelligible(let reason) = failure else { throw failure }
            return .unusable(reason)
        }
        let (object, bytes) = sink.taken
        guard let object, object.length == bytes.count, bytes.withUnsafeBytes({ Digest(of: $0) }) == object.digest,
            object.id.hasPrefix("sha256:") || Digest(of: object.id) == OriginalObject.id(ofKey: key)
        else { return try await self.damaged(key, "the bytes do not match the object's metadata") }
        do {
            try await self.store.disk.threads.run(weight: bytes.count) {
                let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
                memory.copyBytes(from: bytes)
                _ = try self.store.disk.fileStore.verifier.verify(LoadedBytes(taking: memory))
            }
        } catch PosterError.badOriginal(let reason) {
            return try await self.damaged(key, reason)
        } catch let error as PosterError {
            return .unusable("\(error)")
        }
        return .sound(bytes: bytes.count)
    }

    private func damaged(_ key: String, _ reason: String) async throws -> Finding {
        if self.isRepairing { try await self.store.client.delete(key) }
        return .damaged(reason)
    }
}

extension SharedStoreCheck.Report {
    fileprivate mutating func add(_ finding: SharedStoreCheck.Finding, key: String) {
        switch finding {
        case .gone: return
        case .sound(let bytes):
            self.sound += 1
            self.bytes += Int64(bytes)
        case .damaged(let reason):
            self.damaged += 1
            self.note("\(key): \(reason)")
        case .unusable(let reason):
            self.unusable += 1
            self.note("\(key): \(reason)")
        }
        self.checked += 1
    }

    private mutating func note(_ reason: String) {
        if self.reasons.count < StoreCheck.reasonLimit { self.reasons.append(reason) }
    }
}

extension SharedOriginalStore {
    /// Reads every object of the store.
    /// - Parameters:
    ///   - repairing: Whether damaged objects are deleted, or only counted.
    ///   - progress: Called sequentially after each object.
    /// - Throws: `StoreFailure`, `PosterError`, `CancellationError`; completed steps are not undone.
    package func verify(
        repairing: Bool = true, progress: @escaping @Sendable (StoreCheck.Progress) -> Void = { _ in }
    ) async throws -> SharedStoreCheck.Report {
        try await SharedStoreCheck(store: self, isRepairing: repairing).run(progress)
    }
}

/// Collects an object in memory; the client's fetches bound its size.
private final class ObjectBody: FetchSink {
    private let state = Mutex<(object: OriginalObject?, bytes: [UInt8])>((nil, []))

    var taken: (object: OriginalObject?, bytes: [UInt8]) { self.state.withLock { $0 } }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.state.withLock { $0 = (OriginalObject(fields: head.keptFields), []) }
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.state.withLock { $0.bytes.append(contentsOf: bytes) }
        return true
    }
}
